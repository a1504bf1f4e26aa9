//! Tokens: `/v5/oauth/token`.
//!
//! Any application may ask: its id and secret must only be there, and stay the same. One whose id
//! begins with `trial` has Trial access.
//!
//! Source: <https://github.com/pinterest/api-description>, `POST /oauth/token`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Value, json};

use super::Pinterest;
use super::accounts::Caller;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// Every permission that is imitated.
pub(super) const SCOPES: [&str; 9] = [
    "boards:read",
    "boards:write",
    "pins:read",
    "pins:write",
    "user_accounts:read",
    "boards:read_secret",
    "boards:write_secret",
    "pins:read_secret",
    "pins:write_secret",
];

/// Life of a code. The network's own is not documented.
const CODE_LIFE: TimeDelta = TimeDelta::minutes(10);
/// Life of an access token.
const ACCESS_LIFE: TimeDelta = TimeDelta::days(30);
/// Life of a refresh token, which ends with its first use.
const REFRESH_LIFE: TimeDelta = TimeDelta::days(60);

/// A code that waits to become a token.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) client_id: String,
    pub(super) user: String,
    pub(super) redirect_uri: String,
    pub(super) scopes: Vec<String>,
    pub(super) created_at: DateTime<Utc>,
}

/// An access token, or what renews one.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) user: String,
    pub(super) client_id: String,
    pub(super) scopes: Vec<String>,
    pub(super) expires_at: DateTime<Utc>,
}

impl Pinterest {
    /// Turns a code or a refresh token into tokens.
    ///
    /// # Errors
    /// 401 without an application, 400 for what was not given out or is over.
    pub(super) fn token(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let client_id = client(request).ok_or_else(ApiError::unauthorized)?;
        let params = params(request);
        let given = |name| text(&params, name).unwrap_or_default();
        match given("grant_type").as_str() {
            "authorization_code" => {
                // A code is gone after the first attempt, whether it fits or not.
                let code = self.codes.remove(&given("code"));
                let code = code.ok_or_else(|| invalid_grant("authorization code"))?;
                let fits = code.client_id == client_id
                    && code.redirect_uri == given("redirect_uri")
                    && context.now < code.created_at + CODE_LIFE;
                if !fits {
                    return Err(invalid_grant("authorization code"));
                }
                let Code { user, scopes, .. } = code;
                let mut tokens = self.give_tokens(&user, &client_id, &scopes, context.now);
                tokens["response_type"] = "authorization_code".into();
                Ok(Answer::ok(&tokens))
            }
            "refresh_token" => {
                let known = self.refresh_tokens.remove(&given("refresh_token"));
                // Tokens of the control belong to any application.
                let fits = |known: &Token| {
                    context.now < known.expires_at
                        && (known.client_id == client_id || known.client_id == "sandbox")
                };
                let known = known.filter(fits).ok_or_else(|| invalid_grant("refresh token"))?;
                let Token { user, scopes, .. } = known;
                let mut tokens = self.give_tokens(&user, &client_id, &scopes, context.now);
                tokens["response_type"] = "refresh_token".into();
                Ok(Answer::ok(&tokens))
            }
            _ => Err(ApiError::invalid("grant_type is not one of the supported values")),
        }
    }

    /// Gives out an access token and what renews it.
    pub(super) fn give_tokens(
        &mut self,
        user: &str,
        client_id: &str,
        scopes: &[String],
        now: DateTime<Utc>,
    ) -> Value {
        let access = format!("pina_{}", random_secret());
        let refresh = format!("pinr_{}", random_secret());
        let token = |life| Token {
            user: user.to_owned(),
            client_id: client_id.to_owned(),
            scopes: scopes.to_vec(),
            expires_at: now + life,
        };
        self.tokens.insert(access.clone(), token(ACCESS_LIFE));
        self.refresh_tokens.insert(refresh.clone(), token(REFRESH_LIFE));
        json!({
            "access_token": access,
            "token_type": "bearer",
            "expires_in": ACCESS_LIFE.num_seconds(),
            "refresh_token": refresh,
            "refresh_token_expires_in": REFRESH_LIFE.num_seconds(),
            "refresh_token_expires_at": (now + REFRESH_LIFE).timestamp(),
            "scope": scopes.join(" "),
        })
    }

    /// Ends what a request about tokens carries.
    pub(super) fn expire_grant(&mut self, request: &Request) {
        let params = params(request);
        self.refresh_tokens.remove(&text(&params, "refresh_token").unwrap_or_default());
        self.codes.remove(&text(&params, "code").unwrap_or_default());
    }

    /// Returns whom the request speaks for.
    ///
    /// # Errors
    /// 401.
    pub(super) fn caller(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Caller, ApiError> {
        let token = request.bearer().and_then(|token| self.tokens.get(token));
        let token = token.filter(|token| context.now < token.expires_at);
        let Token { user, client_id, scopes, .. } =
            token.cloned().ok_or_else(ApiError::unauthorized)?;
        Ok(Caller { user, client_id, scopes })
    }
}

/// Returns the application that a request about tokens proves to be.
fn client(request: &Request) -> Option<String> {
    let (scheme, value) = request.header("authorization")?.split_once(' ')?;
    let value = STANDARD.decode(value.trim()).ok().filter(|_| scheme.eq_ignore_ascii_case("basic"));
    let value = String::from_utf8(value?).ok()?;
    let (id, secret) = value.split_once(':')?;
    (!id.is_empty() && !secret.is_empty()).then(|| id.to_owned())
}

/// Returns the error of a code or token that cannot be exchanged.
pub(super) fn invalid_grant(what: &str) -> ApiError {
    let message = format!("The provided {what} is invalid, expired or revoked.");
    ApiError::new(StatusCode::BAD_REQUEST, 283, &message)
}
