//! The call about tokens: a code or a refresh token becomes an access token, and each time there
//! is another refresh token, which lives for 60 days.
//!
//! Source: <https://github.com/pinterest/api-description>, `/oauth/token`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use scheduler_core::account::Credentials;
use scheduler_core::ports::NetworkError;
use secrecy::ExposeSecret;

use super::api::Api;
use super::connect::no_client;
use super::errors::{token_failure, unreadable};
use crate::conversation::{Answer, Body, Request, TurnResult};
use crate::oauth_tokens::{self, TokenAnswer, Tokens};
use crate::settings::Client;

/// The next turn of exchanging the refresh token.
pub(super) fn refresh(
    api: &Api,
    client: Option<&Client>,
    tokens: Tokens,
    answers: &[Answer],
) -> TurnResult<Credentials> {
    let lacking = "Pinterest's access has run out, and there is nothing to renew it with. Connect the account again.";
    oauth_tokens::refresh(
        tokens,
        lacking,
        answers,
        |fields| Ok(token_call(api, client.ok_or_else(no_client)?, fields)),
        |answer, before| exchanged(answer, Some(before)),
    )
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
    before: Option<Tokens>,
) -> Result<(Tokens, Option<DateTime<Utc>>), NetworkError> {
    if !answer.is_success() {
        return Err(token_failure(answer));
    }
    let token: TokenAnswer = answer.json().ok_or_else(unreadable)?;
    let life = token.life().map(|life| life * 2 / 3);
    let expires_at = answer.given_at().zip(life).map(|(at, life)| at + life);
    Ok((token.tokens(before), expires_at))
}
