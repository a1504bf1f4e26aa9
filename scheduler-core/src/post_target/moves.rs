//! The moves of a target from stage to stage. [`TargetStatus::transition`](super::TargetStatus)
//! says which there are; here is what each does with what the stages own.

use std::mem::{replace, take};

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    Begun, Failure, Progress, Published, Publishing, Remote, RetriesUsed, Stage, Target,
    TargetEvent, TargetRefused, WaitReason, Waiting, WhenUnknown,
};

impl Target {
    /// Begins an attempt; a slot is free from then on.
    ///
    /// # Errors
    /// [`TargetRefused`] unless it waits.
    pub fn start(self) -> Result<Self, TargetRefused> {
        match self.stage {
            Stage::Waiting(Waiting { due_at, slot_at: _, reason, begun }) => {
                let failure = reason.into_failure();
                let stage = Stage::Publishing(Publishing { due_at, failure, begun });
                Ok(Self { attempts: self.attempts + 1, stage, ..self })
            }
            stage => Err(stage.refuses(TargetEvent::Start)),
        }
    }

    /// Has it wait for another try after a failed one.
    ///
    /// # Errors
    /// [`TargetRefused`] unless it is going out.
    pub fn defer(self, due_at: DateTime<Utc>, failure: Failure) -> Result<Self, TargetRefused> {
        match self.stage {
            Stage::Publishing(Publishing { begun, .. }) => {
                let stage = Stage::timed(Some(due_at), None, Some(failure), begun);
                Ok(Self { stage, ..self })
            }
            stage => Err(stage.refuses(TargetEvent::Defer)),
        }
    }

    /// Ends trying.
    ///
    /// # Errors
    /// [`TargetRefused`] unless it is going out.
    pub fn fail(self, failure: Failure) -> Result<Self, TargetRefused> {
        match self.stage {
            Stage::Publishing(Publishing { begun, .. }) => {
                Ok(Self { stage: Stage::Failed { failure, begun }, ..self })
            }
            stage => Err(stage.refuses(TargetEvent::Fail)),
        }
    }

    /// Writes down that it is live; `follow_up` is what follows.
    ///
    /// # Errors
    /// [`TargetRefused`] unless it was going out.
    pub fn succeed(
        self,
        published_at: DateTime<Utc>,
        remote: Option<Remote>,
        follow_up: Option<Progress>,
    ) -> Result<Self, TargetRefused> {
        match self.stage {
            Stage::Publishing(_) => {
                let live = Published { published_at, remote, failure: None, follow_up };
                Ok(Self { stage: Stage::Published(live), spent: RetriesUsed::NOTHING, ..self })
            }
            stage => Err(stage.refuses(TargetEvent::Succeed)),
        }
    }

    /// Makes it due again, with a fresh retry budget, because a person asks for that. Of one of
    /// which it is not known whether it is live they have looked, so that it may be sent again.
    ///
    /// # Errors
    /// [`TargetRefused`] unless it has failed.
    pub fn retry(self, now: DateTime<Utc>) -> Result<Self, TargetRefused> {
        match self.stage {
            Stage::Failed { failure, mut begun } => {
                if let Some(open) = begun.progress.as_mut().and_then(|it| it.open.as_mut()) {
                    open.when_unknown = if failure.is_in_doubt() {
                        WhenUnknown::SendAgain
                    } else {
                        WhenUnknown::Ask
                    };
                }
                let stage = Stage::timed(Some(now), None, None, begun);
                Ok(Self { stage, spent: RetriesUsed::NOTHING, ..self })
            }
            stage => Err(stage.refuses(TargetEvent::Retry)),
        }
    }

    /// Writes down that it is live, because a person has looked and found it under a link. When it
    /// went live nobody knows: it counts from the attempt whose answer was lost.
    ///
    /// # Errors
    /// [`TargetRefused`] unless it was not known whether it is live.
    pub fn found(self, link: String, now: DateTime<Utc>) -> Result<Self, TargetRefused> {
        match self.stage {
            Stage::Failed { ref failure, .. } if failure.is_in_doubt() => {
                let published_at = self.failed_attempts.last().map_or(now, |last| last.at);
                let remote = Some(Remote::of_link(link));
                let live = Published { published_at, remote, failure: None, follow_up: None };
                Ok(Self { stage: Stage::Published(live), spent: RetriesUsed::NOTHING, ..self })
            }
            stage => Err(stage.refuses(TargetEvent::Find)),
        }
    }

    /// Writes down that it was taken down; what was to follow does not.
    ///
    /// # Errors
    /// [`TargetRefused`] unless it is live under a name that its network has told.
    pub fn take_down(self) -> Result<Self, TargetRefused> {
        match self.stage {
            Stage::Published(Published { published_at, remote: Some(remote), failure, .. })
                if remote.is_named() =>
            {
                Ok(Self { stage: Stage::TakenDown { published_at, remote, failure }, ..self })
            }
            stage => Err(stage.refuses(TargetEvent::TakeDown)),
        }
    }

    /// Cancels it.
    ///
    /// # Errors
    /// [`TargetRefused`] unless it waits or is parked.
    pub fn cancel(self) -> Result<Self, TargetRefused> {
        let (failure, begun) = match self.stage {
            Stage::Parked { failure, begun } => (failure, begun),
            Stage::Waiting(Waiting { reason, begun, .. }) => (reason.into_failure(), begun),
            stage => return Err(stage.refuses(TargetEvent::Cancel)),
        };
        Ok(Self { stage: Stage::Canceled { failure, begun }, ..self })
    }

    /// Gives it another time, or none, for which it waits from now on instead of for its client.
    /// Does nothing to one that does not wait and is not parked.
    pub fn reschedule(&mut self, due_at: Option<DateTime<Utc>>, slot_at: Option<DateTime<Utc>>) {
        let (failure, begun) = match &mut self.stage {
            Stage::Parked { failure, begun } => (failure.take(), take(begun)),
            Stage::Waiting(Waiting { reason, begun, .. }) => {
                (replace(reason, WaitReason::Time).into_failure(), take(begun))
            }
            Stage::Publishing(_)
            | Stage::Published(_)
            | Stage::Failed { .. }
            | Stage::Canceled { .. }
            | Stage::TakenDown { .. } => return,
        };
        self.stage = Stage::timed(due_at, slot_at, failure, begun);
    }

    /// Moves its due time back, as where a clock was set back.
    pub(crate) fn move_back(&mut self, by: TimeDelta) {
        if let Stage::Waiting(Waiting { due_at, .. })
        | Stage::Publishing(Publishing { due_at, .. }) = &mut self.stage
        {
            *due_at -= by;
        }
    }

    /// Forgets what its attempts have left, and gives up its slot: it is to begin anew.
    pub fn begin_anew(&mut self) {
        if let Stage::Waiting(waiting) = &mut self.stage {
            waiting.slot_at = None;
        }
        if let Some(begun) = self.stage.begun_mut() {
            *begun = Begun::default();
        }
    }

    /// Writes down how far it has come: the publish, or what follows once it is live. Nothing is
    /// kept of one that was taken down.
    pub fn keep_progress(&mut self, progress: Progress) {
        match &mut self.stage {
            Stage::Published(live) => live.follow_up = Some(progress),
            stage => {
                if let Some(begun) = stage.begun_mut() {
                    begun.progress = Some(progress);
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "moves_tests.rs"]
mod tests;
