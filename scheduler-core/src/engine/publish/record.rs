//! What becomes of a target by an attempt to publish it.

use chrono::TimeDelta;

use super::attempt::Attempt;
use super::follow::what_follows;
use super::machine::End;
use crate::app::Scheduler;
use crate::engine::{Fact, Ran, RunError, Watch};
use crate::ids::EventId;
use crate::ports::{Claim, Live, NetworkError, NetworkErrorKind, Recorded, StoreError, WorkAfter};
use crate::post::Post;
use crate::retry::{FREE_RATE_LIMITS, rate_limit_wait};
use crate::target::{Failure, FailureCode, Spent, Target, TargetEvent, TargetStatus};
use crate::webhook::Event;

impl Scheduler {
    /// Stores how an attempt has ended: of a publish, or of what follows once it is live.
    pub(super) async fn record_end(
        &self,
        attempt: Attempt<'_>,
        post: &Post,
        end: End,
        watch: &dyn Watch,
    ) -> Result<Ran, RunError> {
        let is_live = attempt.target.status == TargetStatus::Published;
        match end {
            End::Lost => Ok(Ran::Lost),
            End::Waits(until) => {
                let Attempt { claim, machine, target, .. } = attempt;
                let target = Target { progress: Some(machine.progress), ..target };
                let after = WorkAfter::DueAt(until);
                Ok(self.record(claim, &target, None, after, Ran::PublishWaits).await?)
            }
            End::Live(live) if is_live => Ok(self.record_followed(attempt, live).await?),
            End::Live(live) => self.record_live(attempt, post, live, watch).await,
            End::Failed(error) => {
                let error = attempt.unless_reconnected(error).await?;
                if is_live {
                    return Ok(self.record_follow_failed(attempt, &error, watch).await?);
                }
                let Attempt { claim, network, machine, mut target, .. } = attempt;
                target.remote = network.live_part(&machine.progress.state).or(target.remote);
                target.progress = Some(machine.progress);
                self.record_failure(claim, post, target, &error, watch).await
            }
        }
    }

    async fn record_live(
        &self,
        attempt: Attempt<'_>,
        post: &Post,
        live: Live,
        watch: &dyn Watch,
    ) -> Result<Ran, RunError> {
        let Attempt { claim, target, machine, .. } = attempt;
        let now = self.ports().clock.now();
        let begun_at = machine.progress.begun_at;
        let due_at = target.due_at.unwrap_or(claim.due_at);
        watch.learn(Fact::Live { after: now - due_at.min(begun_at) });
        let (progress, after) = what_follows(live.then, begun_at, now);
        let target = Target {
            status: target.status.transition(TargetEvent::Succeed)?,
            remote: live.remote,
            published_at: Some(now),
            failure: None,
            due_at: None,
            slot_at: None,
            spent: Spent::NOTHING,
            progress,
            ..target
        };
        let id = EventId(self.ports().ids.next(now));
        let event = Event::published(id, post.workspace_id, post.id, &target, now);
        Ok(self.record(claim, &target, Some(&event), after, Ran::Published).await?)
    }

    /// Stores a failed attempt: another to come, or the end.
    pub(super) async fn record_failure(
        &self,
        claim: &Claim,
        post: &Post,
        mut target: Target,
        error: &NetworkError,
        watch: &dyn Watch,
    ) -> Result<Ran, RunError> {
        let now = self.ports().clock.now();
        let wait = self.next_try(&mut target.spent, error.kind);
        let permanent =
            matches!(error.kind, NetworkErrorKind::Permanent | NetworkErrorKind::Reconnect);
        let is_unknown = target.progress.as_ref().is_some_and(|progress| progress.open.is_some());
        let failure = if wait.is_none() && is_unknown {
            // A person has to look, whatever it was that kept us from finding out.
            let message = format!("{} {LOOK_FIRST}", error.message);
            Failure { message, code: FailureCode::InDoubt, permanent: false }
        } else {
            Failure { message: error.message.clone(), code: error.code, permanent }
        };
        watch.learn(Fact::Failed { kind: error.kind, code: failure.code });
        target.failure = Some(failure);
        target.slot_at = None;
        let event = if wait.is_some() { TargetEvent::Defer } else { TargetEvent::Fail };
        target.status = target.status.transition(event)?;
        target.due_at = wait.map(|wait| now + wait);
        if let Some(due_at) = target.due_at {
            watch.learn(Fact::Again { at: due_at });
            let after = WorkAfter::DueAt(due_at);
            return Ok(self.record(claim, &target, None, after, Ran::PublishDeferred).await?);
        }
        let id = EventId(self.ports().ids.next(now));
        let event = Event::failed(id, post.workspace_id, post.id, &target, now);
        let after = WorkAfter::Done;
        Ok(self.record(claim, &target, Some(&event), after, Ran::PublishFailed).await?)
    }

    /// Spends one try on a failure, and says how long until the next; `None` when there is none.
    pub(super) fn next_try(&self, spent: &mut Spent, kind: NetworkErrorKind) -> Option<TimeDelta> {
        match kind {
            NetworkErrorKind::RateLimited { wait } if spent.rate_limits < FREE_RATE_LIMITS => {
                spent.rate_limits += 1;
                Some(rate_limit_wait(wait))
            }
            NetworkErrorKind::RateLimited { .. }
            | NetworkErrorKind::Temporary
            | NetworkErrorKind::TokenExpired => {
                spent.tries += 1;
                let wait = self.settings().waits.after_publish(spent.tries, self.jitter());
                wait.map(|wait| asked_wait(kind).unwrap_or(wait))
            }
            NetworkErrorKind::Permanent
            | NetworkErrorKind::Reconnect
            | NetworkErrorKind::InDoubt
            | NetworkErrorKind::Unsettled => None,
        }
    }

    pub(super) async fn record(
        &self,
        claim: &Claim,
        target: &Target,
        event: Option<&Event>,
        after: WorkAfter,
        ran: Ran,
    ) -> Result<Ran, StoreError> {
        let (store, now) = (&self.ports().store, self.ports().clock.now());
        let stored = self.patiently(|| store.record_publish(claim, target, event, after, now));
        match stored.await? {
            Recorded::Lost => Ok(Ran::Lost),
            Recorded::Stored => {
                if matches!(ran, Ran::Published | Ran::Followed | Ran::FollowDeferred) {
                    self.answers().forget(target.account_id);
                }
                if event.is_some() {
                    self.ports().wake.wake();
                }
                Ok(ran)
            }
        }
    }
}

/// How long a network has asked to be left alone.
fn asked_wait(kind: NetworkErrorKind) -> Option<TimeDelta> {
    match kind {
        NetworkErrorKind::RateLimited { wait } => wait.map(|wait| rate_limit_wait(Some(wait))),
        NetworkErrorKind::Temporary
        | NetworkErrorKind::Permanent
        | NetworkErrorKind::TokenExpired
        | NetworkErrorKind::Reconnect
        | NetworkErrorKind::InDoubt
        | NetworkErrorKind::Unsettled => None,
    }
}

/// What to do about an outcome that is not known.
const LOOK_FIRST: &str = "It is not known whether the post is live: look at the account, and retry only if it is missing.";
