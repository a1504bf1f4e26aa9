//! One target of a post: the account it goes to, how far it has come, and its states.

mod columns;
mod files;
mod moves;
mod progress;
mod stage;
mod state;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ids::{AccountId, MediaId, TargetId};
use crate::links::LinkChange;
use crate::platform::{CARD_IMAGE, LinkCard, Platform, ThreadPart};
use crate::reading::Reading;

pub use columns::{NoStage, StageColumns};
pub use files::TargetFiles;
pub use progress::{OpenCall, Progress, VisibleCall, WhenUnknown};
pub use stage::{Begun, Published, Publishing, Stage, WaitReason, Waiting};
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
    /// Settings for this network, as sent; the platform says whose they are.
    pub options: Map<String, Value>,
    /// Its files, where they are not as the post has them.
    pub files: TargetFiles,
    /// What is sent in place of its links, as it was worked out when they were written.
    pub links: Vec<LinkChange>,
    /// How often it was attempted, over all retries.
    pub attempts: u32,
    /// The latest attempts that failed, the first of them first; at most [`FailedAttempt::MOST`].
    /// Kept by retries, by changes and by success.
    pub failed_attempts: Vec<FailedAttempt>,
    /// What is used up of the current retry budget.
    pub spent: RetriesUsed,
    /// Raised whenever the publish has to begin anew under other names than before, such as on
    /// another account. Part of the idempotency keys that networks are given.
    pub revision: u32,
    /// How far it has come, with what belongs to that.
    pub stage: Stage,
    /// The latest figures. Written with readings alone: storing the target leaves them as they are.
    pub reading: Option<Reading>,
}

/// The option that names a thumbnail.
///
/// Source: interface description, TargetInput.
pub(crate) const THUMBNAIL: &str = "thumbnailMediaId";

/// The file that options name as a thumbnail, or as the picture of the link's card, and what names
/// it; `None` where the network has no such option, or what was sent is no id. No post has both: a
/// video has the one, and a link without files the other.
pub(crate) fn thumbnail_of(
    platform: Platform,
    options: &Map<String, Value>,
) -> Option<(&'static str, MediaId)> {
    let sheet = platform.sheet();
    if sheet.option(THUMBNAIL).is_some()
        && let Some(id) = options.get(THUMBNAIL).and_then(Value::as_str)
    {
        return Some((THUMBNAIL, id.parse().ok()?));
    }
    if !LinkCard::is_ours_on(sheet) {
        return None;
    }
    Some((CARD_IMAGE, LinkCard::of(options)?.image_media_id?))
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
    /// assert_eq!((target.status(), target.attempts), (TargetStatus::Pending, 0));
    /// assert!(!target.has_started());
    /// ```
    #[must_use]
    pub fn new(
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
            options,
            files: TargetFiles::default(),
            links: Vec::new(),
            attempts: 0,
            failed_attempts: Vec::new(),
            spent: RetriesUsed::NOTHING,
            revision: 0,
            stage: Stage::timed(due_at, slot_at, None, Begun::default()),
            reading: None,
        }
    }

    /// The file that its option `thumbnailMediaId` names, or `imageMediaId` of its link's card.
    #[must_use]
    pub fn thumbnail(&self) -> Option<MediaId> {
        thumbnail_of(self.platform, &self.options).map(|(_, id)| id)
    }

    /// The later parts of its thread.
    #[must_use]
    pub fn thread(&self) -> Vec<ThreadPart> {
        ThreadPart::all(self.platform, &self.options)
    }

    /// The files that it names itself: its own, those of its thread, and its thumbnail.
    pub fn named_files(&self) -> impl Iterator<Item = MediaId> + '_ {
        let of_thread = self.thread().into_iter().flat_map(|part| part.media_ids);
        self.files.media_ids.iter().flatten().copied().chain(of_thread).chain(self.thumbnail())
    }

    /// Its status.
    #[must_use]
    pub const fn status(&self) -> TargetStatus {
        self.stage.status()
    }

    /// When its next attempt is due, or the one that it is going out by was.
    #[must_use]
    pub const fn due_at(&self) -> Option<DateTime<Utc>> {
        self.stage.columns().due_at
    }

    /// When its next attempt is due; `None` while it has no time, is going out, or has ended.
    #[must_use]
    pub const fn next_attempt_at(&self) -> Option<DateTime<Utc>> {
        match &self.stage {
            Stage::Waiting(waiting) => Some(waiting.due_at),
            _ => None,
        }
    }

    /// The slot of the account's schedule that it holds.
    #[must_use]
    pub const fn slot_at(&self) -> Option<DateTime<Utc>> {
        self.stage.columns().slot_at
    }

    /// What the network calls the post, or the part of it that is live; kept after a take-down.
    #[must_use]
    pub const fn remote(&self) -> Option<&Remote> {
        self.stage.columns().remote
    }

    /// When it went live.
    #[must_use]
    pub const fn published_at(&self) -> Option<DateTime<Utc>> {
        self.stage.columns().published_at
    }

    /// Why the last attempt failed; cleared by success, by a retry that a person asks for, and
    /// while it waits for its client. Of a live target, what did not go as asked although it is
    /// live.
    #[must_use]
    pub const fn failure(&self) -> Option<&Failure> {
        self.stage.columns().failure
    }

    /// That its time has come and it waits for the approval of its post's client; it is due for the
    /// next look at that.
    #[must_use]
    pub const fn awaiting_approval(&self) -> Option<&AwaitingApproval> {
        self.stage.columns().awaiting_approval
    }

    /// What is needed to go on with a publish that has begun, or with what follows once it is live.
    #[must_use]
    pub const fn progress(&self) -> Option<&Progress> {
        self.stage.columns().progress
    }

    /// True when its time has come and it waits for the approval of its post's client, or
    /// of the team.
    #[must_use]
    pub const fn waits_for_approval(&self) -> bool {
        self.awaiting_approval().is_some()
    }

    /// What a person is told of it: why it failed, or what it waits for.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        let failure = self.failure().map(|failure| failure.message.as_str());
        failure.or_else(|| self.awaiting_approval().map(|waiting| waiting.reason.as_str()))
    }

    /// The target with one more failed attempt noted.
    #[must_use]
    pub fn having_failed(mut self, mut attempt: FailedAttempt) -> Self {
        if attempt.error.chars().nth(FailedAttempt::ERROR_MAX_CHARACTERS).is_some() {
            let kept = attempt.error.chars().take(FailedAttempt::ERROR_MAX_CHARACTERS - 1);
            attempt.error = kept.chain(['…']).collect();
        }
        let beyond = (self.failed_attempts.len() + 1).saturating_sub(FailedAttempt::MOST);
        self.failed_attempts.drain(..beyond);
        self.failed_attempts.push(attempt);
        self
    }

    /// True when it has begun and its next attempt waits for another instant than the one that it
    /// was scheduled for, such as that of a retry. `scheduled_at` is its post's.
    #[must_use]
    pub fn waits_for_retry(&self, scheduled_at: Option<DateTime<Utc>>) -> bool {
        let due_at = self.due_at();
        self.has_started() && due_at.is_some() && due_at != scheduled_at && due_at != self.slot_at()
    }

    /// True from the first attempt on, also while it waits for a retry.
    #[must_use]
    pub const fn has_started(&self) -> bool {
        self.attempts > 0 || !matches!(self.status(), TargetStatus::Pending)
    }
}

/// What a network calls a post that it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remote {
    /// The network's id; empty where a person has found the post, and its link alone is known.
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

    /// A post of which a person has found the link.
    #[must_use]
    pub fn of_link(link: String) -> Self {
        Self::new("", Some(link))
    }

    /// True when its network has told its id, by which it is reached.
    #[must_use]
    pub fn is_named(&self) -> bool {
        !self.id.is_empty()
    }
}

/// That a target waits for the approval of its post's client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwaitingApproval {
    /// A sentence for a person, with what to do.
    pub reason: String,
}

/// An attempt that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FailedAttempt {
    /// When its failure was recorded.
    pub at: DateTime<Utc>,
    /// Why it failed, for a program.
    pub error_code: FailureCode,
    /// Why it failed, for a person.
    pub error: String,
    /// When the next attempt was due; `None` when no other was to follow.
    pub next_attempt_at: Option<DateTime<Utc>>,
}

impl FailedAttempt {
    /// How many are kept of a target: what two whole retry budgets use up. Our decision.
    pub const MOST: usize = 12;

    /// How much is kept of what a network said, in characters. Our decision: a paragraph.
    pub const ERROR_MAX_CHARACTERS: usize = 500;
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

/// Why an attempt failed, for a program.
///
/// ```
/// use scheduler_core::target::FailureCode;
/// assert_eq!(serde_json::to_string(&FailureCode::InDoubt)?, r#""in_doubt""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    /// The account has to be connected again, or is gone.
    AccountNotConnected,
    /// The account is beyond what the plan covers.
    ChannelLimit,
    /// A file of the post is not there any more.
    MediaUnusable,
    /// The network takes no more for now, or the account's posts may cost no more this month.
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
    /// The network's answer was lost and nothing can tell whether the post is live; look there
    /// before you retry.
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
pub struct RetriesUsed {
    /// Attempts that failed.
    pub tries: u32,
    /// Waits that a rate limit asked for without using up a try.
    pub rate_limits: u32,
}

impl RetriesUsed {
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
