//! Who somebody is, and which server holds the account: handle, DID, DID document.
//!
//! The document, and not the server, has the last word on who somebody is.

use std::slice::Iter;

use scheduler_core::ports::{ConnectInput, NetworkError, NetworkErrorKind};
use url::Url;

use super::errors::{failure, is_error};
use super::wire::{DidDocument, ResolvedHandle};
use crate::conversation::{Answer, Request, Turn, TurnResult};
use crate::endpoint::Endpoint;

/// The server that resolves handles, and that lets in accounts which give an e-mail address.
///
/// Source: <https://docs.bsky.app/docs/advanced-guides/entryway>.
const ENTRYWAY: &str = "https://bsky.social";

/// The directory of identities of the method `plc`.
///
/// Source: <https://web.plc.directory/spec/v0.1/did-plc>.
const PLC_DIRECTORY: &str = "https://plc.directory";

/// A server that was found, and the document that has named it.
pub(super) struct Found {
    pub(super) server: Endpoint,
    pub(super) document: Option<DidDocument>,
}

/// The next turn of finding the server of an account. `identifier` is a handle, a DID or an e-mail
/// address; the input's `pds` names the server where it is not to be looked for.
///
/// `api_base` is the operator's own choice of server for all accounts; nobody else is asked then.
pub(super) fn find(
    api_base: Option<&Endpoint>,
    input: &ConnectInput,
    identifier: &str,
    answers: &mut Iter<'_, Answer>,
) -> TurnResult<Found> {
    let of = |server| Ok(Turn::Done(Found { server, document: None }));
    match (api_base, input.given("pds")) {
        (Some(base), _) => of(base.clone()),
        (None, Some(pds)) => of(typed_server(pds)?),
        (None, None) if is_email(identifier) => of(public(ENTRYWAY)?),
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
            let document = read_document(answer, &did)?;
            Ok(Turn::Done(Found { server: server_of(&document)?, document: Some(document) }))
        }
    }
}

/// The server that a document names.
pub(super) fn server_of(document: &DidDocument) -> Result<Endpoint, NetworkError> {
    let named = document.pds().and_then(|pds| Url::parse(pds).ok()).map(Endpoint::new);
    named.ok_or_else(|| NetworkError::permanent("The identity names no server."))
}

/// True for the server that lets in the accounts of many servers.
pub(super) fn is_entryway(server: &Endpoint) -> bool {
    server.address() == ENTRYWAY
}

/// Whether a document confirms a handle.
pub(super) fn confirmed_handle(document: &DidDocument, handle: &str) -> Result<(), NetworkError> {
    if document.names(handle) {
        return Ok(());
    }
    Err(NetworkError::permanent(format!(
        "The identity does not confirm the handle {handle}. Set the handle again at Bluesky."
    )))
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
pub(super) fn look_up<T>(did: &str) -> TurnResult<T> {
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

pub(super) fn read_document(answer: &Answer, did: &str) -> Result<DidDocument, NetworkError> {
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

/// The error for an answer of another form.
pub(super) fn unreadable() -> NetworkError {
    NetworkError::temporary("The answer of Bluesky cannot be read.")
}
