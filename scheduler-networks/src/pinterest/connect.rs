//! Connecting by Pinterest's own page, or by a token that a person has made for an application.
//!
//! Source: <https://developers.pinterest.com/docs/>, "getting-started/set-up-authentication", and
//! <https://github.com/pinterest/api-description>, `/oauth/token` and `/user_account`.

use scheduler_core::account::Credentials;
use scheduler_core::ports::{Authorization, AuthorizeInput, ConnectInput, Connected, NetworkError};
use scheduler_core::target::FailureCode;

use super::api::Api;
use super::errors::{failure, unreadable};
use super::refresh::{exchanged, token_call};
use super::wire::UserAccount;
use crate::conversation::{Answer, Turn, TurnResult};
use crate::oauth_tokens::Tokens;
use crate::settings::Client;

/// What a person is asked to allow: all that is used here, without secret boards.
///
/// Source: <https://github.com/pinterest/api-description>, the `security` of each call.
pub(super) const SCOPES: [&str; 5] =
    ["boards:read", "boards:write", "pins:read", "pins:write", "user_accounts:read"];

/// What an account cannot do without a permission.
const LACKS: [(&str, &str); 5] = [
    ("boards:read", "Boards cannot be listed: the permission boards:read was not given."),
    ("boards:write", "It cannot publish: the permission boards:write was not given."),
    ("pins:read", "Figures cannot be read: the permission pins:read was not given."),
    ("pins:write", "It cannot publish: the permission pins:write was not given."),
    (
        "user_accounts:read",
        "Followers cannot be counted: the permission user_accounts:read was not given.",
    ),
];

/// Accounts of this type are closed to applications that were registered on or after 2026-09-14.
const PERSONAL: &str = "PINNER";
const PERSONAL_LACKS: &str = "It is no business account: applications registered since 2026-09-14 may not read its boards and Pins. Convert it to a business account at Pinterest.";

/// The page on which a person lets us in. There is no proof key: the application has a secret.
///
/// # Errors
/// [`NetworkErrorKind::Permanent`] where the operator has set no application.
pub(super) fn authorize(
    api: &Api,
    client: Option<&Client>,
    scopes: &[String],
    input: &AuthorizeInput,
) -> TurnResult<Authorization> {
    let client = client.ok_or_else(no_client)?;
    let url = api.authorization(&[
        ("client_id", &client.id),
        ("redirect_uri", &input.redirect_uri),
        ("response_type", "code"),
        ("scope", &scopes.join(",")),
        ("state", &input.state),
    ]);
    Ok(Turn::Done(Authorization { url: url.into(), kept: ConnectInput::default() }))
}

/// The next turn of opening an account. Reads `code` and `redirectUri`, or else `accessToken` and,
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
                let fields = vec![
                    ("grant_type", "authorization_code".to_owned()),
                    ("code", code.to_owned()),
                    ("redirect_uri", redirect_uri.to_owned()),
                    // Applications from before 2025-09-25 get no usable refresh token without it.
                    ("continuous_refresh", "true".to_owned()),
                ];
                return Ok(Turn::Send(token_call(api, client, fields)));
            };
            exchanged(answer, None).map_err(not_connected)?
        }
        None => {
            let token = input.given("accessToken").ok_or_else(|| {
                NetworkError::permanent("accessToken is missing: connect on Pinterest's page, or give a token that was made for your application.")
            })?;
            (Tokens::given(token, input), None)
        }
    };
    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(api.read(&tokens, &["user_account"], &[])));
    };
    if !answer.is_success() {
        return Err(not_connected(failure(answer, false, None)));
    }
    let user: UserAccount = answer.json().ok_or_else(unreadable)?;
    let id = user.id.ok_or_else(unreadable)?;
    let mut lacks = lacks(tokens.scopes.as_deref());
    if user.account_type.as_deref() == Some(PERSONAL) {
        lacks.push(PERSONAL_LACKS.to_owned());
    }
    let credentials = Credentials::new(tokens.to_text(), expires_at);
    Ok(Turn::Done(vec![Connected {
        username: user.username,
        display_name: user.business_name.filter(|name| !name.is_empty()),
        avatar_url: user.profile_image.filter(|image| !image.is_empty()),
        lacks,
        ..Connected::new(id, credentials)
    }]))
}

fn lacks(granted: Option<&[String]>) -> Vec<String> {
    let Some(granted) = granted else { return Vec::new() };
    let is_missing = |scope: &str| !granted.iter().any(|granted| granted == scope);
    let lacking = LACKS.iter().filter(|(scope, _)| is_missing(scope));
    lacking.map(|(_, sentence)| (*sentence).to_owned()).collect()
}

/// An error while there is no account yet that could be connected again.
fn not_connected(error: NetworkError) -> NetworkError {
    error.while_connecting("Pinterest does not accept this code or token, or this server's application. Connect once more; if that does not help, the operator has to check the app id and secret.")
}

/// The error where an operator has set no application.
pub(super) fn no_client() -> NetworkError {
    NetworkError::permanent(
        "This server knows no application at Pinterest: the operator has to set its app id and app secret key, from https://developers.pinterest.com/apps/.",
    )
    .with_code(FailureCode::Unsupported)
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
