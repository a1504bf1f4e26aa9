//! What may be asked of a network besides publishing: the spans that requests count in, whose they
//! are, and when an account comes back that found one used up.

use chrono::{DateTime, TimeDelta, Utc};

use crate::account::Account;
use crate::platform::{BudgetScope, FiguresCost, ReadingBudget, ReadingFigures};
use crate::ports::Budget;

/// The share of a span over which accounts come back: one in so many.
const SPREAD: i64 = 10;

/// One workspace's live questions take at most one in so many of what all accounts of an app share.
///
/// Source: our decision; the readings of all workspaces and the questions of others keep the rest.
const SHARE: u32 = 2;

/// Whose requests a span counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// Those of all accounts of this installation at a network.
    App,
    /// What one workspace asks live of what all accounts share.
    Workspace,
    /// Those of one account.
    Account,
}

/// A span, and whose requests it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) whose: Whose,
    pub(super) budget: Budget,
}

/// How many posts one call for figures may name, at least 1.
pub(super) fn batch(readings: &ReadingFigures, at_once: usize) -> usize {
    let FiguresCost::Post(requests) = readings.figures else { return at_once.max(1) };
    let posts = |budget: &ReadingBudget| {
        usize::try_from(budget.requests / requests.max(1)).unwrap_or(usize::MAX)
    };
    let fits = readings.budgets.iter().map(posts).min();
    fits.map_or(at_once, |fits| fits.min(at_once)).max(1)
}

/// The spans that `now` falls into and that the readings of an account count in.
pub(super) fn of_readings(account: &Account, now: DateTime<Utc>) -> Vec<Budget> {
    let budgets = account.platform.sheet().readings.budgets;
    budgets.iter().map(|budget| span(budget, account, now)).collect()
}

/// The same for what is asked of an account live: the workspace has a share of its own in what all
/// accounts have together, which is no smaller than what the figures of one post take.
pub(super) fn of_questions(account: &Account, now: DateTime<Utc>) -> Vec<Span> {
    let readings = account.platform.sheet().readings;
    let mut spans = Vec::new();
    for budget in readings.budgets {
        let whole = span(budget, account, now);
        let whose = match budget.scope {
            BudgetScope::App => Whose::App,
            BudgetScope::Account => Whose::Account,
        };
        let share = (whose == Whose::App).then(|| Budget {
            subject: format!("{}/{}", whole.subject, account.workspace_id),
            limit: (budget.requests / SHARE).max(readings.figures.of(1)),
            ..whole.clone()
        });
        spans.push(Span { whose, budget: whole });
        spans.extend(share.map(|budget| Span { whose: Whose::Workspace, budget }));
    }
    spans
}

/// The span of a budget that `now` falls into.
fn span(budget: &ReadingBudget, account: &Account, now: DateTime<Utc>) -> Budget {
    let platform = account.platform;
    let scope = budget.scope.as_str();
    let subject = match budget.scope {
        BudgetScope::App => format!("{platform}/{scope}"),
        BudgetScope::Account => format!("{platform}/{scope}/{}", account.id),
    };
    let seconds = budget.per.num_seconds().max(1);
    let begun = TimeDelta::seconds(now.timestamp().div_euclid(seconds) * seconds);
    let begins_at = DateTime::UNIX_EPOCH + begun;
    Budget { subject, begins_at, ends_at: begins_at + budget.per, limit: budget.requests }
}

/// When an account is read again that found a span used up: in the first tenth of the next one,
/// each account at an instant of its own and not always in the same order.
pub(super) fn back_at(span: &Budget, account: &Account) -> DateTime<Utc> {
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
