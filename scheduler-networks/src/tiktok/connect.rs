//! Connecting by TikTok's own page, or with tokens that were given before. One grant opens one
//! account.
//!
//! Source: <https://developers.tiktok.com/docs/en/oauth-get-a-user-access-token>.

use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{ConnectInput, Connected, NetworkError};
use scheduler_core::target::FailureCode;

use super::after::STATS;
use super::api::Api;
use super::creator::{self, PUBLISH};
use super::errors::{is_token_refused, lacks_scope, taken, token_failure, unreadable};
use super::locate::LIST;
use super::wire::{CreatorInfo, User, UserInfo};
use crate::code_flow::Parameter::{ClientId, Is, RedirectUri, Scopes, State};
use crate::code_flow::{ClientProof, CodeFlow, ProofKey};
use crate::conversation::{Answer, Turn, TurnResult, or_send};
use crate::oauth_tokens::Tokens;
use crate::settings::Client;

const BASIC: &str = "user.info.basic";
const PROFILE: &str = "user.info.profile";
const UPLOAD: &str = "video.upload";

/// What a person is asked to allow unless the operator chooses.
///
/// Source: <https://developers.tiktok.com/docs/en/tiktok-api-scopes>.
pub(super) const SCOPES: [&str; 6] = [BASIC, PROFILE, STATS, LIST, PUBLISH, UPLOAD];

/// What an account lacks without a scope.
const LACKS: [(&[&str], &str); 5] = [
    (&[PUBLISH], "Posts cannot be published, only drafts sent: video.publish was not allowed."),
    (&[UPLOAD], "Drafts cannot be sent: video.upload was not allowed."),
    (
        &[LIST],
        "Figures cannot be read, and lost photo posts not be found: video.list was not allowed.",
    ),
    (&[STATS], "Followers cannot be counted: user.info.stats was not allowed."),
    (&[PROFILE], "Its user name is not known: user.info.profile was not allowed."),
];

/// The fields of an account that the basic scope opens.
const BASIC_FIELDS: &str = "open_id,union_id,avatar_url,display_name";

/// There is a proof key only for applications on the person's own computer, and it is written in
/// hexadecimal digits. A refresh token is good for one exchange, whose answer carries the next.
/// Where that answer is lost, the old one is tried once more, and its refusal asks for a new
/// connection.
///
/// Source: <https://developers.tiktok.com/docs/en/login-kit-desktop> and
/// <https://developers.tiktok.com/docs/en/oauth-user-access-token-management>.
pub(super) const FLOW: CodeFlow = CodeFlow {
    page: &[
        ("client_key", ClientId),
        ("response_type", Is("code")),
        ("scope", Scopes),
        ("redirect_uri", RedirectUri),
        ("state", State),
    ],
    separator: ",",
    proof: ProofKey::HexOnThisComputer,
    client: ClientProof::Form("client_key"),
    more: &[],
    life_share: (2, 3),
    read: |answer| match is_token_refused(answer) {
        true => Err(token_failure(answer)),
        false => answer.json().ok_or_else(|| unreadable(false)),
    },
    no_client: (
        FailureCode::NetworkRefused,
        "This server knows no application at TikTok: the operator has to set its client key and client secret.",
    ),
    no_token: "accessToken is missing: connect on TikTok's page.",
    no_refresh_token: "TikTok's access has run out, and there is nothing to renew it with. Connect the account again.",
    not_connected,
};

/// The next turn of connecting an account.
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
    let user = or_send!(user(api, tokens, &mut answers)?);
    let open_id = user.open_id.ok_or_else(|| unreadable(false))?;

    // Whatever becomes of this, the account is connected.
    let limits = match tokens.may(&[PUBLISH]) {
        false => AccountLimits::default(),
        true => {
            let Some(answer) = answers.next() else {
                return Ok(Turn::Send(creator::query(api, &tokens.access_token)));
            };
            let info: Result<CreatorInfo, _> = taken(answer, false, None);
            info.map(CreatorInfo::limits).unwrap_or_default()
        }
    };
    let known = |text: Option<String>| text.filter(|text| !text.is_empty());
    Ok(Turn::Done(vec![Connected {
        username: known(user.username),
        display_name: known(user.display_name),
        avatar_url: known(user.avatar_url),
        lacks: tokens.lacks(&LACKS),
        limits,
        ..Connected::new(open_id, granted.credentials())
    }]))
}

/// The next turn of asking whose token it is, by the fields that were allowed.
fn user<'a>(
    api: &Api,
    tokens: &Tokens,
    answers: &mut impl Iterator<Item = &'a Answer>,
) -> TurnResult<User> {
    let ask = |fields: &str| Turn::Send(api.read(&tokens.access_token, &["user", "info"], fields));
    let of = |answer: &Answer| {
        let taken: Result<UserInfo, _> = taken(answer, false, None);
        taken.map(|info| Turn::Done(info.user)).map_err(not_connected)
    };
    if tokens.may(&[PROFILE]) {
        let Some(answer) = answers.next() else {
            return Ok(ask(&format!("{BASIC_FIELDS},username")));
        };
        // It was not allowed after all.
        if !lacks_scope(answer) {
            return of(answer);
        }
    }
    match answers.next() {
        None => Ok(ask(BASIC_FIELDS)),
        Some(answer) => of(answer),
    }
}

/// An error while there is no account yet that could be connected again.
fn not_connected(error: NetworkError) -> NetworkError {
    error.while_connecting("TikTok does not accept this code or token. Connect once more.")
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
