//! Connecting through Facebook Pages: every account that is linked to a Page of the person.
//!
//! Source:
//! <https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-facebook-login>.

use std::collections::BTreeSet;

use scheduler_core::account::Credentials;
use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{ConnectInput, Connected, NetworkError};

use super::connect::{Apps, Given, given, not_connected};
use super::errors::unreadable;
use super::hosts::Hosts;
use super::wire::{FacebookPage, Tokens, Way};
use crate::conversation::{Answer, Turn, TurnResult, or_send};
use crate::graph::{PagesLogin, lacks};

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
    "access_token,instagram_business_account{id,username,name,profile_picture_url}";

/// The next turn of opening every account that the person's Pages are linked to.
pub(super) fn connect(
    hosts: &Hosts,
    apps: &Apps,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let address = |segments: &[&str], pairs: &[(&str, &str)]| {
        hosts.call(Way::ViaPage.host(), segments, pairs)
    };
    let mut login = PagesLogin {
        answers: answers.iter(),
        address: &address,
        proven: None,
        fields: FIELDS,
        not_connected,
        unreadable: || unreadable(false),
    };
    let user_token = match given(input)? {
        Given::Token(token) => token,
        Given::Code { code, redirect_uri } => {
            let client = apps.client(Way::ViaPage)?;
            or_send!(login.user_token(client, code, redirect_uri)?)
        }
    };
    let granted = or_send!(login.granted(&user_token)?);
    let pages: Vec<FacebookPage> = or_send!(login.pages(&user_token, &granted)?);
    let lacks = lacks(&SCOPES, &granted);
    let takes_down = Some(granted.iter().any(|scope| scope == "instagram_manage_contents"));
    let limits = AccountLimits { takes_down, via_page: Some(true), ..AccountLimits::default() };
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

#[cfg(test)]
#[path = "connect_page_tests.rs"]
mod tests;
