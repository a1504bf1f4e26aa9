//! Connecting by X's own page, or by tokens that were made for the operator's application.
//!
//! Source: <https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>.

use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{ConnectInput, Connected, NetworkError};
use scheduler_core::target::FailureCode;

use super::api::Api;
use super::errors::{failure, token_failure, unreadable};
use super::wire::{Data, User};
use crate::code_flow::Parameter::{ClientId, Is, RedirectUri, Scopes, State};
use crate::code_flow::{ClientProof, CodeFlow, ProofKey};
use crate::conversation::{Answer, Turn, TurnResult, or_send};
use crate::oauth_tokens::Tokens;
use crate::settings::Client;

/// What a person is asked to allow: posting, reading one's own posts and figures, a refresh token,
/// and files.
///
/// Source: <https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>, "Scopes".
pub(super) const SCOPES: [&str; 5] =
    ["tweet.read", "tweet.write", "users.read", "offline.access", OF_FILES];

/// The permission to send files.
///
/// Source: <https://docs.x.com/x-api/media/introduction>.
pub(super) const OF_FILES: &str = "media.write";

/// What an account lacks without a permission.
const LACKS: [(&str, &str); 4] = [
    ("tweet.write", "It cannot publish: the permission tweet.write was not given."),
    (
        "tweet.read",
        "Figures cannot be read, and lost answers not settled: the permission tweet.read was not given.",
    ),
    (OF_FILES, "It cannot send files: the permission media.write was not given."),
    (
        "offline.access",
        "It has to be connected again after two hours: the permission offline.access was not given.",
    ),
];

/// Access tokens live for two hours; each refresh token is good for one use and gives the next.
/// What is refused is spent or revoked: only a person can give access again.
pub(super) const FLOW: CodeFlow = CodeFlow {
    page: &[
        ("response_type", Is("code")),
        ("client_id", ClientId),
        ("redirect_uri", RedirectUri),
        ("scope", Scopes),
        ("state", State),
    ],
    separator: " ",
    proof: ProofKey::Base64,
    client: ClientProof::BasicOrPublic,
    more: &[],
    life_share: (1, 1),
    read: |answer| answer.taken(|| token_failure(answer), unreadable),
    no_client: (
        FailureCode::Unsupported,
        "This server has no application at X: set the OAuth 2.0 client id and client secret of one, from https://developer.x.com.",
    ),
    no_token: "accessToken is missing: connect on X's page, or give the tokens that were made for your application.",
    no_refresh_token: "X's access has run out after two hours, and nothing was given to renew it with. Connect the account again, with the permission offline.access.",
    not_connected,
};

/// The next turn of connecting an account.
///
/// # Errors
/// [`NetworkError`] by kind.
pub(super) fn connect(
    api: &Api,
    client: Option<&Client>,
    asks_for_files: bool,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let mut answers = answers.iter();
    let call = |fields| api.token_call(fields);
    let granted = or_send!(FLOW.grant(client, input, &mut answers, call)?);
    let tokens = &granted.tokens;
    let Some(answer) = answers.next() else {
        let fields = [("user.fields", "name,profile_image_url,subscription_type,username")];
        return Ok(Turn::Send(api.read(&tokens.access_token, &["users", "me"], &fields)));
    };
    let Data { data: user }: Data<User> =
        answer.taken(|| not_connected(failure(answer, false, None)), unreadable)?;
    let takes_files = tokens.scopes.iter().flatten().any(|given| given == OF_FILES);
    let text_limit = user.text_limit();
    Ok(Turn::Done(vec![Connected {
        username: user.username,
        display_name: user.name.filter(|name| !name.is_empty()),
        avatar_url: user.profile_image_url,
        limits: AccountLimits {
            text_limit,
            takes_files: takes_files.then_some(true),
            ..AccountLimits::default()
        },
        lacks: lacks(tokens, asks_for_files),
        ..Connected::new(user.id, granted.credentials())
    }]))
}

/// What an account lacks. An operator who does not ask for the permission of files wants none.
fn lacks(tokens: &Tokens, asks_for_files: bool) -> Vec<String> {
    let is_lacking = |scope: &str| match &tokens.scopes {
        Some(_) if scope == OF_FILES && !asks_for_files => false,
        Some(scopes) => !scopes.iter().any(|given| given == scope),
        None => scope == "offline.access" && tokens.refresh_token.is_none(),
    };
    let lacking = LACKS.into_iter().filter(|(scope, _)| is_lacking(scope));
    lacking.map(|(_, sentence)| sentence.to_owned()).collect()
}

/// An error while there is no account yet that could be connected again.
fn not_connected(error: NetworkError) -> NetworkError {
    let message = format!("X did not let us in; connect once more. {}", error.message);
    error.while_connecting(&message)
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
