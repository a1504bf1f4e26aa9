//! Tokens: `/v2/oauth2/token`.
//!
//! Any application may ask: its id and secret must only be there, and stay the same.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "OAuth2 Authorization".

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Map, Value, json};

use super::Tumblr;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// Every scope.
pub(super) const SCOPES: [&str; 3] = ["basic", "write", "offline_access"];
/// Life of a code; not documented.
const CODE_LIFE: TimeDelta = TimeDelta::minutes(10);
/// Life of an access token, as in the documentation's sample.
const ACCESS_LIFE: TimeDelta = TimeDelta::seconds(2520);

/// A code that waits to become a token.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) client_id: String,
    pub(super) user: u64,
    pub(super) redirect_uri: String,
    pub(super) scopes: Vec<String>,
    pub(super) made_at: DateTime<Utc>,
}

/// An access token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) user: u64,
    /// The application that it was given to, whose calls are counted together.
    pub(super) client_id: String,
    scopes: Vec<String>,
    pub(super) ends_at: DateTime<Utc>,
}

/// What renews access, once.
#[derive(Clone, Debug)]
pub(super) struct RefreshToken {
    user: u64,
    scopes: Vec<String>,
}

impl Tumblr {
    /// Turns a code or a refresh token into new tokens.
    ///
    /// # Errors
    /// `invalid_client`, `invalid_grant`, `unsupported_grant_type`.
    pub(super) fn access_token(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let params = params(request);
        let client_id = client(&params)?;
        let given = |name| text(&params, name).unwrap_or_default();
        let (user, scopes) = match given("grant_type").as_str() {
            "authorization_code" => {
                // A code is gone after the first attempt, whether it fits or not.
                let code = self.codes.remove(&given("code"));
                let fits = |code: &Code| {
                    code.client_id == client_id
                        && code.redirect_uri == given("redirect_uri")
                        && context.now < code.made_at + CODE_LIFE
                };
                let code = code.filter(fits).ok_or_else(|| {
                    ApiError::oauth("invalid_grant", "The authorization code is invalid.")
                })?;
                (code.user, code.scopes)
            }
            "refresh_token" => {
                // Each is good for one use.
                let token = self.refresh_tokens.remove(&given("refresh_token"));
                let token = token.ok_or_else(|| {
                    ApiError::oauth("invalid_grant", "The refresh token is invalid or expired.")
                })?;
                (token.user, token.scopes)
            }
            _ => {
                let why = "The grant type is not supported.";
                return Err(ApiError::oauth("unsupported_grant_type", why));
            }
        };
        Ok(Answer::ok(&self.give_tokens(user, &client_id, &scopes, context.now)))
    }

    /// Gives out an access token, and where it was allowed what renews it.
    pub(super) fn give_tokens(
        &mut self,
        user: u64,
        client_id: &str,
        scopes: &[String],
        now: DateTime<Utc>,
    ) -> Value {
        let access = random_secret();
        let token = Token {
            user,
            client_id: client_id.to_owned(),
            scopes: scopes.to_vec(),
            ends_at: now + ACCESS_LIFE,
        };
        self.tokens.insert(access.clone(), token);
        let mut given = json!({
            "access_token": access,
            "expires_in": ACCESS_LIFE.num_seconds(),
            "id_token": false,
            "scope": scopes.join(" "),
            "token_type": "bearer",
        });
        if scopes.iter().any(|scope| scope == "offline_access") {
            let refresh = random_secret();
            given["refresh_token"] = Value::from(refresh.as_str());
            self.refresh_tokens.insert(refresh, RefreshToken { user, scopes: scopes.to_vec() });
        }
        given
    }

    /// Ends the refresh token or the code that a request carries.
    pub(super) fn expire_refresh_token(&mut self, request: &Request) {
        let params = params(request);
        let given = |name| text(&params, name).unwrap_or_default();
        self.refresh_tokens.remove(&given("refresh_token"));
        self.codes.remove(&given("code"));
    }

    /// Returns whom the request speaks for.
    ///
    /// # Errors
    /// 401; 403 without the scope. Reading needs none of its own.
    pub(super) fn user(
        &self,
        request: &Request,
        scope: &str,
        context: &Context<'_>,
    ) -> Result<u64, ApiError> {
        let token = request.bearer().and_then(|token| self.tokens.get(token));
        let token = token.filter(|token| context.now < token.ends_at);
        let token = token.ok_or_else(ApiError::unauthorized)?;
        if scope == "write" && !token.scopes.iter().any(|given| given == scope) {
            return Err(ApiError::forbidden(0, "The token lacks the scope write."));
        }
        Ok(token.user)
    }

    /// Checks that a request comes from an application or a user.
    ///
    /// # Errors
    /// 401.
    pub(super) fn check_key(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<(), ApiError> {
        if request.bearer().is_none() && request.query("api_key").is_some_and(|key| !key.is_empty())
        {
            return Ok(());
        }
        self.user(request, "basic", context).map(|_| ())
    }
}

fn client(params: &Map<String, Value>) -> Result<String, ApiError> {
    let given = |name| text(params, name).filter(|value| !value.is_empty());
    given("client_id")
        .filter(|_| given("client_secret").is_some())
        .ok_or_else(|| ApiError::oauth("invalid_client", "The client credentials are invalid."))
}
