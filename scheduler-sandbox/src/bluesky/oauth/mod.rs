//! Giving access on the server's own page: what the server says of itself, requests that are laid
//! down, the page, and tokens.
//!
//! Source: <https://atproto.com/specs/oauth>; answers measured at `@atproto/pds` 0.4.217. The
//! document of an application at an https address is not read: the application is taken at its
//! word, and its assertion is looked at without its key.

mod client;
mod page;
mod proof;
mod scope;

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use self::client::Client;
pub(super) use self::proof::{Proofs, lacks_nonce, thumbprint};
pub(super) use self::scope::check as check_scope;
use super::Bluesky;
use super::session::Bound;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// Life of a request that was laid down, and of the code that it becomes.
const REQUEST_LIFE: TimeDelta = TimeDelta::minutes(5);

/// The signatures that the server takes.
const ALGORITHMS: [&str; 10] =
    ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES256K", "ES384", "ES512"];

/// Requests that were laid down, and codes.
#[derive(Debug, Default)]
pub(super) struct Grants {
    pushed: HashMap<String, Pushed>,
    codes: HashMap<String, (Pushed, String)>,
}

/// A request that was laid down.
#[derive(Clone, Debug)]
struct Pushed {
    client_id: String,
    redirect_uri: String,
    scopes: String,
    state: Option<String>,
    challenge: String,
    /// The key that the tokens will be bound to.
    key: String,
    ends_at: DateTime<Utc>,
}

/// An error of a call about access: status, name and words.
struct Wrong(StatusCode, &'static str, String);

impl Wrong {
    fn bad(error: &'static str, words: impl Into<String>) -> Self {
        Self(StatusCode::BAD_REQUEST, error, words.into())
    }

    fn into_answer(self) -> Answer {
        let Self(status, error, words) = self;
        let answer = Answer::json(status, &json!({"error": error, "error_description": words}));
        let answer = answer.plain_json();
        match status {
            StatusCode::UNAUTHORIZED => answer.with_header("www-authenticate", &challenge(error)),
            _ => answer,
        }
    }
}

/// The refusal that a call for tokens typically meets.
pub(super) fn refused() -> Answer {
    Wrong::bad("invalid_grant", "Invalid refresh token").into_answer()
}

/// How a server asks for a proof.
pub(super) fn challenge(error: &str) -> String {
    format!("DPoP algs=\"{}\", error=\"{error}\"", ALGORITHMS.join(" "))
}

/// A call about access, with its parameters and the thumbprint of its key.
type Call = fn(&mut Bluesky, &Map<String, Value>, &str, &Context<'_>) -> Result<Answer, Wrong>;

impl Bluesky {
    /// Answers a path that is about access; `None` for any other.
    pub(super) fn of_access(&mut self, request: &Request, context: &Context<'_>) -> Option<Answer> {
        let answer = match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/.well-known/oauth-protected-resource") => Answer::ok(&json!({
                "resource": context.base,
                "authorization_servers": [context.base],
                "scopes_supported": [],
                "bearer_methods_supported": ["header"],
                "resource_documentation": "https://atproto.com",
            })),
            ("GET", "/.well-known/oauth-authorization-server") => {
                Answer::ok(&described(context.base)).plain_json()
            }
            ("POST", "/oauth/par") => self.with_nonce(Self::push, request, context),
            ("POST", "/oauth/token") => self.with_nonce(Self::token, request, context),
            ("GET", "/oauth/authorize") => self.access_page(request, context),
            ("POST", "/oauth/authorize") => self.decide_access(request, context),
            _ => return None,
        };
        Some(answer)
    }

    fn with_nonce(&mut self, call: Call, request: &Request, context: &Context<'_>) -> Answer {
        let no_nonce = "Authorization server requires nonce in DPoP proof";
        let proven = self.proofs.check(request, None, context, no_nonce);
        let answer = match proven {
            Ok(key) => {
                call(self, &params(request), &key, context).unwrap_or_else(Wrong::into_answer)
            }
            Err((error @ "use_dpop_nonce", words)) => Wrong::bad(error, words).into_answer(),
            Err((error, words)) => {
                Wrong(StatusCode::UNAUTHORIZED, error, words.to_owned()).into_answer()
            }
        };
        answer.with_header("dpop-nonce", &self.proofs.nonce(context.now))
    }

    /// Takes a request that is laid down before the person comes.
    fn push(
        &mut self,
        params: &Map<String, Value>,
        key: &str,
        context: &Context<'_>,
    ) -> Result<Answer, Wrong> {
        let client = Client::of(params, context.base)?;
        if text(params, "response_type").as_deref() != Some("code") {
            return Err(Wrong::bad("invalid_request", "response_type must be \"code\""));
        }
        let redirect_uri = text(params, "redirect_uri")
            .ok_or_else(|| Wrong::bad("invalid_request", "redirect_uri is required"))?;
        client.check_redirect(&redirect_uri)?;
        let scopes = scope::of(params.get("scope"));
        client.check_scopes(&scopes)?;
        let challenge = text(params, "code_challenge").filter(|challenge| !challenge.is_empty());
        let challenge = challenge
            .filter(|_| text(params, "code_challenge_method").as_deref() == Some("S256"))
            .ok_or_else(|| Wrong::bad("invalid_request", "Use of PKCE is required"))?;
        let id = format!("urn:ietf:params:oauth:request_uri:req-{}", random_secret());
        let pushed = Pushed {
            client_id: client.id,
            redirect_uri,
            scopes,
            state: text(params, "state"),
            challenge,
            key: key.to_owned(),
            ends_at: context.now + REQUEST_LIFE,
        };
        self.grants.pushed.insert(id.clone(), pushed);
        let seconds = REQUEST_LIFE.num_seconds() - 1;
        let body = json!({"request_uri": id, "expires_in": seconds});
        Ok(Answer::json(StatusCode::CREATED, &body).plain_json())
    }

    /// Gives tokens for a code or a refresh token.
    fn token(
        &mut self,
        params: &Map<String, Value>,
        key: &str,
        context: &Context<'_>,
    ) -> Result<Answer, Wrong> {
        let client = Client::of(params, context.base)?;
        let invalid = |words: &str| Wrong::bad("invalid_grant", words);
        let given = |name| text(params, name).unwrap_or_default();
        let (did, bound) = match given("grant_type").as_str() {
            "authorization_code" => {
                // A code is gone after the first attempt, whether it fits or not.
                let found = self.grants.codes.remove(&given("code"));
                let (pushed, did) = found
                    .filter(|(pushed, _)| pushed.ends_at > context.now)
                    .ok_or_else(|| invalid("Invalid code"))?;
                let digest = Sha256::digest(given("code_verifier"));
                if pushed.challenge != URL_SAFE_NO_PAD.encode(digest) {
                    return Err(invalid("Invalid code_verifier"));
                }
                if pushed.client_id != client.id || pushed.redirect_uri != given("redirect_uri") {
                    return Err(invalid("The redirect_uri parameter must match"));
                }
                let bound = Bound { key: pushed.key, client_id: client.id, scopes: pushed.scopes };
                (did, bound)
            }
            "refresh_token" => self
                .sessions
                .use_grant(&given("refresh_token"), context.now)
                .filter(|(_, bound)| bound.client_id == client.id)
                .ok_or_else(|| invalid("Invalid refresh token"))?,
            _ => return Err(Wrong::bad("invalid_request", "Unsupported grant type")),
        };
        if bound.key != key {
            return Err(Wrong::bad("invalid_dpop_proof", "DPoP key mismatch"));
        }
        let scopes = bound.scopes.clone();
        let tokens = self.sessions.open_bound(&did, bound, context);
        Ok(Answer::ok(&json!({
            "access_token": tokens.access,
            "token_type": "DPoP",
            "refresh_token": tokens.refresh,
            "scope": scopes,
            "expires_in": context.options.access_token_lifetime.as_secs(),
            "sub": did,
        }))
        .plain_json())
    }
}

/// What the server says of how it gives access.
fn described(base: &str) -> Value {
    let unsigned: Vec<&str> = ALGORITHMS.into_iter().chain(["none"]).collect();
    json!({
        "issuer": base,
        "request_parameter_supported": true,
        "request_uri_parameter_supported": true,
        "require_request_uri_registration": true,
        "scopes_supported": ["atproto", "transition:email", "transition:generic", "transition:chat.bsky"],
        "subject_types_supported": ["public"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query", "fragment", "form_post"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "ui_locales_supported": ["en-US"],
        "display_values_supported": ["page", "popup", "touch"],
        "request_object_signing_alg_values_supported": unsigned,
        "authorization_response_iss_parameter_supported": true,
        "request_object_encryption_alg_values_supported": [],
        "request_object_encryption_enc_values_supported": [],
        "jwks_uri": format!("{base}/oauth/jwks"),
        "authorization_endpoint": format!("{base}/oauth/authorize"),
        "token_endpoint": format!("{base}/oauth/token"),
        "token_endpoint_auth_methods_supported": ["none", "private_key_jwt"],
        "token_endpoint_auth_signing_alg_values_supported": ALGORITHMS,
        "revocation_endpoint": format!("{base}/oauth/revoke"),
        "pushed_authorization_request_endpoint": format!("{base}/oauth/par"),
        "require_pushed_authorization_requests": true,
        "dpop_signing_alg_values_supported": ALGORITHMS,
        "protected_resources": [base],
        "client_id_metadata_document_supported": true,
        "prompt_values_supported": ["none", "login", "consent", "select_account", "create"],
    })
}
