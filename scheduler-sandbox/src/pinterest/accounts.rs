//! Users, and whom a token speaks for.
//!
//! Source: <https://github.com/pinterest/api-description>, `GET /user_account`.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::Pinterest;
use super::boards::Privacy;
use super::error::ApiError;
use super::oauth::SCOPES;
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

/// Longest name.
const MAX_NAME: usize = 100;

/// Followers of everybody.
const FOLLOWERS: u64 = 163;

/// The application that made the tokens that the control gives out.
const SANDBOX_CLIENT: &str = "sandbox";

/// A user.
#[derive(Clone, Debug)]
pub(super) struct User {
    pub(super) id: String,
    /// The name of the business.
    pub(super) name: String,
    /// The name in addresses.
    pub(super) username: String,
}

/// Whom a token speaks for, and what it may do.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    pub(super) user: String,
    pub(super) client_id: String,
    pub(super) scopes: Vec<String>,
}

impl Caller {
    /// Says whether a permission was given.
    pub(super) fn has(&self, scope: &str) -> bool {
        self.scopes.iter().any(|given| given == scope)
    }

    /// Refuses a call for which a permission is missing.
    ///
    /// # Errors
    /// 403.
    pub(super) fn needs(&self, scopes: &[&str]) -> Result<(), ApiError> {
        let missing: Vec<&str> = scopes.iter().copied().filter(|scope| !self.has(scope)).collect();
        if missing.is_empty() { Ok(()) } else { Err(ApiError::missing_scopes(&missing)) }
    }
}

impl Pinterest {
    /// Makes a user with two boards, one of them secret.
    ///
    /// # Errors
    /// The name is empty, too long or taken.
    pub(super) fn add_user(
        &mut self,
        name: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<String, String> {
        let name = match name {
            Some(name) => name.trim().to_owned(),
            None => format!("Sandbox Business {}", self.users.len() + 1),
        };
        if name.is_empty() || name.chars().count() > MAX_NAME {
            return Err(format!("name must be 1 to {MAX_NAME} characters."));
        }
        if self.users.values().any(|user| user.name == name) {
            return Err(format!("There is a user {name} already."));
        }
        let id = self.next_id(now);
        let username = name.to_lowercase().replace(' ', "_");
        self.users.insert(id.clone(), User { id: id.clone(), name, username });
        self.add_board(&id, "Finds", Privacy::Public, now);
        self.add_board(&id, "Plans", Privacy::Secret, now);
        Ok(id)
    }

    /// Returns what connects an account: tokens with every usual permission.
    pub(super) fn connect(&mut self, user: &str, context: &Context<'_>) -> Value {
        let usual = SCOPES.iter().filter(|scope| !scope.ends_with("_secret"));
        let scopes: Vec<String> = usual.map(|scope| (*scope).to_owned()).collect();
        let given = self.give_tokens(user, SANDBOX_CLIENT, &scopes, context.now);
        let username = self.users.get(user).map(|user| user.username.clone());
        let board = self.boards.iter().find(|board| board.owner == user);
        json!({
            "platform": super::NAME,
            "account": user,
            "username": username,
            "boardId": board.map(|board| board.id.clone()),
            "accessToken": given["access_token"],
            "refreshToken": given["refresh_token"],
            "scope": given["scope"],
        })
    }

    /// Answers who let the application in.
    ///
    /// # Errors
    /// Those of tokens and permissions.
    pub(super) fn user_account(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        caller.needs(&["user_accounts:read"])?;
        let user = self.users.get(&caller.user).ok_or_else(ApiError::unauthorized)?;
        let boards = self.boards.iter().filter(|board| board.owner == user.id).count();
        let pins = self.pins.iter().filter(|pin| pin.owner == user.id && !pin.is_deleted).count();
        Ok(Answer::ok(&json!({
            "account_type": "BUSINESS",
            "id": user.id,
            "profile_image": format!("{}/picture/{}", context.base, user.id),
            "website_url": "",
            "username": user.username,
            "about": "",
            "business_name": user.name,
            "board_count": boards,
            "pin_count": pins,
            "follower_count": FOLLOWERS,
            "following_count": 0,
            "monthly_views": 0,
        })))
    }
}
