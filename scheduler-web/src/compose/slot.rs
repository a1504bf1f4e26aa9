//! A slot that was chosen in the calendar, and that somebody else has taken meanwhile.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::app::FREE_SLOTS_DAYS;
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::ids::AccountId;
use scheduler_http::visit::Declined;

use super::written::Written;
use crate::visitor::Visitor;
use crate::when;

/// Chooses the next slot that is free for all the accounts that are picked, and says so.
pub(super) async fn other(
    visitor: &Visitor,
    written: &mut Written,
    taken: DateTime<Utc>,
) -> Result<Declined, Declined> {
    let zone = visitor.zone()?;
    let accounts: BTreeSet<AccountId> = written.accounts.iter().copied().collect();
    let until = taken + TimeDelta::days(FREE_SLOTS_DAYS);
    let scheduler = visitor.scheduler();
    let free = scheduler.free_slots(visitor.workspace(), &accounts, taken, until).await?;
    let next = free
        .chunk_by(|one, other| one.instant == other.instant)
        .find(|slots| slots.len() == accounts.len())
        .and_then(|slots| slots.first());
    let was = zone.local(taken);
    let mut message = format!("{} has just been taken", when::clock(was));
    match next {
        Some(slot) => {
            let local = zone.local(slot.instant);
            let is_same_day = local.date() == was.date();
            let name = if is_same_day { when::clock(local) } else { when::moment(local) };
            message.push_str(&format!("; {name} is the next."));
            written.take_slot(slot.instant, zone);
        }
        None => message.push_str("; choose another time."),
    }
    Ok(Refusal::new(ErrorCode::SlotTaken, message).into())
}
