//! One target of a post: the account it goes to, how far it has come, and its states.

mod progress;
mod state;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ids::{AccountId, MediaId, TargetId};
use crate::platform::Platform;
use crate::reading::Reading;

pub use progress::{OpenCall, Progress, VisibleCall, WhenUnknown};
pub use state::{TargetEvent, TargetRefused, TargetStatus};

/// One account that a post goes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Its id.
    pub id: TargetId,
    /// The network.
    pub platform: Platform,
    /// The account of that network.
    pub account_id: AccountId,
    /// How far it has come.
    pub status: TargetStatus,
    /// Settings for this network, as sent; the platform says whose they are.
    pub options: Map<String, Value>,
    /// When its next attempt is due; `None` while it is a draft and after its end.
    pub due_at: Option<DateTime<Utc>>,
    /// The slot of the account's schedule that it holds; freed when it ends.
    pub slot_at: Option<DateTime<Utc>>,
    /// What the network calls the post; filled as soon as it is known, kept after a take-down.
    pub remote: Option<Remote>,
    /// When it went live.
    pub published_at: Option<DateTime<Utc>>,
    /// Why the last attempt failed; cleared by success, by a retry that a person asks for, and while
    /// it waits for its client. Of a live target, what did not go as asked although it is live.
    pub failure: Option<Failure>,
    /// That its time has come and it waits for the approval of its post's client; it is due for the
    /// next look at that.
    pub awaiting_approval: Option<AwaitingApproval>,
    /// How often it was attempted, over all retries.
    pub attempts: u32,
    /// What is used up of the current retry budget.
    pub spent: Spent,
    /// Raised whenever the publish has to begin anew under other names than before, such as on
    /// another account. Part of the idempotency keys that networks are given.
    pub revision: u32,
    /// What is needed to go on with a publish that has begun, or with what follows once it is live.
    pub progress: Option<Progress>,
    /// The latest figures. Written with readings alone: storing the target leaves them as they are.
    pub reading: Option<Reading>,
}

/// The option that names a thumbnail.
///
/// Source: interface description, TargetInput.
pub(crate) const THUMBNAIL: &str = "thumbnailMediaId";

/// The file that options name as a thumbnail; `None` where the network has no such option, or
/// what was sent is no id.
pub(crate) fn thumbnail_of(platform: Platform, options: &Map<String, Value>) -> Option<MediaId> {
    platform.sheet().option(THUMBNAIL)?;
    options.get(THUMBNAIL)?.as_str()?.parse().ok()
}

impl Target {
    /// A target that waits for `due_at`, or is parked when there is none.
    ///
    /// ```
    /// use scheduler_core::ids::{AccountId, TargetId};
    /// use scheduler_core::platform::Platform;
    /// use scheduler_core::target::{Target, TargetStatus};
    /// use uuid::Uuid;
    ///
    /// let (id, account) = (TargetId(Uuid::nil()), AccountId(Uuid::nil()));
    /// let target = Target::new(id, Platform::Bluesky, account, Default::default(), None, None);
    /// assert_eq!((target.status, target.attempts), (TargetStatus::Pending, 0));
    /// assert!(!target.has_started());
    /// ```
    #[must_use]
    pub const fn new(
        id: TargetId,
        platform: Platform,
        account_id: AccountId,
        options: Map<String, Value>,
        due_at: Option<DateTime<Utc>>,
        slot_at: Option<DateTime<Utc>>,
    ) -> Self {
        Self {
            id,
            platform,
            account_id,
            status: TargetStatus::Pending,
            options,
            due_at,
            slot_at,
            remote: None,
            published_at: None,
            failure: None,
            awaiting_approval: None,
            attempts: 0,
            spent: Spent::NOTHING,
            revision: 0,
            progress: None,
            reading: None,
        }
    }

    /// The file that its option `thumbnailMediaId` names.
    #[must_use]
    pub fn thumbnail(&self) -> Option<MediaId> {
        thumbnail_of(self.platform, &self.options)
    }

    /// True when its time has come and it waits for the approval of its post's client.
    #[must_use]
    pub fn waits_for_client(&self) -> bool {
        self.status == TargetStatus::Pending && self.awaiting_approval.is_some()
    }

    /// Gives it another time, or none, for which it waits from now on instead of for its client.
    pub fn reschedule(&mut self, due_at: Option<DateTime<Utc>>, slot_at: Option<DateTime<Utc>>) {
        self.due_at = due_at;
        self.slot_at = slot_at;
        self.awaiting_approval = None;
    }

    /// What a person is told of it: why it failed, or what it waits for.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        let failure = self.failure.as_ref().map(|failure| failure.message.as_str());
        failure.or_else(|| self.awaiting_approval.as_ref().map(|waiting| waiting.reason.as_str()))
    }

    /// True when it has begun and its next attempt waits for another instant than the one that it
    /// was scheduled for, such as that of a retry. `scheduled_at` is its post's.
    #[must_use]
    pub fn waits_for_retry(&self, scheduled_at: Option<DateTime<Utc>>) -> bool {
        self.has_started()
            && self.due_at.is_some()
            && self.due_at != scheduled_at
            && self.due_at != self.slot_at
    }

    /// True from the first attempt on, also while it waits for a retry.
    #[must_use]
    pub const fn has_started(&self) -> bool {
        self.attempts > 0 || !matches!(self.status, TargetStatus::Pending)
    }
}

/// What a network calls a post that it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remote {
    /// The network's id.
    pub id: String,
    /// A link to it, when the network reports one.
    pub url: Option<String>,
    /// What its adapter needs to reach it later, such as the ids of the parts of a thread; null
    /// where the id is enough.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub record: Value,
}

impl Remote {
    /// A post that its id is enough to reach.
    pub fn new(id: impl Into<String>, url: Option<String>) -> Self {
        Self { id: id.into(), url, record: Value::Null }
    }
}

/// That a target waits for the approval of its post's client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwaitingApproval {
    /// A sentence for a person, with what to do.
    pub reason: String,
}

/// Why an attempt failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// A sentence for a person, with what to do.
    pub message: String,
    /// What a program can act on.
    pub code: FailureCode,
    /// True when trying again cannot succeed without changing something.
    pub permanent: bool,
}

impl Failure {
    /// True when nobody can know whether the post is live.
    #[must_use]
    pub fn is_in_doubt(&self) -> bool {
        self.code == FailureCode::InDoubt
    }
}

/// The `errorCode` of a target.
///
/// ```
/// use scheduler_core::target::FailureCode;
/// assert_eq!(serde_json::to_string(&FailureCode::InDoubt)?, r#""in_doubt""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    /// The account has to be connected again, or is gone.
    AccountNotConnected,
    /// The account is beyond what the plan covers.
    ChannelLimit,
    /// A file of the post is not there any more.
    MediaUnusable,
    /// The network takes no more for now.
    RateLimited,
    /// The network refuses the content.
    ValidationFailed,
    /// The network does not offer what is asked.
    Unsupported,
    /// The network does not know what is named, such as a comment that is gone.
    NotFound,
    /// The network failed or could not be reached; trying again may help.
    NetworkError,
    /// The network refused for another reason.
    NetworkRefused,
    /// It is not known whether the post is live; a person has to look.
    InDoubt,
}

impl FailureCode {
    /// Every code. Tables in tests run over it.
    pub const ALL: [Self; 10] = [
        Self::AccountNotConnected,
        Self::ChannelLimit,
        Self::MediaUnusable,
        Self::RateLimited,
        Self::ValidationFailed,
        Self::Unsupported,
        Self::NotFound,
        Self::NetworkError,
        Self::NetworkRefused,
        Self::InDoubt,
    ];

    /// The name in answers, logs and metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AccountNotConnected => "account_not_connected",
            Self::ChannelLimit => "channel_limit",
            Self::MediaUnusable => "media_unusable",
            Self::RateLimited => "rate_limited",
            Self::ValidationFailed => "validation_failed",
            Self::Unsupported => "unsupported",
            Self::NotFound => "not_found",
            Self::NetworkError => "network_error",
            Self::NetworkRefused => "network_refused",
            Self::InDoubt => "in_doubt",
        }
    }
}

/// What is used up of a retry budget; a retry that a person asks for begins with nothing spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Attempts that failed.
    pub tries: u32,
    /// Waits that a rate limit asked for without using up a try.
    pub rate_limits: u32,
}

impl Spent {
    /// Nothing used up yet.
    pub const NOTHING: Self = Self { tries: 0, rate_limits: 0 };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_codes_have_the_names_of_the_contract() {
        let names: Vec<String> =
            FailureCode::ALL.iter().map(|code| serde_json::to_string(code).unwrap()).collect();
        assert_eq!(
            names.join(" "),
            r#""account_not_connected" "channel_limit" "media_unusable" "rate_limited" "validation_failed" "unsupported" "not_found" "network_error" "network_refused" "in_doubt""#
        );
    }
}
