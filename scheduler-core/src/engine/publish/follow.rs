//! What follows once a target is live: a first comment, a thumbnail, a look whether the network
//! has kept it. Its steps are taken like those of a publish, and none of them makes the target
//! anything else than live: what fails for good is left out and told.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::attempt::Attempt;
use crate::app::Scheduler;
use crate::engine::{RunEvent, RunObserver, RunOutcome};
use crate::ports::{Claim, Live, NetworkError, StoreError, WorkAfter};
use crate::target::{Failure, Progress, Published, RetriesUsed, Stage, Target};

impl Scheduler {
    /// Stores that a step of what follows is done.
    pub(super) async fn record_followed(
        &self,
        attempt: Attempt<'_>,
        live: Published,
        step: Live,
    ) -> Result<RunOutcome, StoreError> {
        let Attempt { claim, target, machine, .. } = attempt;
        let now = self.ports().clock.now();
        let (follow_up, after) = what_follows(step.then, machine.progress.begun_at, now);
        let live = Published { remote: step.remote.or(live.remote), follow_up, ..live };
        let target =
            Target { stage: Stage::Published(live), spent: RetriesUsed::NOTHING, ..target };
        self.record(claim, &target, None, after, RunOutcome::Followed).await
    }

    /// Stores that a step of what follows failed: another try, or what comes after it.
    pub(super) async fn record_follow_failed(
        &self,
        attempt: Attempt<'_>,
        live: Published,
        error: &NetworkError,
        observer: &dyn RunObserver,
    ) -> Result<RunOutcome, StoreError> {
        observer.on_event(RunEvent::failed(error));
        let now = self.ports().clock.now();
        let Attempt { claim, mut target, machine, network, .. } = attempt;
        let progress = machine.progress;
        if let Some(wait) = self.next_try(&mut target.spent, error.kind) {
            target.keep_progress(progress);
            observer.on_event(RunEvent::Again { at: now + wait });
            let after = WorkAfter::DueAt(now + wait);
            return self.record(claim, &target, None, after, RunOutcome::FollowDeferred).await;
        }
        let failure = Some(noted(live.failure, error));
        let rest = network.skip(&progress.state);
        let ran = if rest.is_some() { RunOutcome::FollowDeferred } else { RunOutcome::Followed };
        let (follow_up, after) = what_follows(rest, progress.begun_at, now);
        let live = Published { failure, follow_up, ..live };
        let target =
            Target { stage: Stage::Published(live), spent: RetriesUsed::NOTHING, ..target };
        self.record(claim, &target, None, after, ran).await
    }

    /// Stores that what follows cannot be done at all.
    pub(super) async fn record_unfollowed(
        &self,
        claim: &Claim,
        target: Target,
        live: Published,
        error: &NetworkError,
    ) -> Result<RunOutcome, StoreError> {
        let failure = Some(noted(live.failure, error));
        let live = Published { failure, follow_up: None, ..live };
        let target = Target { stage: Stage::Published(live), ..target };
        self.record(claim, &target, None, WorkAfter::Done, RunOutcome::Followed).await
    }
}

/// The progress of a live target, and what becomes of its work.
pub(super) fn what_follows(
    then: Option<Value>,
    begun_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> (Option<Progress>, WorkAfter) {
    match then {
        Some(state) => (Some(Progress::new(state, begun_at)), WorkAfter::DueAt(now)),
        None => (None, WorkAfter::Done),
    }
}

/// What a person is told of a live target of which something was left out.
fn noted(before: Option<Failure>, error: &NetworkError) -> Failure {
    let (message, code) = match before {
        Some(before) => (format!("{} {}", before.message, error.message), before.code),
        None => {
            (format!("The post is live, but something is missing. {}", error.message), error.code)
        }
    };
    Failure { message, code, permanent: true }
}
