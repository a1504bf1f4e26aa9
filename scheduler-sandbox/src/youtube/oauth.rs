//! Tokens: `/token`, `/revoke`.
//!
//! Any application may ask: its id and secret must only be there, and stay the same.
//!
//! Source: <https://developers.google.com/identity/protocols/oauth2/web-server>.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::Youtube;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// What every name of a permission begins with.
pub(super) const SCOPE: &str = "https://www.googleapis.com/auth/";
/// Every permission that is imitated.
pub(super) const SCOPES: [&str; 5] =
    ["youtube.upload", "youtube", "youtube.force-ssl", "youtube.readonly", "yt-analytics.readonly"];
/// Permissions, one of which the calls of each kind need.
pub(super) const UPLOADING: &[&str] = &["youtube.upload", "youtube", "youtube.force-ssl"];
pub(super) const MANAGING: &[&str] = &["youtube", "youtube.force-ssl"];
pub(super) const COMMENTING: &[&str] = &["youtube.force-ssl"];
pub(super) const READING: &[&str] = &["youtube.readonly", "youtube", "youtube.force-ssl"];
pub(super) const REPORTS: &[&str] = &["yt-analytics.readonly"];
/// Life of a code.
const CODE_LIFE: TimeDelta = TimeDelta::minutes(10);
/// Life of an access token.
const ACCESS_LIFE: TimeDelta = TimeDelta::seconds(3599);

/// A code that waits to become a token.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) client_id: String,
    pub(super) channel: String,
    pub(super) redirect_uri: String,
    pub(super) scopes: Vec<String>,
    pub(super) challenge: Option<String>,
    /// Whether a refresh token goes with it.
    pub(super) is_offline: bool,
    pub(super) created_at: DateTime<Utc>,
}

/// An access token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) channel: String,
    pub(super) scopes: Vec<String>,
    pub(super) expires_at: DateTime<Utc>,
}

/// What renews access.
#[derive(Clone, Debug)]
pub(super) struct RefreshToken {
    channel: String,
    scopes: Vec<String>,
}

impl Youtube {
    /// Turns a code or a refresh token into an access token.
    ///
    /// # Errors
    /// `invalid_client`, `invalid_grant`, `unsupported_grant_type`.
    pub(super) fn token(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let params = params(request);
        let client_id = client(&params)?;
        let given = |name| text(&params, name).unwrap_or_default();
        match given("grant_type").as_str() {
            "authorization_code" => {
                // A code is gone after the first attempt, whether it fits or not.
                let code = self.codes.remove(&given("code")).ok_or_else(invalid_grant)?;
                let verifier = Sha256::digest(given("code_verifier"));
                let proves = code
                    .challenge
                    .is_none_or(|challenge| challenge == URL_SAFE_NO_PAD.encode(verifier));
                let fits = code.client_id == client_id
                    && code.redirect_uri == given("redirect_uri")
                    && context.now < code.created_at + CODE_LIFE;
                if !fits || !proves {
                    return Err(invalid_grant());
                }
                let mut given = self.given(&code.channel, &code.scopes, context.now);
                if code.is_offline {
                    given["refresh_token"] =
                        Value::from(self.give_refresh(&code.channel, &code.scopes));
                }
                Ok(Answer::ok(&given))
            }
            // The refresh token stays as it is, and is not said again.
            "refresh_token" => {
                let known = self.refresh_tokens.get(&given("refresh_token")).cloned();
                let known = known.ok_or_else(|| {
                    let why = "Token has been expired or revoked.";
                    ApiError::oauth(StatusCode::BAD_REQUEST, "invalid_grant", why)
                })?;
                Ok(Answer::ok(&self.given(&known.channel, &known.scopes, context.now)))
            }
            other => {
                let why = format!("Invalid grant_type: {other}");
                Err(ApiError::oauth(StatusCode::BAD_REQUEST, "unsupported_grant_type", &why))
            }
        }
    }

    /// Ends a token, and with a refresh token everything that it gave.
    ///
    /// # Errors
    /// 400 `invalid_token`.
    pub(super) fn revoke(&mut self, request: &Request) -> Result<Answer, ApiError> {
        let given = request.query("token").map(str::to_owned);
        let token = given.or_else(|| text(&params(request), "token")).unwrap_or_default();
        let refresh = self.refresh_tokens.remove(&token);
        if let Some(refresh) = &refresh {
            self.tokens.retain(|_, token| token.channel != refresh.channel);
        }
        if refresh.is_none() && self.tokens.remove(&token).is_none() {
            let why = "Token expired or revoked";
            return Err(ApiError::oauth(StatusCode::BAD_REQUEST, "invalid_token", why));
        }
        Ok(Answer::ok(&json!({})))
    }

    fn given(&mut self, channel: &str, scopes: &[String], now: DateTime<Utc>) -> Value {
        json!({
            "access_token": self.give_access(channel, scopes, now, ACCESS_LIFE),
            "expires_in": ACCESS_LIFE.num_seconds(),
            "scope": scopes.join(" "),
            "token_type": "Bearer",
        })
    }

    /// Gives out an access token.
    pub(super) fn give_access(
        &mut self,
        channel: &str,
        scopes: &[String],
        now: DateTime<Utc>,
        life: TimeDelta,
    ) -> String {
        let access = random_secret();
        let token =
            Token { channel: channel.to_owned(), scopes: scopes.to_vec(), expires_at: now + life };
        self.tokens.insert(access.clone(), token);
        access
    }

    /// Gives out what renews access.
    pub(super) fn give_refresh(&mut self, channel: &str, scopes: &[String]) -> String {
        let refresh = random_secret();
        let kept = RefreshToken { channel: channel.to_owned(), scopes: scopes.to_vec() };
        self.refresh_tokens.insert(refresh.clone(), kept);
        refresh
    }

    /// Ends the refresh token or the code that a request carries.
    pub(super) fn end_refresh_token(&mut self, request: &Request) {
        let params = params(request);
        self.refresh_tokens.remove(&text(&params, "refresh_token").unwrap_or_default());
        self.codes.remove(&text(&params, "code").unwrap_or_default());
    }

    /// Returns the channel that the request speaks for.
    ///
    /// # Errors
    /// 401, and 403 without one of the permissions.
    pub(super) fn caller(
        &self,
        request: &Request,
        context: &Context<'_>,
        scopes: &[&str],
    ) -> Result<String, ApiError> {
        let token = request.bearer().and_then(|token| self.tokens.get(token));
        let token = token.filter(|token| context.now < token.expires_at).ok_or_else(|| {
            let message = "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.";
            ApiError::new(StatusCode::UNAUTHORIZED, "authError", message)
        })?;
        let has = token
            .scopes
            .iter()
            .any(|given| given.strip_prefix(SCOPE).is_some_and(|name| scopes.contains(&name)));
        if has { Ok(token.channel.clone()) } else { Err(ApiError::scope()) }
    }
}

fn client(params: &Map<String, Value>) -> Result<String, ApiError> {
    let given = |name| text(params, name).filter(|value| !value.is_empty());
    given("client_id").filter(|_| given("client_secret").is_some()).ok_or_else(|| {
        let why = "The OAuth client was not found.";
        ApiError::oauth(StatusCode::UNAUTHORIZED, "invalid_client", why)
    })
}

/// Returns the error of a code that cannot be exchanged.
pub(super) fn invalid_grant() -> ApiError {
    ApiError::oauth(StatusCode::BAD_REQUEST, "invalid_grant", "Bad Request")
}
