//! Bots, and accounts: a bot in a chat of its own.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::Telegram;
use super::chats::{Chat, Kind};
use super::error::ApiError;
use super::files::{LOCAL_BYTES, UPLOAD_BYTES};
use crate::outside::random_secret;

/// Ids of bots, channels and supergroups, and groups, each counted from here on; invented.
const FIRST_BOT: i64 = 7_000_000_000;
const FIRST_CHANNEL: i64 = -1_002_000_000_000;
const FIRST_GROUP: i64 = -4_000_000_000;
/// Members of a chat; invented.
const MEMBERS: u32 = 96;
const MEMBERS_OF_BIG: u32 = 250_000;
/// Length of a username in characters.
///
/// Source: <https://core.telegram.org/method/account.checkUsername>.
const USERNAME: std::ops::RangeInclusive<usize> = 5..=32;
/// Longest title of a chat in characters.
const TITLE: usize = 128;

/// A bot.
#[derive(Debug)]
pub(super) struct Bot {
    pub(super) id: i64,
    username: String,
    name: String,
    pub(super) is_revoked: bool,
    is_logged_out: bool,
    /// Largest file that its server takes, in bytes.
    pub(super) upload_bytes: u64,
    pub(super) webhook: Option<String>,
    /// What it has not yet taken note of, oldest first.
    pub(super) updates: Vec<Value>,
}

impl Telegram {
    /// Returns the id of the bot that a token belongs to.
    ///
    /// # Errors
    /// Not found for a token of a wrong form, unauthorized, logged out.
    pub(super) fn bot(&self, token: &str) -> Result<i64, ApiError> {
        let is_token = token
            .split_once(':')
            .is_some_and(|(id, secret)| id.parse::<u64>().is_ok() && !secret.is_empty());
        if !is_token {
            return Err(ApiError::not_found());
        }
        let bot = self.bots.get(token).filter(|bot| !bot.is_revoked);
        let bot = bot.ok_or_else(ApiError::unauthorized)?;
        if bot.is_logged_out {
            return Err(ApiError::new(400, "Logged out"));
        }
        Ok(bot.id)
    }

    /// Returns how large a file the server of a bot takes, in bytes.
    pub(super) fn upload_bytes(&self, bot: i64) -> u64 {
        let bot = self.bots.values().find(|known| known.id == bot);
        bot.map_or(UPLOAD_BYTES, |bot| bot.upload_bytes)
    }

    /// Answers who the bot is.
    ///
    /// # Errors
    /// Unauthorized.
    pub(super) fn show_bot(&self, token: &str) -> Result<Value, ApiError> {
        let bot = self.bots.get(token).ok_or_else(ApiError::unauthorized)?;
        let mut view = bot.view();
        for name in [
            "can_join_groups",
            "can_read_all_group_messages",
            "supports_inline_queries",
            "can_connect_to_business",
            "has_main_web_app",
        ] {
            view[name] = Value::from(name == "can_join_groups");
        }
        Ok(view)
    }

    /// Moves the bot to another server.
    ///
    /// # Errors
    /// Unauthorized.
    pub(super) fn log_out(&mut self, token: &str) -> Result<Value, ApiError> {
        self.bots.get_mut(token).ok_or_else(ApiError::unauthorized)?.is_logged_out = true;
        Ok(Value::from(true))
    }

    /// Makes a bot and its chat, and returns what connects them.
    ///
    /// # Errors
    /// The name cannot be that of a chat, or is taken.
    pub(super) fn add_account(
        &mut self,
        name: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<Value, String> {
        let title = name.map_or_else(|| self.next_name(), str::to_owned);
        let username = username(&title).ok_or_else(|| {
            "name must be letters, digits, spaces, hyphens or underscores.".to_owned()
        })?;
        if self.chats.values().any(|chat| chat.title.eq_ignore_ascii_case(&title))
            || self.usernames.contains_key(&username)
        {
            return Err(format!("There is a chat {title} already."));
        }
        let number = self.next_id();
        let code = random_secret().get(..8).unwrap_or_default().to_uppercase();
        let bot = Bot {
            id: FIRST_BOT + number,
            username: format!("sandbox_{number}_bot"),
            name: format!("Poster of {title}"),
            is_revoked: false,
            is_logged_out: false,
            upload_bytes: if first_word(&title) == "local" { LOCAL_BYTES } else { UPLOAD_BYTES },
            webhook: None,
            updates: Vec::new(),
        };
        let chat = self.add_chat(&title, &username, &bot, number);
        let token = format!("{}:AA{}", bot.id, random_secret().get(..33).unwrap_or_default());
        let account = json!({
            "platform": super::NAME,
            "account": chat.to_string(),
            "chatId": chat.to_string(),
            "botToken": token,
            "botUsername": bot.username,
            "connectCode": code,
        });
        self.bots.insert(token.clone(), bot);
        self.hear(&token, chat, &format!("/connect {code}"), now);
        Ok(account)
    }

    /// Makes the chat that the first word of a title asks for, and returns the id by which its
    /// account knows it.
    fn add_chat(&mut self, title: &str, username: &str, bot: &Bot, number: i64) -> i64 {
        let first_word = first_word(title);
        let kind = match first_word.as_str() {
            "group" | "upgraded" => Kind::Group,
            "supergroup" | "forum" => Kind::Supergroup,
            _ => Kind::Channel,
        };
        let is_public =
            !matches!(first_word.as_str(), "private" | "group" | "supergroup" | "upgraded");
        let is_big = first_word == "big";
        let id = match kind {
            Kind::Group => FIRST_GROUP - number,
            Kind::Supergroup | Kind::Channel => FIRST_CHANNEL - number,
        };
        let chat = Chat {
            id,
            kind,
            title: title.to_owned(),
            username: is_public.then(|| username.to_owned()),
            bot: bot.id,
            members: if is_big { MEMBERS_OF_BIG } else { MEMBERS },
            is_forum: first_word == "forum",
            can_post: first_word != "silent",
            can_pin: first_word != "unpinned",
            pinned: None,
            puts_videos_off: is_big,
            moved_to: None,
        };
        if is_public {
            self.usernames.insert(username.to_owned(), id);
        }
        if first_word == "upgraded" {
            let supergroup = FIRST_CHANNEL - number;
            let kind = Kind::Supergroup;
            self.chats.insert(supergroup, Chat { id: supergroup, kind, ..chat.clone() });
            self.chats.insert(id, Chat { moved_to: Some(supergroup), ..chat });
        } else {
            self.chats.insert(id, chat);
        }
        id
    }

    fn next_name(&self) -> String {
        (self.bots.len() + 1..)
            .map(|number| format!("sandbox_{number}"))
            .find(|name| !self.usernames.contains_key(name))
            .unwrap_or_default()
    }
}

impl Bot {
    /// Returns the bot as a user.
    pub(super) fn view(&self) -> Value {
        json!({
            "id": self.id,
            "is_bot": true,
            "first_name": self.name,
            "username": self.username,
        })
    }
}

/// The first word of a title, in lower case, which says what is made.
fn first_word(title: &str) -> String {
    title.split([' ', '-', '_']).next().unwrap_or_default().to_lowercase()
}

/// Makes a username of a title; one that would be too short gets a second word.
fn username(title: &str) -> Option<String> {
    let mut username = title.to_lowercase().replace([' ', '-'], "_");
    if !username.is_empty() && username.len() < *USERNAME.start() {
        username.push_str("_channel");
    }
    let is_username = USERNAME.contains(&username.len())
        && username.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_username && title.chars().count() <= TITLE).then_some(username)
}
