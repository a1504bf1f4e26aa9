//! How far a publish to Discord has come.

use crate::conversation::StoredProgress;
use chrono::{DateTime, Utc};
use scheduler_core::ports::PublishJob;
use scheduler_core::target::Remote;
use serde::{Deserialize, Serialize};

/// What is done and what is left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, tag = "at", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Progress {
    /// The message is to be sent; in a forum, with the thread that it opens.
    Message {
        /// It was not sent before this instant.
        not_sent_before: DateTime<Utc>,
    },
    /// The message is live, and its thread is to be opened.
    Thread {
        /// The message.
        message: Remote,
    },
    /// The message is live, and servers that follow its channel are to be told.
    Crosspost {
        /// The message.
        message: Remote,
    },
}

impl StoredProgress for Progress {
    const REMEDY: &'static str = "Look into the channel; if the post is missing, make it anew.";

    fn begin(job: &PublishJob) -> Self {
        Self::Message { not_sent_before: job.begun_at }
    }

    /// Every step is: it sends the message, opens its thread, or sends it on.
    fn is_visible(&self) -> bool {
        true
    }

    fn live_part(&self) -> Option<Remote> {
        match self {
            Self::Message { .. } => None,
            Self::Thread { message } | Self::Crosspost { message } => Some(message.clone()),
        }
    }
}
