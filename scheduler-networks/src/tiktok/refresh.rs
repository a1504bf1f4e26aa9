//! Tokens, and their exchange for new ones.
//!
//! A refresh token is good for one exchange, whose answer carries the next. Where that answer is
//! lost, the old one is tried once more, and its refusal asks for a new connection.
//!
//! Source: <https://developers.tiktok.com/docs/en/oauth-user-access-token-management>.

use chrono::{DateTime, Utc};
use scheduler_core::account::Credentials;
use scheduler_core::ports::NetworkError;
use secrecy::ExposeSecret;

use super::api::Api;
use super::errors::{is_token_refused, token_failure, unreadable};
use crate::conversation::{Answer, Request, TurnResult};
use crate::oauth_tokens::{self, TokenAnswer, Tokens};
use crate::settings::Client;

/// The next turn of exchanging the refresh token.
pub(super) fn refresh(
    api: &Api,
    client: Option<&Client>,
    tokens: Tokens,
    answers: &[Answer],
) -> TurnResult<Credentials> {
    let lacking = "TikTok's access has run out, and there is nothing to renew it with. Connect the account again.";
    oauth_tokens::refresh(
        tokens,
        lacking,
        answers,
        |fields| Ok(token_call(api, client.ok_or_else(no_client)?, fields)),
        |answer, before| exchanged(answer, Some(before)),
    )
}

/// A call for tokens with the operator's application, whose id is called key here.
pub(super) fn token_call(
    api: &Api,
    client: &Client,
    mut fields: Vec<(&'static str, String)>,
) -> Request {
    fields.push(("client_key", client.id.clone()));
    fields.push(("client_secret", client.secret.expose_secret().to_owned()));
    api.token_call(fields)
}

/// What is kept once tokens were given, and when they are to be exchanged: after two thirds of
/// their life. What `before` had and the answer does not tell stays.
///
/// # Errors
/// Those of tokens.
pub(super) fn exchanged(
    answer: &Answer,
    before: Option<Tokens>,
) -> Result<(Tokens, Option<DateTime<Utc>>), NetworkError> {
    if is_token_refused(answer) {
        return Err(token_failure(answer));
    }
    let token: TokenAnswer = answer.json().ok_or_else(|| unreadable(false))?;
    let life = token.life();
    let expires_at = answer.given_at().zip(life).map(|(at, life)| at + life * 2 / 3);
    Ok((token.tokens(before), expires_at))
}

/// The error where the operator has set no application.
pub(super) fn no_client() -> NetworkError {
    NetworkError::permanent(
        "This server knows no application at TikTok: the operator has to set its client key and client secret.",
    )
}
