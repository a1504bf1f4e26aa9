//! The weekly schedules of accounts, as people set them.

use serde::{Deserialize, Serialize};

use super::AccountDetail;
use crate::account::Account;
use crate::app::Scheduler;
use crate::error::{AppError, Refusal, Resource};
use crate::ids::AccountId;
use crate::object::only_from_object;
use crate::post::Field;
use crate::timing::{SlotTime, SlotView, WeeklySchedule, Zone};
use crate::workspace::Workspace;

/// The slots of a week, and the zone in which they are read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ScheduleInput {
    /// The IANA zone of the account; `null` for that of its workspace. Left as it is when it is not
    /// sent.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub zone: Field<Zone>,
    /// In any order; none for an account that nothing is queued for.
    pub slots: Vec<SlotView>,
}

only_from_object!(ScheduleInput);

/// The same for several accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct SchedulesInput {
    /// The accounts, at least one.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub account_ids: Vec<AccountId>,
    /// Their IANA zone; `null` for that of the workspace. Left as it is when it is not sent.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub zone: Field<Zone>,
    /// In any order; none for accounts that nothing is queued for.
    pub slots: Vec<SlotView>,
}

only_from_object!(SchedulesInput);

/// The zone of an account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ZoneInput {
    /// An IANA zone; `null` for that of the workspace.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub zone: Option<Zone>,
}

only_from_object!(ZoneInput);

impl Scheduler {
    /// Sets when accounts post what is queued; what already holds a slot keeps it. Returns the
    /// accounts as they are then, in the order in which they were named.
    ///
    /// # Errors
    /// `invalid_request` naming `accountIds` when none is named, or the time of a slot that is none;
    /// `not_found` for an account that is not connected. Nothing is changed then.
    pub async fn set_schedules(
        &self,
        workspace: &Workspace,
        input: &SchedulesInput,
    ) -> Result<Vec<AccountDetail>, AppError> {
        let schedule = schedule_of(&input.slots)?;
        if input.account_ids.is_empty() {
            return Err(Refusal::invalid("accountIds", "Name at least one account.").into());
        }
        let known = self.accounts(workspace.id).await?;
        let mut accounts = Vec::with_capacity(input.account_ids.len());
        for (index, id) in input.account_ids.iter().enumerate() {
            let found = known.iter().find(|account| account.id == *id);
            accounts.push(found.ok_or_else(|| {
                Refusal::not_found(Resource::Account).at(format!("accountIds[{index}]"))
            })?);
        }
        for account in &accounts {
            let timezone = input.zone.clone().or_current(account.timezone);
            let changed = Account { schedule: schedule.clone(), timezone, ..(*account).clone() };
            self.save_account(&changed).await?;
        }
        let mut details = Vec::with_capacity(accounts.len());
        for account in accounts {
            details.push(self.account_detail(workspace, account.id).await?);
        }
        Ok(details)
    }
}

fn schedule_of(slots: &[SlotView]) -> Result<WeeklySchedule, Refusal> {
    let slots = slots.iter().enumerate().map(|(index, slot)| {
        SlotTime::try_from(slot)
            .map_err(|error| Refusal::invalid(format!("slots[{index}].time"), error.to_string()))
    });
    Ok(WeeklySchedule::new(slots.collect::<Result<_, _>>()?))
}
