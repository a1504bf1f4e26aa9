//! Connecting through Facebook Pages: every account that is linked to a Page of the person.
//!
//! Source:
//! <https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-facebook-login>.

use std::collections::BTreeSet;

use scheduler_core::account::Credentials;
use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{ConnectInput, Connected, NetworkError};
use secrecy::{ExposeSecret, SecretString};

use super::connect::{Apps, Given, given, lacks, not_connected, token};
use super::errors::unreadable;
use super::hosts::Hosts;
use super::wire::{Created, FacebookPage, Page, Permission, Tokens, Way};
use crate::conversation::{Answer, Request, Turn, TurnResult};

/// What is asked for, and what the account cannot do without each.
pub(super) const SCOPES: [(&str, &str); 8] = [
    ("instagram_basic", "The account cannot be read: instagram_basic was not allowed."),
    (
        "instagram_content_publish",
        "Nothing can be published: instagram_content_publish was not allowed.",
    ),
    (
        "instagram_manage_comments",
        "Comments can be neither read nor answered: instagram_manage_comments was not allowed.",
    ),
    (
        "instagram_manage_insights",
        "There are no figures but likes and comments: instagram_manage_insights was not allowed.",
    ),
    (
        "instagram_manage_contents",
        "Posts cannot be taken down: instagram_manage_contents was not allowed.",
    ),
    ("pages_show_list", "Pages cannot be listed: pages_show_list was not allowed."),
    ("pages_read_engagement", "The Page cannot be read: pages_read_engagement was not allowed."),
    (
        "business_management",
        "Pages of businesses are not shown: business_management was not allowed.",
    ),
];

/// What is asked of each Page.
const FIELDS: &str =
    "id,name,access_token,tasks,instagram_business_account{id,username,name,profile_picture_url}";
const PAGE: &str = "100";

/// Pages of one list that are read, and businesses whose Pages are.
const LIST_MAX: usize = 10;
const BUSINESSES_MAX: usize = 10;

/// The next turn of opening every account that the person's Pages are linked to.
pub(super) fn connect(
    hosts: &Hosts,
    apps: &Apps,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let mut exchange = Exchange { hosts, answers: answers.iter() };
    let user_token = match given(input)? {
        Given::Token(token) => token,
        Given::Code { code, redirect_uri } => {
            let client = apps.client(Way::ViaPage)?;
            let secret = client.secret.expose_secret();
            let pairs = [
                ("client_id", client.id.as_str()),
                ("client_secret", secret),
                ("redirect_uri", redirect_uri),
                ("code", code),
            ];
            let short = match exchange.token(&pairs)? {
                Turn::Send(request) => return Ok(Turn::Send(request)),
                Turn::Done(token) => token,
            };
            let pairs = [
                ("grant_type", "fb_exchange_token"),
                ("client_id", client.id.as_str()),
                ("client_secret", secret),
                ("fb_exchange_token", short.expose_secret()),
            ];
            match exchange.token(&pairs)? {
                Turn::Send(request) => return Ok(Turn::Send(request)),
                Turn::Done(token) => token,
            }
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
    let lacks = lacks(&SCOPES, &granted);
    let takes_down = Some(granted.iter().any(|scope| scope == "instagram_manage_contents"));
    let limits = AccountLimits { takes_down, ..AccountLimits::default() };
    let mut known = BTreeSet::new();
    let accounts = pages.into_iter().filter_map(|page| {
        let FacebookPage { access_token, instagram_business_account } = page;
        let (account, token) = (instagram_business_account?, access_token?);
        known.insert(account.id.clone()).then(|| {
            let user_id = account.id.clone();
            let tokens = Tokens { access_token: token, user_id, way: Way::ViaPage };
            Connected {
                username: account.username,
                display_name: account.name.filter(|name| !name.is_empty()),
                avatar_url: account.profile_picture_url,
                connection: Some(Way::ViaPage.connection()),
                limits: limits.clone(),
                lacks: lacks.clone(),
                ..Connected::new(account.id, Credentials::new(tokens.to_text(), None))
            }
        })
    });
    let accounts: Vec<Connected> = accounts.collect();
    if accounts.is_empty() {
        return Err(NetworkError::permanent(
            "None of the Pages that were allowed is linked to an Instagram business or creator account. Link the account to a Page in the Page's settings, allow both, and connect again.",
        ));
    }
    Ok(Turn::Done(accounts))
}

/// A conversation as far as it has come.
struct Exchange<'a> {
    hosts: &'a Hosts,
    answers: std::slice::Iter<'a, Answer>,
}

impl Exchange<'_> {
    fn asks<T>(
        &self,
        segments: &[&str],
        pairs: &[(&str, &str)],
        user_token: &SecretString,
    ) -> TurnResult<T> {
        let url = self.hosts.graph_query(Way::ViaPage, segments, pairs)?;
        Ok(Turn::Send(Request::read(url).bearer(user_token.expose_secret())))
    }

    /// Exchanges something for a token.
    fn token(&mut self, pairs: &[(&str, &str)]) -> TurnResult<SecretString> {
        let Some(answer) = self.answers.next() else {
            let url = self.hosts.graph_query(Way::ViaPage, &["oauth", "access_token"], pairs)?;
            return Ok(Turn::Send(Request::read(url)));
        };
        Ok(Turn::Done(token(answer)?.access_token))
    }

    /// Reads a list of Pages to its end; one that is not needed may be refused.
    fn pages(
        &mut self,
        segments: &[&str],
        user_token: &SecretString,
        is_needed: bool,
    ) -> TurnResult<Vec<FacebookPage>> {
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
            let page: Page<FacebookPage> = answer.json().ok_or_else(|| unreadable(false))?;
            after = page.after();
            pages.extend(page.data);
            if after.is_none() {
                break;
            }
        }
        Ok(Turn::Done(pages))
    }
}

#[cfg(test)]
#[path = "connect_page_tests.rs"]
mod tests;
