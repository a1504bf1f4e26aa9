//! Connecting by Pinterest's own page, or by a token that a person has made for an application.
//!
//! Source: <https://developers.pinterest.com/docs/>, "getting-started/set-up-authentication", and
//! <https://github.com/pinterest/api-description>, `/oauth/token` and `/user_account`.

use scheduler_core::ports::{ConnectInput, Connected, NetworkError};
use scheduler_core::target::FailureCode;

use super::api::Api;
use super::errors::{failure, token_failure, unreadable};
use super::wire::UserAccount;
use crate::code_flow::Parameter::{ClientId, Is, RedirectUri, Scopes, State};
use crate::code_flow::{ClientProof, CodeFlow, ProofKey};
use crate::conversation::{Answer, Turn, TurnResult, or_send};
use crate::settings::Client;

/// What a person is asked to allow: all that is used here, without secret boards.
///
/// Source: <https://github.com/pinterest/api-description>, the `security` of each call.
pub(super) const SCOPES: [&str; 5] =
    ["boards:read", "boards:write", "pins:read", "pins:write", "user_accounts:read"];

/// What an account cannot do without a permission.
const LACKS: [(&[&str], &str); 5] = [
    (&["boards:read"], "Boards cannot be listed: the permission boards:read was not given."),
    (&["boards:write"], "It cannot publish: the permission boards:write was not given."),
    (&["pins:read"], "Figures cannot be read: the permission pins:read was not given."),
    (&["pins:write"], "It cannot publish: the permission pins:write was not given."),
    (
        &["user_accounts:read"],
        "Followers cannot be counted: the permission user_accounts:read was not given.",
    ),
];

/// There is no proof key: the application has a secret. Each exchange gives another refresh token,
/// which lives for 60 days.
pub(super) const FLOW: CodeFlow = CodeFlow {
    page: &[
        ("client_id", ClientId),
        ("redirect_uri", RedirectUri),
        ("response_type", Is("code")),
        ("scope", Scopes),
        ("state", State),
    ],
    separator: ",",
    proof: ProofKey::None,
    client: ClientProof::Basic,
    // Applications from before 2025-09-25 get no usable refresh token without it.
    more: &[("continuous_refresh", "true")],
    // On the 20th day of 30.
    life_share: (2, 3),
    read: |answer| answer.taken(|| token_failure(answer), unreadable),
    no_client: (
        FailureCode::Unsupported,
        "This server knows no application at Pinterest: the operator has to set its app id and app secret key, from https://developers.pinterest.com/apps/.",
    ),
    no_token: "accessToken is missing: connect on Pinterest's page, or give a token that was made for your application.",
    no_refresh_token: "Pinterest's access has run out, and there is nothing to renew it with. Connect the account again.",
    not_connected,
};

/// Accounts of this type are closed to applications that were registered on or after 2026-09-14.
const PERSONAL: &str = "PINNER";
const PERSONAL_LACKS: &str = "It is no business account: applications registered since 2026-09-14 may not read its boards and Pins. Convert it to a business account at Pinterest.";

/// The next turn of opening an account.
pub(super) fn connect(
    api: &Api,
    client: Option<&Client>,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let mut answers = answers.iter();
    let call = |fields| api.token_call(fields);
    let granted = or_send!(FLOW.grant(client, input, &mut answers, call)?);
    let tokens = &granted.tokens;
    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(api.read(tokens, &["user_account"], &[])));
    };
    let user: UserAccount =
        answer.taken(|| not_connected(failure(answer, false, None)), unreadable)?;
    let id = user.id.ok_or_else(unreadable)?;
    let mut lacks = tokens.lacks(&LACKS);
    if user.account_type.as_deref() == Some(PERSONAL) {
        lacks.push(PERSONAL_LACKS.to_owned());
    }
    Ok(Turn::Done(vec![Connected {
        username: user.username,
        display_name: user.business_name.filter(|name| !name.is_empty()),
        avatar_url: user.profile_image.filter(|image| !image.is_empty()),
        lacks,
        ..Connected::new(id, granted.credentials())
    }]))
}

/// An error while there is no account yet that could be connected again.
fn not_connected(error: NetworkError) -> NetworkError {
    error.while_connecting("Pinterest does not accept this code or token, or this server's application. Connect once more; if that does not help, the operator has to check the app id and secret.")
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
