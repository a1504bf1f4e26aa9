//! When the targets of a dry run would go out.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::account::Account;
use crate::app::{Caller, Scheduler};
use crate::error::AppError;
use crate::timing::{Resolved, Timing, Zone, format_local};

/// When a target would go out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TargetTime {
    /// The index of the target.
    pub target: usize,
    /// When.
    pub instant: DateTime<Utc>,
    /// The same on the wall clock of the account, `YYYY-MM-DDTHH:MM`.
    pub local: String,
    /// The zone of that clock.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub zone: Zone,
    /// The wall-clock time that was asked for, where the clock will show another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// True when clocks go over the time that was asked for, so that it is later by the gap.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(!default))]
    pub shifted: bool,
}

impl Scheduler {
    /// When the targets with an account would go out.
    ///
    /// # Errors
    /// `invalid_request` for a wall-clock time that is over, and where an account has no slots.
    pub(super) async fn times(
        &self,
        caller: &Caller,
        timing: Timing,
        accounts: &[Option<&Account>],
        now: DateTime<Utc>,
    ) -> Result<Vec<TargetTime>, AppError> {
        let mut times = Vec::new();
        for (target, account) in accounts.iter().enumerate() {
            let Some(account) = account else { continue };
            let place = self.place(timing, &caller.workspace, account, &[], now).await?;
            let Some(instant) = place.due_at else { continue };
            let zone = account.zone(caller.workspace.timezone);
            let local = format_local(zone.local(instant));
            let asked = match timing {
                Timing::Local(asked) => Some(asked),
                _ => None,
            };
            let is_skipped = |asked| matches!(zone.resolve(asked), Resolved::Skipped(_));
            let shifted = asked.is_some_and(is_skipped);
            let asked = asked.map(format_local).filter(|asked| *asked != local);
            times.push(TargetTime { target, instant, local, zone, asked, shifted });
        }
        Ok(times)
    }
}
