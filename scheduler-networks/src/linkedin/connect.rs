//! Connecting by LinkedIn's own page, or by a token that a person has made for an application.
//!
//! One token opens the member who gave it and every page that the member administers.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow>.

use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{ConnectInput, Connected, NetworkError};
use scheduler_core::target::FailureCode;
use secrecy::ExposeSecret;

use super::api::{Api, list};
use super::errors::{failure, token_failure, unreadable};
use super::wire::{
    Elements, MEMBER, MEMBER_COMMENTING, MEMBER_READING, Organization, PAGE, PAGE_COMMENTING,
    PAGE_READING, Results, Role, UserInfo,
};
use crate::code_flow::Parameter::{ClientId, Is, RedirectUri, Scopes, State};
use crate::code_flow::{ClientProof, CodeFlow, Granted, ProofKey};
use crate::conversation::{Answer, Request, Turn, TurnResult, or_send};
use crate::oauth_tokens::Tokens;
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
const MEMBER_LACKS: [(&[&str], &str); 5] = [
    (
        &["w_member_social", "w_member_social_feed"],
        "It cannot publish: the permission w_member_social was not given.",
    ),
    (
        MEMBER_COMMENTING,
        "Comments cannot be written: the permission w_member_social_feed was not given.",
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
const PAGE_LACKS: [(&[&str], &str); 3] = [
    (
        &["w_organization_social", "w_organization_social_feed"],
        "It cannot publish: the permission w_organization_social was not given.",
    ),
    (
        PAGE_COMMENTING,
        "Comments cannot be written: the permission w_organization_social_feed was not given.",
    ),
    (PAGE_READING, "Comments cannot be read: the permission r_organization_social was not given."),
];

/// There is no proof key: the application has a secret. The refresh token lives for a year from the
/// first grant on, whatever is refreshed.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens>.
pub(super) const FLOW: CodeFlow = CodeFlow {
    page: &[
        ("response_type", Is("code")),
        ("client_id", ClientId),
        ("redirect_uri", RedirectUri),
        ("state", State),
        ("scope", Scopes),
    ],
    separator: " ",
    proof: ProofKey::None,
    client: ClientProof::Form("client_id"),
    more: &[],
    life_share: (1, 1),
    read: |answer| answer.taken(|| token_failure(answer), unreadable),
    no_client: (
        FailureCode::NetworkRefused,
        "This server knows no application at LinkedIn: the operator has to set its client id and secret.",
    ),
    no_token: "accessToken is missing: connect on LinkedIn's page, or give a token that was made for your application.",
    no_refresh_token: "LinkedIn's access has run out after 60 days, and this application gets nothing to renew it with. Connect the account again.",
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
    let call = |fields| api.token_call(fields);
    let granted = or_send!(FLOW.grant(client, input, &mut answers, call)?);
    let tokens = &granted.tokens;

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
                connected.push(member(user, &granted));
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
                connected.push(page(&id, named, &granted));
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

fn member(user: UserInfo, granted: &Granted) -> Connected {
    Connected {
        display_name: user.name,
        avatar_url: user.picture,
        lacks: granted.tokens.lacks(&MEMBER_LACKS),
        limits: limits(&granted.tokens, MEMBER_COMMENTING, false),
        ..Connected::new(format!("{MEMBER}{}", user.sub), granted.credentials())
    }
}

fn page(id: &str, named: Option<Organization>, granted: &Granted) -> Connected {
    let (name, handle) =
        named.map_or((None, None), |named| (named.localized_name, named.vanity_name));
    Connected {
        username: handle,
        display_name: name,
        lacks: granted.tokens.lacks(&PAGE_LACKS),
        limits: limits(&granted.tokens, PAGE_COMMENTING, true),
        ..Connected::new(format!("{PAGE}{id}"), granted.credentials())
    }
}

/// What kind of account it is, and what the permissions say of comments, where they are known.
fn limits(tokens: &Tokens, commenting: &[&str], is_page: bool) -> AccountLimits {
    let may_comment = tokens.scopes.is_some().then(|| tokens.may(commenting));
    AccountLimits { may_comment, is_page: Some(is_page), ..AccountLimits::default() }
}

/// An error while there is no account yet that could be connected again.
fn not_connected(error: NetworkError) -> NetworkError {
    error.while_connecting("LinkedIn does not accept this code or token. Connect once more.")
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
