//! The states of a target and the only moves between them.

use serde::{Deserialize, Serialize};

/// How far a target has come.
///
/// Source: interface description, Target.status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TargetStatus {
    /// Waits for its time, for a retry, or, on a draft, for a person.
    ///
    /// The engine moves it next.
    Pending,
    /// Is going out, or the network is processing it.
    ///
    /// The engine moves it next.
    Publishing,
    /// Is live. Only a take-down moves it.
    Published,
    /// Has failed and is not tried again unless a person asks.
    Failed,
    /// Was cancelled before it went out, or taken down after. Nothing moves it.
    Skipped,
}

impl TargetStatus {
    /// Every status, in the order of the interface description. Tables in tests run over it.
    pub const ALL: [Self; 5] =
        [Self::Pending, Self::Publishing, Self::Published, Self::Failed, Self::Skipped];

    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Publishing => "publishing",
            Self::Published => "published",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }

    /// True when nothing more happens by itself.
    #[must_use]
    pub const fn has_ended(self) -> bool {
        match self {
            Self::Pending | Self::Publishing => false,
            Self::Published | Self::Failed | Self::Skipped => true,
        }
    }

    /// The status after `event`.
    ///
    /// ```
    /// use scheduler_core::target::{TargetEvent, TargetStatus};
    /// let going_out = TargetStatus::Pending.transition(TargetEvent::Start);
    /// assert_eq!(going_out, Ok(TargetStatus::Publishing));
    /// assert!(TargetStatus::Published.transition(TargetEvent::Retry).is_err(), "never twice");
    /// ```
    ///
    /// # Errors
    /// [`TargetRefused`] for every pair that is not a move of the interface description.
    pub const fn transition(self, event: TargetEvent) -> Result<Self, TargetRefused> {
        match (self, event) {
            (Self::Pending, TargetEvent::Start) => Ok(Self::Publishing),
            (Self::Pending, TargetEvent::Cancel) => Ok(Self::Skipped),
            (Self::Publishing, TargetEvent::Defer) => Ok(Self::Pending),
            (Self::Publishing, TargetEvent::Succeed) => Ok(Self::Published),
            (Self::Publishing, TargetEvent::Fail) => Ok(Self::Failed),
            (Self::Published, TargetEvent::TakeDown) => Ok(Self::Skipped),
            (Self::Failed, TargetEvent::Retry) => Ok(Self::Pending),
            (Self::Failed, TargetEvent::Find) => Ok(Self::Published),
            (from, event) => Err(TargetRefused { from, event }),
        }
    }
}

/// What happens to a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TargetEvent {
    /// An attempt begins.
    Start,
    /// An attempt failed and another will follow.
    Defer,
    /// The network holds the post.
    Succeed,
    /// Trying has stopped.
    Fail,
    /// A person asks for another try.
    Retry,
    /// A person has found live what was not known to be.
    Find,
    /// The live post was taken down.
    TakeDown,
    /// The post was cancelled.
    Cancel,
}

impl TargetEvent {
    /// Every event. Tables in tests run over it.
    pub const ALL: [Self; 8] = [
        Self::Start,
        Self::Defer,
        Self::Succeed,
        Self::Fail,
        Self::Retry,
        Self::Find,
        Self::TakeDown,
        Self::Cancel,
    ];
}

/// A move that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a target that is {from:?} takes no {event:?}")]
pub struct TargetRefused {
    /// The status it has.
    pub from: TargetStatus,
    /// What was asked of it.
    pub event: TargetEvent,
}

#[cfg(test)]
mod tests {
    use super::{TargetEvent as E, TargetStatus as S};

    /// Source: interface description, States and transitions; the moves that it does not show
    /// are our decisions.
    const ALLOWED: [(S, E, S); 8] = [
        (S::Pending, E::Start, S::Publishing),
        (S::Pending, E::Cancel, S::Skipped),
        (S::Publishing, E::Succeed, S::Published),
        (S::Publishing, E::Fail, S::Failed),
        (S::Publishing, E::Defer, S::Pending),
        (S::Failed, E::Retry, S::Pending),
        (S::Failed, E::Find, S::Published),
        (S::Published, E::TakeDown, S::Skipped),
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
