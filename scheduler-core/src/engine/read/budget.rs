//! What calls count as, in which span, and when an account comes back that found it used up.

use chrono::{DateTime, TimeDelta, Utc};

use crate::account::Account;
use crate::platform::{BudgetScope, BudgetUnit, ReadingBudget};
use crate::ports::CallBudget;

/// The share of a span over which accounts come back: one in so many.
const SPREAD: i64 = 10;

/// How many posts one call for figures may name, at least 1.
pub(super) fn batch(budgets: &[ReadingBudget], at_once: usize) -> usize {
    let of_posts = budgets.iter().filter(|budget| budget.unit == BudgetUnit::Post);
    let fits = of_posts.map(|budget| usize::try_from(budget.calls).unwrap_or(usize::MAX)).min();
    fits.map_or(at_once, |fits| fits.min(at_once)).max(1)
}

/// True where a call that names fewer posts takes less of a budget.
pub(super) fn counts_posts(budgets: &[ReadingBudget]) -> bool {
    budgets.iter().any(|budget| budget.unit == BudgetUnit::Post)
}

/// What calls that name so many posts count as.
pub(super) const fn units(budget: &ReadingBudget, calls: u32, posts: u32) -> u32 {
    match budget.unit {
        BudgetUnit::Call => calls,
        BudgetUnit::Post => posts,
    }
}

/// The span of a budget that `now` falls into.
pub(super) fn span(budget: &ReadingBudget, account: &Account, now: DateTime<Utc>) -> CallBudget {
    let platform = account.platform;
    let scope = budget.scope.as_str();
    let subject = match budget.scope {
        BudgetScope::App => format!("{platform}/{scope}"),
        BudgetScope::Account => format!("{platform}/{scope}/{}", account.id),
    };
    let seconds = budget.per.num_seconds().max(1);
    let begun = TimeDelta::seconds(now.timestamp().div_euclid(seconds) * seconds);
    let begins_at = DateTime::UNIX_EPOCH + begun;
    CallBudget { subject, begins_at, ends_at: begins_at + budget.per, calls: budget.calls }
}

/// When an account is read again that found a span used up: in the first tenth of the next one,
/// each account at an instant of its own and not always in the same order.
pub(super) fn back_at(span: &CallBudget, account: &Account) -> DateTime<Utc> {
    let spread = (span.ends_at - span.begins_at).num_milliseconds() / SPREAD;
    let seed = span.ends_at.timestamp().to_be_bytes();
    let hash = account
        .id
        .0
        .as_bytes()
        .iter()
        .chain(&seed)
        .fold(FNV_OFFSET, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(FNV_PRIME));
    let at = i64::try_from(hash >> 1).unwrap_or_default() % spread.max(1);
    span.ends_at + TimeDelta::milliseconds(at)
}

/// Source: <https://www.rfc-editor.org/rfc/rfc9923>, FNV-1a of 64 bits.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

#[cfg(test)]
#[path = "budget_tests.rs"]
mod tests;
