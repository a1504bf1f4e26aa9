//! Panics of adapters and rules: a fault of the program, which counts as an attempt like a fault
//! of the network.

use super::under_way::under_way;
use crate::app::Scheduler;
use crate::engine::fault::panicked;
use crate::engine::{Fact, Ran, RunError, Watch};
use crate::ports::Claim;
use crate::target::TargetStatus;

impl Scheduler {
    /// Records a publish that panicked as a failed attempt. What was stored before its last step
    /// stays, so that a call that others can see is looked up first.
    pub(super) async fn publish_panicked(
        &self,
        claim: &Claim,
        watch: &dyn Watch,
    ) -> Result<Ran, RunError> {
        let store = &self.ports().store;
        let Some(context) = self.patiently(|| store.publish_context(claim)).await? else {
            return Ok(Ran::Lost);
        };
        let Some(target) = context.target().cloned() else { return Ok(Ran::Lost) };
        let error = panicked(target.platform);
        let target = under_way(target)?;
        if target.status == TargetStatus::Published {
            watch.learn(Fact::failed(&error));
            return Ok(self.record_unfollowed(claim, target, &error).await?);
        }
        self.record_failure(claim, &context.post, target, &error, watch).await
    }
}
