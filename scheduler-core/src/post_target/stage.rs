//! The stages of a target: each owns what belongs to it and nothing else.

use chrono::{DateTime, Utc};

use super::{
    AwaitingApproval, Failure, Progress, Remote, TargetEvent, TargetRefused, TargetStatus,
};

/// How far a target has come, with what belongs to that.
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    /// Has no time, as on a draft.
    Parked {
        /// Why an attempt failed that it had before a person took its time away.
        failure: Option<Failure>,
        /// What its attempts have left.
        begun: Begun,
    },
    /// Waits for its next attempt.
    Waiting(Waiting),
    /// Is going out, or the network is processing it.
    Publishing(Publishing),
    /// Is live.
    Published(Published),
    /// Has failed, and is not tried again unless a person asks.
    Failed {
        /// Why its last attempt failed.
        failure: Failure,
        /// What its attempts have left.
        begun: Begun,
    },
    /// Was cancelled before it was live.
    Canceled {
        /// Why its last attempt failed, where it waited for another.
        failure: Option<Failure>,
        /// What its attempts have left.
        begun: Begun,
    },
    /// Was live and was taken down.
    TakenDown {
        /// When it went live.
        published_at: DateTime<Utc>,
        /// What the network called it.
        remote: Remote,
        /// What did not go as asked although it was live.
        failure: Option<Failure>,
    },
}

/// A target that waits for its next attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    /// When that is due; of one that waits for its client, when the next look at that is.
    pub due_at: DateTime<Utc>,
    /// The slot of the account's schedule that it holds.
    pub slot_at: Option<DateTime<Utc>>,
    /// What it waits for.
    pub reason: WaitReason,
    /// What its attempts have left.
    pub begun: Begun,
}

/// What a target waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitReason {
    /// Its time, such as the one that it was scheduled for, or that a person asked for.
    Time,
    /// Another try after this failure.
    Retry(Failure),
    /// The approval of its post's client: its time has come.
    Approval(AwaitingApproval),
}

/// A target that is going out.
#[derive(Clone, Debug, PartialEq)]
pub struct Publishing {
    /// When the attempt was due.
    pub due_at: DateTime<Utc>,
    /// Why the attempt before it failed.
    pub failure: Option<Failure>,
    /// What its attempts have left, this one included.
    pub begun: Begun,
}

/// A target that is live.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// When it went live.
    pub published_at: DateTime<Utc>,
    /// What the network calls it; `None` where it has not told.
    pub remote: Option<Remote>,
    /// What did not go as asked although it is live.
    pub failure: Option<Failure>,
    /// How far what follows it has come; `None` once nothing follows.
    pub follow_up: Option<Progress>,
}

/// What the attempts at a target that is not live have left.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Begun {
    /// What is needed to go on with the publish.
    pub progress: Option<Progress>,
    /// What the network calls the part of it that is live already.
    pub live_part: Option<Remote>,
}

impl WaitReason {
    /// The failure after which it waits.
    pub(super) fn into_failure(self) -> Option<Failure> {
        match self {
            Self::Retry(failure) => Some(failure),
            Self::Time | Self::Approval(_) => None,
        }
    }
}

impl Stage {
    /// One that waits for `due_at`, or is parked when there is none.
    pub(super) fn timed(
        due_at: Option<DateTime<Utc>>,
        slot_at: Option<DateTime<Utc>>,
        failure: Option<Failure>,
        begun: Begun,
    ) -> Self {
        match (due_at, failure) {
            (None, failure) => Self::Parked { failure, begun },
            (Some(due_at), None) => {
                Self::Waiting(Waiting { due_at, slot_at, reason: WaitReason::Time, begun })
            }
            (Some(due_at), Some(failure)) => {
                let reason = WaitReason::Retry(failure);
                Self::Waiting(Waiting { due_at, slot_at, reason, begun })
            }
        }
    }

    /// Its status.
    #[must_use]
    pub const fn status(&self) -> TargetStatus {
        match self {
            Self::Parked { .. } | Self::Waiting(_) => TargetStatus::Pending,
            Self::Publishing(_) => TargetStatus::Publishing,
            Self::Published(_) => TargetStatus::Published,
            Self::Failed { .. } => TargetStatus::Failed,
            Self::Canceled { .. } | Self::TakenDown { .. } => TargetStatus::Skipped,
        }
    }

    /// What its attempts have left; `None` of one that is or was live.
    pub const fn begun_mut(&mut self) -> Option<&mut Begun> {
        match self {
            Self::Parked { begun, .. }
            | Self::Waiting(Waiting { begun, .. })
            | Self::Publishing(Publishing { begun, .. })
            | Self::Failed { begun, .. }
            | Self::Canceled { begun, .. } => Some(begun),
            Self::Published(_) | Self::TakenDown { .. } => None,
        }
    }

    pub(super) const fn refuses(&self, event: TargetEvent) -> TargetRefused {
        TargetRefused { from: self.status(), event }
    }
}
