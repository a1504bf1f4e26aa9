//! Connecting by Tumblr's own page, or by tokens that were given out for the operator's
//! application.
//!
//! The tokens are a user's and open every blog that the user may post to.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "OAuth2 Authorization".

use scheduler_core::ports::{ConnectInput, Connected, NetworkError};
use scheduler_core::target::FailureCode;

use super::api::Api;
use super::errors::{failure, token_failure, unreadable};
use super::wire::{Blog, Enveloped, UserAnswer};
use crate::code_flow::Parameter::{ClientId, Is, RedirectUri, Scopes, State};
use crate::code_flow::{ClientProof, CodeFlow, Granted, ProofKey};
use crate::conversation::{Answer, Turn, TurnResult, or_send};
use crate::settings::Client;

/// What a person is asked to allow: all that there is.
///
/// Source: <https://github.com/tumblr/docs>, `api.md`, "OAuth2 Authorization".
pub(super) const SCOPES: [&str; 3] = ["basic", "write", "offline_access"];

/// What an account cannot do without a scope.
const NO_WRITE: &str = "Posts cannot be published or taken down: write was not allowed.";
const NO_REFRESH: &str =
    "The access ends after some minutes and cannot be renewed: offline_access was not allowed.";

/// Tumblr documents no proof key: the application has a secret. A refresh token is good for one
/// use.
pub(super) const FLOW: CodeFlow = CodeFlow {
    page: &[
        ("client_id", ClientId),
        ("response_type", Is("code")),
        ("scope", Scopes),
        ("state", State),
        ("redirect_uri", RedirectUri),
    ],
    separator: " ",
    proof: ProofKey::None,
    client: ClientProof::Form("client_id"),
    more: &[],
    life_share: (1, 1),
    read: |answer| answer.taken(|| token_failure(answer), unreadable),
    no_client: (
        FailureCode::Unsupported,
        "This server has no application at Tumblr: the operator has to register one at https://www.tumblr.com/oauth/apps with an OAuth2 redirect URL, and set its consumer key and secret.",
    ),
    no_token: "accessToken is missing: connect on Tumblr's page, or give a token that was made for your application.",
    no_refresh_token: "Tumblr's access has ended, and there is nothing to renew it with. Connect the account again and allow offline access.",
    not_connected,
};

/// The next turn of opening accounts.
pub(super) fn connect(
    api: &Api,
    client: Option<&Client>,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let mut answers = answers.iter();
    let call = |fields| api.token(fields);
    let granted = or_send!(FLOW.grant(client, input, &mut answers, call)?);
    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(api.read(&granted.tokens.access_token, &["user", "info"], &[])));
    };
    let read: Enveloped<UserAnswer> =
        answer.taken(|| not_connected(failure(answer, false, None)), unreadable)?;
    let mut blogs = read.response.user.blogs;
    // The user's own first; the others stay in their order.
    blogs.sort_by_key(|blog| !blog.primary);
    if blogs.is_empty() {
        return Err(NetworkError::permanent(
            "This user has no blog on Tumblr. Make one, and connect once more.",
        ));
    }
    let connected = blogs.into_iter().map(|blog| connected(api, blog, &granted));
    Ok(Turn::Done(connected.collect()))
}

fn connected(api: &Api, blog: Blog, granted: &Granted) -> Connected {
    let tokens = &granted.tokens;
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
        ..Connected::new(id, granted.credentials())
    }
}

/// An error while there is no account yet that could be connected again.
fn not_connected(error: NetworkError) -> NetworkError {
    error.while_connecting("Tumblr does not accept this code or token. Connect once more.")
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
