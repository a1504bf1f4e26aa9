//! Connecting on the page of the account's own server, and exchanging what it has given.
//!
//! The server is found first, and by it the one that gives access. There the request is laid down,
//! then the person comes with a reference to it. Every token is bound to a key of its own.
//!
//! Source: <https://atproto.com/specs/oauth>.

use std::collections::BTreeMap;
use std::slice::Iter;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, NetworkError, NetworkErrorKind,
};
use scheduler_core::target::FailureCode;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use url::Url;

use super::application::{Application, SCOPES};
use super::connect::{identifier, shown_account};
use super::errors::{failure, token_failure};
use super::identity::{self, Found, confirmed_handle, find, look_up, read_document, server_of};
use super::tokens::Grant;
use super::wire::{AuthorizationServer, GivenTokens, ProtectedResource, PushedRequest, SpokenFor};
use crate::conversation::{Answer, Body, Request, Turn, TurnResult, or_send};
use crate::endpoint::Endpoint;
use crate::proof::{Proof, ProofKey};

/// The keys of this installation.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    /// Those by which it authenticates, the present one first.
    pub(super) client: Vec<ProofKey>,
    /// What the keys of grants follow from.
    secret: Option<SecretString>,
}

impl Keys {
    /// The keys that follow from the secrets of an installation, the present one first.
    pub(super) fn of(secrets: &[SecretString]) -> Self {
        let client = secrets.iter().filter_map(|secret| {
            ProofKey::derived(secret.expose_secret().as_bytes(), "bluesky client")
        });
        Self { client: client.collect(), secret: secrets.first().cloned() }
    }

    /// The key of a grant. It follows from a secret of the visit too, and is kept with the grant.
    ///
    /// # Errors
    /// [`FailureCode::Unsupported`] where this program has no secrets.
    fn of_grant(&self, code_verifier: &str) -> Result<ProofKey, NetworkError> {
        let secret = self.secret.as_ref().map(|secret| secret.expose_secret().as_bytes());
        let purpose = format!("bluesky grant {code_verifier}");
        secret.and_then(|secret| ProofKey::derived(secret, &purpose)).ok_or_else(|| {
            let message = "This program signs nothing, so Bluesky's page lets it in nowhere. Connect the account with an app password.";
            NetworkError::permanent(message).with_code(FailureCode::Unsupported)
        })
    }
}

/// The next turn of finding the page on which a person gives access. Reads `identifier` and, where
/// the server is to be named, `pds`.
pub(super) fn authorize(
    api_base: Option<&Endpoint>,
    keys: &Keys,
    input: &AuthorizeInput,
    answers: &[Answer],
) -> TurnResult<Authorization> {
    let identifier = identifier(&input.values)?;
    let verifier = input.code_verifier.expose_secret();
    let key = keys.of_grant(verifier)?;
    let application = Application::at(&input.redirect_uri, &keys.client)?;
    let mut answers = answers.iter();
    let Found { server, .. } = or_send!(find(api_base, &input.values, identifier, &mut answers)?);
    let issuer = or_send!(issuer_of(&server, &mut answers)?);
    let about = or_send!(described(&issuer, &mut answers)?);
    let Some(answer) = answers.next() else {
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
        let fields = vec![
            ("response_type", "code".to_owned()),
            ("redirect_uri", input.redirect_uri.clone()),
            ("scope", SCOPES.to_owned()),
            ("state", input.state.clone()),
            ("code_challenge", challenge),
            ("code_challenge_method", "S256".to_owned()),
            ("login_hint", identifier.to_owned()),
        ];
        let url = about.pushed_authorization_request_endpoint;
        return Ok(Turn::Send(of_tokens(url, fields, &application, &about.issuer, &key)));
    };
    let pushed: PushedRequest =
        answer.taken(|| not_connected(token_failure(answer)), identity::unreadable)?;
    let mut url = about.authorization_endpoint;
    url.query_pairs_mut()
        .append_pair("client_id", &application.id)
        .append_pair("request_uri", &pushed.request_uri);
    let kept = BTreeMap::from([
        ("issuer".to_owned(), about.issuer),
        ("tokenEndpoint".to_owned(), about.token_endpoint.into()),
    ]);
    Ok(Turn::Done(Authorization { url: url.into(), kept: ConnectInput(kept) }))
}

/// The next turn of opening the account that a person has given access to. Reads `code`,
/// `redirectUri`, `codeVerifier`, `iss` and what [`authorize`] has kept.
///
/// The person may have chosen another account than the one that was asked for. Which it is, only
/// its identity says: the server that gave access has to be the one that is named there.
pub(super) fn connect(
    api_base: Option<&Endpoint>,
    keys: &Keys,
    input: &ConnectInput,
    code: &str,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let needed = |name| {
        let missing = || NetworkError::permanent(format!("{name} is missing."));
        input.given(name).ok_or_else(missing)
    };
    let (redirect_uri, verifier) = (needed("redirectUri")?, needed("codeVerifier")?);
    let issuer = needed("issuer")?;
    let token_endpoint =
        Url::parse(needed("tokenEndpoint")?).map_err(|_| identity::unreadable())?;
    // RFC 9207, section 2.4.
    if input.given("iss") != Some(issuer) {
        return Err(NetworkError::permanent(
            "The answer did not come from the server that was asked. Begin again.",
        ));
    }
    let key = keys.of_grant(verifier)?;
    let application = Application::at(redirect_uri, &keys.client)?;
    let mut answers = answers.iter();
    let Some(answer) = answers.next() else {
        let fields = vec![
            ("grant_type", "authorization_code".to_owned()),
            ("code", code.to_owned()),
            ("redirect_uri", redirect_uri.to_owned()),
            ("code_verifier", verifier.to_owned()),
        ];
        return Ok(Turn::Send(of_tokens(token_endpoint, fields, &application, issuer, &key)));
    };
    let (given, expires_at) = given(answer).map_err(not_connected)?;
    let may_write = |scope: &str| scope.split([':', '?']).next() == Some("repo");
    if !given.scope.split(' ').any(may_write) {
        return Err(NetworkError::permanent(
            "The server gave no permission to post. Where it is too old to know single permissions, connect the account with an app password.",
        ));
    }
    let did = given.sub.clone();
    let grant = Grant {
        access_token: given.access_token,
        refresh_token: given.refresh_token,
        key,
        issuer: issuer.to_owned(),
        client_key_id: application.key_id(),
        client_id: application.id,
    };
    let (server, document) = match api_base {
        Some(base) => (base.clone(), None),
        None => {
            let Some(answer) = answers.next() else { return look_up(&did) };
            let document = read_document(answer, &did)?;
            let server = server_of(&document)?;
            let named = or_send!(issuer_of(&server, &mut answers)?);
            if named.address() != issuer {
                return Err(NetworkError::permanent(
                    "The account is not one of the server that gave access to it.",
                ));
            }
            (server, Some(document))
        }
    };
    let authorized = |url| Ok(Turn::Send(grant.authorized(Request::read(url))));
    let Some(answer) = answers.next() else {
        return authorized(server.at(["xrpc", "com.atproto.server.getSession"]));
    };
    let session: SpokenFor =
        answer.taken(|| not_connected(failure(answer, false, None)), identity::unreadable)?;
    if session.did != did {
        return Err(NetworkError::temporary("The server spoke of another account."));
    }
    if let Some(document) = document {
        confirmed_handle(&document, &session.handle)?;
    }
    let Some(answer) = answers.next() else {
        let call = ["xrpc", "app.bsky.actor.getProfile"];
        return authorized(server.query(call, &[("actor", &did)]));
    };
    let credentials = grant.credentials(expires_at);
    let connected = Connected::new(did, credentials);
    Ok(Turn::Done(vec![shown_account(connected, &server, session.handle, answer)]))
}

/// The next turn of exchanging what was given. The refresh token is good for one exchange.
pub(super) fn refresh(
    keys: &Keys,
    account: &Account,
    grant: &Grant,
    answers: &[Answer],
) -> TurnResult<Credentials> {
    let application =
        Application::known(&grant.client_id, grant.client_key_id.as_deref(), &keys.client);
    if application.key_id() != grant.client_key_id {
        return Err(NetworkError::new(
            NetworkErrorKind::Reconnect,
            "The secret key of this server has changed since the Bluesky account was connected. Connect it again.",
        ));
    }
    let mut answers = answers.iter();
    let issuer =
        Url::parse(&grant.issuer).map(Endpoint::new).map_err(|_| identity::unreadable())?;
    let about = or_send!(described(&issuer, &mut answers)?);
    let Some(answer) = answers.next() else {
        let token = grant.refresh_token.expose_secret().to_owned();
        let fields = vec![("grant_type", "refresh_token".to_owned()), ("refresh_token", token)];
        let (url, key) = (about.token_endpoint, &grant.key);
        return Ok(Turn::Send(of_tokens(url, fields, &application, &about.issuer, key)));
    };
    let (given, expires_at) = given(answer)?;
    if given.sub != account.network_id {
        return Err(NetworkError::temporary("The server gave tokens of another account."));
    }
    let grant = Grant {
        access_token: given.access_token,
        refresh_token: given.refresh_token,
        ..grant.clone()
    };
    Ok(Turn::Done(grant.credentials(expires_at)))
}

/// A call to the server that gives access.
fn of_tokens(
    url: Url,
    mut fields: Vec<(&'static str, String)>,
    application: &Application,
    issuer: &str,
    key: &ProofKey,
) -> Request {
    fields.push(("client_id", application.id.clone()));
    let client = application.assertion(issuer);
    Request::act(url, Body::Form(fields)).proven(Proof { key: key.clone(), token: None, client })
}

/// What was given, and until when.
fn given(answer: &Answer) -> Result<(GivenTokens, Option<DateTime<Utc>>), NetworkError> {
    let given: GivenTokens = answer.taken(|| token_failure(answer), identity::unreadable)?;
    let life = given.expires_in.and_then(TimeDelta::try_seconds);
    let expires_at = answer.given_at().zip(life).map(|(at, life)| at + life);
    Ok((given, expires_at))
}

/// The next turn of finding who gives access to a server.
fn issuer_of(server: &Endpoint, answers: &mut Iter<'_, Answer>) -> TurnResult<Endpoint> {
    let Some(answer) = answers.next() else {
        let url = server.at([".well-known", "oauth-protected-resource"]);
        return Ok(Turn::Send(Request::read(url)));
    };
    // One that gives access itself, as the one that lets in the accounts of many, says nothing.
    if answer.status == 404 {
        return Ok(Turn::Done(server.clone()));
    }
    let resource: ProtectedResource =
        answer.taken(|| not_connected(failure(answer, false, None)), || no_page(server))?;
    let issuer = resource.authorization_servers.first().and_then(|url| Url::parse(url).ok());
    issuer.map(|url| Turn::Done(Endpoint::new(url))).ok_or_else(|| no_page(server))
}

/// The next turn of asking a server that gives access where its calls are.
fn described(issuer: &Endpoint, answers: &mut Iter<'_, Answer>) -> TurnResult<AuthorizationServer> {
    let Some(answer) = answers.next() else {
        let url = issuer.at([".well-known", "oauth-authorization-server"]);
        return Ok(Turn::Send(Request::read(url)));
    };
    if answer.status == 404 {
        return Err(no_page(issuer));
    }
    let about: AuthorizationServer =
        answer.taken(|| failure(answer, false, None), || no_page(issuer))?;
    // RFC 8414, section 3.3.
    if about.issuer.trim_end_matches('/') != issuer.address() {
        return Err(NetworkError::permanent("The server says that it is another one."));
    }
    Ok(Turn::Done(about))
}

fn no_page(server: &Endpoint) -> NetworkError {
    NetworkError::permanent(format!(
        "{} has no page for giving access. Connect the account with an app password.",
        server.host()
    ))
}

/// There is no account yet that could be connected again.
pub(super) fn not_connected(error: NetworkError) -> NetworkError {
    match error.refuses_credentials() {
        true => NetworkError { kind: NetworkErrorKind::Permanent, ..error },
        false => error,
    }
}

#[cfg(test)]
#[path = "oauth_tests.rs"]
mod tests;
