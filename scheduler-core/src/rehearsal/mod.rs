//! The rehearsal of a calendar: what would go out when, and what would keep posts back.
//!
//! The engine itself publishes a copy of the calendar, over a store in memory, to networks that
//! answer at once and count by the limits of their sheets, on a clock that is set from one due
//! instant to the next. Nothing is written anywhere else, and nothing is sent. So caps, waits,
//! pauses, tokens, rules and approvals are decided by the code that publishes, and only what the
//! networks would say is imitated.

mod cause;
mod copy;
mod counts;
mod gather;
mod network;
mod report;
mod run;
mod sentences;
mod turns;

pub(crate) use copy::{COUNTS_BACK, Calendar, CalendarAccount, PAST_BACK, Terms, named_by};
pub use report::{
    FindingKind, Rehearsal, RehearsalFinding, RehearsedAccount, RehearsedLimit, RehearsedOutcome,
    RehearsedTarget, Remedy,
};
pub(crate) use run::rehearse;

/// How many days are rehearsed when nothing is said.
///
/// Source: our decision.
pub const DAYS_DEFAULT: i64 = 30;

/// How many days are rehearsed at most.
///
/// Source: our decision.
pub const DAYS_MAX: i64 = 90;

/// How many posts are rehearsed at most, those first that are due first.
///
/// Source: our decision; twice what the largest plan sends in a month.
pub const POSTS_MAX: usize = 20_000;

/// How many targets the posts have at most that are rehearsed.
///
/// Source: our decision; a post goes to two accounts on average.
pub const TARGETS_MAX: usize = 40_000;
