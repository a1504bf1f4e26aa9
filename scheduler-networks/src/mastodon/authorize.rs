//! Connecting on the page of a server: an application of our own there, the page, the code.
//!
//! Source: <https://docs.joinmastodon.org/client/authorized/>.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, NetworkError, NetworkErrorKind,
};
use secrecy::ExposeSecret;
use sha2::{Digest, Sha256};

use super::connect::{given, server};
use super::errors::failure;
use super::wire::{GivenToken, RegisteredApp};
use crate::conversation::{Answer, Body, Request, Turn, TurnResult};
use crate::endpoint::Endpoint;
use crate::outbound::Guard;

/// What a person sees on the page, and others below a status.
const CLIENT_NAME: &str = "scheduler";

/// What our calls need, sorted as the server compares them.
pub(super) const SCOPES: &str =
    "read:accounts read:search read:statuses write:favourites write:media write:statuses";

/// The next turn of finding the page of the server that was given as `instance`: an application is
/// registered there first, which needs nobody's leave.
pub(super) fn authorize(
    api_base: Option<&Endpoint>,
    guard: &Guard,
    input: &AuthorizeInput,
    answers: &[Answer],
) -> TurnResult<Authorization> {
    let server = server(api_base, guard, &input.values)?;
    let Some(answer) = answers.first() else {
        let form = vec![
            ("client_name", CLIENT_NAME.to_owned()),
            ("redirect_uris", input.redirect_uri.clone()),
            ("scopes", SCOPES.to_owned()),
        ];
        let url = server.at(["api", "v1", "apps"]);
        return Ok(Turn::Send(Request::act(url, Body::Form(form))));
    };
    if !answer.is_success() {
        return Err(refused(&server, answer, "does not let applications register"));
    }
    let app: RegisteredApp = answer.json().ok_or_else(|| {
        NetworkError::permanent(format!("{} does not speak the API of Mastodon.", server.host()))
    })?;
    let challenge = Sha256::digest(input.code_verifier.expose_secret().as_bytes());
    let url = server.query(
        ["oauth", "authorize"],
        &[
            ("response_type", "code"),
            ("client_id", &app.client_id),
            ("redirect_uri", &input.redirect_uri),
            ("scope", SCOPES),
            ("state", &input.state),
            ("code_challenge", &URL_SAFE_NO_PAD.encode(challenge)),
            ("code_challenge_method", "S256"),
        ],
    );
    let kept = BTreeMap::from([
        ("instance".to_owned(), input.values.value("instance").unwrap_or_default().to_owned()),
        ("clientId".to_owned(), app.client_id),
        ("clientSecret".to_owned(), app.client_secret.expose_secret().to_owned()),
    ]);
    Ok(Turn::Done(Authorization { url: url.into(), kept: ConnectInput(kept) }))
}

/// The exchange of the code that the browser has brought back.
pub(super) fn exchange(
    server: &Endpoint,
    input: &ConnectInput,
    code: &str,
) -> Result<Request, NetworkError> {
    let value = |name| given(input, name).map(str::to_owned);
    let form = vec![
        ("grant_type", "authorization_code".to_owned()),
        ("code", code.to_owned()),
        ("client_id", value("clientId")?),
        ("client_secret", value("clientSecret")?),
        ("redirect_uri", value("redirectUri")?),
        ("code_verifier", value("codeVerifier")?),
    ];
    Ok(Request::act(server.at(["oauth", "token"]), Body::Form(form)))
}

/// The token that the code was exchanged for, and what it allows.
pub(super) fn token(server: &Endpoint, answer: &Answer) -> Result<GivenToken, NetworkError> {
    if !answer.is_success() {
        return Err(refused(server, answer, "does not take the code; begin again"));
    }
    let given: Option<GivenToken> = answer.json();
    given.ok_or_else(|| NetworkError::temporary("The answer of the server cannot be read."))
}

/// There is no account yet that could be connected again.
fn refused(server: &Endpoint, answer: &Answer, what: &str) -> NetworkError {
    let error = failure(answer, false, None);
    match error.refuses_credentials() || error.kind == NetworkErrorKind::Permanent {
        true => NetworkError::permanent(format!("{} {what}.", server.host())),
        false => error,
    }
}

#[cfg(test)]
#[path = "authorize_tests.rs"]
mod tests;
