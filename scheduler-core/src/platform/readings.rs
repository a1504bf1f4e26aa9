//! How much may be asked of a network outside of publishing, so that the rest of what it allows is
//! left for publishing.

use chrono::TimeDelta;

/// Whose requests count together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BudgetScope {
    /// Those of every account that this installation connects: the network counts its app.
    App,
    /// Those of one account.
    Account,
}

impl BudgetScope {
    /// The name of what is counted, as people are told of it.
    #[cfg(feature = "engine")]
    pub(crate) const fn quota(self) -> &'static str {
        match self {
            Self::App => "shared_requests",
            Self::Account => "requests",
        }
    }

    /// The name in storage.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Account => "account",
        }
    }
}

/// What a network is asked outside of publishing: how often that may be, and what each thing takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadingFigures {
    /// How often: at most one budget of each scope, that of the app first.
    pub budgets: &'static [ReadingBudget],
    /// What a call for figures takes at most.
    pub figures: FiguresCost,
    /// What a call for followers takes at most, and one for limits.
    pub look: u32,
}

/// What a call for figures takes at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FiguresCost {
    /// So many requests, however many posts it names.
    Call(u32),
    /// So many requests for each post that it names.
    Post(u32),
}

impl FiguresCost {
    /// What a call that names so many posts takes at most.
    #[must_use]
    pub const fn of(self, posts: u32) -> u32 {
        match self {
            Self::Call(requests) => requests,
            Self::Post(requests) => requests.saturating_mul(posts),
        }
    }
}

/// How many requests may be made outside of publishing in a span of time.
///
/// Readings that the engine takes and what callers ask live count alike. Spans follow each other
/// without overlap; in any span of the length of a limit of the network, wherever it begins, a
/// budget takes at most half of the limit, and so leaves room for publishing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadingBudget {
    /// Whose requests.
    pub scope: BudgetScope,
    /// So many, at least 1.
    pub requests: u32,
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
}
