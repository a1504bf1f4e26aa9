//! Beginning an attempt.

use crate::target::{Published, Stage, Target, TargetRefused};

/// A target that an attempt goes on with: one that was left behind by a holder that died, that
/// waits for the network, or that is live and followed. Any other begins to go out.
///
/// # Errors
/// [`TargetRefused`] for one that has ended.
pub(super) fn under_way(target: Target) -> Result<Target, TargetRefused> {
    match &target.stage {
        Stage::Publishing(_) | Stage::Published(Published { follow_up: Some(_), .. }) => Ok(target),
        Stage::Parked { .. }
        | Stage::Waiting(_)
        | Stage::Published(_)
        | Stage::Failed { .. }
        | Stage::Canceled { .. }
        | Stage::TakenDown { .. } => target.start(),
    }
}
