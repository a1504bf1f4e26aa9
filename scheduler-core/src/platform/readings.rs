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

/// What a call for figures counts as. Any other call counts as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BudgetUnit {
    /// One, however many posts it names.
    Call,
    /// So many as the posts that it names: the network is asked for each of them.
    Post,
}

/// How many calls readings may make in a span of time.
///
/// A call is one of [`AfterPublishing::figures`], `followers` or `limits`
/// (see [`AfterPublishing`]). Spans follow each other without overlap; in any span of the length
/// of a limit of the network, wherever it begins, a budget takes at most half of the limit, and so
/// leaves room for publishing.
///
/// [`AfterPublishing`]: crate::ports::AfterPublishing
/// [`AfterPublishing::figures`]: crate::ports::AfterPublishing::figures
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadingBudget {
    /// Whose calls.
    pub scope: BudgetScope,
    /// What a call counts as.
    pub unit: BudgetUnit,
    /// So many units, at least 1.
    pub calls: u32,
    /// In each span of this length, counted from 1970 in UTC.
    pub per: TimeDelta,
    /// What the network allows.
    pub within: &'static [RequestLimit],
}

/// How many requests a network allows in any span of a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestLimit {
    /// So many requests.
    pub requests: u32,
    /// In a span of this length.
    pub per: TimeDelta,
    /// The most requests that one unit of the budget takes.
    pub of_a_unit: u32,
}
