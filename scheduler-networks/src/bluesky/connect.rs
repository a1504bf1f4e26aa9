//! Connecting by app password, and exchanging the tokens of a session for new ones.

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{ConnectInput, Connected, NetworkError, NetworkErrorKind};
use secrecy::ExposeSecret;
use serde_json::json;

use super::errors::{failure, is_error};
use super::identity::{
    Found, confirmed_handle, find, is_entryway, look_up, read_document, server_of, unreadable,
};
use super::oauth::not_connected;
use super::tokens::SessionTokens;
use super::wire::{DidDocument, Profile, Session};
use crate::conversation::{Answer, Body, Request, Turn, TurnResult, or_send};
use crate::endpoint::Endpoint;

/// The next turn of connecting an account. Reads `identifier` (handle, DID or e-mail address),
/// `appPassword`, and `pds` where the server is to be named.
///
/// `api_base` is the operator's own choice of server for all accounts; nobody else is asked then.
pub(super) fn connect(
    api_base: Option<&Endpoint>,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let identifier = identifier(input)?;
    let password = given(input, "appPassword")?;
    let mut answers = answers.iter();
    let Found { mut server, document } = or_send!(find(api_base, input, identifier, &mut answers)?);

    let Some(answer) = answers.next() else {
        let body = json!({ "identifier": identifier, "password": password });
        let url = server.at(["xrpc", "com.atproto.server.createSession"]);
        return Ok(Turn::Send(Request::act(url, Body::Json(body))));
    };
    let session = session(answer)?;
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
        return Ok(Turn::Send(request.bearer(session.tokens.access_jwt.expose_secret())));
    };
    let connected = Connected::new(session.did, session.tokens.credentials());
    Ok(Turn::Done(vec![shown_account(connected, &server, session.handle, answer)]))
}

/// An account with what its profile shows, which is only for show: a server without a view of the
/// network gives none.
pub(super) fn shown_account(
    connected: Connected,
    server: &Endpoint,
    handle: String,
    profile: &Answer,
) -> Connected {
    let profile: Option<Profile> = profile.is_success().then(|| profile.json()).flatten();
    let (display_name, avatar_url) =
        profile.map_or((None, None), |profile| (profile.display_name, profile.avatar));
    Connected {
        server_url: Some(server.address().to_owned()),
        username: Some(handle),
        display_name: display_name.filter(|name| !name.is_empty()),
        avatar_url,
        ..connected
    }
}

/// The next turn of exchanging the tokens. The old ones stay good for two hours more, so that
/// losing the new ones costs nothing.
///
/// Source: <https://github.com/bluesky-social/atproto>, `packages/pds`.
pub(super) fn refresh(
    server: &Endpoint,
    account: &Account,
    tokens: &SessionTokens,
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
    Ok(Turn::Done(session.tokens.credentials()))
}

/// Whose account it is: a handle without the sign before it, a DID or an e-mail address.
pub(super) fn identifier(input: &ConnectInput) -> Result<&str, NetworkError> {
    Ok(given(input, "identifier")?.trim_start_matches('@'))
}

fn given<'a>(input: &'a ConnectInput, name: &str) -> Result<&'a str, NetworkError> {
    input.given(name).ok_or_else(|| {
        NetworkError::permanent(format!(
            "{name} is missing: Bluesky needs identifier (a handle) and, without its page, appPassword."
        ))
    })
}

fn session(answer: &Answer) -> Result<Session, NetworkError> {
    if is_error(answer, "AuthenticationRequired") {
        return Err(NetworkError::permanent(
            "Bluesky does not know this handle with this app password. Make an app password under Settings, App passwords.",
        ));
    }
    if !answer.is_success() {
        return Err(not_connected(failure(answer, false, None)));
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
    confirmed_handle(document, &session.handle)?;
    let named = server_of(document)?;
    if named.address() != asked.address() && !is_entryway(asked) {
        return Err(NetworkError::permanent(
            "The identity names another server than the one given.",
        ));
    }
    Ok(named)
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
