//! Accounts, and what tells of them.
//!
//! Source: <https://developers.tiktok.com/docs/en/tiktok-api-v2-get-user-info>,
//! <https://developers.tiktok.com/docs/en/content-posting-api-reference-query-creator-info>.

use http::StatusCode;
use serde_json::{Map, Value, json};

use super::Tiktok;
use super::error::{ApiError, ok};
use super::oauth::SCOPES;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_bytes;
use crate::request::Request;

/// Longest user name.
const MAX_USERNAME: usize = 24;
/// Followers of every account, whom it follows, and likes of its posts; invented.
const FOLLOWERS: u64 = 96;
const FOLLOWING: u64 = 12;
const LIKES: u64 = 480;
/// Longest video of an account, in seconds.
const MAX_DURATION: u64 = 600;
const BRIEF_DURATION: u64 = 4;
/// Fields of an account that need a scope of their own.
const PROFILE_FIELDS: [&str; 4] =
    ["username", "is_verified", "bio_description", "profile_deep_link"];
const STATS_FIELDS: [&str; 4] = ["follower_count", "following_count", "likes_count", "video_count"];

/// An account.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) open_id: String,
    pub(super) username: String,
    pub(super) name: String,
}

impl Account {
    /// The address of its picture, below `base`.
    fn picture(&self, base: &str) -> String {
        format!("{base}/{}.jpg", self.username)
    }

    /// True for the name of its picture.
    pub(super) fn has(&self, picture: &str) -> bool {
        picture.strip_suffix(".jpg") == Some(&self.username)
    }

    /// Returns who may see its posts; accounts whose name begins with `private` are private.
    pub(super) fn privacy_levels(&self) -> [&'static str; 3] {
        let first = match self.username.starts_with("private") {
            true => "FOLLOWER_OF_CREATOR",
            false => "PUBLIC_TO_EVERYONE",
        };
        [first, "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"]
    }

    /// Says whether nobody may comment: accounts whose name ends with `quiet`.
    fn is_quiet(&self) -> bool {
        self.username.ends_with("quiet")
    }

    /// Returns how long its videos may be, in seconds: a few for accounts whose name ends with
    /// `brief`.
    fn max_duration(&self) -> u64 {
        if self.username.ends_with("brief") { BRIEF_DURATION } else { MAX_DURATION }
    }
}

impl Tiktok {
    /// Makes an account.
    ///
    /// # Errors
    /// The name cannot be a user name or is taken.
    pub(super) fn add_account(&mut self, name: Option<&str>) -> Result<String, String> {
        let name = name.map_or_else(|| self.next_name(), str::to_owned);
        let username = name.to_lowercase().replace([' ', '-'], "_");
        let is_username = (2..=MAX_USERNAME).contains(&username.len())
            && username.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte));
        if !is_username {
            return Err(format!(
                "name must be 2 to {MAX_USERNAME} letters, digits, spaces, hyphens, full stops or \
                 underscores."
            ));
        }
        if self.is_taken(&username) {
            return Err(format!("There is an account {username} already."));
        }
        let open_id = format!("-000{}", hex::encode(random_bytes()));
        let account = Account { open_id: open_id.clone(), username, name };
        self.accounts.insert(open_id.clone(), account);
        Ok(open_id)
    }

    /// Says whether an account may post no more today: one whose name ends with `full`.
    pub(super) fn is_full(&self, open_id: &str) -> bool {
        self.accounts.get(open_id).is_some_and(|account| account.username.ends_with("full"))
    }

    fn next_name(&self) -> String {
        (self.accounts.len() + 1..)
            .map(|number| format!("sandbox_{number}"))
            .find(|name| !self.is_taken(name))
            .unwrap_or_default()
    }

    fn is_taken(&self, username: &str) -> bool {
        self.accounts.values().any(|account| account.username == username)
    }

    /// Returns what connects an account: tokens with every scope.
    pub(super) fn connect(&mut self, open_id: &str, context: &Context<'_>) -> Value {
        let scopes: Vec<String> = SCOPES.iter().map(|scope| (*scope).to_owned()).collect();
        let given = self.give_tokens(open_id, &scopes, context.now);
        json!({
            "platform": super::NAME,
            "account": open_id,
            "openId": open_id,
            "username": self.accounts.get(open_id).map(|account| &account.username),
            "accessToken": given["access_token"],
            "refreshToken": given["refresh_token"],
            "scope": given["scope"],
        })
    }

    /// Answers whose token it is, with the fields that are asked for.
    ///
    /// # Errors
    /// Those of tokens and scopes; a field that there is not.
    pub(super) fn user_info(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, "user.info.basic", context)?;
        let account = self.accounts.get(&caller.open_id).ok_or_else(ApiError::token)?;
        let videos = self.public_posts(&caller.open_id, context).count();
        let known = json!({
            "open_id": account.open_id,
            "union_id": format!("u{}", account.open_id),
            "avatar_url": account.picture(context.base),
            "display_name": account.name,
            "username": account.username,
            "is_verified": false,
            "bio_description": "",
            "profile_deep_link": format!("{}/@{}", context.base, account.username),
            "follower_count": FOLLOWERS,
            "following_count": FOLLOWING,
            "likes_count": LIKES,
            "video_count": videos,
        });
        let mut user = Map::new();
        for field in fields(request)? {
            let scope = match field {
                field if PROFILE_FIELDS.contains(&field) => "user.info.profile",
                field if STATS_FIELDS.contains(&field) => "user.info.stats",
                _ => "user.info.basic",
            };
            caller.check(scope)?;
            let value = known.get(field).ok_or_else(|| ApiError::invalid("Invalid fields"))?;
            user.insert(field.to_owned(), value.clone());
        }
        Ok(ok(&json!({ "user": user })))
    }

    /// Answers what an account may do at present. Refusals come with status 200 here.
    ///
    /// # Errors
    /// Those of tokens and scopes; limits.
    pub(super) fn creator_info(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, "video.publish", context)?;
        self.take_creator_call(&caller.open_id, context)?;
        self.check_daily_posts(&caller.open_id, context)
            .map_err(|error| error.with_status(StatusCode::OK))?;
        let account = self.accounts.get(&caller.open_id).ok_or_else(ApiError::token)?;
        Ok(ok(&json!({
            "creator_avatar_url": account.picture(context.base),
            "creator_username": account.username,
            "creator_nickname": account.name,
            "privacy_level_options": account.privacy_levels(),
            "comment_disabled": account.is_quiet(),
            "duet_disabled": false,
            "stitch_disabled": true,
            "max_video_post_duration_sec": account.max_duration(),
        })))
    }
}

/// Returns the fields that a request asks for.
///
/// # Errors
/// It asks for none.
pub(super) fn fields(request: &Request) -> Result<Vec<&str>, ApiError> {
    let fields = request.query("fields").unwrap_or_default();
    let fields: Vec<&str> = fields.split(',').filter(|field| !field.is_empty()).collect();
    match fields.is_empty() {
        true => Err(ApiError::invalid("Fields is required")),
        false => Ok(fields),
    }
}
