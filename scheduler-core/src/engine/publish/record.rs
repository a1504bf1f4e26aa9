//! What becomes of a target by an attempt to publish it.

use chrono::TimeDelta;

use super::attempt::Attempt;
use super::follow::what_follows;
use super::machine::End;
use crate::app::Scheduler;
use crate::engine::{RunError, RunEvent, RunObserver, RunOutcome};
use crate::ids::EventId;
use crate::ports::{Claim, Live, NetworkError, NetworkErrorKind, Recorded, StoreError, WorkAfter};
use crate::post::Post;
use crate::retry::{FREE_RATE_LIMITS, rate_limit_wait};
use crate::target::{FailedAttempt, Failure, FailureCode, RetriesUsed, Stage, Target};
use crate::webhook::Event;

impl Scheduler {
    /// Stores how an attempt has ended: of a publish, or of what follows once it is live.
    pub(super) async fn record_end(
        &self,
        attempt: Attempt<'_>,
        post: &Post,
        end: End,
        observer: &dyn RunObserver,
    ) -> Result<RunOutcome, RunError> {
        let followed = match &attempt.target.stage {
            Stage::Published(live) => Some(live.clone()),
            _ => None,
        };
        match (end, followed) {
            (End::Lost, _) => Ok(RunOutcome::Lost),
            (End::Waits(until), _) => {
                let Attempt { claim, machine, mut target, .. } = attempt;
                target.keep_progress(machine.progress);
                let after = WorkAfter::DueAt(until);
                Ok(self.record(claim, &target, None, after, RunOutcome::PublishWaits).await?)
            }
            (End::Live(step), Some(live)) => Ok(self.record_followed(attempt, live, step).await?),
            (End::Live(live), None) => self.record_live(attempt, post, live, observer).await,
            (End::Failed(error), Some(live)) => {
                let error = attempt.unless_reconnected(error).await?;
                Ok(self.record_follow_failed(attempt, live, &error, observer).await?)
            }
            (End::Failed(error), None) => {
                let error = attempt.unless_reconnected(error).await?;
                let Attempt { claim, network, machine, mut target, .. } = attempt;
                if let Some(begun) = target.stage.begun_mut() {
                    let live_part = network.live_part(&machine.progress.state);
                    begun.live_part = live_part.or(begun.live_part.take());
                }
                target.keep_progress(machine.progress);
                self.record_failure(claim, post, target, &error, observer).await
            }
        }
    }

    async fn record_live(
        &self,
        attempt: Attempt<'_>,
        post: &Post,
        live: Live,
        observer: &dyn RunObserver,
    ) -> Result<RunOutcome, RunError> {
        let Attempt { claim, target, machine, .. } = attempt;
        let now = self.ports().clock.now();
        let begun_at = machine.progress.begun_at;
        let due_at = target.due_at().unwrap_or(claim.due_at);
        observer.on_event(RunEvent::Live { after: now - due_at.min(begun_at) });
        let (follow_up, after) = what_follows(live.then, begun_at, now);
        let target = target.succeed(now, live.remote, follow_up)?;
        self.note_use(post, &target, now).await?;
        let id = EventId(self.ports().ids.next(now));
        let event = Event::published(id, post.workspace_id, post.id, &target, now);
        Ok(self.record(claim, &target, Some(&event), after, RunOutcome::Published).await?)
    }

    /// Puts an attempt off whose files are not made yet. It has spent no try, and counts as none.
    pub(super) async fn record_not_ready(
        &self,
        claim: &Claim,
        mut target: Target,
        message: String,
        observer: &dyn RunObserver,
    ) -> Result<RunOutcome, RunError> {
        let due_at = self.ports().clock.now() + NOT_READY_WAIT;
        target.attempts = target.attempts.saturating_sub(1);
        let failure = Failure { message, code: FailureCode::MediaUnusable, permanent: false };
        let target = target.defer(due_at, failure)?;
        observer.on_event(RunEvent::Again { at: due_at });
        let after = WorkAfter::DueAt(due_at);
        Ok(self.record(claim, &target, None, after, RunOutcome::PublishDeferred).await?)
    }

    /// Stores a failed attempt: another to come, or the end.
    pub(super) async fn record_failure(
        &self,
        claim: &Claim,
        post: &Post,
        mut target: Target,
        error: &NetworkError,
        observer: &dyn RunObserver,
    ) -> Result<RunOutcome, RunError> {
        let now = self.ports().clock.now();
        let wait = self.next_try(&mut target.spent, error.kind);
        let permanent =
            matches!(error.kind, NetworkErrorKind::Permanent | NetworkErrorKind::Reconnect);
        let is_unknown = target.progress().is_some_and(|progress| progress.open.is_some());
        let failure = if wait.is_none() && is_unknown {
            // A person has to look, whatever it was that kept us from finding out.
            let message = format!("{} {LOOK_FIRST}", error.message);
            Failure { message, code: FailureCode::InDoubt, permanent: false }
        } else {
            Failure { message: error.message.clone(), code: error.code, permanent }
        };
        observer.on_event(RunEvent::Failed { kind: error.kind, code: failure.code });
        let next_attempt_at = wait.map(|wait| now + wait);
        let target = target.having_failed(FailedAttempt {
            at: now,
            error_code: failure.code,
            error: failure.message.clone(),
            next_attempt_at,
        });
        if let Some(due_at) = next_attempt_at {
            let target = target.defer(due_at, failure)?;
            observer.on_event(RunEvent::Again { at: due_at });
            let after = WorkAfter::DueAt(due_at);
            return Ok(self
                .record(claim, &target, None, after, RunOutcome::PublishDeferred)
                .await?);
        }
        let target = target.fail(failure)?;
        let id = EventId(self.ports().ids.next(now));
        let event = Event::failed(id, post.workspace_id, post.id, &target, now);
        let after = WorkAfter::Done;
        Ok(self.record(claim, &target, Some(&event), after, RunOutcome::PublishFailed).await?)
    }

    /// Spends one try on a failure, and says how long until the next; `None` when there is none.
    pub(super) fn next_try(
        &self,
        spent: &mut RetriesUsed,
        kind: NetworkErrorKind,
    ) -> Option<TimeDelta> {
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
        ran: RunOutcome,
    ) -> Result<RunOutcome, StoreError> {
        let store = &self.ports().store;
        // Who asks what has changed looks back for so long only: each try is of its own instant.
        let stored = self.with_retry(|| {
            store.record_publish(claim, target, event, after, self.ports().clock.now())
        });
        match stored.await? {
            Recorded::Lost => Ok(RunOutcome::Lost),
            Recorded::Stored => {
                if matches!(
                    ran,
                    RunOutcome::Published | RunOutcome::Followed | RunOutcome::FollowDeferred
                ) {
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

/// How long until it is asked again whether the files of a post are made. Our decision.
const NOT_READY_WAIT: TimeDelta = TimeDelta::seconds(15);

/// What to do about an outcome that is not known.
const LOOK_FIRST: &str = "It is not known whether the post is live: look at the account, and retry only if it is missing.";
