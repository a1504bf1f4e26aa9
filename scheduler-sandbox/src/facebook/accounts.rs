//! Pages, and the people who have them.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::error::ApiError;
use super::oauth::{Holder, SCOPES};
use super::{Facebook, chosen, fields, listed};
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

/// Longest name of a Page.
const NAME_MAX: usize = 75;
/// Followers of every Page, and people who like it; invented.
const FOLLOWERS: u32 = 96;
const FANS: u32 = 90;

/// A Page.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) id: u64,
    pub(super) person: u64,
    pub(super) name: String,
    pub(super) username: String,
}

impl Facebook {
    /// Makes a person with a Page.
    ///
    /// # Errors
    /// The name cannot be that of a Page, or is taken.
    pub(super) fn add_account(&mut self, name: Option<&str>) -> Result<u64, String> {
        let name = name.map_or_else(|| self.next_name(), |name| name.trim().to_owned());
        if name.is_empty() || name.chars().count() > NAME_MAX {
            return Err(format!("name must be 1 to {NAME_MAX} characters."));
        }
        if self.accounts.values().any(|account| account.name == name) {
            return Err(format!("There is a Page {name} already."));
        }
        let username: String =
            name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
        let (id, person) = (self.next_id(), self.next_id());
        self.accounts.insert(id, Account { id, person, name, username });
        Ok(id)
    }

    fn next_name(&self) -> String {
        (self.accounts.len() + 1..)
            .map(|number| format!("Sandbox Page {number}"))
            .find(|name| !self.accounts.values().any(|account| account.name == *name))
            .unwrap_or_default()
    }

    /// Returns the name of a Page.
    pub(super) fn page_name(&self, id: u64) -> String {
        self.accounts.get(&id).map(|account| account.name.clone()).unwrap_or_default()
    }

    /// Returns what connects a Page.
    pub(super) fn connect(&mut self, page: u64, now: DateTime<Utc>) -> Value {
        let person = self.give_person(page, now);
        let username = self.accounts.get(&page).map(|account| account.username.clone());
        json!({
            "platform": super::NAME,
            "account": page.to_string(),
            "name": self.page_name(page),
            "username": username,
            "accessToken": person,
            "scope": SCOPES.join(","),
        })
    }

    /// Answers whose token it is.
    ///
    /// # Errors
    /// Those of tokens, a field that does not exist.
    pub(super) fn me(&self, request: &Request, context: &Context<'_>) -> Result<Answer, ApiError> {
        let token = self.token(request, context.now)?;
        let account = self.accounts.get(&token.page).ok_or_else(ApiError::token)?;
        let whole = match token.holder {
            Holder::Person => json!({
                "id": account.person.to_string(),
                "name": format!("Owner of {}", account.name),
                // The figures of the network's help pages, which the capability sheet states.
                "video_upload_limits": { "length": 14_400, "size": 10_000_000_000_u64 },
            }),
            Holder::Page => self.page_view(account, context),
        };
        Ok(Answer::ok(&chosen(&whole, &fields(request))?))
    }

    /// Answers the Pages of a person, each with a token.
    ///
    /// # Errors
    /// Those of tokens, a permission that was not given, a field that does not exist.
    pub(super) fn list_pages(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let token = self.token(request, context.now)?.clone();
        if token.holder != Holder::Person {
            return Err(ApiError::missing("me"));
        }
        if !token.has("pages_show_list") {
            return Err(ApiError::permission("pages_show_list"));
        }
        let account = self.accounts.get(&token.page).cloned().ok_or_else(ApiError::token)?;
        // That of a long-lived token has no end.
        let lasts =
            token.expires_at.is_none_or(|at| at - token.created_at > chrono::TimeDelta::days(1));
        let expires_at = token.expires_at.filter(|_| !lasts);
        let scopes = Some(token.scopes);
        let page_token = self.give_token(account.id, Holder::Page, scopes, expires_at, context.now);
        if let Some(given) = self.tokens.get_mut(&page_token) {
            given.secret = token.secret;
        }
        let mut whole = self.page_view(&account, context);
        whole["access_token"] = json!(page_token);
        let tasks = ["ADVERTISE", "ANALYZE", "CREATE_CONTENT", "MESSAGING", "MODERATE", "MANAGE"];
        whole["tasks"] = json!(tasks);
        let fields = fields(request);
        let shown = if fields.is_empty() { whole } else { chosen(&whole, &fields)? };
        Ok(listed(vec![(account.id, shown)], false, ""))
    }

    /// Answers the businesses of a person: nobody has one here.
    ///
    /// # Errors
    /// Those of tokens, a permission that was not given.
    pub(super) fn businesses(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let token = self.token(request, context.now)?;
        if !token.has("business_management") {
            return Err(ApiError::permission("business_management"));
        }
        Ok(Answer::ok(&json!({ "data": [] })))
    }

    /// Answers a Page.
    ///
    /// # Errors
    /// Another's Page, a field that does not exist, those of tokens.
    pub(super) fn show_page(
        &self,
        request: &Request,
        page: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let own = self.own_page(request, &page.to_string(), "pages_read_engagement", context)?;
        let account = self.accounts.get(&own).ok_or_else(ApiError::token)?;
        Ok(Answer::ok(&chosen(&self.page_view(account, context), &fields(request))?))
    }

    fn page_view(&self, account: &Account, context: &Context<'_>) -> Value {
        let url = format!("{}/pictures/{}.jpg", context.base, account.id);
        json!({
            "id": account.id.to_string(),
            "name": account.name,
            "username": account.username,
            "picture": {
                "data": { "height": 50, "is_silhouette": false, "url": url, "width": 50 },
            },
            "followers_count": FOLLOWERS,
            "fan_count": FANS,
        })
    }
}
