//! Accounts: what they tell of themselves, and of others by name.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::error::ApiError;
use super::oauth::Way;
use super::{Instagram, chosen, fields};
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

/// Longest name of an account.
const MAX_USERNAME: usize = 30;
/// Followers of every account; invented.
const FOLLOWERS: u32 = 96;

/// A professional account, and the Page that it is linked to.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) id: u64,
    pub(super) page: u64,
    pub(super) username: String,
    pub(super) name: String,
}

impl Instagram {
    /// Makes an account with a Page.
    ///
    /// # Errors
    /// The name cannot be a user name or is taken.
    pub(super) fn add_account(&mut self, name: Option<&str>) -> Result<u64, String> {
        let name = name.map_or_else(|| self.next_name(), str::to_owned);
        let username = name.to_lowercase().replace([' ', '-'], "_");
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.';
        let is_username =
            (1..=MAX_USERNAME).contains(&username.len()) && username.bytes().all(is_part);
        if !is_username {
            return Err(format!(
                "name must be 1 to {MAX_USERNAME} letters, digits, spaces, hyphens, full stops or underscores."
            ));
        }
        if self.named(&username).is_some() {
            return Err(format!("There is an account {username} already."));
        }
        let (id, page) = (self.next_id(), self.next_id());
        self.accounts.insert(id, Account { id, page, username, name });
        Ok(id)
    }

    fn next_name(&self) -> String {
        (self.accounts.len() + 1..)
            .map(|number| format!("sandbox_{number}"))
            .find(|name| self.named(name).is_none())
            .unwrap_or_default()
    }

    /// Finds an account by its name.
    pub(super) fn named(&self, username: &str) -> Option<&Account> {
        let username = username.to_lowercase();
        self.accounts.values().find(|account| account.username == username)
    }

    /// Returns an account's name.
    pub(super) fn username(&self, id: u64) -> String {
        self.accounts.get(&id).map(|account| account.username.clone()).unwrap_or_default()
    }

    /// Returns what connects an account in either way. It was connected yesterday, so that its
    /// token can be renewed.
    pub(super) fn connect(&mut self, account: u64, now: DateTime<Utc>) -> Value {
        let at = now - TimeDelta::hours(25);
        let direct = self.give_token(account, Way::Direct, None, at);
        let person = self.give_token(account, Way::Person, None, at);
        json!({
            "platform": super::NAME,
            "account": account.to_string(),
            "username": self.username(account),
            "connection": "via_page",
            "accessToken": person,
            "instagramToken": direct,
        })
    }

    /// Answers whose token it is.
    ///
    /// # Errors
    /// Those of tokens, a field that does not exist.
    pub(super) fn me(&self, request: &Request, context: &Context<'_>) -> Result<Answer, ApiError> {
        let token = self.token(request, context.now)?;
        if token.way == Way::Person {
            let person = json!({ "id": format!("1{}", token.account), "name": "A person" });
            return Ok(Answer::ok(&person));
        }
        let account = self.accounts.get(&token.account).ok_or_else(ApiError::token)?;
        let mut whole = self.view(account, context);
        if token.way == Way::Direct {
            // The id that an app sees is its own.
            whole["user_id"] = whole["id"].clone();
            whole["id"] = json!(format!("9{}", account.id));
            whole["account_type"] = json!("BUSINESS");
        }
        Ok(Answer::ok(&chosen(&whole, &fields(request))?))
    }

    /// Answers an account.
    ///
    /// # Errors
    /// Another's account, a name that nobody has, those of tokens.
    pub(super) fn show_account(
        &self,
        request: &Request,
        id: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let own =
            self.allowed(request, &["instagram_basic", "instagram_business_basic"], context)?;
        if own.id != id {
            return Err(ApiError::missing(&id.to_string()));
        }
        let fields = fields(request);
        let mut whole = self.view(own, context);
        let looked_for = fields.iter().find_map(|field| {
            let rest = field.strip_prefix("business_discovery.username(")?;
            Some(rest.split_once(')')?.0.to_owned())
        });
        if let Some(name) = looked_for {
            if self.token(request, context.now)?.way == Way::Direct {
                return Err(ApiError::parameter(
                    "Tried accessing nonexisting field (business_discovery)",
                ));
            }
            let found = self.named(&name).ok_or_else(|| {
                ApiError::sub(110, 2_207_013, "Invalid user id: cannot find the user.")
            })?;
            whole["business_discovery"] = json!({
                "username": found.username,
                "name": found.name,
                "id": found.id.to_string(),
            });
        }
        Ok(Answer::ok(&chosen(&whole, &fields)?))
    }

    fn view(&self, account: &Account, context: &Context<'_>) -> Value {
        let posts = self.media.values().filter(|media| media.account == account.id);
        json!({
            "id": account.id.to_string(),
            "username": account.username,
            "name": account.name,
            "profile_picture_url": format!("{}/pictures/{}.jpg", context.base, account.id),
            "followers_count": FOLLOWERS,
            "media_count": posts.filter(|media| !media.is_deleted).count(),
        })
    }
}
