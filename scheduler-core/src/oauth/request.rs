//! A client's wish to be let in, which a person's browser brings.

use super::{Challenge, Client, OAuthError, OAuthRefusal, Redirect};
use crate::key::{Preset, Scope, Scopes};

/// The longest state of a client, in bytes.
///
/// Source: our decision; browsers and proxies take addresses of some thousand bytes.
const STATE_MAX_BYTES: usize = 2_000;

/// What a browser brings, as it stands in the address: a parameter that stands there more than once
/// is none.
///
/// Source: OAuth 2.1, section 4.1.1; RFC 7636, section 4.3; RFC 8707, section 2.
#[derive(Clone, Copy, Debug, Default)]
pub struct AuthorizationInput<'a> {
    /// What is wanted: `code`.
    pub response_type: Option<&'a str>,
    /// The id of the client.
    pub client_id: Option<&'a str>,
    /// Where the person is sent back to.
    pub redirect_uri: Option<&'a str>,
    /// What the client gets back as it is.
    pub state: Option<&'a str>,
    /// What it tells of its verifier.
    pub code_challenge: Option<&'a str>,
    /// How: `S256`.
    pub code_challenge_method: Option<&'a str>,
    /// The scopes that are asked for, with spaces between.
    pub scope: Option<&'a str>,
    /// The address of what the tokens are for.
    pub resource: Option<&'a str>,
}

/// A wish that a person can be asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizationRequest {
    /// Where the answer goes.
    pub redirect: Redirect,
    /// What the client gets back as it is.
    pub state: Option<String>,
    /// What it has told of its verifier.
    pub challenge: Challenge,
    /// What it asks for; what an agent may, where it asks for nothing in particular. Unknown
    /// scopes are ignored.
    pub asked: Scopes,
}

/// Why nobody is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestFault {
    /// The address to send the person back to is missing, or the client has not named it: nobody is
    /// sent there.
    Redirect,
    /// Something else is wrong, which the client is told: the address that its person is sent to.
    Answered(String),
}

impl AuthorizationRequest {
    /// Reads the wish of a client to use the `resource`, which `issuer` answers.
    ///
    /// # Errors
    /// [`RequestFault`] by variant.
    pub fn read(
        input: &AuthorizationInput<'_>,
        client: &Client,
        resource: &str,
        issuer: &str,
    ) -> Result<Self, RequestFault> {
        let redirect = input.redirect_uri.and_then(|asked| client.redirect(asked));
        let redirect = redirect.ok_or(RequestFault::Redirect)?;
        let state = input.state.filter(|state| state.len() <= STATE_MAX_BYTES);
        let challenge = judged(input, resource).map_err(|refusal| {
            RequestFault::Answered(refused(&redirect, state, issuer, refusal))
        })?;
        Ok(Self { redirect, state: state.map(str::to_owned), challenge, asked: asked(input.scope) })
    }

    /// Where a person is sent who has granted something.
    ///
    /// Source: OAuth 2.1, section 4.1.2; RFC 9207, section 2.
    #[must_use]
    pub fn granted(&self, code: &str, issuer: &str) -> String {
        answered(&self.redirect, self.state.as_deref(), issuer, &[("code", code)])
    }

    /// Where a person is sent who says no.
    #[must_use]
    pub fn denied(&self, issuer: &str) -> String {
        let refusal = OAuthRefusal::new(OAuthError::AccessDenied, "The person said no.");
        refused(&self.redirect, self.state.as_deref(), issuer, refusal)
    }
}

fn judged(input: &AuthorizationInput<'_>, resource: &str) -> Result<Challenge, OAuthRefusal> {
    let refusal = |error, description| Err(OAuthRefusal::new(error, description));
    match input.response_type {
        Some("code") => {}
        None => {
            return refusal(OAuthError::InvalidRequest, "Send response_type=code, once.");
        }
        Some(_) => {
            return refusal(OAuthError::UnsupportedResponseType, "Send response_type=code.");
        }
    }
    if input.state.is_some_and(|state| state.len() > STATE_MAX_BYTES) {
        return refusal(OAuthError::InvalidRequest, "The state has 2000 bytes at most.");
    }
    if input.code_challenge_method != Some("S256") {
        return refusal(OAuthError::InvalidRequest, "Send code_challenge_method=S256, once.");
    }
    let Some(challenge) = input.code_challenge.and_then(Challenge::parse) else {
        let description = "Send code_challenge, once: the SHA-256 of the verifier in base64url.";
        return refusal(OAuthError::InvalidRequest, description);
    };
    if !input.resource.is_some_and(|named| is_resource(named, resource)) {
        let description = "Send resource, once: the address of the server that the tokens are for, as its metadata names it.";
        return refusal(OAuthError::InvalidTarget, description);
    }
    Ok(challenge)
}

/// True when an address is that of the resource, with a slash at its end or without one.
///
/// Source: <https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization>, canonical
/// server URI.
pub(super) fn is_resource(named: &str, resource: &str) -> bool {
    named.strip_suffix('/').unwrap_or(named) == resource
}

/// The scopes that a text names; unknown ones are ignored.
pub(super) fn known(scope: &str) -> Scopes {
    let known: Vec<Scope> = scope.split_whitespace().filter_map(|name| name.parse().ok()).collect();
    Scopes::of(&known)
}

fn asked(scope: Option<&str>) -> Scopes {
    let asked = known(scope.unwrap_or_default());
    if asked == Scopes::default() { Preset::Agent.scopes() } else { asked }
}

fn refused(
    redirect: &Redirect,
    state: Option<&str>,
    issuer: &str,
    refusal: OAuthRefusal,
) -> String {
    let error = [("error", refusal.error.as_str()), ("error_description", refusal.description)];
    answered(redirect, state, issuer, &error)
}

fn answered(
    redirect: &Redirect,
    state: Option<&str>,
    issuer: &str,
    answer: &[(&str, &str)],
) -> String {
    let mut pairs = answer.to_vec();
    pairs.extend(state.map(|state| ("state", state)));
    pairs.push(("iss", issuer));
    redirect.with(&pairs)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;
    use url::Url;

    use super::*;
    use crate::oauth::ClientId;

    const RESOURCE: &str = "https://posts.example/mcp";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    const BACK: &str = "https://a.example/back";

    fn client() -> Client {
        let id = ClientId::parse("https://a.example/client.json").unwrap();
        let document = json!({"client_id": id.as_str(), "redirect_uris": [BACK]});
        Client::read(&id, document.to_string().as_bytes()).unwrap()
    }

    fn good() -> AuthorizationInput<'static> {
        AuthorizationInput {
            response_type: Some("code"),
            client_id: Some("https://a.example/client.json"),
            redirect_uri: Some(BACK),
            state: Some("of the client & more"),
            code_challenge: Some(CHALLENGE),
            code_challenge_method: Some("S256"),
            scope: None,
            resource: Some(RESOURCE),
        }
    }

    fn read(input: AuthorizationInput<'_>) -> Result<AuthorizationRequest, RequestFault> {
        AuthorizationRequest::read(&input, &client(), RESOURCE, RESOURCE)
    }

    fn query(address: &str) -> BTreeMap<String, String> {
        let address = Url::parse(address).unwrap();
        assert!(address.as_str().starts_with(BACK), "{address}");
        address.query_pairs().into_owned().collect()
    }

    #[test]
    fn faults_that_the_client_is_told() {
        use OAuthError as E;
        let long = "s".repeat(2_001);
        for (name, input, want) in [
            (
                "no response type",
                AuthorizationInput { response_type: None, ..good() },
                E::InvalidRequest,
            ),
            (
                "a token at once",
                AuthorizationInput { response_type: Some("token"), ..good() },
                E::UnsupportedResponseType,
            ),
            (
                "no challenge",
                AuthorizationInput { code_challenge: None, ..good() },
                E::InvalidRequest,
            ),
            (
                "another challenge",
                AuthorizationInput { code_challenge: Some("short"), ..good() },
                E::InvalidRequest,
            ),
            (
                "no method",
                AuthorizationInput { code_challenge_method: None, ..good() },
                E::InvalidRequest,
            ),
            (
                "a plain challenge",
                AuthorizationInput { code_challenge_method: Some("plain"), ..good() },
                E::InvalidRequest,
            ),
            ("no resource", AuthorizationInput { resource: None, ..good() }, E::InvalidTarget),
            (
                "another resource",
                AuthorizationInput { resource: Some("https://posts.example/v1"), ..good() },
                E::InvalidTarget,
            ),
            (
                "a long state",
                AuthorizationInput { state: Some(&long), ..good() },
                E::InvalidRequest,
            ),
        ] {
            let Err(RequestFault::Answered(address)) = read(input) else { panic!("{name}") };
            let said = query(&address);
            assert_eq!(said["error"], want.as_str(), "{name}");
            assert_eq!(said["iss"], RESOURCE, "{name}");
            let state = input.state.filter(|state| state.len() < 100);
            assert_eq!(said.get("state").map(String::as_str), state, "{name}");
        }
    }

    #[test]
    fn nobody_is_sent_where_the_client_has_not_named() {
        for redirect_uri in
            [None, Some("https://b.example/back"), Some("https://a.example/back2"), Some("/back")]
        {
            let input = AuthorizationInput { redirect_uri, response_type: None, ..good() };
            assert_eq!(read(input), Err(RequestFault::Redirect), "{redirect_uri:?}");
        }
    }

    #[test]
    fn scopes_that_are_asked_for() {
        for (scope, want) in [
            (None, Preset::Agent.scopes()),
            (Some(""), Preset::Agent.scopes()),
            (Some(" offline_access"), Preset::Agent.scopes()),
            (Some("posts:read offline_access"), Scopes::of(&[Scope::PostsRead])),
            (
                Some("posts:read posts:publish"),
                Scopes::of(&[Scope::PostsRead, Scope::PostsPublish]),
            ),
        ] {
            let request = read(AuthorizationInput { scope, ..good() }).unwrap();
            assert_eq!(request.asked, want, "{scope:?}");
        }
    }

    #[test]
    fn answers_name_the_issuer_and_give_the_state_back() {
        let resource = Some("https://posts.example/mcp/");
        let request = read(AuthorizationInput { resource, ..good() }).unwrap();
        let granted = query(&request.granted("oac_1", RESOURCE));
        let want = [("code", "oac_1"), ("iss", RESOURCE), ("state", "of the client & more")];
        assert_eq!(granted, want.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
        assert_eq!(query(&request.denied(RESOURCE))["error"], "access_denied");
    }
}
