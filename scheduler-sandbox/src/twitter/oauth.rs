//! Tokens: `/2/oauth2/token`, `/2/oauth2/revoke`.
//!
//! Any application may ask: its id must only be there, and stay the same. A refresh token is good
//! for one use.
//!
//! Source: <https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::Twitter;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// Every permission that can be asked for.
pub(super) const SCOPES: [&str; 9] = [
    "tweet.read",
    "tweet.write",
    "tweet.moderate.write",
    "users.read",
    "offline.access",
    "follows.read",
    "like.read",
    "bookmark.read",
    "media.write",
];
/// The permissions of the tokens that come with an account made by the control.
pub(super) const GIVEN: [&str; 5] =
    ["tweet.read", "tweet.write", "users.read", "offline.access", "media.write"];
/// Life of a code.
const CODE_LIFE: TimeDelta = TimeDelta::seconds(30);
/// Life of an access token.
const ACCESS_LIFE: TimeDelta = TimeDelta::hours(2);
/// Life of a refresh token; about six months are reported.
const REFRESH_LIFE: TimeDelta = TimeDelta::days(180);

/// A code that waits to become a token.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) client_id: String,
    pub(super) user: u64,
    pub(super) redirect_uri: String,
    pub(super) scopes: Vec<String>,
    pub(super) challenge: Challenge,
    pub(super) created_at: DateTime<Utc>,
}

/// What a verifier has to fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Challenge {
    /// Its hash.
    Sha256(String),
    /// Itself.
    Plain(String),
}

impl Challenge {
    fn fits(&self, verifier: &str) -> bool {
        match self {
            Self::Sha256(hash) => {
                *hash == URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
            }
            Self::Plain(text) => text == verifier,
        }
    }
}

/// An access token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) user: u64,
    scopes: Vec<String>,
    pub(super) expires_at: DateTime<Utc>,
    is_revoked: bool,
}

/// What renews access, once.
#[derive(Clone, Debug)]
pub(super) struct RefreshToken {
    client_id: Option<String>,
    user: u64,
    scopes: Vec<String>,
    expires_at: DateTime<Utc>,
}

impl Twitter {
    /// Turns a code or a refresh token into tokens.
    ///
    /// # Errors
    /// `unauthorized_client`, `invalid_request`, `unsupported_grant_type`.
    pub(super) fn token(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let params = params(request);
        let client_id = client(request, &params)?;
        let given = |name| text(&params, name).unwrap_or_default();
        let (user, scopes) = match given("grant_type").as_str() {
            "authorization_code" => {
                // A code is gone after the first attempt, whether it fits or not.
                let code = self.codes.remove(&given("code")).ok_or_else(invalid_code)?;
                let fits = code.client_id == client_id
                    && code.redirect_uri == given("redirect_uri")
                    && code.challenge.fits(&given("code_verifier"))
                    && context.now < code.created_at + CODE_LIFE;
                if !fits {
                    return Err(invalid_code());
                }
                (code.user, code.scopes)
            }
            "refresh_token" => {
                let known = self.refresh_tokens.remove(&given("refresh_token"));
                let known = known.ok_or_else(invalid_token)?;
                let is_ours = known.client_id.as_ref().is_none_or(|known| *known == client_id);
                if !is_ours || known.expires_at <= context.now {
                    return Err(invalid_token());
                }
                (known.user, known.scopes)
            }
            _ => {
                return Err(ApiError::oauth(
                    StatusCode::BAD_REQUEST,
                    "unsupported_grant_type",
                    "Value passed for the grant type was invalid.",
                ));
            }
        };
        Ok(Answer::ok(&self.give_tokens(Some(client_id), user, &scopes, context.now)))
    }

    /// Ends a token; one that is not known is no error.
    ///
    /// # Errors
    /// `unauthorized_client`.
    pub(super) fn revoke(&mut self, request: &Request) -> Result<Answer, ApiError> {
        let params = params(request);
        client(request, &params)?;
        let token = text(&params, "token").unwrap_or_default();
        self.refresh_tokens.remove(&token);
        if let Some(token) = self.tokens.get_mut(&token) {
            token.is_revoked = true;
        }
        Ok(Answer::ok(&json!({ "revoked": true })))
    }

    /// Gives out an access token, and what renews it where that was allowed. Without a client the
    /// first one that renews it may.
    pub(super) fn give_tokens(
        &mut self,
        client_id: Option<String>,
        user: u64,
        scopes: &[String],
        now: DateTime<Utc>,
    ) -> Value {
        let access = random_secret();
        let token = Token {
            user,
            scopes: scopes.to_vec(),
            expires_at: now + ACCESS_LIFE,
            is_revoked: false,
        };
        self.tokens.insert(access.clone(), token);
        let mut given = json!({
            "token_type": "bearer",
            "expires_in": ACCESS_LIFE.num_seconds(),
            "access_token": access,
            "scope": scopes.join(" "),
        });
        if scopes.iter().any(|scope| scope == "offline.access") {
            let refresh = random_secret();
            let kept = RefreshToken {
                client_id,
                user,
                scopes: scopes.to_vec(),
                expires_at: now + REFRESH_LIFE,
            };
            self.refresh_tokens.insert(refresh.clone(), kept);
            given["refresh_token"] = Value::from(refresh);
        }
        given
    }

    /// Ends the code or refresh token that a request carries.
    pub(super) fn expire_grants(&mut self, request: &Request) {
        let params = params(request);
        let given = |name| text(&params, name).unwrap_or_default();
        self.refresh_tokens.remove(&given("refresh_token"));
        self.codes.remove(&given("code"));
    }

    /// Returns whom the request speaks for, if it may do what it asks for.
    ///
    /// # Errors
    /// 401 without a valid token, 403 without the permission.
    pub(super) fn caller(
        &self,
        request: &Request,
        scopes: &[&str],
        context: &Context<'_>,
    ) -> Result<u64, ApiError> {
        let token = request.bearer().and_then(|token| self.tokens.get(token));
        let token = token.filter(|token| !token.is_revoked && context.now < token.expires_at);
        let token = token.ok_or_else(ApiError::unauthorized)?;
        let has = |scope: &&str| token.scopes.iter().any(|given| given == scope);
        if scopes.iter().all(has) {
            Ok(token.user)
        } else {
            Err(ApiError::forbidden("You are not permitted to perform this action."))
        }
    }
}

/// Returns the id of the application that asks: by its secret, or a public one by its name alone.
fn client(request: &Request, params: &Map<String, Value>) -> Result<String, ApiError> {
    let refused = || {
        let description = "Missing valid authorization header";
        ApiError::oauth(StatusCode::UNAUTHORIZED, "unauthorized_client", description)
    };
    let id = match request.header("authorization") {
        Some(header) => basic_id(header).ok_or_else(refused)?,
        None => text(params, "client_id").ok_or_else(refused)?,
    };
    if id.is_empty() { Err(refused()) } else { Ok(id) }
}

fn basic_id(header: &str) -> Option<String> {
    let bytes = STANDARD.decode(header.strip_prefix("Basic ")?).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (id, secret) = text.split_once(':')?;
    (!secret.is_empty()).then(|| id.to_owned())
}

fn invalid_code() -> ApiError {
    ApiError::oauth(
        StatusCode::BAD_REQUEST,
        "invalid_request",
        "Value passed for the authorization code was invalid.",
    )
}

/// Returns the error of a refresh token that is spent, revoked or unknown.
pub(super) fn invalid_token() -> ApiError {
    ApiError::oauth(
        StatusCode::BAD_REQUEST,
        "invalid_request",
        "Value passed for the token was invalid.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_verifier_has_to_fit() {
        // Source: RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let hash = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM".to_owned();
        for (name, challenge, want) in [
            ("its hash", Challenge::Sha256(hash.clone()), true),
            ("another hash", Challenge::Sha256("x".to_owned()), false),
            ("itself", Challenge::Plain(verifier.to_owned()), true),
            ("the hash as it is", Challenge::Plain(hash), false),
        ] {
            assert_eq!(challenge.fits(verifier), want, "{name}");
        }
    }
}
