//! What posts and accounts have gained over time: periods, totals, comparisons, and the times at
//! which posts do well.
//!
//! Everything here is computed from readings that are kept; nothing asks a network. Figures of
//! different networks are never added up, since each network counts in its own way.

mod best_times;
mod gains;
mod measure;
mod period;
mod posts;

use chrono::TimeDelta;

pub use best_times::{
    BestTimes, ENOUGH_POSTS, FIRST_DAY, Field, HOURS, Sample, best_times, first_day,
};
pub use gains::{Change, Counter, Line, LineOf, change, line};
pub use measure::{Measure, changes_between, default_measure, measures};
pub use period::{PERIOD_DAYS, Period, Span};
pub use posts::{PostFigures, PostOrder, PostTable, WORDS_MAX, tables};

/// How long after a post went live its readings count: until the last that is taken by itself, and
/// a day more. What somebody has read later is left out, so that every post counts equally long.
///
/// Source: our decision; see [`crate::reading::next_due`].
pub const COUNTED_WITHIN: TimeDelta = TimeDelta::days(15);

/// Readings that one answer is computed of at most.
///
/// Source: our decision.
pub const READINGS_MAX: u32 = 100_000;

/// Posts that one answer lists at most.
///
/// Source: our decision.
pub const POSTS_MAX: usize = 2_000;

/// The parameters of analytics as a caller sends them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnalyticsInput {
    /// How many days, today included: one of [`PERIOD_DAYS`].
    pub days: Option<String>,
    /// Only of these accounts.
    pub account_id: Vec<String>,
    /// What is measured: the name of a figure, or `followers`.
    pub measure: Option<String>,
    /// What posts are sorted by: `date`, or the name of a figure.
    pub sort: Option<String>,
    /// In which direction: `desc`, or `asc`.
    pub order: Option<String>,
}
