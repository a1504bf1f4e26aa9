//! Connecting by X's own page, or by tokens that were made for the operator's application.
//!
//! Source: <https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use scheduler_core::account::Credentials;
use scheduler_core::ports::{Authorization, AuthorizeInput, ConnectInput, Connected, NetworkError};
use scheduler_core::target::FailureCode;
use secrecy::ExposeSecret;
use sha2::{Digest as _, Sha256};

use super::api::Api;
use super::errors::{failure, unreadable};
use super::refresh::{given, token_call};
use super::wire::{Data, User};
use crate::conversation::{Answer, Turn, TurnResult};
use crate::oauth_tokens::Tokens;
use crate::settings::Client;

/// What a person is asked to allow: posting, reading one's own posts and figures, and a refresh
/// token.
///
/// Source: <https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>, "Scopes".
pub(super) const SCOPES: [&str; 4] = ["tweet.read", "tweet.write", "users.read", "offline.access"];

/// What an account lacks without a permission.
const LACKS: [(&str, &str); 3] = [
    ("tweet.write", "It cannot publish: the permission tweet.write was not given."),
    (
        "tweet.read",
        "Figures cannot be read, and lost answers not settled: the permission tweet.read was not given.",
    ),
    (
        "offline.access",
        "It has to be connected again after two hours: the permission offline.access was not given.",
    ),
];

/// The page on which a person lets us in.
///
/// # Errors
/// [`NetworkErrorKind::Permanent`] where the operator has set no application.
pub(super) fn authorize(
    api: &Api,
    client: Option<&Client>,
    scopes: &[String],
    input: &AuthorizeInput,
) -> Result<Authorization, NetworkError> {
    let client = client.ok_or_else(no_client)?;
    let challenge = Sha256::digest(input.code_verifier.expose_secret().as_bytes());
    let url = api.authorization(&[
        ("response_type", "code"),
        ("client_id", &client.id),
        ("redirect_uri", &input.redirect_uri),
        ("scope", &scopes.join(" ")),
        ("state", &input.state),
        ("code_challenge", &URL_SAFE_NO_PAD.encode(challenge)),
        ("code_challenge_method", "S256"),
    ]);
    Ok(Authorization { url: url.into(), kept: ConnectInput::default() })
}

/// The next turn of connecting an account. Reads `code`, `redirectUri` and `codeVerifier`, or else
/// `accessToken` and, where there are any, `refreshToken` and `scope`.
///
/// # Errors
/// [`NetworkError`] by kind.
pub(super) fn connect(
    api: &Api,
    client: Option<&Client>,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let needed = |name| {
        input.given(name).ok_or_else(|| NetworkError::permanent(format!("{name} is missing.")))
    };
    let mut answers = answers.iter();
    let (tokens, expires_at) = match input.given("code") {
        Some(code) => {
            let client = client.ok_or_else(no_client)?;
            let Some(answer) = answers.next() else {
                let fields = vec![
                    ("grant_type", "authorization_code".to_owned()),
                    ("code", code.to_owned()),
                    ("redirect_uri", needed("redirectUri")?.to_owned()),
                    ("code_verifier", needed("codeVerifier")?.to_owned()),
                ];
                return Ok(Turn::Send(token_call(api, client, fields)));
            };
            given(answer, None).map_err(not_connected)?
        }
        None => {
            let token = input.given("accessToken").ok_or_else(|| {
                NetworkError::permanent("accessToken is missing: connect on X's page, or give the tokens that were made for your application.")
            })?;
            (Tokens::given(token, input), None)
        }
    };
    let Some(answer) = answers.next() else {
        let fields = [("user.fields", "name,profile_image_url,username")];
        return Ok(Turn::Send(api.read(&tokens.access_token, &["users", "me"], &fields)));
    };
    if !answer.is_success() {
        return Err(not_connected(failure(answer, false, None)));
    }
    let Data { data: user }: Data<User> = answer.json().ok_or_else(unreadable)?;
    let lacks = lacks(&tokens);
    Ok(Turn::Done(vec![Connected {
        username: user.username,
        display_name: user.name.filter(|name| !name.is_empty()),
        avatar_url: user.profile_image_url,
        lacks,
        ..Connected::new(user.id, Credentials::new(tokens.to_text(), expires_at))
    }]))
}

fn lacks(tokens: &Tokens) -> Vec<String> {
    let is_lacking = |scope: &str| match &tokens.scopes {
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

/// The failure for a server whose operator has no application at X.
pub(super) fn no_client() -> NetworkError {
    NetworkError::permanent(
        "This server has no application at X: set the OAuth 2.0 client id and client secret of one, from https://developer.x.com.",
    )
    .with_code(FailureCode::Unsupported)
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
