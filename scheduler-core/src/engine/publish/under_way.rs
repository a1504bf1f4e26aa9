//! Beginning an attempt.

use crate::target::{Target, TargetEvent, TargetRefused, TargetStatus};

/// A target that an attempt goes on with: one that was left behind by a holder that died, that
/// waits for the network, or that is live and followed. Any other begins to go out.
///
/// # Errors
/// [`TargetRefused`] for one that has ended.
pub(super) fn under_way(target: Target) -> Result<Target, TargetRefused> {
    match target.status {
        TargetStatus::Publishing => Ok(target),
        TargetStatus::Published if target.progress.is_some() => Ok(target),
        TargetStatus::Pending
        | TargetStatus::Published
        | TargetStatus::Failed
        | TargetStatus::Skipped => Ok(Target {
            status: target.status.transition(TargetEvent::Start)?,
            attempts: target.attempts + 1,
            slot_at: None,
            awaiting_approval: None,
            ..target
        }),
    }
}
