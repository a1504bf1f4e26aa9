//! What there is: servers, channels, those who write, and messages.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};

use super::extras::Extras;
use crate::network::LiveMedia;

/// Milliseconds from the year 1970 to the network's own epoch.
pub(super) const EPOCH_MS: i64 = 1_420_070_400_000;

/// Types of channels.
///
/// Source: <https://docs.discord.com/developers/resources/channel>, "Channel Types".
pub(super) const TEXT: u8 = 0;
pub(super) const ANNOUNCEMENT: u8 = 5;
pub(super) const THREAD: u8 = 11;
pub(super) const FORUM: u8 = 15;

/// A server.
#[derive(Clone, Debug)]
pub(super) struct Guild {
    pub(super) id: u64,
    pub(super) name: String,
    /// How far it is boosted, which says how large a file may be.
    pub(super) premium_tier: u8,
    pub(super) members: Vec<Member>,
}

/// A member of a server.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) id: u64,
    pub(super) username: String,
    pub(super) global_name: Option<String>,
    pub(super) nick: Option<String>,
}

/// A channel, or a thread in one.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) id: u64,
    pub(super) guild: u64,
    pub(super) kind: u8,
    pub(super) name: String,
    /// The channel that a thread is in.
    pub(super) parent: Option<u64>,
    /// The tags that a forum has, or that a thread of one was given.
    pub(super) tags: Vec<u64>,
    /// Who opened a thread.
    pub(super) owner: Option<Author>,
    pub(super) created_at: DateTime<Utc>,
}

/// A webhook.
#[derive(Clone, Debug)]
pub(super) struct Webhook {
    pub(super) id: u64,
    pub(super) token: String,
    pub(super) name: String,
    pub(super) guild: u64,
    pub(super) channel: u64,
    pub(super) is_revoked: bool,
}

/// A bot.
#[derive(Clone, Debug)]
pub(super) struct Bot {
    pub(super) id: u64,
    pub(super) username: String,
    pub(super) guilds: BTreeSet<u64>,
}

/// Who writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Author {
    Webhook(u64),
    Bot(u64),
}

impl Author {
    /// Returns the id, whichever it is.
    pub(super) const fn id(self) -> u64 {
        match self {
            Self::Webhook(id) | Self::Bot(id) => id,
        }
    }
}

/// A file of a message.
#[derive(Clone, Debug)]
pub(super) struct Attachment {
    pub(super) id: u64,
    pub(super) filename: String,
    pub(super) description: Option<String>,
    pub(super) file: LiveMedia,
}

/// A message.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) id: u64,
    pub(super) channel: u64,
    pub(super) author: Author,
    pub(super) author_name: String,
    pub(super) content: String,
    pub(super) attachments: Vec<Attachment>,
    pub(super) extras: Extras,
    /// Whether servers that follow the channel were sent it.
    pub(super) is_crossposted: bool,
    /// The message that it answers.
    pub(super) reference: Option<u64>,
    pub(super) created_at: DateTime<Utc>,
    pub(super) edited_at: Option<DateTime<Utc>>,
    pub(super) reactions: BTreeMap<String, BTreeSet<u64>>,
    pub(super) is_deleted: bool,
}
