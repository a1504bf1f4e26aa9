//! Connecting by Tumblr's own page, or by tokens that were given out for the operator's
//! application.
//!
//! The tokens are a user's and open every blog that the user may post to.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "OAuth2 Authorization".

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::Credentials;
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, NetworkError, NetworkErrorKind,
};
use scheduler_core::target::FailureCode;
use secrecy::{ExposeSecret, SecretString};

use super::api::Api;
use super::errors::{answered_at, failure, token_failure, unreadable};
use super::wire::{Blog, Enveloped, Kept, Token, UserAnswer, scopes};
use crate::conversation::{Answer, Turn};
use crate::registry::Client;

/// What a person is asked to allow: all that there is.
///
/// Source: <https://github.com/tumblr/docs>, `api.md`, "OAuth2 Authorization".
pub(super) const SCOPES: [&str; 3] = ["basic", "write", "offline_access"];

/// What an account cannot do without a scope.
const NO_WRITE: &str = "Posts cannot be published or taken down: write was not allowed.";
const NO_REFRESH: &str =
    "The access ends after some minutes and cannot be renewed: offline_access was not allowed.";

/// The page on which a person lets us in. Tumblr documents no proof key: the application has a
/// secret.
///
/// # Errors
/// [`NetworkErrorKind::Permanent`] where the operator has no application.
pub(super) fn authorize(
    api: &Api,
    client: Option<&Client>,
    scopes: &[String],
    input: &AuthorizeInput,
) -> Result<Authorization, NetworkError> {
    let client = client.ok_or_else(no_client)?;
    let url = api.authorize(&[
        ("client_id", client.id.as_str()),
        ("response_type", "code"),
        ("scope", &scopes.join(" ")),
        ("state", &input.state),
        ("redirect_uri", &input.redirect_uri),
    ]);
    Ok(Authorization { url: url.into(), kept: ConnectInput::default() })
}

/// The next turn of opening accounts. Reads `code` and `redirectUri`, or else `accessToken` and,
/// where there are any, `refreshToken` and `scope`.
pub(super) fn connect(
    api: &Api,
    client: Option<&Client>,
    input: &ConnectInput,
    answers: &[Answer],
) -> Result<Turn<Vec<Connected>>, NetworkError> {
    let given = |name| input.value(name).map(str::trim).filter(|value| !value.is_empty());
    let mut answers = answers.iter();
    let (kept, expires_at) = match given("code") {
        Some(code) => {
            let redirect_uri =
                given("redirectUri").ok_or_else(|| wrong("redirectUri is missing."))?;
            let client = client.ok_or_else(no_client)?;
            let Some(answer) = answers.next() else {
                let mut fields = credentials_of(client, "authorization_code");
                fields.push(("code", code.to_owned()));
                fields.push(("redirect_uri", redirect_uri.to_owned()));
                return Ok(Turn::Send(api.token(fields)));
            };
            exchanged(answer, None).map_err(not_connected)?
        }
        None => {
            let token = given("accessToken").ok_or_else(|| {
                wrong("accessToken is missing: connect on Tumblr's page, or give a token that was made for your application.")
            })?;
            let kept = Kept {
                access_token: SecretString::from(token),
                refresh_token: given("refreshToken").map(SecretString::from),
                scopes: given("scope").map(scopes),
            };
            (kept, None)
        }
    };
    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(api.read(&kept.access_token, &["user", "info"], &[])));
    };
    if !answer.is_success() {
        return Err(not_connected(failure(answer, false, None)));
    }
    let read: Enveloped<UserAnswer> = answer.json().ok_or_else(unreadable)?;
    let mut blogs = read.response.user.blogs;
    // The user's own first; the others stay in their order.
    blogs.sort_by_key(|blog| !blog.primary);
    if blogs.is_empty() {
        return Err(wrong("This user has no blog on Tumblr. Make one, and connect once more."));
    }
    let connected = blogs.into_iter().map(|blog| connected(api, blog, &kept, expires_at));
    Ok(Turn::Done(connected.collect()))
}

/// The next turn of exchanging the refresh token, which is good for one use, for new tokens.
pub(super) fn refresh(
    api: &Api,
    client: Option<&Client>,
    kept: &Kept,
    answers: &[Answer],
) -> Result<Turn<Credentials>, NetworkError> {
    let Some(refresh_token) = &kept.refresh_token else {
        return Err(NetworkError::new(
            NetworkErrorKind::Reconnect,
            "Tumblr's access has ended, and there is nothing to renew it with. Connect the account again and allow offline access.",
        ));
    };
    let client = client.ok_or_else(no_client)?;
    let Some(answer) = answers.first() else {
        let mut fields = credentials_of(client, "refresh_token");
        fields.push(("refresh_token", refresh_token.expose_secret().to_owned()));
        return Ok(Turn::Send(api.token(fields)));
    };
    let (kept, expires_at) = exchanged(answer, Some(kept))?;
    Ok(Turn::Done(Credentials::new(kept.to_text(), expires_at)))
}

fn credentials_of(client: &Client, grant_type: &str) -> Vec<(&'static str, String)> {
    vec![
        ("grant_type", grant_type.to_owned()),
        ("client_id", client.id.clone()),
        ("client_secret", client.secret.expose_secret().to_owned()),
    ]
}

/// What is kept once tokens were given, and when the access ends. What `before` had and the answer
/// does not tell stays.
fn exchanged(
    answer: &Answer,
    before: Option<&Kept>,
) -> Result<(Kept, Option<DateTime<Utc>>), NetworkError> {
    if !answer.is_success() {
        return Err(token_failure(answer));
    }
    let token: Token = answer.json().ok_or_else(unreadable)?;
    let old_token = || before.and_then(|before| before.refresh_token.clone());
    let old_scopes = || before.and_then(|before| before.scopes.clone());
    let life = token.expires_in.and_then(TimeDelta::try_seconds);
    let expires_at = answered_at(answer).zip(life).map(|(given_at, life)| given_at + life);
    let kept = Kept {
        access_token: token.access_token,
        refresh_token: token.refresh_token.or_else(old_token),
        scopes: token.scope.as_deref().map(scopes).or_else(old_scopes),
    };
    Ok((kept, expires_at))
}

fn connected(api: &Api, blog: Blog, kept: &Kept, expires_at: Option<DateTime<Utc>>) -> Connected {
    let credentials = Credentials::new(kept.to_text(), expires_at);
    let title = blog.title.filter(|title| !title.trim().is_empty());
    let mut lacks = Vec::new();
    if !kept.may("write") {
        lacks.push(NO_WRITE.to_owned());
    }
    if kept.refresh_token.is_none() {
        lacks.push(NO_REFRESH.to_owned());
    }
    // A name can change, the uuid does not.
    let id = blog.uuid.unwrap_or_else(|| blog.name.clone());
    Connected {
        server_url: api.other_address().map(str::to_owned),
        avatar_url: Some(api.avatar(&blog.name)),
        username: Some(blog.name),
        display_name: title,
        lacks,
        ..Connected::new(id, credentials)
    }
}

/// An error while there is no account yet that could be connected again.
fn not_connected(error: NetworkError) -> NetworkError {
    match error.kind {
        NetworkErrorKind::Reconnect | NetworkErrorKind::TokenExpired => {
            wrong("Tumblr does not accept this code or token. Connect once more.")
        }
        NetworkErrorKind::Temporary
        | NetworkErrorKind::RateLimited { .. }
        | NetworkErrorKind::Permanent
        | NetworkErrorKind::InDoubt
        | NetworkErrorKind::Unsettled => error,
    }
}

fn no_client() -> NetworkError {
    wrong(
        "This server has no application at Tumblr: the operator has to register one at https://www.tumblr.com/oauth/apps with an OAuth2 redirect URL, and set its consumer key and secret.",
    )
    .with_code(FailureCode::Unsupported)
}

fn wrong(message: &str) -> NetworkError {
    NetworkError::new(NetworkErrorKind::Permanent, message)
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
