//! Access tokens, which live for two hours, and what renews them: each refresh token is good for
//! one use and gives the next.
//!
//! Source: <https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::Credentials;
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use secrecy::ExposeSecret;

use super::api::Api;
use super::connect::no_client;
use super::errors::{token_failure, unreadable};
use super::wire::{Kept, Token, scopes};
use crate::conversation::{Answer, Body, Request, Turn};
use crate::registry::Client;

/// The next turn of exchanging the refresh token for another pair. What is refused is spent or
/// revoked: only a person can let us in again.
pub(super) fn refresh(
    api: &Api,
    client: Option<&Client>,
    kept: Kept,
    answers: &[Answer],
) -> Result<Turn<Credentials>, NetworkError> {
    let Some(refresh_token) = &kept.refresh_token else {
        return Err(NetworkError::new(
            NetworkErrorKind::Reconnect,
            "X's access has run out after two hours, and nothing was given to renew it with. Connect the account again, with the permission offline.access.",
        ));
    };
    let client = client.ok_or_else(no_client)?;
    let Some(answer) = answers.first() else {
        let token = refresh_token.expose_secret().to_owned();
        let fields = vec![("grant_type", "refresh_token".to_owned()), ("refresh_token", token)];
        return Ok(Turn::Send(token_call(api, client, fields)));
    };
    let (kept, expires_at) = given(answer, Some(kept))?;
    Ok(Turn::Done(Credentials::new(kept.to_text(), expires_at)))
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
    before: Option<Kept>,
) -> Result<(Kept, Option<DateTime<Utc>>), NetworkError> {
    if !answer.is_success() {
        return Err(token_failure(answer));
    }
    let token: Token = answer.json().ok_or_else(unreadable)?;
    let (old_token, old_scopes) =
        before.map_or((None, None), |before| (before.refresh_token, before.scopes));
    let given_at = answer.header("date").and_then(|date| DateTime::parse_from_rfc2822(date).ok());
    let life = token.expires_in.and_then(TimeDelta::try_seconds);
    let kept = Kept {
        access_token: token.access_token,
        refresh_token: token.refresh_token.or(old_token),
        scopes: token.scope.as_deref().map(scopes).or(old_scopes),
    };
    Ok((kept, given_at.zip(life).map(|(at, life)| at.to_utc() + life)))
}
