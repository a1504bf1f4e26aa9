//! The accounts of the imitated server: `accounts/…`.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::Mastodon;
use super::error::ApiError;
use super::oauth::SCOPES;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::timestamp;
use crate::params::{flag, params, text};
use crate::request::Request;

/// Longest user name.
///
/// Source: `app/models/account.rb`, `USERNAME_LENGTH_LIMIT`.
const MAX_USERNAME: usize = 30;
/// Followers of every account; invented.
const FOLLOWERS: u32 = 96;
/// Accounts that every account follows; invented.
const FOLLOWING: u32 = 48;
/// Default and greatest length of a list of statuses.
const DEFAULT_STATUSES: usize = 20;
const MAX_STATUSES: usize = 40;
/// Default and greatest length of a list of accounts.
const DEFAULT_ACCOUNTS: usize = 40;
const MAX_ACCOUNTS: usize = 80;

/// An account.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) id: u64,
    pub(super) username: String,
    pub(super) display_name: String,
    pub(super) created_at: DateTime<Utc>,
}

impl Mastodon {
    /// Makes an account.
    ///
    /// # Errors
    /// The name cannot be a user name or is taken.
    pub(super) fn add_account(
        &mut self,
        name: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<u64, String> {
        let display_name = name.map_or_else(|| self.next_name(), str::to_owned);
        let username = display_name.to_lowercase().replace([' ', '-'], "_");
        let is_username = (1..=MAX_USERNAME).contains(&username.len())
            && username.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_username {
            return Err(format!(
                "name must be 1 to {MAX_USERNAME} letters, digits, spaces, hyphens or underscores."
            ));
        }
        if self.account_named(&username).is_some() {
            return Err(format!("There is an account {username} already."));
        }
        let id = self.next_id(now);
        self.usernames.insert(username.clone(), id);
        self.accounts.insert(id, Account { id, username, display_name, created_at: now });
        Ok(id)
    }

    fn next_name(&self) -> String {
        (self.accounts.len() + 1..)
            .map(|number| format!("sandbox_{number}"))
            .find(|name| self.account_named(name).is_none())
            .unwrap_or_default()
    }

    /// Finds an account of this server by its user name.
    pub(super) fn account_named(&self, username: &str) -> Option<&Account> {
        self.accounts.get(self.usernames.get(&username.to_lowercase())?)
    }

    /// Returns an account as the API shows it.
    pub(super) fn account_view(&self, id: u64, context: &Context<'_>) -> Value {
        let Some(account) = self.accounts.get(&id) else { return Value::Null };
        let base = context.base;
        let statuses = self.by_account.get(&id);
        let last = statuses.and_then(|ids| ids.last()).and_then(|id| self.statuses.get(id));
        json!({
            "id": id.to_string(),
            "username": account.username,
            "acct": account.username,
            "display_name": account.display_name,
            "locked": false,
            "bot": false,
            "discoverable": true,
            "indexable": false,
            "group": false,
            "created_at": timestamp(account.created_at),
            "note": "",
            "url": format!("{base}/@{}", account.username),
            "uri": format!("{base}/users/{}", account.username),
            "avatar": format!("{base}/avatars/original/missing.png"),
            "avatar_static": format!("{base}/avatars/original/missing.png"),
            "header": format!("{base}/headers/original/missing.png"),
            "header_static": format!("{base}/headers/original/missing.png"),
            "followers_count": FOLLOWERS,
            "following_count": FOLLOWING,
            "statuses_count": statuses.map_or(0, |ids| ids.len()),
            "last_status_at": last.map(|status| status.created_at.date_naive().to_string()),
            "emojis": [],
            "fields": [],
        })
    }

    /// Answers whose token it is.
    ///
    /// # Errors
    /// Those of tokens.
    pub(super) fn verify_credentials(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let id = self.user(request, "read:accounts")?;
        let mut view = self.account_view(id, context);
        view["source"] = json!({
            "privacy": "public",
            "sensitive": false,
            "language": null,
            "note": "",
            "fields": [],
            "follow_requests_count": 0,
        });
        view["role"] = json!({
            "id": "-99",
            "name": "",
            "permissions": "0",
            "color": "",
            "highlighted": false,
        });
        Ok(Answer::ok(&view))
    }

    /// Answers an account by id.
    ///
    /// # Errors
    /// Not found, those of tokens.
    pub(super) fn show_account(
        &self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        self.viewer(request, "read:accounts")?;
        let account = self.account_by_id(id)?;
        Ok(Answer::ok(&self.account_view(account.id, context)))
    }

    /// Answers accounts whose user name or display name begins with a text.
    ///
    /// # Errors
    /// Those of tokens.
    pub(super) fn search_accounts(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        self.user(request, "read:accounts")?;
        let params = params(request);
        let query = text(&params, "q").unwrap_or_default().to_lowercase();
        let query = query.trim_start_matches('@').split('@').next().unwrap_or("").to_owned();
        let limit = limit(request, DEFAULT_ACCOUNTS, MAX_ACCOUNTS);
        let found: Vec<Value> = self
            .accounts
            .values()
            .filter(|account| {
                !query.is_empty()
                    && (account.username.starts_with(&query)
                        || account.display_name.to_lowercase().starts_with(&query))
            })
            .take(limit)
            .map(|account| self.account_view(account.id, context))
            .collect();
        Ok(Answer::ok(&Value::from(found)))
    }

    /// Answers the statuses of an account, newest first.
    ///
    /// # Errors
    /// Not found, those of tokens.
    pub(super) fn account_statuses(
        &self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let viewer = self.viewer(request, "read:statuses")?;
        let account = self.account_by_id(id)?.id;
        let params = params(request);
        let bound = |name| text(&params, name).and_then(|id| id.parse::<u64>().ok());
        let (max, since) = (bound("max_id"), bound("since_id").max(bound("min_id")));
        let no_replies = flag(&params, "exclude_replies").unwrap_or(false);
        let only_media = flag(&params, "only_media").unwrap_or(false);
        let found: Vec<Value> = self
            .by_account
            .get(&account)
            .into_iter()
            .flat_map(|ids| ids.iter().rev())
            .filter(|id| max.is_none_or(|max| **id < max) && since.is_none_or(|since| **id > since))
            .filter_map(|id| self.statuses.get(id))
            .filter(|status| !(no_replies && status.in_reply_to.is_some()))
            .filter(|status| !(only_media && status.media.is_empty()))
            .filter(|status| self.is_visible(status, viewer))
            .take(limit(request, DEFAULT_STATUSES, MAX_STATUSES))
            .map(|status| self.status_view(status, viewer, context))
            .collect();
        Ok(Answer::ok(&Value::from(found)))
    }

    /// Returns what connects an account: a token with every scope of the adapters.
    pub(super) fn connect(&mut self, account: u64, context: &Context<'_>) -> Value {
        let token = self.give_token(Some(account), SCOPES, "Scheduler");
        let username = self.accounts.get(&account).map(|account| account.username.as_str());
        json!({
            "platform": super::NAME,
            "account": account.to_string(),
            "accountId": account.to_string(),
            "acct": username,
            "instance": context.base,
            "accessToken": token,
        })
    }

    fn account_by_id(&self, id: &str) -> Result<&Account, ApiError> {
        id.parse().ok().and_then(|id: u64| self.accounts.get(&id)).ok_or_else(ApiError::not_found)
    }
}

/// Reads how long a list may be; nonsense counts as not said.
fn limit(request: &Request, default: usize, most: usize) -> usize {
    request.query("limit").and_then(|text| text.parse().ok()).unwrap_or(default).clamp(1, most)
}
