//! Access tokens, which live for two hours, and what renews them: each refresh token is good for
//! one use and gives the next.
//!
//! Source: <https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>.

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

/// The next turn of exchanging the refresh token for another pair. What is refused is spent or
/// revoked: only a person can let us in again.
pub(super) fn refresh(
    api: &Api,
    client: Option<&Client>,
    tokens: Tokens,
    answers: &[Answer],
) -> TurnResult<Credentials> {
    let lacking = "X's access has run out after two hours, and nothing was given to renew it with. Connect the account again, with the permission offline.access.";
    oauth_tokens::refresh(
        tokens,
        lacking,
        answers,
        |fields| Ok(token_call(api, client.ok_or_else(no_client)?, fields)),
        |answer, before| given(answer, Some(before)),
    )
}

/// The call that gives tokens. A public application, which has no secret, only names itself.
pub(super) fn token_call(
    api: &Api,
    client: &Client,
    mut fields: Vec<(&'static str, String)>,
) -> Request {
    let url = api.at(&["oauth2", "token"]);
    let secret = client.secret.expose_secret();
    if secret.is_empty() {
        fields.push(("client_id", client.id.clone()));
        return Request::act(url, Body::Form(fields));
    }
    let basic = format!("Basic {}", STANDARD.encode(format!("{}:{secret}", client.id)));
    Request::act(url, Body::Form(fields)).secret_header("authorization", basic)
}

/// What is kept once tokens were given, and when the access ends. What `before` had and the answer
/// does not tell stays.
pub(super) fn given(
    answer: &Answer,
    before: Option<Tokens>,
) -> Result<(Tokens, Option<DateTime<Utc>>), NetworkError> {
    if !answer.is_success() {
        return Err(token_failure(answer));
    }
    let token: TokenAnswer = answer.json().ok_or_else(unreadable)?;
    let expires_at = answer.given_at().zip(token.life()).map(|(at, life)| at + life);
    Ok((token.tokens(before), expires_at))
}
