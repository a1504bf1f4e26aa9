//! Tokens of people and of their Pages.
//!
//! Source: <https://developers.facebook.com/docs/facebook-login/guides/access-tokens/>.

use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::json;
use sha2::Sha256;

use super::Facebook;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// Everything that can be allowed.
pub(super) const SCOPES: [&str; 8] = [
    "pages_show_list",
    "pages_read_engagement",
    "pages_manage_posts",
    "pages_manage_engagement",
    "pages_read_user_content",
    "read_insights",
    "business_management",
    "pages_manage_metadata",
];

/// Life of a person's long-lived token, and of the first one.
const LONG_LIFE: TimeDelta = TimeDelta::days(60);
const SHORT_LIFE: TimeDelta = TimeDelta::hours(1);
/// Life of a code; a code is good for one use.
const CODE_LIFE: TimeDelta = TimeDelta::minutes(10);
/// How long data may be read after the last login.
const DATA_ACCESS: TimeDelta = TimeDelta::days(90);

/// Whose token it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    Person,
    Page,
}

/// A token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// The Page, or the Page of the person.
    pub(super) page: u64,
    pub(super) holder: Holder,
    pub(super) scopes: Vec<String>,
    pub(super) created_at: DateTime<Utc>,
    pub(super) expires_at: Option<DateTime<Utc>>,
    /// The secret of the application that it was given to, where that is known.
    pub(super) secret: Option<String>,
}

impl Token {
    /// Says whether something was allowed.
    pub(super) fn has(&self, scope: &str) -> bool {
        self.scopes.iter().any(|given| given == scope)
    }

    /// Says whether a proof is that of its application; any will do where that is not known.
    pub(super) fn is_proved_by(&self, token: &str, proof: &str) -> bool {
        let Some(secret) = &self.secret else { return true };
        let Ok(mut mac) = <Hmac<Sha256> as KeyInit>::new_from_slice(secret.as_bytes()) else {
            return false;
        };
        mac.update(token.as_bytes());
        hex::encode(mac.finalize().into_bytes()) == proof
    }
}

/// What a person's consent gives.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) client_id: String,
    pub(super) redirect_uri: String,
    pub(super) page: u64,
    pub(super) scopes: Vec<String>,
    pub(super) created_at: DateTime<Utc>,
}

impl Facebook {
    /// Makes a token; with every scope unless some are named.
    pub(super) fn give_token(
        &mut self,
        page: u64,
        holder: Holder,
        scopes: Option<Vec<String>>,
        expires_at: Option<DateTime<Utc>>,
        created_at: DateTime<Utc>,
    ) -> String {
        let all = || SCOPES.iter().map(|scope| (*scope).to_owned()).collect();
        let scopes = scopes.unwrap_or_else(all);
        let token = format!("EAAB{}", random_secret());
        let given = Token { page, holder, scopes, created_at, expires_at, secret: None };
        self.tokens.insert(token.clone(), given);
        token
    }

    /// Makes what connects a Page: the long-lived token of its person.
    pub(super) fn give_person(&mut self, page: u64, now: DateTime<Utc>) -> String {
        self.give_token(page, Holder::Person, None, Some(now + LONG_LIFE), now)
    }

    /// Exchanges a code for a token of an hour, or that for one of 60 days.
    ///
    /// # Errors
    /// A code that is none, those of tokens.
    pub(super) fn exchange(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let params = params(request);
        let is_given = |name: &str| text(&params, name).is_some_and(|value| !value.is_empty());
        if !is_given("client_id") {
            return Err(ApiError::new(101, "Missing client_id parameter."));
        }
        if !is_given("client_secret") {
            return Err(ApiError::new(1, "Missing client_secret parameter."));
        }
        let (page, scopes, life) = match text(&params, "grant_type").as_deref() {
            Some("fb_exchange_token") => {
                let sent = text(&params, "fb_exchange_token").unwrap_or_default();
                let token = self.tokens.get(&sent).ok_or_else(ApiError::token)?;
                let is_over = token.expires_at.is_some_and(|at| at <= context.now);
                if token.holder != Holder::Person || is_over {
                    return Err(ApiError::expired());
                }
                (token.page, token.scopes.clone(), LONG_LIFE)
            }
            None | Some("authorization_code") => {
                let code = text(&params, "code").and_then(|code| self.codes.remove(&code));
                let is_same = |name: &str, value: &str| {
                    text(&params, name).is_some_and(|given| given == value)
                };
                let code = code.filter(|code| {
                    is_same("client_id", &code.client_id)
                        && is_same("redirect_uri", &code.redirect_uri)
                        && context.now < code.created_at + CODE_LIFE
                });
                let code = code.ok_or_else(|| {
                    ApiError::sub(100, 36_009, "This authorization code has been used.")
                })?;
                (code.page, code.scopes, SHORT_LIFE)
            }
            Some(_) => return Err(ApiError::parameter("Unsupported grant_type")),
        };
        let expires_at = Some(context.now + life);
        let token = self.give_token(page, Holder::Person, Some(scopes), expires_at, context.now);
        if let Some(given) = self.tokens.get_mut(&token) {
            given.secret = text(&params, "client_secret");
        }
        Ok(Answer::ok(&json!({
            "access_token": token,
            "token_type": "bearer",
            "expires_in": life.num_seconds(),
        })))
    }

    /// Answers what a token is good for.
    ///
    /// # Errors
    /// Those of tokens.
    pub(super) fn debug_token(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        self.token(request, context.now)?;
        let sent = text(&params(request), "input_token").unwrap_or_default();
        let Some(token) = self.tokens.get(&sent) else {
            let error = json!({ "code": 190, "message": "Invalid OAuth access token." });
            let data = json!({ "error": error, "is_valid": false, "scopes": [] });
            return Ok(Answer::ok(&json!({ "data": data })));
        };
        let is_valid = token.expires_at.is_none_or(|at| context.now < at);
        Ok(Answer::ok(&json!({ "data": {
            "app_id": "770",
            "type": if token.holder == Holder::Person { "USER" } else { "PAGE" },
            "is_valid": is_valid,
            "expires_at": token.expires_at.map_or(0, |at| at.timestamp()),
            "data_access_expires_at": (token.created_at + DATA_ACCESS).timestamp(),
            "scopes": token.scopes,
        } })))
    }

    /// Answers what a person has allowed.
    ///
    /// # Errors
    /// Those of tokens.
    pub(super) fn permissions(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let token = self.token(request, context.now)?;
        if token.holder != Holder::Person {
            return Err(ApiError::missing("me"));
        }
        let permissions = SCOPES.iter().map(|scope| {
            let status = if token.has(scope) { "granted" } else { "declined" };
            json!({ "permission": scope, "status": status })
        });
        Ok(Answer::ok(&json!({ "data": permissions.collect::<Vec<_>>() })))
    }
}
