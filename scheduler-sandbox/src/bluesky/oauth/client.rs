//! The applications that ask for access.
//!
//! Source: <https://atproto.com/specs/oauth>, "Clients".

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{StatusCode, Uri};
use serde_json::{Map, Value};

use super::{Wrong, scope};
use crate::params::text;

/// The id of applications on the person's own computer.
const HERE: &str = "http://localhost";

/// How an application says that it authenticates by a token that it has signed.
const ASSERTION: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// An application.
pub(super) struct Client {
    pub(super) id: String,
    /// Where browsers may be sent back to, and what it may ask for; `None` where only its document
    /// says it.
    declared: Option<(Vec<String>, String)>,
}

impl Client {
    /// The application of a call.
    ///
    /// # Errors
    /// `invalid_client_id`, `invalid_request` and `invalid_client`.
    pub(super) fn of(params: &Map<String, Value>, issuer: &str) -> Result<Self, Wrong> {
        let id = text(params, "client_id").unwrap_or_default();
        if let Some(query) =
            id.strip_prefix(HERE).filter(|rest| rest.is_empty() || rest.starts_with(['?', '/']))
        {
            let query = query.trim_start_matches(['/', '?']);
            let pairs: Vec<(String, String)> =
                serde_urlencoded::from_str(query).unwrap_or_default();
            let of = |name: &str| {
                let named = pairs.iter().filter(|(known, _)| known == name);
                named.map(|(_, value)| value.clone()).collect::<Vec<_>>()
            };
            let scopes = of("scope").pop().unwrap_or_else(|| "atproto".to_owned());
            let mut back = of("redirect_uri");
            if back.is_empty() {
                back = ["http://127.0.0.1/", "http://[::1]/"].map(str::to_owned).into();
            }
            return Ok(Self { id, declared: Some((back, scopes)) });
        }
        if !id.starts_with("https://") || id.parse::<Uri>().is_err() {
            let words = "Client ID must be the address of a document, or http://localhost";
            return Err(Wrong::bad("invalid_client_id", words));
        }
        check_assertion(params, &id, issuer)?;
        Ok(Self { id, declared: None })
    }

    pub(super) fn check_redirect(&self, redirect_uri: &str) -> Result<(), Wrong> {
        let authority = |uri: &str| uri.parse::<Uri>().ok()?.authority().cloned();
        let is_declared = match &self.declared {
            Some((back, _)) => back.iter().any(|declared| declared == redirect_uri),
            None => authority(&self.id) == authority(redirect_uri),
        };
        match is_declared {
            true => Ok(()),
            false => {
                Err(Wrong::bad("invalid_request", format!("Invalid redirect_uri {redirect_uri}")))
            }
        }
    }

    pub(super) fn check_scopes(&self, scopes: &str) -> Result<(), Wrong> {
        if let Some((_, declared)) = &self.declared
            && let Some(scope) = scopes
                .split(' ')
                .find(|scope| !declared.split(' ').any(|declared| declared == *scope))
        {
            let words = format!("Scope \"{scope}\" is not declared in the client metadata");
            return Err(Wrong::bad("invalid_scope", words));
        }
        if !scope::is_granted(scopes) {
            return Err(Wrong::bad("invalid_scope", "The \"atproto\" scope is required"));
        }
        Ok(())
    }
}

/// Checks what an application has signed of who it is; the signature itself cannot be.
fn check_assertion(params: &Map<String, Value>, id: &str, issuer: &str) -> Result<(), Wrong> {
    let wrong = |words: &str| Wrong(StatusCode::UNAUTHORIZED, "invalid_client", words.to_owned());
    let assertion = text(params, "client_assertion").ok_or_else(|| {
        let words =
            "client authentication method \"private_key_jwt\" required a \"client_assertion\"";
        Wrong::bad("invalid_request", words)
    })?;
    if text(params, "client_assertion_type").as_deref() != Some(ASSERTION) {
        return Err(wrong("Unsupported client_assertion_type"));
    }
    let part = |index: usize| -> Option<Value> {
        let part = assertion.split('.').nth(index)?;
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).ok()?).ok()
    };
    let claims = part(1).unwrap_or_default();
    let is_signed =
        part(0).is_some_and(|header| header["alg"] == "ES256" && header["kid"].is_string());
    let is_right = is_signed
        && claims["iss"] == id
        && claims["sub"] == id
        && claims["aud"] == issuer
        && claims["jti"].is_string()
        && claims["exp"].as_i64() > claims["iat"].as_i64();
    if is_right { Ok(()) } else { Err(wrong("Validation of \"client_assertion\" failed")) }
}
