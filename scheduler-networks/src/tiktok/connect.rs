//! Connecting by TikTok's own page, or with tokens that were given before. One grant opens one
//! account.
//!
//! Source: <https://developers.tiktok.com/docs/en/oauth-get-a-user-access-token>.

use std::fmt::Write as _;

use scheduler_core::account::Credentials;
use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{Authorization, AuthorizeInput, ConnectInput, Connected, NetworkError};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest as _, Sha256};

use super::after::STATS;
use super::api::Api;
use super::creator::{self, PUBLISH};
use super::errors::{lacks_scope, taken, unreadable};
use super::locate::LIST;
use super::refresh::{exchanged, no_client, token_call};
use super::wire::{CreatorInfo, User, UserInfo};
use crate::conversation::{Answer, Request, Turn, TurnResult};
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
const LACKS: [(&str, &str); 5] = [
    (PUBLISH, "Posts cannot be published, only drafts sent: video.publish was not allowed."),
    (UPLOAD, "Drafts cannot be sent: video.upload was not allowed."),
    (
        LIST,
        "Figures cannot be read, and lost photo posts not be found: video.list was not allowed.",
    ),
    (STATS, "Followers cannot be counted: user.info.stats was not allowed."),
    (PROFILE, "Its user name is not known: user.info.profile was not allowed."),
];

/// The fields of an account that the basic scope opens.
const BASIC_FIELDS: &str = "open_id,union_id,avatar_url,display_name";

/// The page on which a person lets us in. There is a proof key only for applications on the
/// person's own computer, and it is written in hexadecimal digits.
///
/// Source: <https://developers.tiktok.com/docs/en/login-kit-desktop>.
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
    let scope = scopes.join(",");
    let mut pairs = vec![
        ("client_key", client.id.as_str()),
        ("response_type", "code"),
        ("scope", scope.as_str()),
        ("redirect_uri", input.redirect_uri.as_str()),
        ("state", input.state.as_str()),
    ];
    let challenge = challenge(&input.code_verifier);
    if is_on_this_computer(&input.redirect_uri) {
        pairs.push(("code_challenge", &challenge));
        pairs.push(("code_challenge_method", "S256"));
    }
    let url = api.authorize_page(&pairs).into();
    Ok(Authorization { url, kept: ConnectInput::default() })
}

/// The next turn of connecting an account. Reads `code`, `redirectUri` and `codeVerifier`, or else
/// `accessToken` and, where there are any, `refreshToken` and `scope`.
pub(super) fn connect(
    api: &Api,
    client: Option<&Client>,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let mut answers = answers.iter();
    let (tokens, expires_at) = match input.given("code") {
        Some(code) => {
            let Some(answer) = answers.next() else {
                return Ok(Turn::Send(exchange(api, client, code, input)?));
            };
            exchanged(answer, None).map_err(not_connected)?
        }
        None => {
            let token = input.given("accessToken").ok_or_else(|| {
                NetworkError::permanent("accessToken is missing: connect on TikTok's page.")
            })?;
            (Tokens::given(token, input), None)
        }
    };
    let user = match user(api, &tokens, &mut answers)? {
        Turn::Send(request) => return Ok(Turn::Send(request)),
        Turn::Done(user) => user,
    };
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
    let lacks = LACKS.iter().filter(|(scope, _)| !tokens.may(&[scope]));
    let credentials = Credentials::new(tokens.to_text(), expires_at);
    Ok(Turn::Done(vec![Connected {
        username: known(user.username),
        display_name: known(user.display_name),
        avatar_url: known(user.avatar_url),
        lacks: lacks.map(|(_, sentence)| (*sentence).to_owned()).collect(),
        limits,
        ..Connected::new(open_id, credentials)
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

/// The request that makes tokens of a code.
fn exchange(
    api: &Api,
    client: Option<&Client>,
    code: &str,
    input: &ConnectInput,
) -> Result<Request, NetworkError> {
    let redirect_uri = input
        .given("redirectUri")
        .ok_or_else(|| NetworkError::permanent("redirectUri is missing."))?;
    let client = client.ok_or_else(no_client)?;
    let mut fields = vec![
        ("grant_type", "authorization_code".to_owned()),
        ("code", code.to_owned()),
        ("redirect_uri", redirect_uri.to_owned()),
    ];
    if is_on_this_computer(redirect_uri) {
        let verifier = input
            .given("codeVerifier")
            .ok_or_else(|| NetworkError::permanent("codeVerifier is missing."))?;
        fields.push(("code_verifier", verifier.to_owned()));
    }
    Ok(token_call(api, client, fields))
}

/// True for an address of an application on the person's own computer; all others need https.
fn is_on_this_computer(redirect_uri: &str) -> bool {
    redirect_uri.starts_with("http://")
}

/// The digest of the proof key in hexadecimal digits.
fn challenge(verifier: &SecretString) -> String {
    let digest = Sha256::digest(verifier.expose_secret().as_bytes());
    digest.iter().fold(String::new(), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// An error while there is no account yet that could be connected again.
fn not_connected(error: NetworkError) -> NetworkError {
    error.while_connecting("TikTok does not accept this code or token. Connect once more.")
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
