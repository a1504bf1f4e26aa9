//! What follows once a target is live: a first comment, a thumbnail, a look whether the network
//! has kept it. Its steps are taken like those of a publish, and none of them makes the target
//! anything else than live: what fails for good is left out and told.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::attempt::Attempt;
use crate::app::Scheduler;
use crate::engine::{Fact, Ran, Watch};
use crate::ports::{Claim, Live, NetworkError, StoreError, WorkAfter};
use crate::target::{Failure, Progress, Spent, Target};

impl Scheduler {
    /// Stores that a step of what follows is done.
    pub(super) async fn record_followed(
        &self,
        attempt: Attempt<'_>,
        live: Live,
    ) -> Result<Ran, StoreError> {
        let Attempt { claim, target, machine, .. } = attempt;
        let now = self.ports().clock.now();
        let (progress, after) = what_follows(live.then, machine.progress.begun_at, now);
        let remote = live.remote.or_else(|| target.remote.clone());
        let target = Target { remote, progress, spent: Spent::NOTHING, ..target };
        self.record(claim, &target, None, after, Ran::Followed).await
    }

    /// Stores that a step of what follows failed: another try, or what comes after it.
    pub(super) async fn record_follow_failed(
        &self,
        attempt: Attempt<'_>,
        error: &NetworkError,
        watch: &dyn Watch,
    ) -> Result<Ran, StoreError> {
        watch.learn(Fact::failed(error));
        let now = self.ports().clock.now();
        let Attempt { claim, mut target, machine, network, .. } = attempt;
        let progress = machine.progress;
        if let Some(wait) = self.next_try(&mut target.spent, error.kind) {
            target.progress = Some(progress);
            watch.learn(Fact::Again { at: now + wait });
            let after = WorkAfter::DueAt(now + wait);
            return self.record(claim, &target, None, after, Ran::FollowDeferred).await;
        }
        target.failure = Some(noted(target.failure.take(), error));
        target.spent = Spent::NOTHING;
        let rest = network.skip(&progress.state);
        let ran = if rest.is_some() { Ran::FollowDeferred } else { Ran::Followed };
        let (progress, after) = what_follows(rest, progress.begun_at, now);
        target.progress = progress;
        self.record(claim, &target, None, after, ran).await
    }

    /// Stores that what follows cannot be done at all.
    pub(super) async fn record_unfollowed(
        &self,
        claim: &Claim,
        target: Target,
        error: &NetworkError,
    ) -> Result<Ran, StoreError> {
        let failure = Some(noted(target.failure.clone(), error));
        let target = Target { failure, progress: None, ..target };
        self.record(claim, &target, None, WorkAfter::Done, Ran::Followed).await
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
