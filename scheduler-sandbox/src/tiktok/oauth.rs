//! Tokens: `/v2/oauth/token/`, `/v2/oauth/revoke/`.
//!
//! Any application may ask: its key and secret must only be there, and stay the same. A refresh
//! token is good for one exchange.
//!
//! Source: <https://developers.tiktok.com/docs/en/oauth-user-access-token-management>.

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::Tiktok;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// Every scope that is imitated.
pub(super) const SCOPES: [&str; 6] = [
    "user.info.basic",
    "user.info.profile",
    "user.info.stats",
    "video.list",
    "video.publish",
    "video.upload",
];
/// Life of a code; the documentation names none.
const CODE_LIFE: TimeDelta = TimeDelta::minutes(10);
/// Life of an access token.
const ACCESS_LIFE: TimeDelta = TimeDelta::hours(2);
/// Life of a refresh token.
const REFRESH_LIFE: TimeDelta = TimeDelta::days(180);

/// A code that waits to become a token.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) client_key: String,
    pub(super) open_id: String,
    pub(super) redirect_uri: String,
    pub(super) scopes: Vec<String>,
    /// The digest of the proof key, in hexadecimal digits.
    pub(super) challenge: Option<String>,
    pub(super) created_at: DateTime<Utc>,
}

/// An access token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    caller: Caller,
    expires_at: DateTime<Utc>,
}

/// What renews access, once.
#[derive(Clone, Debug)]
pub(super) struct RefreshToken {
    caller: Caller,
    expires_at: DateTime<Utc>,
}

/// Whom a token speaks for, and what it may do.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    pub(super) open_id: String,
    scopes: Vec<String>,
}

impl Caller {
    /// Checks that a scope was allowed.
    ///
    /// # Errors
    /// It was not.
    pub(super) fn check(&self, scope: &str) -> Result<(), ApiError> {
        match self.scopes.iter().any(|allowed| allowed == scope) {
            true => Ok(()),
            false => Err(ApiError::scope()),
        }
    }
}

impl Tiktok {
    /// Turns a code or a refresh token into tokens.
    ///
    /// # Errors
    /// `invalid_client`, `invalid_grant`, `invalid_request`, `unsupported_grant_type`.
    pub(super) fn token(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let params = form(request)?;
        let client_key = client(&params)?;
        let given = |name| text(&params, name).unwrap_or_default();
        match given("grant_type").as_str() {
            "authorization_code" => {
                let wrong = || ApiError::invalid_grant("Authorization code is invalid or expired.");
                // A code is gone after the first attempt, whether it fits or not.
                let code = self.codes.remove(&given("code")).ok_or_else(wrong)?;
                let fits = code.client_key == client_key
                    && code.redirect_uri == given("redirect_uri")
                    && context.now < code.created_at + CODE_LIFE;
                if !fits {
                    return Err(wrong());
                }
                let proof = hex::encode(Sha256::digest(given("code_verifier").as_bytes()));
                if code.challenge.is_some_and(|challenge| challenge != proof) {
                    return Err(ApiError::invalid_grant(
                        "Code verifier or code challenge is invalid.",
                    ));
                }
                Ok(Answer::ok(&self.give_tokens(&code.open_id, &code.scopes, context.now)))
            }
            "refresh_token" => {
                let known = self.refresh_tokens.remove(&given("refresh_token"));
                let known = known.filter(|known| context.now < known.expires_at);
                let known = known.ok_or_else(|| {
                    ApiError::invalid_grant("Refresh token is invalid or expired.")
                })?;
                let Caller { open_id, scopes } = known.caller;
                Ok(Answer::ok(&self.give_tokens(&open_id, &scopes, context.now)))
            }
            _ => Err(ApiError::oauth(
                StatusCode::BAD_REQUEST,
                "unsupported_grant_type",
                "Grant type is not supported.",
            )),
        }
    }

    /// Ends a token and what renews it.
    ///
    /// # Errors
    /// `invalid_client`, `invalid_request`.
    pub(super) fn revoke(&mut self, request: &Request) -> Result<Answer, ApiError> {
        let params = form(request)?;
        client(&params)?;
        let token = text(&params, "token").unwrap_or_default();
        let open_id = self.tokens.get(&token).map(|token| token.caller.open_id.clone());
        if let Some(open_id) = open_id {
            self.tokens.retain(|_, token| token.caller.open_id != open_id);
            self.refresh_tokens.retain(|_, token| token.caller.open_id != open_id);
        }
        Ok(Answer::ok(&json!({})))
    }

    /// Gives out an access token and what renews it.
    pub(super) fn give_tokens(
        &mut self,
        open_id: &str,
        scopes: &[String],
        now: DateTime<Utc>,
    ) -> Value {
        let caller = Caller { open_id: open_id.to_owned(), scopes: scopes.to_vec() };
        let access = format!("act.{}", random_secret());
        let refresh = format!("rft.{}", random_secret());
        let token = Token { caller: caller.clone(), expires_at: now + ACCESS_LIFE };
        self.tokens.insert(access.clone(), token);
        let renewing = RefreshToken { caller, expires_at: now + REFRESH_LIFE };
        self.refresh_tokens.insert(refresh.clone(), renewing);
        json!({
            "open_id": open_id,
            "scope": scopes.join(","),
            "access_token": access,
            "expires_in": ACCESS_LIFE.num_seconds(),
            "refresh_token": refresh,
            "refresh_expires_in": REFRESH_LIFE.num_seconds(),
            "token_type": "Bearer",
        })
    }

    /// Ends what a call for tokens carries.
    pub(super) fn expire_grant(&mut self, request: &Request) {
        let params = params(request);
        self.refresh_tokens.remove(&text(&params, "refresh_token").unwrap_or_default());
        self.codes.remove(&text(&params, "code").unwrap_or_default());
    }

    /// Ends the access tokens of the account that a request speaks for.
    pub(super) fn expire_access(&mut self, request: &Request, now: DateTime<Utc>) {
        let token = request.bearer().and_then(|token| self.tokens.get(token));
        let Some(open_id) = token.map(|token| token.caller.open_id.clone()) else { return };
        let own = self.tokens.values_mut().filter(|token| token.caller.open_id == open_id);
        for token in own {
            token.expires_at = token.expires_at.min(now);
        }
    }

    /// Returns whom the request speaks for, if its token has the scope.
    ///
    /// # Errors
    /// `access_token_invalid`, `scope_not_authorized`.
    pub(super) fn caller(
        &self,
        request: &Request,
        scope: &str,
        context: &Context<'_>,
    ) -> Result<Caller, ApiError> {
        let token = request.bearer().and_then(|token| self.tokens.get(token));
        let token = token.filter(|token| context.now < token.expires_at);
        let caller = token.ok_or_else(ApiError::token)?.caller.clone();
        caller.check(scope)?;
        Ok(caller)
    }
}

/// Returns the fields of a form; nothing else is taken.
fn form(request: &Request) -> Result<Map<String, Value>, ApiError> {
    match request.content_type().as_str() {
        "application/x-www-form-urlencoded" => Ok(params(request)),
        _ => Err(ApiError::oauth(
            StatusCode::BAD_REQUEST,
            "invalid_request",
            "Only `application/x-www-form-urlencoded` is supported as Content-Type.",
        )),
    }
}

fn client(params: &Map<String, Value>) -> Result<String, ApiError> {
    let given = |name| text(params, name).filter(|value| !value.is_empty());
    given("client_key").filter(|_| given("client_secret").is_some()).ok_or_else(|| {
        let why = "Client key or secret is incorrect.";
        ApiError::oauth(StatusCode::UNAUTHORIZED, "invalid_client", why)
    })
}
