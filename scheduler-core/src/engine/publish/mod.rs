//! Publishing one target, and what follows once it is live.

mod attempt;
mod covered;
mod follow;
mod job;
mod machine;
mod panics;
mod record;
mod under_way;

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;

use super::{ActError, Fact, Ran, RunError, Watch};
use crate::app::Scheduler;
use crate::ports::{Claim, WorkAfter};
use crate::post::decide;
use crate::target::TargetStatus;

use under_way::under_way;

impl Scheduler {
    /// Publishes a target, or does what follows it. A panic on the way is a failed attempt.
    pub(super) async fn publish(&self, claim: &Claim, watch: &dyn Watch) -> Result<Ran, RunError> {
        match AssertUnwindSafe(self.publish_once(claim, watch)).catch_unwind().await {
            Ok(ran) => ran,
            Err(_) => self.publish_panicked(claim, watch).await,
        }
    }

    async fn publish_once(&self, claim: &Claim, watch: &dyn Watch) -> Result<Ran, RunError> {
        let read = self.ports().store.publish_context(claim).await;
        let Some(context) = self.readable(claim, read).await? else { return Ok(Ran::Lost) };
        let Some(target) = context.target().cloned() else { return Ok(Ran::Lost) };
        if decide::is_withheld(&context.post, &target) {
            let target = decide::withhold(&context.post, target, self.ports().clock.now());
            let after = WorkAfter::DueAt(target.due_at.unwrap_or(claim.due_at));
            return Ok(self.record(claim, &target, None, after, Ran::PublishWithheld).await?);
        }
        let target = under_way(target)?;
        let post = context.post.clone();
        watch.learn(Fact::Publish {
            post_id: post.id,
            target_id: target.id,
            account_id: target.account_id,
            attempt: target.attempts,
        });
        let (mut attempt, first) = match self.attempt(claim, context, target.clone()).await {
            Ok(begun) => begun,
            Err(ActError::Store(error)) => return Err(error.into()),
            Err(ActError::Network(refused)) if target.status == TargetStatus::Published => {
                watch.learn(Fact::failed(&refused));
                return Ok(self.record_unfollowed(claim, target, &refused).await?);
            }
            Err(ActError::Network(refused)) => {
                return self.record_failure(claim, &post, target, &refused, watch).await;
            }
        };
        let end = attempt.run(first).await?;
        self.record_end(attempt, &post, end, watch).await
    }
}
