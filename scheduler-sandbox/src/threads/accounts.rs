//! Accounts and whose token it is.
//!
//! Source: <https://developers.facebook.com/documentation/threads/reference/user>.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::Threads;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// Longest user name.
const MAX_USERNAME: usize = 30;
/// Followers of every account; invented.
const FOLLOWERS: u32 = 96;
/// Life of a token.
///
/// Source: <https://developers.facebook.com/documentation/threads/get-started/long-lived-tokens>.
pub(super) const TOKEN_LIFE: TimeDelta = TimeDelta::days(60);
/// Scopes of the token that comes with an account made by the control.
pub(super) const SCOPES: &str = "threads_basic,threads_content_publish,threads_read_replies,threads_manage_replies,threads_manage_insights,threads_delete,threads_profile_discovery";

/// An account.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) id: u64,
    pub(super) username: String,
    pub(super) name: String,
}

/// An access token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// Whom it speaks for; nobody for a token of an app.
    pub(super) account: Option<u64>,
    pub(super) scopes: String,
    pub(super) made_at: DateTime<Utc>,
    pub(super) ends_at: DateTime<Utc>,
}

impl Threads {
    /// Makes an account.
    ///
    /// # Errors
    /// The name cannot be a user name or is taken.
    pub(super) fn add_account(&mut self, name: Option<&str>) -> Result<u64, String> {
        let name = name.map_or_else(|| self.next_name(), str::to_owned);
        let username = name.to_lowercase().replace([' ', '-'], "_");
        let is_username = (1..=MAX_USERNAME).contains(&username.len())
            && username.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte));
        if !is_username {
            return Err(format!(
                "name must be 1 to {MAX_USERNAME} letters, digits, spaces, hyphens, full stops or \
                 underscores."
            ));
        }
        if self.account_named(&username).is_some() {
            return Err(format!("There is an account {username} already."));
        }
        let id = self.next_id();
        self.accounts.insert(id, Account { id, username, name });
        Ok(id)
    }

    fn next_name(&self) -> String {
        (self.accounts.len() + 1..)
            .map(|number| format!("sandbox_{number}"))
            .find(|name| self.account_named(name).is_none())
            .unwrap_or_default()
    }

    fn account_named(&self, username: &str) -> Option<&Account> {
        self.accounts.values().find(|account| account.username == username)
    }

    /// Returns the user name of an account.
    pub(super) fn username(&self, id: u64) -> &str {
        self.accounts.get(&id).map_or("", |account| account.username.as_str())
    }

    /// Returns what connects an account: a token with every scope of the adapters.
    pub(super) fn connect(&mut self, account: u64, context: &Context<'_>) -> Value {
        let token = self.give_token(Some(account), SCOPES, context.now, TOKEN_LIFE);
        json!({
            "platform": super::NAME,
            "account": account.to_string(),
            "accountId": account.to_string(),
            "username": self.username(account),
            "accessToken": token,
        })
    }

    /// Gives out a token.
    pub(super) fn give_token(
        &mut self,
        account: Option<u64>,
        scopes: &str,
        now: DateTime<Utc>,
        life: TimeDelta,
    ) -> String {
        let text = format!("THQ{}", random_secret());
        let token = Token { account, scopes: scopes.to_owned(), made_at: now, ends_at: now + life };
        self.tokens.insert(text.clone(), token);
        text
    }

    /// Returns the token of a request: of its header, else of its parameters.
    ///
    /// # Errors
    /// It is none, or has ended.
    pub(super) fn token_of(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<&Token, ApiError> {
        let given = request.bearer().map(str::to_owned);
        let given = given.or_else(|| text(&params(request), "access_token"));
        let given = given.ok_or_else(|| {
            let message =
                "An active access token must be used to query information about the current user.";
            ApiError::new(2500, 0, message)
        })?;
        self.valid(&given, context)
    }

    /// Returns a token that has not ended.
    ///
    /// # Errors
    /// It is none, or has ended.
    pub(super) fn valid(&self, given: &str, context: &Context<'_>) -> Result<&Token, ApiError> {
        match self.tokens.get(given) {
            None => Err(ApiError::token("Invalid OAuth access token - Cannot parse", 0)),
            Some(token) if token.ends_at <= context.now => {
                let message = "Error validating access token: Session has expired";
                Err(ApiError::token(message, 463))
            }
            Some(token) => Ok(token),
        }
    }

    /// Returns whom a request speaks for, if its token carries the scope.
    ///
    /// # Errors
    /// Those of tokens; the scope is missing.
    pub(super) fn user(
        &self,
        request: &Request,
        scope: &str,
        context: &Context<'_>,
    ) -> Result<u64, ApiError> {
        let token = self.token_of(request, context)?;
        if !token.scopes.split(',').any(|granted| granted == scope) {
            return Err(ApiError::permission());
        }
        token.account.ok_or_else(ApiError::permission)
    }

    /// Returns whom a request speaks for, which must be the account that its path names.
    ///
    /// # Errors
    /// Those of [`Self::user`]; it is another account's path.
    pub(super) fn user_at(
        &self,
        request: &Request,
        id: &str,
        scope: &str,
        context: &Context<'_>,
    ) -> Result<u64, ApiError> {
        let user = self.user(request, scope, context)?;
        match id == "me" || id == user.to_string() {
            true => Ok(user),
            false => Err(ApiError::unknown(id)),
        }
    }

    /// Answers whose token it is.
    ///
    /// # Errors
    /// Those of tokens.
    pub(super) fn me(&self, request: &Request, context: &Context<'_>) -> Result<Answer, ApiError> {
        let user = self.user(request, "threads_basic", context)?;
        let Some(account) = self.accounts.get(&user) else {
            return Err(ApiError::unknown("me"));
        };
        let view = json!({
            "id": account.id.to_string(),
            "username": account.username,
            "name": account.name,
            "threads_profile_picture_url": format!("{}/{}.png", context.base, account.username),
            "threads_biography": "",
            "is_verified": false,
        });
        Ok(Answer::ok(&super::posts::chosen(request, view)))
    }

    /// Answers an account by its exact user name.
    ///
    /// # Errors
    /// Those of tokens; there is none of that name.
    pub(super) fn profile_lookup(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        self.user(request, "threads_profile_discovery", context)?;
        let name = request.query("username").unwrap_or_default();
        let account = self.account_named(name).ok_or_else(|| ApiError::unknown(name))?;
        Ok(Answer::ok(&json!({
            "username": account.username,
            "name": account.name,
            "biography": "",
            "is_verified": false,
            "follower_count": FOLLOWERS,
        })))
    }

    /// Answers how many follow an account.
    ///
    /// # Errors
    /// Those of tokens; a figure that there is not.
    pub(super) fn account_insights(
        &self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let user = self.user_at(request, id, "threads_manage_insights", context)?;
        if request.query("metric") != Some("followers_count") {
            return Err(ApiError::parameter("Param metric must be one of followers_count"));
        }
        Ok(Answer::ok(&json!({ "data": [{
            "name": "followers_count",
            "period": "day",
            "title": "followers_count",
            "description": "Your total number of followers on Threads.",
            "total_value": { "value": FOLLOWERS },
            "id": format!("{user}/insights/followers_count/day"),
        }] })))
    }
}
