//! Connecting by app password, and exchanging tokens for new ones.
//!
//! Which server holds an account is found out as the network does: handle, DID, DID document. The
//! document, and not the server, has the last word on who somebody is.

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{ConnectInput, Connected, NetworkError, NetworkErrorKind};
use secrecy::ExposeSecret;
use serde_json::json;
use url::Url;

use super::errors::{failure, is_error};
use super::wire::{DidDocument, Profile, ResolvedHandle, Session, Tokens, token_expiry};
use crate::conversation::{Answer, Body, Request, Turn, TurnResult};
use crate::endpoint::Endpoint;

/// The server that resolves handles, and that lets in accounts which give an e-mail address.
///
/// Source: <https://docs.bsky.app/docs/advanced-guides/entryway>.
const ENTRYWAY: &str = "https://bsky.social";

/// The directory of identities of the method `plc`.
///
/// Source: <https://web.plc.directory/spec/v0.1/did-plc>.
const PLC_DIRECTORY: &str = "https://plc.directory";

/// The next turn of connecting an account. Reads `identifier` (handle, DID or e-mail address),
/// `appPassword`, and `pds` where the server is to be named.
///
/// `api_base` is the operator's own choice of server for all accounts; nobody else is asked then.
pub(super) fn connect(
    api_base: Option<&Endpoint>,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let identifier = given(input, "identifier")?.trim_start_matches('@');
    let password = given(input, "appPassword")?;
    let mut answers = answers.iter();

    let mut document = None;
    let server = match (api_base, input.value("pds").filter(|pds| !pds.trim().is_empty())) {
        (Some(base), _) => base.clone(),
        (None, Some(pds)) => typed_server(pds)?,
        (None, None) if is_email(identifier) => public(ENTRYWAY)?,
        (None, None) => {
            let did = if identifier.starts_with("did:") {
                identifier.to_owned()
            } else {
                let Some(answer) = answers.next() else {
                    let call = ["xrpc", "com.atproto.identity.resolveHandle"];
                    let handle = identifier.to_ascii_lowercase();
                    let url = public(ENTRYWAY)?.query(call, &[("handle", &handle)]);
                    return Ok(Turn::Send(Request::read(url)));
                };
                resolved(answer, identifier)?
            };
            let Some(answer) = answers.next() else { return look_up(&did) };
            let found = read_document(answer, &did)?;
            let server = found.pds().and_then(|pds| Url::parse(pds).ok());
            document = Some(found);
            server
                .map(Endpoint::new)
                .ok_or_else(|| NetworkError::permanent("The identity names no server."))?
        }
    };

    let Some(answer) = answers.next() else {
        let body = json!({ "identifier": identifier, "password": password });
        let url = server.at(["xrpc", "com.atproto.server.createSession"]);
        return Ok(Turn::Send(Request::act(url, Body::Json(body))));
    };
    let session = session(answer)?;
    let mut server = server;
    if api_base.is_none() {
        let document = match document {
            Some(document) => document,
            None => {
                let Some(answer) = answers.next() else { return look_up(&session.did) };
                read_document(answer, &session.did)?
            }
        };
        server = confirmed(&document, &session, &server)?;
    }

    let Some(answer) = answers.next() else {
        let call = ["xrpc", "app.bsky.actor.getProfile"];
        let request = Request::read(server.query(call, &[("actor", &session.did)]));
        return Ok(Turn::Send(request.bearer(session.access_jwt.expose_secret())));
    };
    // Only for show: a server without a view of the network gives none.
    let profile: Option<Profile> = answer.is_success().then(|| answer.json()).flatten();
    let (display_name, avatar_url) =
        profile.map_or((None, None), |profile| (profile.display_name, profile.avatar));
    let credentials = credentials(&session);
    Ok(Turn::Done(vec![Connected {
        server_url: Some(server.address().to_owned()),
        username: Some(session.handle),
        display_name: display_name.filter(|name| !name.is_empty()),
        avatar_url,
        ..Connected::new(session.did, credentials)
    }]))
}

/// The next turn of exchanging the tokens. The old ones stay good for two hours more, so that
/// losing the new ones costs nothing.
///
/// Source: <https://github.com/bluesky-social/atproto>, `packages/pds`.
pub(super) fn refresh(
    server: &Endpoint,
    account: &Account,
    tokens: &Tokens,
    answers: &[Answer],
) -> TurnResult<Credentials> {
    let Some(answer) = answers.first() else {
        let url = server.at(["xrpc", "com.atproto.server.refreshSession"]);
        let request = Request::act(url, Body::Empty);
        return Ok(Turn::Send(request.bearer(tokens.refresh_jwt.expose_secret())));
    };
    if !answer.is_success() {
        let error = failure(answer, false, None);
        // There is nothing left to exchange an expired refresh token for.
        return Err(match error.kind == NetworkErrorKind::TokenExpired {
            true => NetworkError::new(
                NetworkErrorKind::Reconnect,
                "The Bluesky account was not used for so long that it has to be connected again.",
            ),
            false => error,
        });
    }
    let session: Session = answer.json().ok_or_else(unreadable)?;
    if session.did != account.network_id {
        return Err(NetworkError::temporary("The server gave tokens of another account."));
    }
    Ok(Turn::Done(credentials(&session)))
}

fn given<'a>(input: &'a ConnectInput, name: &str) -> Result<&'a str, NetworkError> {
    input.given(name).ok_or_else(|| {
        NetworkError::permanent(format!(
            "{name} is missing: Bluesky needs identifier (a handle) and appPassword."
        ))
    })
}

fn is_email(identifier: &str) -> bool {
    identifier.contains('@')
}

fn typed_server(text: &str) -> Result<Endpoint, NetworkError> {
    let text = text.trim();
    let url = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let url = Url::parse(&url).ok().filter(Url::has_host);
    url.map(Endpoint::new)
        .ok_or_else(|| NetworkError::permanent("pds is not the address of a server."))
}

fn public(address: &str) -> Result<Endpoint, NetworkError> {
    Url::parse(address)
        .map(Endpoint::new)
        .map_err(|_| NetworkError::permanent("The address cannot be read."))
}

fn resolved(answer: &Answer, handle: &str) -> Result<String, NetworkError> {
    if is_error(answer, "HandleNotFound") || is_error(answer, "InvalidRequest") {
        return Err(NetworkError::permanent(format!(
            "{handle} cannot be found. Check the handle, or give its server as pds."
        )));
    }
    let found: ResolvedHandle = answer.taken(|| failure(answer, false, None), unreadable)?;
    Ok(found.did)
}

/// Asks for the document of an identity.
///
/// Source: <https://atproto.com/specs/did>.
fn look_up<T>(did: &str) -> TurnResult<T> {
    let url = if did.starts_with("did:plc:") {
        public(PLC_DIRECTORY)?.at([did])
    } else if let Some(host) = did.strip_prefix("did:web:") {
        let is_host = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-';
        if host.is_empty() || !host.bytes().all(is_host) {
            return Err(NetworkError::permanent("The identity is not one of a host."));
        }
        public(&format!("https://{host}"))?.at([".well-known", "did.json"])
    } else {
        return Err(NetworkError::permanent(
            "The identity is of a kind that Bluesky does not know.",
        ));
    };
    Ok(Turn::Send(Request::read(url)))
}

fn read_document(answer: &Answer, did: &str) -> Result<DidDocument, NetworkError> {
    match answer.status {
        404 | 410 => return Err(NetworkError::permanent("The identity does not exist any more.")),
        status if status >= 500 || status == 429 => {
            let kind = NetworkErrorKind::Temporary;
            return Err(NetworkError::new(kind, "The identity cannot be looked up just now."));
        }
        _ => {}
    }
    let document: Option<DidDocument> = answer.is_success().then(|| answer.json()).flatten();
    document
        .filter(|document| document.id == did)
        .ok_or_else(|| NetworkError::permanent("The document of the identity cannot be read."))
}

fn session(answer: &Answer) -> Result<Session, NetworkError> {
    if is_error(answer, "AuthenticationRequired") {
        return Err(NetworkError::permanent(
            "Bluesky does not know this handle with this app password. Make an app password under Settings, App passwords.",
        ));
    }
    if !answer.is_success() {
        let error = failure(answer, false, None);
        // There is no account yet that could be connected again.
        let kind = match error.refuses_credentials() {
            true => NetworkErrorKind::Permanent,
            false => error.kind,
        };
        return Err(NetworkError { kind, ..error });
    }
    let session: Session = answer.json().ok_or_else(unreadable)?;
    if session.active == Some(false) {
        let status = session.status.as_deref().unwrap_or("not active");
        return Err(NetworkError::permanent(format!("The account is {status}.")));
    }
    Ok(session)
}

/// The server that the document names, when the document and the session agree on everything.
fn confirmed(
    document: &DidDocument,
    session: &Session,
    asked: &Endpoint,
) -> Result<Endpoint, NetworkError> {
    if document.id != session.did {
        return Err(NetworkError::permanent(
            "The server let in another account than the one asked for.",
        ));
    }
    if !document.names(&session.handle) {
        return Err(NetworkError::permanent(format!(
            "The identity does not confirm the handle {}. Set the handle again at Bluesky.",
            session.handle
        )));
    }
    let named = document.pds().and_then(|pds| Url::parse(pds).ok()).map(Endpoint::new);
    let named = named.ok_or_else(|| NetworkError::permanent("The identity names no server."))?;
    // The entryway lets in the accounts of many servers.
    if named.address() != asked.address() && asked.address() != ENTRYWAY {
        return Err(NetworkError::permanent(
            "The identity names another server than the one given.",
        ));
    }
    Ok(named)
}

fn credentials(session: &Session) -> Credentials {
    let text = Tokens::to_text(&session.access_jwt, &session.refresh_jwt);
    Credentials::new(text, token_expiry(&session.access_jwt))
}

fn unreadable() -> NetworkError {
    NetworkError::temporary("The answer of Bluesky cannot be read.")
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
