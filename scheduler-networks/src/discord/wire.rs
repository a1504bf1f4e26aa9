//! What goes over the wire, in Discord's own names, and what is kept of an account.
//!
//! Source: <https://docs.discord.com/developers/resources/message> and the pages beside it. Ids
//! are snowflakes of 64 bits, handled as text.

use chrono::{DateTime, Utc};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::{Value, json};

/// A file of a message, as far as it is read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Attachment {
    pub(super) filename: String,
}

/// A person or a bot.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct User {
    pub(super) id: String,
    pub(super) username: String,
    #[serde(default)]
    pub(super) global_name: Option<String>,
    #[serde(default)]
    pub(super) avatar: Option<String>,
}

impl User {
    /// What people see.
    pub(super) fn shown_name(self) -> String {
        self.global_name.filter(|name| !name.is_empty()).unwrap_or(self.username)
    }
}

/// The sign of a reaction.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Emoji {
    pub(super) name: Option<String>,
}

/// How often one sign was set below a message.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Reaction {
    pub(super) count: u64,
    pub(super) emoji: Emoji,
}

/// The thread that a message has opened, as far as it is read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct MessageThread {
    #[serde(default)]
    pub(super) message_count: Option<u64>,
}

/// A message, as far as it is read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Message {
    pub(super) id: String,
    pub(super) channel_id: String,
    #[serde(default, rename = "type")]
    pub(super) kind: u8,
    #[serde(default)]
    pub(super) author: Option<User>,
    #[serde(default)]
    pub(super) content: String,
    #[serde(default)]
    pub(super) timestamp: Option<DateTime<Utc>>,
    #[serde(default)]
    pub(super) edited_timestamp: Option<DateTime<Utc>>,
    #[serde(default)]
    pub(super) attachments: Vec<Attachment>,
    #[serde(default)]
    pub(super) reactions: Vec<Reaction>,
    #[serde(default)]
    pub(super) thread: Option<MessageThread>,
}

/// The answer to a new thread in a forum: a channel with its first message.
#[derive(Debug, Deserialize)]
pub(super) struct ForumThread {
    pub(super) id: String,
    pub(super) message: ThreadMessage,
}

/// The first message of a new thread.
#[derive(Debug, Deserialize)]
pub(super) struct ThreadMessage {
    pub(super) id: String,
}

/// A thread of a list.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Thread {
    pub(super) id: String,
    pub(super) name: String,
    #[serde(default)]
    pub(super) parent_id: Option<String>,
    #[serde(default)]
    pub(super) owner_id: Option<String>,
    #[serde(default)]
    pub(super) thread_metadata: Option<ThreadMetadata>,
}

/// When a thread was archived.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ThreadMetadata {
    pub(super) archive_timestamp: DateTime<Utc>,
}

/// A list of threads.
#[derive(Debug, Deserialize)]
pub(super) struct Threads {
    pub(super) threads: Vec<Thread>,
    #[serde(default)]
    pub(super) has_more: bool,
}

/// A channel, as far as it is read.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Channel {
    pub(super) id: String,
    #[serde(rename = "type")]
    pub(super) kind: u8,
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) guild_id: Option<String>,
    #[serde(default)]
    pub(super) message_count: Option<u64>,
}

/// A server, as far as it is read.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Guild {
    pub(super) id: String,
    pub(super) name: String,
    /// What the bot may do there, as a number in text; only in the list of its servers.
    #[serde(default)]
    pub(super) permissions: Option<String>,
    #[serde(default)]
    pub(super) premium_tier: u8,
    #[serde(default)]
    pub(super) approximate_member_count: Option<u64>,
}

/// A member of a server.
#[derive(Debug, Deserialize)]
pub(super) struct Member {
    pub(super) user: User,
    #[serde(default)]
    pub(super) nick: Option<String>,
}

/// What Discord says of a webhook.
#[derive(Debug, Deserialize)]
pub(super) struct WebhookInfo {
    pub(super) id: String,
    #[serde(rename = "type")]
    pub(super) kind: u8,
    #[serde(default)]
    pub(super) token: Option<SecretString>,
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) avatar: Option<String>,
    #[serde(default)]
    pub(super) guild_id: Option<String>,
}

/// The answer to a code.
#[derive(Debug, Deserialize)]
pub(super) struct Grant {
    #[serde(default)]
    pub(super) webhook: Option<WebhookInfo>,
}

/// A webhook that posts into one channel.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Webhook {
    pub(super) id: String,
    pub(super) token: SecretString,
    #[serde(default)]
    pub(super) guild_id: Option<String>,
}

/// A bot that posts into one channel.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Bot {
    /// The bot's own id as a user.
    pub(super) id: String,
    pub(super) token: SecretString,
    pub(super) guild_id: String,
    pub(super) channel_id: String,
    pub(super) channel_type: u8,
}

impl Bot {
    /// True when every post of the channel is a thread of its own.
    pub(super) const fn is_forum(&self) -> bool {
        is_forum(self.channel_type)
    }
}

/// What is kept of an account.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub(crate) enum Sender {
    /// A webhook.
    Webhook(Webhook),
    /// A bot.
    Bot(Bot),
}

impl Sender {
    /// The text to keep.
    pub(super) fn to_text(&self) -> String {
        let kept: Value = match self {
            Self::Webhook(webhook) => json!({
                "kind": "webhook",
                "id": webhook.id,
                "token": webhook.token.expose_secret(),
                "guildId": webhook.guild_id,
            }),
            Self::Bot(bot) => json!({
                "kind": "bot",
                "id": bot.id,
                "token": bot.token.expose_secret(),
                "guildId": bot.guild_id,
                "channelId": bot.channel_id,
                "channelType": bot.channel_type,
            }),
        };
        kept.to_string()
    }

    /// The server that its channel belongs to, where it is known.
    pub(super) fn guild_id(&self) -> Option<&str> {
        match self {
            Self::Webhook(webhook) => webhook.guild_id.as_deref(),
            Self::Bot(bot) => Some(&bot.guild_id),
        }
    }
}

/// Types of channels that can be posted to.
///
/// Source: <https://docs.discord.com/developers/resources/channel>, "Channel Types".
pub(super) const TEXT: u8 = 0;
/// A channel whose messages other servers can follow.
pub(super) const ANNOUNCEMENT: u8 = 5;
/// A channel of threads.
pub(super) const FORUM: u8 = 15;
/// A channel of threads with pictures.
pub(super) const MEDIA: u8 = 16;

/// True for channels that hold threads and nothing else.
pub(super) const fn is_forum(channel_type: u8) -> bool {
    matches!(channel_type, FORUM | MEDIA)
}

/// True for channels that a bot can be connected to.
pub(super) const fn can_be_posted_to(channel_type: u8) -> bool {
    matches!(channel_type, TEXT | ANNOUNCEMENT | FORUM | MEDIA)
}

/// True for text that is an id.
pub(super) fn is_snowflake(text: &str) -> bool {
    !text.is_empty() && text.len() <= 20 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Milliseconds from the year 1970 to Discord's own epoch.
///
/// Source: <https://docs.discord.com/developers/reference>, "Snowflakes".
const EPOCH_MS: i64 = 1_420_070_400_000;

/// The smallest id of what is made at an instant.
pub(super) fn snowflake_of(at: DateTime<Utc>) -> u64 {
    u64::try_from(at.timestamp_millis() - EPOCH_MS).unwrap_or_default() << 22
}

/// The instant of an id; `None` when there is none.
pub(super) fn made_at_of(id: u64) -> Option<DateTime<Utc>> {
    let after_epoch = i64::try_from(id >> 22).ok()?;
    DateTime::from_timestamp_millis(after_epoch.checked_add(EPOCH_MS)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_follow_time() {
        // The sample of the documentation: 175928847299117063 is of 2016-04-30 11:18:25.796 UTC.
        let at: DateTime<Utc> = "2016-04-30T11:18:25.796Z".parse().unwrap();
        assert_eq!(snowflake_of(at) >> 22, 175_928_847_299_117_063 >> 22);
        assert!(snowflake_of(at) <= 175_928_847_299_117_063);
        assert_eq!(snowflake_of(DateTime::UNIX_EPOCH), 0);
    }

    #[test]
    fn what_is_an_id() {
        for (text, want) in [
            ("1400000000000000001", true),
            ("0", true),
            ("", false),
            ("1/2", false),
            ("@me", false),
            ("123456789012345678901", false),
        ] {
            assert_eq!(is_snowflake(text), want, "{text}");
        }
    }

    #[test]
    fn what_is_kept_is_read_back_and_prints_no_token() {
        let webhook = Webhook {
            id: "1".to_owned(),
            token: SecretString::from("secret".to_owned()),
            guild_id: None,
        };
        let bot = Bot {
            id: "1".to_owned(),
            token: SecretString::from("secret".to_owned()),
            guild_id: "2".to_owned(),
            channel_id: "3".to_owned(),
            channel_type: FORUM,
        };
        for sender in [Sender::Webhook(webhook), Sender::Bot(bot)] {
            let read: Sender = serde_json::from_str(&sender.to_text()).unwrap();
            assert_eq!(read.to_text(), sender.to_text());
            assert!(!format!("{read:?}").contains("secret"));
        }
    }
}
