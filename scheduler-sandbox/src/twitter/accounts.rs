//! Accounts: who may post, and what is told of them.
//!
//! Source: <https://docs.x.com/x-api/users/get-my-user>.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::Twitter;
use super::error::ApiError;
use super::limits::COST_OF_USER_READ;
use super::oauth::GIVEN;
use super::read::wanted;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::timestamp;
use crate::request::Request;

/// Longest user name.
///
/// Source: <https://help.x.com/en/managing-your-account/x-username-rules>.
const MAX_USERNAME: usize = 15;
/// Followers of every account; invented.
const FOLLOWERS: u32 = 96;
/// Accounts that every account follows; invented.
const FOLLOWING: u32 = 48;

/// What can be asked for of an account, besides what is always told.
const FIELDS: [&str; 14] = [
    "created_at",
    "description",
    "entities",
    "id",
    "location",
    "name",
    "pinned_tweet_id",
    "profile_image_url",
    "protected",
    "public_metrics",
    "subscription_type",
    "url",
    "username",
    "verified",
];

/// An account.
#[derive(Clone, Debug)]
pub(super) struct User {
    pub(super) id: u64,
    pub(super) username: String,
    name: String,
    created_at: DateTime<Utc>,
}

impl User {
    /// Says whether it pays for longer posts: one whose name begins so.
    pub(super) fn is_premium(&self) -> bool {
        self.username.starts_with("premium")
    }
}

impl Twitter {
    /// Makes an account.
    ///
    /// # Errors
    /// The name cannot be a user name or is taken.
    pub(super) fn add_user(
        &mut self,
        name: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<u64, String> {
        let name = name.map_or_else(|| self.next_name(), str::to_owned);
        let username = name.to_lowercase().replace([' ', '-'], "_");
        let is_username = (1..=MAX_USERNAME).contains(&username.len())
            && username.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_username {
            return Err(format!(
                "name must be 1 to {MAX_USERNAME} letters, digits, spaces, hyphens or underscores."
            ));
        }
        if self.is_taken(&username) {
            return Err(format!("There is an account {username} already."));
        }
        let id = self.next_id(now);
        self.users.insert(id, User { id, username, name, created_at: now });
        Ok(id)
    }

    fn next_name(&self) -> String {
        (self.users.len() + 1..)
            .map(|number| format!("sandbox_{number}"))
            .find(|name| !self.is_taken(name))
            .unwrap_or_default()
    }

    fn is_taken(&self, username: &str) -> bool {
        self.users.values().any(|user| user.username == username)
    }

    /// Returns what connects an account: tokens with what the scheduler uses.
    pub(super) fn connect(&mut self, user: u64, context: &Context<'_>) -> Value {
        let scopes = GIVEN.map(str::to_owned);
        let given = self.give_tokens(None, user, &scopes, context.now);
        let username = self.users.get(&user).map(|user| user.username.as_str());
        json!({
            "platform": super::NAME,
            "account": user.to_string(),
            "username": username,
            "accessToken": given["access_token"],
            "refreshToken": given["refresh_token"],
            "scope": given["scope"],
        })
    }

    /// Answers whose token it is.
    ///
    /// # Errors
    /// 400 for a field that is not known, those of tokens and credits.
    pub(super) fn me(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let id = self.caller(request, &["tweet.read", "users.read"], context)?;
        let fields = wanted(request, "user.fields", &FIELDS)?;
        self.spend(COST_OF_USER_READ, context)?;
        let user = self.users.get(&id).ok_or_else(ApiError::unauthorized)?;
        let mut view = json!({
            "id": user.id.to_string(),
            "name": user.name,
            "username": user.username,
        });
        for field in fields {
            let value = match field {
                "created_at" => json!(timestamp(user.created_at)),
                "description" => json!(""),
                "profile_image_url" => {
                    json!(format!("{}/profile_images/{id}_normal.jpg", context.base))
                }
                "protected" | "verified" => json!(false),
                "public_metrics" => json!({
                    "followers_count": FOLLOWERS,
                    "following_count": FOLLOWING,
                    "post_count": self.live_posts_of(id).count(),
                    "tweet_count": self.live_posts_of(id).count(),
                    "listed_count": 0,
                }),
                "subscription_type" => json!(if user.is_premium() { "Premium" } else { "None" }),
                // Told already, or not given by this account.
                _ => continue,
            };
            view[field] = value;
        }
        Ok(Answer::ok(&json!({ "data": view })))
    }
}
