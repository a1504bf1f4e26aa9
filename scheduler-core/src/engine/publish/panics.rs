//! Panics of adapters and rules: a fault of the program, which counts as an attempt like a fault
//! of the network.

use super::under_way::under_way;
use crate::app::Scheduler;
use crate::engine::fault::panicked;
use crate::engine::{RunError, RunEvent, RunObserver, RunOutcome};
use crate::ports::Claim;
use crate::target::Stage;

impl Scheduler {
    /// Records a publish that panicked as a failed attempt. What was stored before its last step
    /// stays, so that a call that others can see is looked up first.
    pub(super) async fn publish_panicked(
        &self,
        claim: &Claim,
        observer: &dyn RunObserver,
    ) -> Result<RunOutcome, RunError> {
        let store = &self.ports().store;
        let Some(context) = self.with_retry(|| store.publish_context(claim)).await? else {
            return Ok(RunOutcome::Lost);
        };
        let Some(target) = context.target().cloned() else { return Ok(RunOutcome::Lost) };
        let error = panicked(target.platform);
        let target = under_way(target)?;
        if let Stage::Published(live) = &target.stage {
            observer.on_event(RunEvent::failed(&error));
            let live = live.clone();
            return Ok(self.record_unfollowed(claim, target, live, &error).await?);
        }
        self.record_failure(claim, &context.post, target, &error, observer).await
    }
}
