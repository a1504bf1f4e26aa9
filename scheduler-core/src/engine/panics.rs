//! Panics of adapters and rules: a fault of the program, which counts as an attempt like a fault
//! of the network.

use super::publish::learn_failure;
use super::{Ran, Watch};
use crate::app::Scheduler;
use crate::platform::Platform;
use crate::ports::{Claim, NetworkError, NetworkErrorKind, StoreError};
use crate::target::{Target, TargetEvent, TargetStatus};

/// What is told of a panic. Its own words may quote a caption, so they are left to the panic hook.
pub(super) fn panicked(platform: Platform) -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::Temporary,
        format!("Publishing to {platform} failed because of a bug in this program; see its log."),
    )
}

impl Scheduler {
    /// Records a publish that panicked as a failed attempt. What was stored before its last step
    /// stays, so that a call that others can see is looked up first.
    pub(super) async fn publish_panicked(
        &self,
        claim: &Claim,
        watch: &dyn Watch,
    ) -> Result<Ran, StoreError> {
        let store = &self.ports().store;
        let Some(context) = self.patiently(|| store.publish_context(claim)).await? else {
            return Ok(Ran::Lost);
        };
        let Some(target) = context.target().cloned() else { return Ok(Ran::Lost) };
        let error = panicked(target.platform);
        let target = match target.status {
            TargetStatus::Publishing => target,
            TargetStatus::Pending => {
                let Ok(status) = target.status.transition(TargetEvent::Start) else {
                    return Ok(Ran::Lost);
                };
                Target { status, attempts: target.attempts + 1, slot_at: None, ..target }
            }
            TargetStatus::Published if target.progress.is_some() => {
                learn_failure(watch, &error);
                return self.record_unfollowed(claim, target, &error).await;
            }
            TargetStatus::Published | TargetStatus::Failed | TargetStatus::Skipped => {
                return Ok(Ran::Lost);
            }
        };
        let progress = target.progress.clone();
        self.record_failure(claim, &context.post, target, progress, &error, watch).await
    }
}
