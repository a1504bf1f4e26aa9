//! Asking for fresh readings.

use chrono::TimeDelta;

use crate::app::{Caller, Scheduler};
use crate::error::{AppError, Refusal};
use crate::key::Scope;
use crate::ports::RefreshOutcome;

/// How far back posts went live whose figures are read anew.
///
/// Source: interface description, Limits, "Metrics refresh".
const FORTNIGHT: TimeDelta = TimeDelta::days(14);

impl Scheduler {
    /// Has the figures of the workspace's posts of the last fortnight read anew, each within its
    /// network's budget; returns of how many.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `rate_limited` when it was asked for not long ago.
    pub async fn refresh_metrics(&self, caller: &Caller) -> Result<u64, AppError> {
        caller.require(Scope::PostsRead)?;
        let now = self.ports.clock.now();
        let every = self.settings.refresh_every;
        let workspace = caller.workspace.id;
        match self.store().refresh_readings(workspace, now, now - FORTNIGHT, every).await? {
            RefreshOutcome::Queued(queued) => {
                self.ports.wake.wake();
                Ok(queued)
            }
            RefreshOutcome::TooSoon { until } => {
                let message = "Fresh figures were asked for not long ago; they are being read.";
                Err(Refusal::rate_limited(message, until - now).into())
            }
        }
    }
}
