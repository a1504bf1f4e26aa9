//! What programs that act for people keep to: how often in an hour something goes out.

use chrono::{DurationRound as _, TimeDelta};

use super::Scheduler;
use super::caller::{Caller, Credential};
use crate::error::{AccessRefusal, AppError};
use crate::ports::{Budget, Spending};

impl Scheduler {
    /// Counts a call of a tool after which something goes out, against what the caller may send out
    /// in this hour: for all nodes together, and before the call is made.
    ///
    /// # Errors
    /// `rate_limited` when that is used up; nothing is counted then.
    pub async fn count_live_call(&self, caller: &Caller) -> Result<(), AppError> {
        let now = self.ports.clock.now();
        let hour = TimeDelta::hours(1);
        let begins_at = now.duration_trunc(hour).unwrap_or(now);
        let subject = match caller.by {
            Credential::Key(id) => format!("agent of key {id}"),
            Credential::Grant(id) => format!("agent of grant {id}"),
            Credential::Session(id) => format!("agent of session {id}"),
            Credential::Program => format!("agent of workspace {}", caller.workspace.id),
        };
        let limit = caller.agents.live_per_hour;
        let budget = Budget { subject, begins_at, ends_at: begins_at + hour, limit };
        match self.store().spend(&[budget], 1).await? {
            Spending::Counted => Ok(()),
            Spending::UsedUp(_) => {
                let is_of_key = matches!(caller.by, Credential::Key(_));
                Err(match limit {
                    0 if is_of_key => AccessRefusal::NoLiveCalls,
                    limit => {
                        let until = begins_at + hour;
                        AccessRefusal::LiveCallsUsedUp { limit, until, is_of_key }
                    }
                }
                .into())
            }
        }
    }
}
