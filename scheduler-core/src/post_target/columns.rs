//! Stages in the flat form in which stores keep them.

use chrono::{DateTime, Utc};

use super::{
    AwaitingApproval, Begun, Failure, Progress, Published, Publishing, Remote, Stage, TargetStatus,
    WaitReason, Waiting,
};

/// A stage as a row has it: its status, and what belongs to stages side by side.
///
/// ```
/// use scheduler_core::target::{Begun, NoStage, Stage, StageColumns, TargetStatus};
///
/// let parked = Stage::Parked { failure: None, begun: Begun::default() };
/// let columns = parked.columns();
/// assert_eq!((columns.status, columns.due_at), (TargetStatus::Pending, None));
/// assert_eq!(Stage::try_from(columns), Ok(parked.clone()));
///
/// // A live target that never went live is none.
/// let live = StageColumns { status: TargetStatus::Published, ..columns };
/// assert_eq!(Stage::try_from(live), Err(NoStage));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageColumns<'a> {
    /// How far it has come.
    pub status: TargetStatus,
    /// When its next attempt is due, or the present one was.
    pub due_at: Option<DateTime<Utc>>,
    /// The slot that it holds.
    pub slot_at: Option<DateTime<Utc>>,
    /// What the network calls the post, or the part of it that is live.
    pub remote: Option<&'a Remote>,
    /// When it went live.
    pub published_at: Option<DateTime<Utc>>,
    /// Why its last attempt failed, or what did not go as asked although it is live.
    pub failure: Option<&'a Failure>,
    /// That it waits for its client.
    pub awaiting_approval: Option<&'a AwaitingApproval>,
    /// How far the publish has come, or what follows it.
    pub progress: Option<&'a Progress>,
}

/// No stage of a target has these columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no stage of a target has these columns")]
pub struct NoStage;

impl Stage {
    /// The flat form.
    #[must_use]
    pub const fn columns(&self) -> StageColumns<'_> {
        let none = StageColumns {
            status: self.status(),
            due_at: None,
            slot_at: None,
            remote: None,
            published_at: None,
            failure: None,
            awaiting_approval: None,
            progress: None,
        };
        match self {
            Self::Parked { failure, begun } | Self::Canceled { failure, begun } => {
                StageColumns { failure: failure.as_ref(), ..begun.columns(none) }
            }
            Self::Waiting(Waiting { due_at, slot_at, reason, begun }) => {
                let (failure, awaiting_approval) = match reason {
                    WaitReason::Time => (None, None),
                    WaitReason::Retry(failure) => (Some(failure), None),
                    WaitReason::Approval(awaiting) => (None, Some(awaiting)),
                };
                let (due_at, slot_at) = (Some(*due_at), *slot_at);
                let of_reason = StageColumns { failure, awaiting_approval, ..none };
                StageColumns { due_at, slot_at, ..begun.columns(of_reason) }
            }
            Self::Publishing(Publishing { due_at, failure, begun }) => {
                let (due_at, failure) = (Some(*due_at), failure.as_ref());
                StageColumns { due_at, failure, ..begun.columns(none) }
            }
            Self::Published(Published { published_at, remote, failure, follow_up }) => {
                StageColumns {
                    published_at: Some(*published_at),
                    remote: remote.as_ref(),
                    failure: failure.as_ref(),
                    progress: follow_up.as_ref(),
                    ..none
                }
            }
            Self::Failed { failure, begun } => {
                StageColumns { failure: Some(failure), ..begun.columns(none) }
            }
            Self::TakenDown { published_at, remote, failure } => StageColumns {
                published_at: Some(*published_at),
                remote: Some(remote),
                failure: failure.as_ref(),
                ..none
            },
        }
    }
}

impl Begun {
    const fn columns<'a>(&'a self, with: StageColumns<'a>) -> StageColumns<'a> {
        StageColumns { progress: self.progress.as_ref(), remote: self.live_part.as_ref(), ..with }
    }
}

impl TryFrom<StageColumns<'_>> for Stage {
    type Error = NoStage;

    /// The stage that has these columns.
    ///
    /// # Errors
    /// [`NoStage`] where something is missing that belongs to it, or is there and does not.
    fn try_from(columns: StageColumns<'_>) -> Result<Self, NoStage> {
        let stage = likely(columns).ok_or(NoStage)?;
        if stage.columns() == columns { Ok(stage) } else { Err(NoStage) }
    }
}

/// The stage that has these columns, if one has them and none beside.
fn likely(columns: StageColumns<'_>) -> Option<Stage> {
    let StageColumns { status, due_at, slot_at, published_at, .. } = columns;
    let (remote, progress) = (columns.remote.cloned(), columns.progress.cloned());
    let failure = columns.failure.cloned();
    let begun = |progress, live_part| Begun { progress, live_part };
    Some(match (status, due_at, published_at) {
        (TargetStatus::Pending, None, _) => {
            Stage::Parked { failure, begun: begun(progress, remote) }
        }
        (TargetStatus::Pending, Some(due_at), _) => {
            let reason = match (columns.awaiting_approval, failure) {
                (Some(awaiting), _) => WaitReason::Approval(awaiting.clone()),
                (None, Some(failure)) => WaitReason::Retry(failure),
                (None, None) => WaitReason::Time,
            };
            let begun = begun(progress, remote);
            Stage::Waiting(Waiting { due_at, slot_at, reason, begun })
        }
        (TargetStatus::Publishing, due_at, _) => {
            let begun = begun(progress, remote);
            Stage::Publishing(Publishing { due_at: due_at?, failure, begun })
        }
        (TargetStatus::Published, _, published_at) => {
            let (published_at, follow_up) = (published_at?, progress);
            Stage::Published(Published { published_at, remote, failure, follow_up })
        }
        (TargetStatus::Failed, ..) => {
            Stage::Failed { failure: failure?, begun: begun(progress, remote) }
        }
        (TargetStatus::Skipped, _, None) => {
            Stage::Canceled { failure, begun: begun(progress, remote) }
        }
        (TargetStatus::Skipped, _, Some(published_at)) => {
            Stage::TakenDown { published_at, remote: remote?, failure }
        }
    })
}

#[cfg(test)]
#[path = "columns_tests.rs"]
mod tests;
