//! What is kept of a live post.

use scheduler_core::ports::{LivePost, NetworkError};
use scheduler_core::target::Remote;
use serde::{Deserialize, Serialize};

use super::hosts::Hosts;
use super::wire::Sender;

/// Where a message is, which its id does not say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Record {
    /// The channel that holds the message: in a forum, the thread that it opened.
    pub(super) channel_id: String,
    /// The thread that its answers are in, where the post opened one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) thread_id: Option<String>,
}

impl Record {
    /// Where a post is.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Permanent`] when that was not kept.
    pub(super) fn of(post: &LivePost) -> Result<Self, NetworkError> {
        Self::deserialize(&post.remote.record).map_err(|_| {
            NetworkError::permanent("It is not known which channel of Discord this post is in.")
        })
    }

    /// True when the message is the first of a thread of its own.
    pub(super) fn is_in_thread(&self) -> bool {
        self.thread_id.as_deref() == Some(&self.channel_id)
    }

    /// What we call a message that is there.
    pub(super) fn remote(&self, hosts: &Hosts, sender: &Sender, message: &str) -> Remote {
        let page = |guild: &str| hosts.message_page(guild, &self.channel_id, message);
        let record = serde_json::to_value(self).unwrap_or_default();
        Remote { record, ..Remote::new(message, sender.guild_id().map(page)) }
    }
}
