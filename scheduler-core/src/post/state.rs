//! The states of a post and the only moves between them.

use serde::{Deserialize, Serialize};

use crate::target::Target;

/// How far a post has come.
///
/// Source: interface description, Post.status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PostStatus {
    /// No time is given.
    Draft,
    /// Every target waits, none has started.
    Scheduled,
    /// From the first target's start until every target has ended.
    Publishing,
    /// Every target is published, has failed for good or is skipped.
    Done,
    /// Cancelled before it finished.
    Canceled,
}

impl PostStatus {
    /// Every status, in the order of the interface description. Tables in tests run over it.
    pub const ALL: [Self; 5] =
        [Self::Draft, Self::Scheduled, Self::Publishing, Self::Done, Self::Canceled];

    /// True while something of the post may still go out.
    #[must_use]
    pub const fn is_unfinished(self) -> bool {
        matches!(self, Self::Draft | Self::Scheduled | Self::Publishing)
    }

    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Scheduled => "scheduled",
            Self::Publishing => "publishing",
            Self::Done => "done",
            Self::Canceled => "canceled",
        }
    }

    /// The status after `event`.
    ///
    /// ```
    /// use scheduler_core::post::{PostEvent, PostStatus};
    /// assert_eq!(PostStatus::Draft.transition(PostEvent::TimeGiven), Ok(PostStatus::Scheduled));
    /// assert!(PostStatus::Done.transition(PostEvent::Canceled).is_err());
    /// ```
    ///
    /// # Errors
    /// [`PostRefused`] for every pair that is not a move of the interface description.
    pub const fn transition(self, event: PostEvent) -> Result<Self, PostRefused> {
        match (self, event) {
            (Self::Draft, PostEvent::TimeGiven) => Ok(Self::Scheduled),
            (Self::Scheduled, PostEvent::Parked) => Ok(Self::Draft),
            (Self::Scheduled | Self::Publishing, PostEvent::TargetStarted) => Ok(Self::Publishing),
            (Self::Scheduled | Self::Publishing, PostEvent::Canceled) => Ok(Self::Canceled),
            (Self::Canceled, PostEvent::Restored) => Ok(Self::Scheduled),
            (Self::Publishing, PostEvent::AllTargetsEnded) => Ok(Self::Done),
            (Self::Publishing | Self::Done, PostEvent::Retried) => Ok(Self::Publishing),
            (from, event) => Err(PostRefused { from, event }),
        }
    }

    /// The status of a post that is going out, read from its targets.
    ///
    /// Stores call it inside the transaction that changes a target, so that targets which end at
    /// the same moment on different nodes leave the post in the right state. It never yields
    /// [`PostStatus::Draft`] or [`PostStatus::Canceled`]: those are a person's decisions.
    ///
    /// ```
    /// use scheduler_core::ids::{AccountId, TargetId};
    /// use scheduler_core::platform::Platform;
    /// use scheduler_core::post::PostStatus;
    /// use scheduler_core::target::{Failure, FailureCode, Target};
    /// use uuid::Uuid;
    ///
    /// let (id, account) = (TargetId(Uuid::nil()), AccountId(Uuid::nil()));
    /// let due_at = Some("2026-12-01T09:00:00Z".parse()?);
    /// let waits = Target::new(id, Platform::Bluesky, account, Default::default(), due_at, None);
    /// let message = "The network is away.".to_owned();
    /// let failure = Failure { message, code: FailureCode::NetworkError, permanent: false };
    /// let failed = waits.clone().start()?.fail(failure)?;
    /// assert_eq!(PostStatus::of_targets(&[waits.clone()]), PostStatus::Scheduled);
    /// assert_eq!(PostStatus::of_targets(&[failed.clone(), waits]), PostStatus::Publishing);
    /// assert_eq!(PostStatus::of_targets(&[failed]), PostStatus::Done);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_targets(targets: &[Target]) -> Self {
        if targets.iter().all(|target| target.status().has_ended()) {
            Self::Done
        } else if targets.iter().any(Target::has_started) {
            Self::Publishing
        } else {
            Self::Scheduled
        }
    }
}

/// What happens to a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PostEvent {
    /// A draft is given a time.
    TimeGiven,
    /// A scheduled post becomes a draft again.
    Parked,
    /// An attempt of one of its targets begins.
    TargetStarted,
    /// Its last target has ended.
    AllTargetsEnded,
    /// A person cancels it.
    Canceled,
    /// A person takes back that they canceled it, before anything of it went out.
    Restored,
    /// A person asks for its failed targets to be tried again.
    Retried,
}

impl PostEvent {
    /// Every event. Tables in tests run over it.
    pub const ALL: [Self; 7] = [
        Self::TimeGiven,
        Self::Parked,
        Self::TargetStarted,
        Self::AllTargetsEnded,
        Self::Canceled,
        Self::Restored,
        Self::Retried,
    ];
}

/// A move that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a post that is {from:?} takes no {event:?}")]
pub struct PostRefused {
    /// The status it has.
    pub from: PostStatus,
    /// What was asked of it.
    pub event: PostEvent,
}

#[cfg(test)]
mod tests {
    use super::{PostEvent as E, PostStatus as S};

    /// Source: interface description, States and transitions; the moves that it does not show
    /// are our decisions.
    const ALLOWED: [(S, E, S); 10] = [
        (S::Draft, E::TimeGiven, S::Scheduled),
        (S::Scheduled, E::Parked, S::Draft),
        (S::Scheduled, E::TargetStarted, S::Publishing),
        (S::Scheduled, E::Canceled, S::Canceled),
        (S::Publishing, E::TargetStarted, S::Publishing),
        (S::Publishing, E::Canceled, S::Canceled),
        (S::Publishing, E::AllTargetsEnded, S::Done),
        (S::Canceled, E::Restored, S::Scheduled),
        (S::Publishing, E::Retried, S::Publishing),
        (S::Done, E::Retried, S::Publishing),
    ];

    #[test]
    fn every_pair_of_status_and_event() {
        for (from, event) in S::ALL.into_iter().flat_map(|s| E::ALL.map(|e| (s, e))) {
            let want = ALLOWED.iter().find(|row| (row.0, row.1) == (from, event)).map(|row| row.2);
            assert_eq!(from.transition(event).ok(), want, "{from:?} + {event:?}");
        }
    }

    #[test]
    fn wire_names() {
        for status in S::ALL {
            assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
        }
    }
}
