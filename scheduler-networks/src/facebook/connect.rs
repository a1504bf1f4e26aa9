//! Connecting: every Page of a person, each with a token of its own.
//!
//! Source: <https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow/> and
//! <https://developers.facebook.com/docs/pages-api/getting-started/>.

use std::collections::BTreeSet;

use hmac::{Hmac, KeyInit, Mac};
use scheduler_core::account::Credentials;
use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{Authorization, AuthorizeInput, ConnectInput, Connected, NetworkError};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

use super::caller::prove;
use super::errors::{Described, Meaning, failure, meaning, unreadable};
use super::hosts::{Host, Hosts};
use super::wire::{Created, Page, PageAccount, Permission, Person, Token, Tokens};
use crate::conversation::{Answer, Request, Turn, TurnResult};
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
const FIELDS: &str = "id,name,username,access_token,tasks,picture{url},followers_count";
const PAGE: &str = "100";

/// Pages of one list that are read, and businesses whose Pages are.
const LIST_MAX: usize = 10;
const BUSINESSES_MAX: usize = 10;

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
    let mut exchange = Exchange { hosts, client: None, answers: answers.iter() };
    let user_token = match (
        input.given("accessToken"),
        input.given("code"),
        input.given("redirectUri"),
    ) {
        (Some(token), _, _) => SecretString::from(token),
        (None, Some(code), Some(redirect_uri)) => {
            let client = client.ok_or_else(no_client)?;
            match exchange.exchange(client, code, redirect_uri)? {
                Turn::Send(request) => return Ok(Turn::Send(request)),
                Turn::Done(token) => {
                    exchange.client = Some(client);
                    token
                }
            }
        }
        _ => {
            return Err(NetworkError::permanent(
                "Facebook is connected on its own page, which gives code and redirectUri, or with an accessToken of a person.",
            ));
        }
    };

    let Some(answer) = exchange.answers.next() else {
        return exchange.asks(&["me", "permissions"], &[], &user_token);
    };
    if !answer.is_success() {
        return Err(not_connected(answer));
    }
    let permissions: Page<Permission> = answer.json().ok_or_else(|| unreadable(false))?;
    let is_granted = |permission: &Permission| permission.status == "granted";
    let granted = permissions.data.into_iter().filter(is_granted);
    let granted: Vec<String> = granted.map(|permission| permission.permission).collect();

    // What videos the person may bring; nothing depends on being told.
    let Some(answer) = exchange.answers.next() else {
        return exchange.asks(&["me"], &[("fields", "video_upload_limits")], &user_token);
    };
    let person: Option<Person> = answer.is_success().then(|| answer.json()).flatten();
    let limits = person.map_or_else(AccountLimits::default, limits);

    let mut pages = match exchange.pages(&["me", "accounts"], &user_token, true)? {
        Turn::Send(request) => return Ok(Turn::Send(request)),
        Turn::Done(pages) => pages,
    };
    if granted.iter().any(|scope| scope == "business_management") {
        // Pages that the person has not ticked are found through their businesses.
        let Some(answer) = exchange.answers.next() else {
            let pairs = [("fields", "id"), ("limit", PAGE)];
            return exchange.asks(&["me", "businesses"], &pairs, &user_token);
        };
        let businesses: Option<Page<Created>> =
            answer.is_success().then(|| answer.json()).flatten();
        let businesses = businesses.into_iter().flat_map(|page| page.data);
        for business in businesses.take(BUSINESSES_MAX) {
            for list in ["owned_pages", "client_pages"] {
                match exchange.pages(&[&business.id, list], &user_token, false)? {
                    Turn::Send(request) => return Ok(Turn::Send(request)),
                    Turn::Done(more) => pages.extend(more),
                }
            }
        }
    }

    let mut known = BTreeSet::new();
    let accounts = pages.into_iter().filter_map(|page| {
        let token = page.access_token.clone()?;
        let is_new = known.insert(page.id.clone());
        let proof = exchange.client.and_then(|client| proof(client, &token));
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
    let mut lacks = lacks(&SCOPES, granted);
    if let Some(tasks) = &page.tasks {
        lacks.extend(self::lacks(&TASKS, tasks));
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

/// What a Page cannot do since it was not allowed.
fn lacks(known: &[(&str, &str)], granted: &[String]) -> Vec<String> {
    let is_missing = |name: &str| !granted.iter().any(|granted| granted == name);
    let missing = known.iter().filter(|(name, _)| is_missing(name));
    missing.map(|(_, sentence)| (*sentence).to_owned()).collect()
}

/// What proves that a token is used by its application, which may ask for that.
///
/// Source: <https://developers.facebook.com/docs/graph-api/guides/secure-requests/>,
/// `appsecret_proof`.
fn proof(client: &Client, token: &SecretString) -> Option<SecretString> {
    let secret = client.secret.expose_secret().as_bytes();
    // Keys of every length are taken.
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(secret).ok()?;
    mac.update(token.expose_secret().as_bytes());
    Some(SecretString::from(hex::encode(mac.finalize().into_bytes())))
}

/// A conversation as far as it has come.
struct Exchange<'a> {
    hosts: &'a Hosts,
    /// The application whose token it is, where it was exchanged for a code.
    client: Option<&'a Client>,
    answers: std::slice::Iter<'a, Answer>,
}

impl Exchange<'_> {
    fn asks<T>(
        &self,
        segments: &[&str],
        pairs: &[(&str, &str)],
        user_token: &SecretString,
    ) -> TurnResult<T> {
        let mut url = self.hosts.call(Host::Graph, segments, pairs)?;
        if let Some(proof) = self.client.and_then(|client| proof(client, user_token)) {
            prove(&mut url, &proof);
        }
        Ok(Turn::Send(Request::read(url).bearer(user_token.expose_secret())))
    }

    /// Exchanges a code for a token of an hour, and that for one of 60 days: the tokens of Pages
    /// that a long-lived one gives have no end.
    fn exchange(
        &mut self,
        client: &Client,
        code: &str,
        redirect_uri: &str,
    ) -> TurnResult<SecretString> {
        let secret = client.secret.expose_secret();
        let pairs = [
            ("client_id", client.id.as_str()),
            ("client_secret", secret),
            ("redirect_uri", redirect_uri),
            ("code", code),
        ];
        let short = match self.token(&pairs)? {
            Turn::Send(request) => return Ok(Turn::Send(request)),
            Turn::Done(token) => token,
        };
        self.token(&[
            ("grant_type", "fb_exchange_token"),
            ("client_id", client.id.as_str()),
            ("client_secret", secret),
            ("fb_exchange_token", short.expose_secret()),
        ])
    }

    fn token(&mut self, pairs: &[(&str, &str)]) -> TurnResult<SecretString> {
        let Some(answer) = self.answers.next() else {
            let url = self.hosts.call(Host::Graph, &["oauth", "access_token"], pairs)?;
            return Ok(Turn::Send(Request::read(url)));
        };
        if !answer.is_success() {
            return Err(not_connected(answer));
        }
        let Token { access_token } = answer.json().ok_or_else(|| unreadable(false))?;
        Ok(Turn::Done(access_token))
    }

    /// Reads a list of Pages to its end; one that is not needed may be refused.
    fn pages(
        &mut self,
        segments: &[&str],
        user_token: &SecretString,
        is_needed: bool,
    ) -> TurnResult<Vec<PageAccount>> {
        let mut pages = Vec::new();
        let mut after: Option<String> = None;
        for _ in 0..LIST_MAX {
            let Some(answer) = self.answers.next() else {
                let mut pairs = vec![("fields", FIELDS), ("limit", PAGE)];
                pairs.extend(after.as_deref().map(|after| ("after", after)));
                return self.asks(segments, &pairs, user_token);
            };
            if !answer.is_success() {
                return if is_needed { Err(not_connected(answer)) } else { Ok(Turn::Done(pages)) };
            }
            let page: Page<PageAccount> = answer.json().ok_or_else(|| unreadable(false))?;
            after = page.after();
            pages.extend(page.data);
            if after.is_none() {
                break;
            }
        }
        Ok(Turn::Done(pages))
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
