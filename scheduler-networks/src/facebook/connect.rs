//! Connecting: every Page of a person, each with a token of its own.
//!
//! Source: <https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow/> and
//! <https://developers.facebook.com/docs/pages-api/getting-started/>.

use std::collections::BTreeSet;

use scheduler_core::account::Credentials;
use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{Authorization, AuthorizeInput, ConnectInput, Connected, NetworkError};
use secrecy::SecretString;

use super::errors::{Described, Meaning, failure, meaning, unreadable};
use super::hosts::{Host, Hosts};
use super::wire::{PageAccount, Person, Tokens};
use crate::conversation::{Answer, Turn, TurnResult, or_send};
use crate::graph::{self, PagesLogin, proof};
use crate::settings::Client;

/// What is asked for, and what a Page cannot do without each.
const SCOPES: [(&str, &str); 7] = [
    ("pages_show_list", "Pages cannot be listed: pages_show_list was not allowed."),
    (
        "pages_read_engagement",
        "Posts and followers cannot be read: pages_read_engagement was not allowed.",
    ),
    ("pages_manage_posts", "Nothing can be published: pages_manage_posts was not allowed."),
    (
        "pages_manage_engagement",
        "Comments cannot be written, hidden or liked: pages_manage_engagement was not allowed.",
    ),
    (
        "pages_read_user_content",
        "Comments of others cannot be read: pages_read_user_content was not allowed.",
    ),
    (
        "read_insights",
        "There are no figures but likes, comments and shares: read_insights was not allowed.",
    ),
    (
        "business_management",
        "Pages of businesses are not shown: business_management was not allowed.",
    ),
];

/// What the person's role on a Page has to allow, and what it cannot do without each.
const TASKS: [(&str, &str); 3] = [
    ("CREATE_CONTENT", "Nothing can be published: the role on the Page does not allow it."),
    ("MODERATE", "Comments cannot be moderated: the role on the Page does not allow it."),
    ("ANALYZE", "There are no figures: the role on the Page does not allow them."),
];

/// What is asked of each Page.
const FIELDS: &str = "id,name,username,access_token,tasks,picture{url}";
/// The page of the login, which offers no proof key.
pub(super) fn authorize(
    hosts: &Hosts,
    client: Option<&Client>,
    scopes: Option<&[String]>,
    input: &AuthorizeInput,
) -> Result<Authorization, NetworkError> {
    let client = client.ok_or_else(no_client)?;
    let scopes: Vec<&str> = match scopes {
        Some(chosen) => chosen.iter().map(String::as_str).collect(),
        None => SCOPES.iter().map(|(scope, _)| *scope).collect(),
    };
    let scopes = scopes.join(",");
    let pairs = [
        ("client_id", client.id.as_str()),
        ("redirect_uri", &input.redirect_uri),
        ("response_type", "code"),
        ("scope", &scopes),
        ("state", &input.state),
        // Otherwise a person is not asked again for what was refused before.
        ("auth_type", "rerequest"),
    ];
    let url = hosts.call(Host::Pages, &["dialog", "oauth"], &pairs)?;
    Ok(Authorization { url: url.into(), kept: ConnectInput::default() })
}

/// The next turn of opening every Page of a person. Reads `code` and `redirectUri` of what came
/// back from the page, or `accessToken`, a token of the person.
pub(super) fn connect(
    hosts: &Hosts,
    client: Option<&Client>,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let address =
        |segments: &[&str], pairs: &[(&str, &str)]| hosts.call(Host::Graph, segments, pairs);
    let mut login = PagesLogin {
        answers: answers.iter(),
        address: &address,
        proven: None,
        fields: FIELDS,
        not_connected,
        unreadable: || unreadable(false),
    };
    let user_token = match (
        input.given("accessToken"),
        input.given("code"),
        input.given("redirectUri"),
    ) {
        (Some(token), _, _) => SecretString::from(token),
        (None, Some(code), Some(redirect_uri)) => {
            let client = client.ok_or_else(no_client)?;
            let token = or_send!(login.user_token(client, code, redirect_uri)?);
            login.proven = Some(client);
            token
        }
        _ => {
            return Err(NetworkError::permanent(
                "Facebook is connected on its own page, which gives code and redirectUri, or with an accessToken of a person.",
            ));
        }
    };

    let granted = or_send!(login.granted(&user_token)?);

    // What videos the person may bring; nothing depends on being told.
    let Some(answer) = login.answers.next() else {
        return login.asks(&["me"], &[("fields", "video_upload_limits")], &user_token);
    };
    let person: Option<Person> = answer.is_success().then(|| answer.json()).flatten();
    let limits = person.map_or_else(AccountLimits::default, limits);

    let pages: Vec<PageAccount> = or_send!(login.pages(&user_token, &granted)?);
    let mut known = BTreeSet::new();
    let accounts = pages.into_iter().filter_map(|page| {
        let token = page.access_token.clone()?;
        let is_new = known.insert(page.id.clone());
        let proof = login.proven.and_then(|client| proof(client, &token));
        is_new.then(|| connected(page, token, proof, &granted, &limits))
    });
    let accounts: Vec<Connected> = accounts.collect();
    if accounts.is_empty() {
        return Err(NetworkError::permanent(
            "This person has no Page, or has allowed none. Connect once more as somebody who may create content on the Page, and choose it on Facebook's page.",
        ));
    }
    Ok(Turn::Done(accounts))
}

fn connected(
    page: PageAccount,
    token: SecretString,
    proof: Option<SecretString>,
    granted: &[String],
    limits: &AccountLimits,
) -> Connected {
    let mut lacks = graph::lacks(&SCOPES, granted);
    if let Some(tasks) = &page.tasks {
        lacks.extend(graph::lacks(&TASKS, tasks));
    }
    let tokens = Tokens { access_token: token, page_id: page.id.clone(), proof };
    Connected {
        username: page.username.filter(|name| !name.is_empty()),
        display_name: page.name.filter(|name| !name.is_empty()),
        avatar_url: page.picture.and_then(|picture| picture.data.url),
        lacks,
        limits: limits.clone(),
        ..Connected::new(page.id, Credentials::new(tokens.to_text(), None))
    }
}

fn limits(person: Person) -> AccountLimits {
    let limits = person.video_upload_limits;
    let is_some = |figure: &f64| *figure > 0.0;
    AccountLimits {
        max_video_bytes: limits.as_ref().and_then(|limits| limits.size).filter(|size| *size > 0),
        max_video_duration_seconds: limits.and_then(|limits| limits.length).filter(is_some),
        ..AccountLimits::default()
    }
}

/// What a refusal means while there is no Page yet that could be connected again.
fn not_connected(answer: &Answer) -> NetworkError {
    let described = Described::read(answer);
    let is_trouble =
        matches!(meaning(&described), Meaning::Later | Meaning::Theirs | Meaning::Limited);
    if is_trouble {
        return failure(answer, false, None);
    }
    NetworkError::permanent(format!(
        "Facebook did not let the Page in. Begin anew; if it stays so, look at the app's settings. It says: {}",
        described.said()
    ))
}

fn no_client() -> NetworkError {
    NetworkError::permanent(
        "This server has no client id for Facebook. Make an app at developers.facebook.com, and set its app id and secret as the client of facebook.",
    )
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
