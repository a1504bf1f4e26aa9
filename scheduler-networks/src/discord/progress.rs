//! How far a publish to Discord has come.

use chrono::{DateTime, Utc};
use scheduler_core::ports::{NetworkError, NetworkErrorKind, PublishJob};
use scheduler_core::target::Remote;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is done and what is left.
///
/// A field that a later release adds makes it unreadable here, on purpose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, tag = "at", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(super) enum Progress {
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
}

impl Progress {
    /// The progress before the first step.
    pub(super) fn begin(job: &PublishJob) -> Self {
        Self::Message { not_sent_before: job.begun_at }
    }

    /// A stored progress; `None` when it is not one of this release.
    pub(super) fn read(value: &Value) -> Option<Self> {
        Self::deserialize(value).ok()
    }

    /// The value to store. `null`, which cannot be read back, if that ever failed.
    pub(super) fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// What is live of it.
    pub(super) fn remote(self) -> Option<Remote> {
        match self {
            Self::Message { .. } => None,
            Self::Thread { message } => Some(message),
        }
    }

    /// The error for a progress that cannot be read.
    pub(super) fn unreadable() -> NetworkError {
        NetworkError::new(
            NetworkErrorKind::InDoubt,
            "What is stored of this publish cannot be read, so nothing is sent again. Look into the channel; if the post is missing, make it anew.",
        )
    }
}
