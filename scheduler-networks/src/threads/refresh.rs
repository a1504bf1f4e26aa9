//! Tokens that live for 60 days, and their exchange for new ones.
//!
//! Source: <https://developers.facebook.com/documentation/threads/get-started/long-lived-tokens>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::Credentials;
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use secrecy::ExposeSecret;
use url::Url;

use super::api::Api;
use super::errors::failure;
use super::wire::{GivenToken, Tokens};
use crate::conversation::{Answer, Request, Turn, TurnResult};

/// When a token may be exchanged: it has to be a day old. The rest is for clocks that differ.
const YOUNGEST: TimeDelta = TimeDelta::hours(25);

/// The next turn of exchanging a token for a new one.
pub(super) fn refresh(api: &Api, tokens: &Tokens, answers: &[Answer]) -> TurnResult<Credentials> {
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(request(api, tokens.access_token.expose_secret())));
    };
    if !answer.is_success() {
        let error = failure(answer, false, None);
        // Whatever is wrong with the token, only a new one helps.
        let is_definite = error.kind == NetworkErrorKind::Permanent;
        return Err(match is_definite {
            true => NetworkError::new(
                NetworkErrorKind::Reconnect,
                format!("The access to the account has ended: connect it again. {}", error.message),
            ),
            false => error,
        });
    }
    let given: GivenToken = answer.json().ok_or_else(|| {
        let message = "Threads gave a new token, but its answer cannot be read.";
        NetworkError::temporary(message)
    })?;
    let new = Tokens { access_token: given.access_token, user_id: tokens.user_id.clone() };
    Ok(Turn::Done(credentials(&new, answer, given.expires_in)))
}

/// The request that exchanges a token.
pub(super) fn request(api: &Api, token: &str) -> Request {
    let pairs = [("grant_type", "th_refresh_token"), ("access_token", token)];
    Request::read(unversioned(api, "refresh_access_token", &pairs))
}

/// The address of a call that has no version.
pub(super) fn unversioned(api: &Api, call: &str, pairs: &[(&str, &str)]) -> Url {
    api.server.query([call], pairs)
}

/// What is stored of a token that lives for so many seconds from an answer on. It counts as
/// expired after half its life: then it can still be exchanged, and later it cannot.
pub(super) fn credentials(tokens: &Tokens, answer: &Answer, lives_for: Option<i64>) -> Credentials {
    let half = lives_for.and_then(TimeDelta::try_seconds).map(|life| life / 2);
    let expires_at = answer.given_at().zip(half).map(|(said_at, half)| said_at + half);
    Credentials::new(tokens.to_text(), expires_at)
}

/// What is stored of a token that ends at an instant.
pub(super) fn credentials_until(
    tokens: &Tokens,
    answer: &Answer,
    ends_at: DateTime<Utc>,
) -> Credentials {
    let seconds = answer.given_at().map(|said_at| (ends_at - said_at).num_seconds().max(0));
    credentials(tokens, answer, seconds)
}

/// What is stored of a token of which nobody says when it ends: it is exchanged as soon as it may
/// be.
pub(super) fn credentials_of_unknown_age(tokens: &Tokens, answer: &Answer) -> Credentials {
    let expires_at = answer.given_at().map(|said_at| said_at + YOUNGEST);
    Credentials::new(tokens.to_text(), expires_at)
}
