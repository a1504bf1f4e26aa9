//! How often readings may be taken, so that they stay within what a network allows.

use chrono::TimeDelta;

/// Whose calls count together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BudgetScope {
    /// Those of every account that this installation connects: the network counts its app.
    App,
    /// Those of one account.
    Account,
}

impl BudgetScope {
    /// The name in storage.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Account => "account",
        }
    }
}

/// How many calls readings may make in a span of time.
///
/// A call is one of [`AfterPublishing::figures`], `followers` or `limits`
/// (see [`AfterPublishing`]), whatever number of requests it makes. Spans follow each other without
/// overlap, so a budget is at most half of what the network allows in any span of that length, and
/// leaves room for publishing.
///
/// [`AfterPublishing`]: crate::ports::AfterPublishing
/// [`AfterPublishing::figures`]: crate::ports::AfterPublishing::figures
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadingBudget {
    /// Whose calls.
    pub scope: BudgetScope,
    /// So many, at least 1.
    pub calls: u32,
    /// In each span of this length, counted from 1970 in UTC.
    pub per: TimeDelta,
}
