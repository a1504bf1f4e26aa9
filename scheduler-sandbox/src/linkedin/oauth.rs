//! Tokens: `/oauth/v2/accessToken`, `/oauth/v2/revoke`.
//!
//! Any application may ask: its id and secret must only be there, and stay the same.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow>,
//! <https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens>.

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Map, Value, json};

use super::Linkedin;
use super::accounts::Caller;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// Every permission that is imitated.
pub(super) const SCOPES: [&str; 14] = [
    "openid",
    "profile",
    "w_member_social",
    "w_member_social_feed",
    "r_member_social",
    "r_member_social_feed",
    "r_member_postAnalytics",
    "r_member_profileAnalytics",
    "w_organization_social",
    "w_organization_social_feed",
    "r_organization_social",
    "r_organization_social_feed",
    "rw_organization_admin",
    "email",
];
/// Life of a code.
const CODE_LIFE: TimeDelta = TimeDelta::minutes(30);
/// Life of an access token.
const ACCESS_LIFE: TimeDelta = TimeDelta::days(60);
/// Life of a refresh token, from the first grant on.
const REFRESH_LIFE: TimeDelta = TimeDelta::days(365);

/// A code that waits to become a token.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) client_id: String,
    pub(super) member: String,
    pub(super) redirect_uri: String,
    pub(super) scopes: Vec<String>,
    pub(super) created_at: DateTime<Utc>,
}

/// An access token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) member: String,
    pub(super) scopes: Vec<String>,
    pub(super) expires_at: DateTime<Utc>,
    is_revoked: bool,
}

/// What renews access.
#[derive(Clone, Debug)]
pub(super) struct RefreshToken {
    member: String,
    scopes: Vec<String>,
    expires_at: DateTime<Utc>,
}

impl Linkedin {
    /// Turns a code or a refresh token into an access token.
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
        match given("grant_type").as_str() {
            "authorization_code" => {
                // A code is gone after the first attempt, whether it fits or not.
                let code = self.codes.remove(&given("code")).ok_or_else(invalid_grant)?;
                let fits = code.client_id == client_id
                    && code.redirect_uri == given("redirect_uri")
                    && context.now < code.created_at + CODE_LIFE;
                if !fits {
                    return Err(invalid_grant());
                }
                Ok(Answer::ok(&self.give_tokens(&code.member, &code.scopes, context.now)))
            }
            "refresh_token" => {
                let token = given("refresh_token");
                let known = self.refresh_tokens.get(&token).cloned();
                let known = known.filter(|known| context.now < known.expires_at);
                let known = known.ok_or_else(|| {
                    let why = "The provided authorization grant or refresh token is invalid, expired or revoked";
                    ApiError::oauth(StatusCode::BAD_REQUEST, "invalid_grant", why)
                })?;
                let access = self.give_access(&known.member, &known.scopes, context.now);
                Ok(Answer::ok(&json!({
                    "access_token": access,
                    "expires_in": ACCESS_LIFE.num_seconds(),
                    "refresh_token": token,
                    "refresh_token_expires_in": (known.expires_at - context.now).num_seconds(),
                    "scope": known.scopes.join(","),
                })))
            }
            _ => Err(ApiError::oauth(
                StatusCode::BAD_REQUEST,
                "unsupported_grant_type",
                "Unsupported grant type",
            )),
        }
    }

    /// Ends a token; one that is not known is no error.
    ///
    /// # Errors
    /// `invalid_client`.
    pub(super) fn revoke(&mut self, request: &Request) -> Result<Answer, ApiError> {
        let params = params(request);
        client(&params)?;
        let token = text(&params, "token").unwrap_or_default();
        self.refresh_tokens.remove(&token);
        if let Some(token) = self.tokens.get_mut(&token) {
            token.is_revoked = true;
        }
        Ok(Answer::empty(StatusCode::OK))
    }

    /// Gives out an access token and what renews it.
    pub(super) fn give_tokens(
        &mut self,
        member: &str,
        scopes: &[String],
        now: DateTime<Utc>,
    ) -> Value {
        let access = self.give_access(member, scopes, now);
        let refresh = random_secret();
        let kept = RefreshToken {
            member: member.to_owned(),
            scopes: scopes.to_vec(),
            expires_at: now + REFRESH_LIFE,
        };
        self.refresh_tokens.insert(refresh.clone(), kept);
        json!({
            "access_token": access,
            "expires_in": ACCESS_LIFE.num_seconds(),
            "refresh_token": refresh,
            "refresh_token_expires_in": REFRESH_LIFE.num_seconds(),
            "scope": scopes.join(","),
        })
    }

    fn give_access(&mut self, member: &str, scopes: &[String], now: DateTime<Utc>) -> String {
        let access = random_secret();
        let token = Token {
            member: member.to_owned(),
            scopes: scopes.to_vec(),
            expires_at: now + ACCESS_LIFE,
            is_revoked: false,
        };
        self.tokens.insert(access.clone(), token);
        access
    }

    /// Ends the refresh token that a request carries.
    pub(super) fn expire_refresh_token(&mut self, request: &Request) {
        let token = text(&params(request), "refresh_token").unwrap_or_default();
        self.refresh_tokens.remove(&token);
        self.codes.remove(&text(&params(request), "code").unwrap_or_default());
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
        let refused = |number, code, message| {
            Err(ApiError::numbered(StatusCode::UNAUTHORIZED, number, code, message))
        };
        let Some(token) = request.bearer().filter(|token| !token.is_empty()) else {
            let message = "Empty oauth2 access token";
            return Err(ApiError::new(StatusCode::UNAUTHORIZED, "EMPTY_ACCESS_TOKEN", message));
        };
        match self.tokens.get(token) {
            None => refused(65600, "INVALID_ACCESS_TOKEN", "Invalid access token"),
            Some(token) if token.is_revoked => refused(
                65601,
                "REVOKED_ACCESS_TOKEN",
                "The token used in the request has been revoked by the user",
            ),
            Some(token) if token.expires_at <= context.now => {
                refused(65602, "EXPIRED_ACCESS_TOKEN", "The token used in the request has expired")
            }
            Some(token) => {
                Ok(Caller { member: token.member.clone(), scopes: token.scopes.clone() })
            }
        }
    }
}

fn client(params: &Map<String, Value>) -> Result<String, ApiError> {
    let given = |name| text(params, name).filter(|value| !value.is_empty());
    given("client_id").filter(|_| given("client_secret").is_some()).ok_or_else(|| {
        let why = "Client authentication failed";
        ApiError::oauth(StatusCode::UNAUTHORIZED, "invalid_client", why)
    })
}

/// Returns the error of a code that cannot be exchanged.
pub(super) fn invalid_grant() -> ApiError {
    ApiError::oauth(
        StatusCode::BAD_REQUEST,
        "invalid_grant",
        "Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired.",
    )
}
