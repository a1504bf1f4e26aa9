//! Connecting by Tumblr's own page, or by tokens that were given out for the operator's
//! application.
//!
//! The tokens are a user's and open every blog that the user may post to.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "OAuth2 Authorization".

use chrono::{DateTime, Utc};
use scheduler_core::account::Credentials;
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, NetworkError, NetworkErrorKind,
};
use scheduler_core::target::FailureCode;
use secrecy::ExposeSecret;

use super::api::Api;
use super::errors::{failure, token_failure, unreadable};
use super::wire::{Blog, Enveloped, UserAnswer};
use crate::conversation::{Answer, Turn, TurnResult};
use crate::oauth_tokens::{TokenAnswer, Tokens};
use crate::settings::Client;

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
) -> TurnResult<Vec<Connected>> {
    let mut answers = answers.iter();
    let (tokens, expires_at) = match input.given("code") {
        Some(code) => {
            let redirect_uri = input
                .given("redirectUri")
                .ok_or_else(|| NetworkError::permanent("redirectUri is missing."))?;
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
            let token = input.given("accessToken").ok_or_else(|| {
                NetworkError::permanent("accessToken is missing: connect on Tumblr's page, or give a token that was made for your application.")
            })?;
            (Tokens::given(token, input), None)
        }
    };
    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(api.read(&tokens.access_token, &["user", "info"], &[])));
    };
    if !answer.is_success() {
        return Err(not_connected(failure(answer, false, None)));
    }
    let read: Enveloped<UserAnswer> = answer.json().ok_or_else(unreadable)?;
    let mut blogs = read.response.user.blogs;
    // The user's own first; the others stay in their order.
    blogs.sort_by_key(|blog| !blog.primary);
    if blogs.is_empty() {
        return Err(NetworkError::permanent(
            "This user has no blog on Tumblr. Make one, and connect once more.",
        ));
    }
    let connected = blogs.into_iter().map(|blog| connected(api, blog, &tokens, expires_at));
    Ok(Turn::Done(connected.collect()))
}

/// The next turn of exchanging the refresh token, which is good for one use, for new tokens.
pub(super) fn refresh(
    api: &Api,
    client: Option<&Client>,
    tokens: Tokens,
    answers: &[Answer],
) -> TurnResult<Credentials> {
    let Some(refresh_token) = &tokens.refresh_token else {
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
    let (tokens, expires_at) = exchanged(answer, Some(tokens))?;
    Ok(Turn::Done(Credentials::new(tokens.to_text(), expires_at)))
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
    before: Option<Tokens>,
) -> Result<(Tokens, Option<DateTime<Utc>>), NetworkError> {
    if !answer.is_success() {
        return Err(token_failure(answer));
    }
    let token: TokenAnswer = answer.json().ok_or_else(unreadable)?;
    let expires_at = answer.given_at().zip(token.life()).map(|(at, life)| at + life);
    Ok((token.tokens(before), expires_at))
}

fn connected(
    api: &Api,
    blog: Blog,
    tokens: &Tokens,
    expires_at: Option<DateTime<Utc>>,
) -> Connected {
    let credentials = Credentials::new(tokens.to_text(), expires_at);
    let title = blog.title.filter(|title| !title.trim().is_empty());
    let mut lacks = Vec::new();
    if !tokens.may(&["write"]) {
        lacks.push(NO_WRITE.to_owned());
    }
    if tokens.refresh_token.is_none() {
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
    error.while_connecting("Tumblr does not accept this code or token. Connect once more.")
}

fn no_client() -> NetworkError {
    NetworkError::permanent(
        "This server has no application at Tumblr: the operator has to register one at https://www.tumblr.com/oauth/apps with an OAuth2 redirect URL, and set its consumer key and secret.",
    )
    .with_code(FailureCode::Unsupported)
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
