//! Connecting by LinkedIn's own page, or by a token that a person has made for an application.
//!
//! One token opens the member who gave it and every page that the member administers.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::Credentials;
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, NetworkError, NetworkErrorKind,
};
use secrecy::{ExposeSecret, SecretString};

use super::api::{Api, list};
use super::errors::{answered_at, failure, token_failure, unreadable};
use super::wire::{
    Elements, Kept, MEMBER, MEMBER_READING, Organization, PAGE, PAGE_READING, Results, Role, Token,
    UserInfo, scopes,
};
use crate::conversation::{Answer, Body, Request, Turn};
use crate::registry::Client;

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
) -> Result<Turn<Authorization>, NetworkError> {
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
) -> Result<Turn<Vec<Connected>>, NetworkError> {
    let given = |name| input.value(name).map(str::trim).filter(|value| !value.is_empty());
    let mut answers = answers.iter();
    let (kept, expires_at) = match given("code") {
        Some(code) => {
            let redirect_uri =
                given("redirectUri").ok_or_else(|| wrong("redirectUri is missing."))?;
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
            let token = given("accessToken").ok_or_else(|| {
                wrong("accessToken is missing: connect on LinkedIn's page, or give a token that was made for your application.")
            })?;
            let kept = Kept {
                access_token: SecretString::from(token),
                refresh_token: given("refreshToken").map(SecretString::from),
                scopes: given("scope").map(scopes),
            };
            (kept, None)
        }
    };

    let mut connected = Vec::new();
    if kept.may(&["openid", "profile"]) {
        let Some(answer) = answers.next() else {
            let request = Request::read(api.older("userinfo"));
            return Ok(Turn::Send(request.bearer(kept.access_token.expose_secret())));
        };
        match answer.status {
            // The permission was not given after all.
            403 => {}
            _ if answer.is_success() => {
                let user: UserInfo = answer.json().ok_or_else(unreadable)?;
                connected.push(member(user, &kept, expires_at));
            }
            _ => return Err(not_connected(failure(answer, false, None))),
        }
    }
    if kept.may(PAGE_ADMIN) {
        let Some(answer) = answers.next() else {
            let query = "q=roleAssignee&role=ADMINISTRATOR&state=APPROVED&count=100";
            return Ok(Turn::Send(api.read(&kept.access_token, "organizationAcls", query)));
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
                return Ok(Turn::Send(api.read(&kept.access_token, "organizations", &query)));
            };
            // Names are good to have; the pages can be used without them.
            let mut named: Option<Results<Organization>> =
                answer.is_success().then(|| answer.json()).flatten();
            for id in ids {
                let named = named.as_mut().and_then(|named| named.results.remove(&id));
                connected.push(page(&id, named, &kept, expires_at));
            }
        }
    }
    if connected.is_empty() {
        return Err(wrong(
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
    kept: Kept,
    answers: &[Answer],
) -> Result<Turn<Credentials>, NetworkError> {
    let Some(refresh_token) = &kept.refresh_token else {
        return Err(NetworkError::new(
            NetworkErrorKind::Reconnect,
            "LinkedIn's access has run out after 60 days, and this application gets nothing to renew it with. Connect the account again.",
        ));
    };
    let client = client.ok_or_else(no_client)?;
    let Some(answer) = answers.first() else {
        let token = refresh_token.expose_secret().to_owned();
        let fields = vec![("grant_type", "refresh_token".to_owned()), ("refresh_token", token)];
        return Ok(Turn::Send(token_call(api, client, fields)));
    };
    let (kept, expires_at) = exchanged(answer, Some(kept))?;
    Ok(Turn::Done(Credentials::new(kept.to_text(), expires_at)))
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
    before: Option<Kept>,
) -> Result<(Kept, Option<DateTime<Utc>>), NetworkError> {
    if !answer.is_success() {
        return Err(token_failure(answer));
    }
    let token: Token = answer.json().ok_or_else(unreadable)?;
    let (old_token, old_scopes) =
        before.map_or((None, None), |before| (before.refresh_token, before.scopes));
    let given_at = answered_at(answer);
    let life = token.expires_in.and_then(TimeDelta::try_seconds);
    let kept = Kept {
        access_token: token.access_token,
        refresh_token: token.refresh_token.or(old_token),
        scopes: token.scope.as_deref().map(scopes).or(old_scopes),
    };
    Ok((kept, given_at.zip(life).map(|(at, life)| at + life)))
}

fn member(user: UserInfo, kept: &Kept, expires_at: Option<DateTime<Utc>>) -> Connected {
    let credentials = Credentials::new(kept.to_text(), expires_at);
    Connected {
        display_name: user.name,
        avatar_url: user.picture,
        lacks: lacks(kept, &MEMBER_LACKS),
        ..Connected::new(format!("{MEMBER}{}", user.sub), credentials)
    }
}

fn page(
    id: &str,
    named: Option<Organization>,
    kept: &Kept,
    expires_at: Option<DateTime<Utc>>,
) -> Connected {
    let (name, handle) =
        named.map_or((None, None), |named| (named.localized_name, named.vanity_name));
    let credentials = Credentials::new(kept.to_text(), expires_at);
    Connected {
        username: handle,
        display_name: name,
        lacks: lacks(kept, &PAGE_LACKS),
        ..Connected::new(format!("{PAGE}{id}"), credentials)
    }
}

fn lacks(kept: &Kept, known: &[(&[&str], &str)]) -> Vec<String> {
    let lacking = known.iter().filter(|(scopes, _)| !kept.may(scopes));
    lacking.map(|(_, sentence)| (*sentence).to_owned()).collect()
}

/// An error while there is no account yet that could be connected again.
fn not_connected(error: NetworkError) -> NetworkError {
    match error.kind {
        NetworkErrorKind::Reconnect | NetworkErrorKind::TokenExpired => {
            wrong("LinkedIn does not accept this code or token. Connect once more.")
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
        "This server knows no application at LinkedIn: the operator has to set its client id and secret.",
    )
}

fn wrong(message: &str) -> NetworkError {
    NetworkError::new(NetworkErrorKind::Permanent, message)
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
