//! Connecting by LinkedIn's own page, or by a token that a person has made for an application.
//!
//! One token opens the member who gave it and every page that the member administers.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow>.

use chrono::{DateTime, Utc};
use scheduler_core::account::Credentials;
use scheduler_core::ports::{Authorization, AuthorizeInput, ConnectInput, Connected, NetworkError};
use secrecy::ExposeSecret;

use super::api::{Api, list};
use super::errors::{failure, token_failure, unreadable};
use super::wire::{
    Elements, MEMBER, MEMBER_READING, Organization, PAGE, PAGE_READING, Results, Role, UserInfo,
};
use crate::conversation::{Answer, Body, Request, Turn, TurnResult};
use crate::oauth_tokens::{self, TokenAnswer, Tokens};
use crate::settings::Client;

/// What a person is asked to allow unless the operator chooses: what every application gets at
/// once. Asking for more than an application was granted fails the whole page.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/share-on-linkedin>.
pub(super) const SCOPES: [&str; 3] = ["openid", "profile", "w_member_social"];

/// Permissions that open more, and what an account lacks without them.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/increasing-access>.
const PAGE_ADMIN: &[&str] = &["rw_organization_admin", "r_organization_admin"];
const MEMBER_LACKS: [(&[&str], &str); 4] = [
    (
        &["w_member_social", "w_member_social_feed"],
        "It cannot publish: the permission w_member_social was not given.",
    ),
    (MEMBER_READING, "Comments cannot be read: the permission r_member_social was not given."),
    (
        &["r_member_postAnalytics"],
        "Figures cannot be read: the permission r_member_postAnalytics was not given.",
    ),
    (
        &["r_member_profileAnalytics"],
        "Followers cannot be counted: the permission r_member_profileAnalytics was not given.",
    ),
];
const PAGE_LACKS: [(&[&str], &str); 2] = [
    (
        &["w_organization_social", "w_organization_social_feed"],
        "It cannot publish: the permission w_organization_social was not given.",
    ),
    (PAGE_READING, "Comments cannot be read: the permission r_organization_social was not given."),
];

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
    let mut url = api.oauth("authorization");
    url.query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", &client.id)
        .append_pair("redirect_uri", &input.redirect_uri)
        .append_pair("state", &input.state)
        .append_pair("scope", &scopes.join(" "));
    Ok(Turn::Done(Authorization { url: url.into(), kept: ConnectInput::default() }))
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
                let fields = vec![
                    ("grant_type", "authorization_code".to_owned()),
                    ("code", code.to_owned()),
                    ("redirect_uri", redirect_uri.to_owned()),
                ];
                return Ok(Turn::Send(token_call(api, client, fields)));
            };
            exchanged(answer, None).map_err(not_connected)?
        }
        None => {
            let token = input.given("accessToken").ok_or_else(|| {
                NetworkError::permanent("accessToken is missing: connect on LinkedIn's page, or give a token that was made for your application.")
            })?;
            (Tokens::given(token, input), None)
        }
    };

    let mut connected = Vec::new();
    if tokens.may(&["openid", "profile"]) {
        let Some(answer) = answers.next() else {
            let request = Request::read(api.older("userinfo"));
            return Ok(Turn::Send(request.bearer(tokens.access_token.expose_secret())));
        };
        match answer.status {
            // The permission was not given after all.
            403 => {}
            _ if answer.is_success() => {
                let user: UserInfo = answer.json().ok_or_else(unreadable)?;
                connected.push(member(user, &tokens, expires_at));
            }
            _ => return Err(not_connected(failure(answer, false, None))),
        }
    }
    if tokens.may(PAGE_ADMIN) {
        let Some(answer) = answers.next() else {
            let query = "q=roleAssignee&role=ADMINISTRATOR&state=APPROVED&count=100";
            return Ok(Turn::Send(api.read(&tokens.access_token, "organizationAcls", query)));
        };
        let pages = match answer.status {
            403 => Vec::new(),
            _ if answer.is_success() => {
                let roles: Elements<Role> = answer.json().ok_or_else(unreadable)?;
                roles.elements
            }
            _ => return Err(not_connected(failure(answer, false, None))),
        };
        let mut ids: Vec<String> = pages
            .into_iter()
            .filter_map(|role| role.organization.strip_prefix(PAGE).map(str::to_owned))
            .collect();
        ids.sort_unstable();
        ids.dedup();
        if !ids.is_empty() {
            let Some(answer) = answers.next() else {
                let query = format!("ids={}", list(ids.iter().map(String::as_str)));
                return Ok(Turn::Send(api.read(&tokens.access_token, "organizations", &query)));
            };
            // Names are good to have; the pages can be used without them.
            let mut named: Option<Results<Organization>> =
                answer.is_success().then(|| answer.json()).flatten();
            for id in ids {
                let named = named.as_mut().and_then(|named| named.results.remove(&id));
                connected.push(page(&id, named, &tokens, expires_at));
            }
        }
    }
    if connected.is_empty() {
        return Err(NetworkError::permanent(
            "This token opens no member and no page. It needs the permissions openid and profile, or rw_organization_admin.",
        ));
    }
    Ok(Turn::Done(connected))
}

/// The next turn of exchanging the refresh token for another access token. The refresh token lives
/// for a year from the first grant on, whatever is refreshed.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens>.
pub(super) fn refresh(
    api: &Api,
    client: Option<&Client>,
    tokens: Tokens,
    answers: &[Answer],
) -> TurnResult<Credentials> {
    let lacking = "LinkedIn's access has run out after 60 days, and this application gets nothing to renew it with. Connect the account again.";
    oauth_tokens::refresh(
        tokens,
        lacking,
        answers,
        |fields| Ok(token_call(api, client.ok_or_else(no_client)?, fields)),
        |answer, before| exchanged(answer, Some(before)),
    )
}

fn token_call(api: &Api, client: &Client, mut fields: Vec<(&'static str, String)>) -> Request {
    fields.push(("client_id", client.id.clone()));
    fields.push(("client_secret", client.secret.expose_secret().to_owned()));
    Request::act(api.oauth("accessToken"), Body::Form(fields))
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

fn member(user: UserInfo, tokens: &Tokens, expires_at: Option<DateTime<Utc>>) -> Connected {
    let credentials = Credentials::new(tokens.to_text(), expires_at);
    Connected {
        display_name: user.name,
        avatar_url: user.picture,
        lacks: lacks(tokens, &MEMBER_LACKS),
        ..Connected::new(format!("{MEMBER}{}", user.sub), credentials)
    }
}

fn page(
    id: &str,
    named: Option<Organization>,
    tokens: &Tokens,
    expires_at: Option<DateTime<Utc>>,
) -> Connected {
    let (name, handle) =
        named.map_or((None, None), |named| (named.localized_name, named.vanity_name));
    let credentials = Credentials::new(tokens.to_text(), expires_at);
    Connected {
        username: handle,
        display_name: name,
        lacks: lacks(tokens, &PAGE_LACKS),
        ..Connected::new(format!("{PAGE}{id}"), credentials)
    }
}

fn lacks(tokens: &Tokens, known: &[(&[&str], &str)]) -> Vec<String> {
    let lacking = known.iter().filter(|(scopes, _)| !tokens.may(scopes));
    lacking.map(|(_, sentence)| (*sentence).to_owned()).collect()
}

/// An error while there is no account yet that could be connected again.
fn not_connected(error: NetworkError) -> NetworkError {
    error.while_connecting("LinkedIn does not accept this code or token. Connect once more.")
}

fn no_client() -> NetworkError {
    NetworkError::permanent(
        "This server knows no application at LinkedIn: the operator has to set its client id and secret.",
    )
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
