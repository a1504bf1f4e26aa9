//! Apps, authorisation and tokens: `/api/v1/apps`, `/oauth/…`.
//!
//! Source: <https://docs.joinmastodon.org/methods/oauth/>,
//! <https://docs.joinmastodon.org/methods/apps/>.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::Mastodon;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text, texts};
use crate::request::Request;

/// Scopes of the token that comes with an account made by the control.
pub(super) const SCOPES: &str =
    "read:accounts read:search read:statuses write:favourites write:media write:statuses";
/// The address that stands for showing the code to the person.
pub(super) const OUT_OF_BAND: &str = "urn:ietf:wg:oauth:2.0:oob";
/// The key of push messages, which nobody sends here: a point of P-256 as the server shows it.
const VAPID_KEY: &str =
    "BCk-QqERU0q-CfYZjcuB6lnyyOYfJ2AifKqfeGIm7Z-HiTU5T9eTG5GxVA0_OH5mMlI4UkkDTpaZwozy0TzdZ2M=";
/// Life of an authorisation code.
///
/// Source: `config/initializers/doorkeeper.rb` (library default, 10 minutes).
const CODE_LIFE: TimeDelta = TimeDelta::minutes(10);

/// A registered app.
#[derive(Clone, Debug)]
pub(super) struct App {
    id: usize,
    pub(super) name: String,
    pub(super) website: Option<String>,
    pub(super) scopes: String,
    pub(super) redirect_uris: Vec<String>,
    secret: String,
}

/// A code that waits to become a token.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) client_id: String,
    pub(super) account: u64,
    pub(super) redirect_uri: String,
    pub(super) scopes: String,
    /// PKCE challenge (S256), when one was sent.
    pub(super) challenge: Option<String>,
    pub(super) created_at: DateTime<Utc>,
}

/// An access token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// Whom it speaks for; nobody for a token of an app.
    pub(super) account: Option<u64>,
    pub(super) scopes: String,
    pub(super) app_name: String,
    pub(super) is_revoked: bool,
}

impl Mastodon {
    /// Registers an app.
    ///
    /// # Errors
    /// A name or a redirect address is missing.
    pub(super) fn register_app(&mut self, request: &Request) -> Result<Answer, ApiError> {
        let params = params(request);
        let name = text(&params, "client_name").unwrap_or_default();
        let redirect_uris = match texts(&params, "redirect_uris") {
            Some(uris) => uris,
            None => text(&params, "redirect_uris")
                .unwrap_or_default()
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
        };
        let mut missing = Vec::new();
        if name.trim().is_empty() {
            missing.push("Application name can't be blank");
        }
        if redirect_uris.is_empty() {
            missing.push("Redirect URI can't be blank");
        }
        if !missing.is_empty() {
            return Err(ApiError::validation(&missing.join(", ")));
        }
        let scopes = text(&params, "scopes").filter(|scopes| !scopes.trim().is_empty());
        let scopes = scopes.unwrap_or_else(|| "read".to_owned());
        let website = text(&params, "website").filter(|website| !website.is_empty());
        let (client_id, secret) = (random_secret(), random_secret());
        let id = self.apps.len() + 1;
        let answer = json!({
            "id": id.to_string(),
            "name": name,
            "website": website,
            "scopes": scopes.split_whitespace().collect::<Vec<_>>(),
            "redirect_uris": redirect_uris,
            "redirect_uri": redirect_uris.join("\n"),
            "client_id": client_id,
            "client_secret": secret,
            "client_secret_expires_at": 0,
            "vapid_key": VAPID_KEY,
        });
        self.apps.insert(client_id, App { id, name, website, scopes, redirect_uris, secret });
        Ok(Answer::ok(&answer))
    }

    /// Turns a code, or an app's own secret, into a token.
    ///
    /// # Errors
    /// `invalid_client`, `invalid_grant`, `invalid_scope`, `unsupported_grant_type`.
    pub(super) fn token(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let params = params(request);
        let (client_id, app) = self.client(request, &params)?;
        let (account, scopes) = match text(&params, "grant_type").as_deref() {
            Some("authorization_code") => {
                let code = text(&params, "code").unwrap_or_default();
                // A code is gone after the first attempt, whether it fits or not.
                let code = self.codes.remove(&code).ok_or_else(invalid_grant)?;
                let verifier = text(&params, "code_verifier");
                let fits = code.client_id == client_id
                    && Some(code.redirect_uri) == text(&params, "redirect_uri")
                    && code.created_at + CODE_LIFE > context.now
                    && code.challenge.is_none_or(|challenge| {
                        verifier.is_some_and(|verifier| challenge == challenge_of(&verifier))
                    });
                if !fits {
                    return Err(invalid_grant());
                }
                (Some(code.account), code.scopes)
            }
            Some("client_credentials") => {
                let scopes = text(&params, "scope").unwrap_or_else(|| "read".to_owned());
                if !is_subset(&scopes, &app.scopes) {
                    return Err(ApiError::oauth(
                        StatusCode::BAD_REQUEST,
                        "invalid_scope",
                        "The requested scope is invalid, unknown, or malformed.",
                    ));
                }
                (None, scopes)
            }
            _ => {
                return Err(ApiError::oauth(
                    StatusCode::BAD_REQUEST,
                    "unsupported_grant_type",
                    "The authorization grant type is not supported by the authorization server.",
                ));
            }
        };
        let token = self.give_token(account, &scopes, &app.name);
        Ok(Answer::ok(&json!({
            "access_token": token,
            "token_type": "Bearer",
            "scope": scopes,
            "created_at": context.now.timestamp(),
        })))
    }

    /// Ends a token; one that is not known is no error.
    ///
    /// # Errors
    /// `unauthorized_client`.
    pub(super) fn revoke(&mut self, request: &Request) -> Result<Answer, ApiError> {
        let params = params(request);
        let refused = || {
            ApiError::oauth(
                StatusCode::FORBIDDEN,
                "unauthorized_client",
                "You are not authorized to revoke this token",
            )
        };
        let (_, app) = self.client(request, &params).map_err(|_| refused())?;
        let token = text(&params, "token").unwrap_or_default();
        if let Some(token) = self.tokens.get_mut(&token) {
            if token.app_name != app.name {
                return Err(refused());
            }
            token.is_revoked = true;
        }
        Ok(Answer::ok(&json!({})))
    }

    /// Gives out a token.
    pub(super) fn give_token(
        &mut self,
        account: Option<u64>,
        scopes: &str,
        app_name: &str,
    ) -> String {
        let token = random_secret();
        self.tokens.insert(
            token.clone(),
            Token {
                account,
                scopes: scopes.to_owned(),
                app_name: app_name.to_owned(),
                is_revoked: false,
            },
        );
        token
    }

    /// Answers which app a token was made with, and what it may be allowed.
    ///
    /// Source: <https://docs.joinmastodon.org/methods/apps/#verify_credentials>.
    ///
    /// # Errors
    /// Those of tokens.
    pub(super) fn verify_app(&self, request: &Request) -> Result<Answer, ApiError> {
        let token = self.valid_token(request)?;
        let app = self.apps.values().find(|app| app.name == token.app_name);
        // The token that the control gives out belongs to no registered app.
        let scopes = app.map_or(&token.scopes, |app| &app.scopes);
        let redirect_uris = app.map(|app| app.redirect_uris.as_slice()).unwrap_or_default();
        Ok(Answer::ok(&json!({
            "id": app.map_or(0, |app| app.id).to_string(),
            "name": token.app_name,
            "website": app.and_then(|app| app.website.as_deref()),
            "scopes": scopes.split_whitespace().collect::<Vec<_>>(),
            "redirect_uris": redirect_uris,
            "redirect_uri": redirect_uris.join("\n"),
            "vapid_key": VAPID_KEY,
        })))
    }

    /// Answers where the OAuth endpoints are.
    pub(super) fn oauth_metadata(context: &Context<'_>) -> Answer {
        let base = context.base;
        Answer::ok(&json!({
            "issuer": format!("{base}/"),
            "authorization_endpoint": format!("{base}/oauth/authorize"),
            "token_endpoint": format!("{base}/oauth/token"),
            "revocation_endpoint": format!("{base}/oauth/revoke"),
            "app_registration_endpoint": format!("{base}/api/v1/apps"),
            "scopes_supported": [
                "read", "read:accounts", "read:search", "read:statuses",
                "write", "write:favourites", "write:media", "write:statuses",
            ],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "client_credentials"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            "code_challenge_methods_supported": ["S256"],
        }))
    }

    /// Returns whom the token speaks for, if it carries the scope.
    ///
    /// # Errors
    /// 401 without a valid token, 403 without the scope, 422 for a token of an app.
    pub(super) fn user(&self, request: &Request, scope: &str) -> Result<u64, ApiError> {
        let token = self.valid_token(request)?;
        if !has_scope(&token.scopes, scope) {
            let error = "This action is outside the authorized scopes";
            return Err(ApiError::new(StatusCode::FORBIDDEN, error));
        }
        let error = "This method requires an authenticated user";
        token.account.ok_or_else(|| ApiError::unprocessable(error))
    }

    /// Returns who reads: nobody without a token.
    ///
    /// # Errors
    /// Those of [`Self::user`], but for tokens of apps.
    pub(super) fn viewer(&self, request: &Request, scope: &str) -> Result<Option<u64>, ApiError> {
        if request.bearer().is_none() {
            return Ok(None);
        }
        if self.valid_token(request)?.account.is_none() {
            return Ok(None);
        }
        self.user(request, scope).map(Some)
    }

    /// Returns the app that a token was made with.
    pub(super) fn app_name(&self, request: &Request) -> String {
        self.valid_token(request).map(|token| token.app_name.clone()).unwrap_or_default()
    }

    fn valid_token(&self, request: &Request) -> Result<&Token, ApiError> {
        let token = request.bearer().and_then(|token| self.tokens.get(token));
        match token {
            None => Err(ApiError::invalid_token()),
            Some(token) if token.is_revoked => {
                Err(ApiError::new(StatusCode::UNAUTHORIZED, "The access token was revoked"))
            }
            Some(token) => Ok(token),
        }
    }

    fn client(
        &self,
        request: &Request,
        params: &Map<String, Value>,
    ) -> Result<(String, App), ApiError> {
        let (id, secret) = basic_credentials(request).unwrap_or_else(|| {
            let given = |name| text(params, name).unwrap_or_default();
            (given("client_id"), given("client_secret"))
        });
        match self.apps.get(&id) {
            Some(app) if app.secret == secret => Ok((id, app.clone())),
            _ => Err(ApiError::oauth(
                StatusCode::UNAUTHORIZED,
                "invalid_client",
                "Client authentication failed due to unknown client, no client authentication \
                 included, or unsupported authentication method.",
            )),
        }
    }
}

/// Says whether every wanted scope is among those given, by itself or by its parent.
pub(super) fn is_subset(wanted: &str, given: &str) -> bool {
    wanted.split_whitespace().all(|scope| has_scope(given, scope))
}

fn has_scope(given: &str, scope: &str) -> bool {
    let parent = scope.split(':').next().unwrap_or(scope);
    given.split_whitespace().any(|known| known == scope || known == parent)
}

fn basic_credentials(request: &Request) -> Option<(String, String)> {
    let encoded = request.header("authorization")?.strip_prefix("Basic ")?;
    let text = String::from_utf8(STANDARD.decode(encoded).ok()?).ok()?;
    let (id, secret) = text.split_once(':')?;
    Some((id.to_owned(), secret.to_owned()))
}

/// Returns the PKCE challenge (S256) of a verifier.
fn challenge_of(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

/// Returns the error of a code or token that cannot be exchanged.
pub(super) fn invalid_grant() -> ApiError {
    ApiError::oauth(
        StatusCode::BAD_REQUEST,
        "invalid_grant",
        "The provided authorization grant is invalid, expired, revoked, does not match the \
         redirection URI used in the authorization request, or was issued to another client.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parent_scope_covers_its_children() {
        for (name, wanted, given, want) in [
            ("same", "read:accounts", "read:accounts write", true),
            ("parent", "write:media write:statuses", "read write", true),
            ("child is not the parent", "write", "write:media", false),
            ("other", "write:media", "read", false),
            ("nothing wanted", "", "read", true),
        ] {
            assert_eq!(is_subset(wanted, given), want, "{name}");
        }
    }

    #[test]
    fn the_challenge_is_the_hash_of_the_verifier() {
        // Source: RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        assert_eq!(challenge_of(verifier), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }
}
