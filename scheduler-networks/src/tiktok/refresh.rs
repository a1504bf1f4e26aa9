//! Tokens, and their exchange for new ones.
//!
//! A refresh token is good for one exchange, whose answer carries the next. Where that answer is
//! lost, the old one is tried once more, and its refusal asks for a new connection.
//!
//! Source: <https://developers.tiktok.com/docs/en/oauth-user-access-token-management>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::Credentials;
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use secrecy::ExposeSecret;

use super::api::Api;
use super::errors::{is_token_refused, token_failure, unreadable};
use super::wire::{Kept, Token, scopes};
use crate::conversation::{Answer, Request, Turn};
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
            "TikTok's access has run out, and there is nothing to renew it with. Connect the account again.",
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
    before: Option<Kept>,
) -> Result<(Kept, Option<DateTime<Utc>>), NetworkError> {
    if is_token_refused(answer) {
        return Err(token_failure(answer));
    }
    let token: Token = answer.json().ok_or_else(|| unreadable(false))?;
    let (old_token, old_scopes) =
        before.map_or((None, None), |before| (before.refresh_token, before.scopes));
    let life = token.expires_in.and_then(TimeDelta::try_seconds);
    let kept = Kept {
        access_token: token.access_token,
        refresh_token: token.refresh_token.or(old_token),
        scopes: token.scope.as_deref().map(scopes).or(old_scopes),
    };
    Ok((kept, answered_at(answer).zip(life).map(|(at, life)| at + life * 2 / 3)))
}

/// When an answer was given, by the server's own clock.
fn answered_at(answer: &Answer) -> Option<DateTime<Utc>> {
    let date = answer.header("date")?;
    DateTime::parse_from_rfc2822(date).ok().map(|instant| instant.to_utc())
}

/// The error where the operator has set no application.
pub(super) fn no_client() -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::Permanent,
        "This server knows no application at TikTok: the operator has to set its client key and client secret.",
    )
}
