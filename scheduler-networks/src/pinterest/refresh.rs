//! The call about tokens: a code or a refresh token becomes an access token, and each time there
//! is another refresh token, which lives for 60 days.
//!
//! Source: <https://github.com/pinterest/api-description>, `/oauth/token`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::Credentials;
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use secrecy::{ExposeSecret, SecretString};

use super::api::Api;
use super::connect::no_client;
use super::errors::{answered_at, token_failure, unreadable};
use super::wire::{Kept, Token, scopes};
use crate::conversation::{Answer, Body, Request, Turn};
use crate::registry::Client;

/// The next turn of exchanging the refresh token.
pub(super) fn refresh(
    api: &Api,
    client: Option<&Client>,
    kept: Kept,
    answers: &[Answer],
) -> Result<Turn<Credentials>, NetworkError> {
    let Some(refresh_token) = &kept.refresh_token else {
        return Err(NetworkError::new(
            NetworkErrorKind::Reconnect,
            "Pinterest's access has run out, and there is nothing to renew it with. Connect the account again.",
        ));
    };
    let client = client.ok_or_else(no_client)?;
    let Some(answer) = answers.first() else {
        let token = refresh_token.expose_secret().to_owned();
        let fields = vec![("grant_type", "refresh_token".to_owned()), ("refresh_token", token)];
        return Ok(Turn::Send(token_call(api, client, fields)));
    };
    let (kept, expires_at) = exchanged(answer, Some(kept))?;
    Ok(Turn::Done(Credentials::new(kept.to_text(), expires_at)))
}

/// The request for tokens, in the name of the application.
pub(super) fn token_call(
    api: &Api,
    client: &Client,
    fields: Vec<(&'static str, String)>,
) -> Request {
    let name = format!("{}:{}", client.id, client.secret.expose_secret());
    Request::act(api.at(&["oauth", "token"]), Body::Form(fields))
        .secret_header("authorization", format!("Basic {}", STANDARD.encode(name)))
}

/// What is kept once tokens were given, and when they are to be exchanged: after two thirds of the
/// access token's life, on the 20th day of 30. What `before` had and the answer does not tell
/// stays.
///
/// # Errors
/// [`token_failure`] for an answer that is no success.
pub(super) fn exchanged(
    answer: &Answer,
    before: Option<Kept>,
) -> Result<(Kept, Option<DateTime<Utc>>), NetworkError> {
    if !answer.is_success() {
        return Err(token_failure(answer));
    }
    let token: Token = answer.json().ok_or_else(unreadable)?;
    let (old_token, old_scopes): (Option<SecretString>, _) =
        before.map_or((None, None), |before| (before.refresh_token, before.scopes));
    let life = token.expires_in.and_then(TimeDelta::try_seconds).map(|life| life * 2 / 3);
    let kept = Kept {
        access_token: token.access_token,
        refresh_token: token.refresh_token.or(old_token),
        scopes: token.scope.as_deref().map(scopes).or(old_scopes),
    };
    Ok((kept, answered_at(answer).zip(life).map(|(at, life)| at + life)))
}
