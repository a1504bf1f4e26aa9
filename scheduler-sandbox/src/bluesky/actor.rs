//! Accounts as others see them: `getProfile`, `searchActorsTypeahead`.

use serde_json::{Value, json};

use super::Bluesky;
use super::accounts::Account;
use super::error::XrpcError;
use super::input::{number, parameter};
use super::lexicon::POST;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::timestamp;
use crate::request::Request;

/// Followers of every account; invented.
const FOLLOWERS: u32 = 128;
/// Accounts that every account follows; invented.
const FOLLOWS: u32 = 64;

/// Returns the short view of an account.
pub(super) fn basic_view(account: &Account) -> Value {
    json!({
        "did": account.did,
        "handle": account.handle,
        "displayName": account.display_name,
        "viewer": {"muted": false, "blockedBy": false},
        "labels": [],
        "createdAt": timestamp(account.created_at),
    })
}

impl Bluesky {
    /// Answers an account with its figures.
    ///
    /// # Errors
    /// `InvalidRequest` when there is no such account, those of tokens.
    pub(super) fn profile(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        self.viewer(request, context)?;
        let actor = parameter(request, "actor")?;
        let account =
            self.accounts.find(actor).ok_or_else(|| XrpcError::invalid("Profile not found"))?;
        let mut view = basic_view(account);
        view["followersCount"] = Value::from(FOLLOWERS);
        view["followsCount"] = Value::from(FOLLOWS);
        view["postsCount"] = Value::from(self.records.of_collection(&account.did, POST).len());
        view["indexedAt"] = Value::from(timestamp(account.created_at));
        Ok(Answer::ok(&view))
    }

    /// Answers accounts whose handle or name begins with a text.
    ///
    /// # Errors
    /// `InvalidRequest`, those of tokens.
    pub(super) fn typeahead(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        self.viewer(request, context)?;
        let limit = number(request, "limit", 1, 100, 10)?;
        let query = request.query("q").or_else(|| request.query("term")).unwrap_or_default();
        let query = query.trim_start_matches('@').to_lowercase();
        let actors: Vec<Value> = self
            .accounts
            .iter()
            .filter(|account| {
                !query.is_empty()
                    && (account.handle.starts_with(&query)
                        || account.display_name.to_lowercase().starts_with(&query))
            })
            .take(limit)
            .map(basic_view)
            .collect();
        Ok(Answer::ok(&json!({"actors": actors})))
    }
}
