//! Publishing one target, and what follows once it is live.

mod attempt;
mod cap;
mod cool_down;
mod covered;
mod follow;
mod job;
mod machine;
mod panics;
mod record;
mod under_way;

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;

use self::job::NotBegun;
use super::{NetworkCallError, RunError, RunEvent, RunObserver, RunOutcome};
use crate::app::Scheduler;
use crate::ports::{Claim, WorkAfter};
use crate::post::decide;
use crate::target::Stage;

use under_way::under_way;

impl Scheduler {
    /// Publishes a target, or does what follows it. A panic on the way is a failed attempt.
    pub(super) async fn publish(
        &self,
        claim: &Claim,
        observer: &dyn RunObserver,
    ) -> Result<RunOutcome, RunError> {
        match AssertUnwindSafe(Box::pin(self.publish_once(claim, observer))).catch_unwind().await {
            Ok(ran) => ran,
            Err(_) => self.publish_panicked(claim, observer).await,
        }
    }

    async fn publish_once(
        &self,
        claim: &Claim,
        observer: &dyn RunObserver,
    ) -> Result<RunOutcome, RunError> {
        let read = self.ports().store.publish_context(claim).await;
        let Some(mut context) = self.readable(claim, read).await? else {
            return Ok(RunOutcome::Lost);
        };
        // As the workspace asks now, whatever it had asked when the post was stored.
        decide::ask_for_review(&mut context.post, context.second_pair);
        let Some(target) = context.target().cloned() else { return Ok(RunOutcome::Lost) };
        if decide::is_withheld(&context.post, &target) {
            let target =
                decide::defer_until_approved(&context.post, target, self.ports().clock.now());
            let after = WorkAfter::DueAt(target.due_at().unwrap_or(claim.due_at));
            return Ok(self
                .record(claim, &target, None, after, RunOutcome::PublishWithheld)
                .await?);
        }
        if let Some(target) = self.cooling_down(&context, &target).await? {
            let after = WorkAfter::DueAt(target.due_at().unwrap_or(claim.due_at));
            return Ok(self
                .record(claim, &target, None, after, RunOutcome::PublishCoolsDown)
                .await?);
        }
        let target = under_way(target)?;
        let post = context.post.clone();
        observer.on_event(RunEvent::Publish {
            post_id: post.id,
            target_id: target.id,
            account_id: target.account_id,
            attempt: target.attempts,
        });
        let (mut attempt, first) = match self.attempt(claim, context, target.clone()).await {
            Ok(begun) => begun,
            Err(NotBegun::Call(NetworkCallError::Store(error))) => return Err(error.into()),
            Err(NotBegun::NotReady(message)) => {
                return self.record_not_ready(claim, target, message, observer).await;
            }
            Err(NotBegun::Call(NetworkCallError::Network(refused))) => {
                let Stage::Published(live) = &target.stage else {
                    return self.record_failure(claim, &post, target, &refused, observer).await;
                };
                observer.on_event(RunEvent::failed(&refused));
                let live = live.clone();
                return Ok(self.record_unfollowed(claim, target, live, &refused).await?);
            }
        };
        let end = attempt.run(first).await?;
        self.record_end(attempt, &post, end, observer).await
    }
}
