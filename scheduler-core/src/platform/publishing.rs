//! How much a network lets an account, or an application, publish.

use chrono::TimeDelta;

use super::BudgetScope;

/// How much may be published in a span of time.
///
/// ```
/// use scheduler_core::platform::{Counted, Platform};
///
/// let [day] = Platform::Instagram.sheet().publishing else { panic!("one limit") };
/// assert_eq!((day.most, day.counts), (100, Counted::Posts));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishingLimit {
    /// What is counted.
    pub counts: Counted,
    /// Whose posts count together.
    pub whose: BudgetScope,
    /// So many, at least 1.
    pub most: u32,
    /// In a span of this form.
    pub span: LimitSpan,
    /// How long a publish waits that found it used up; `None` until the network has room, which it
    /// says.
    pub wait: Option<TimeDelta>,
}

/// What a limit counts of a publish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Counted {
    /// Posts, a thread once.
    Posts,
    /// Posts, and each later part of a thread.
    Parts,
    /// The later parts of threads.
    Replies,
    /// Posts whose option of this key is on, and what they are called.
    PostsWith {
        /// Key of the option.
        flag: &'static str,
        /// What they are called, in the plural.
        noun: &'static str,
    },
    /// Posts whose option of this key is not on.
    PostsWithout {
        /// Key of the option.
        flag: &'static str,
    },
    /// Posts that are shown as reels.
    Reels,
    /// Images.
    Images,
    /// Videos.
    Videos,
    /// Files of every kind.
    Files,
    /// Calls: so many for a post, or a part of it, and so many more for each of its files.
    Calls {
        /// For a post, or a part of it.
        post: u32,
        /// For each file beside that.
        file: u32,
    },
}

impl Counted {
    /// What is counted in a sentence, in the plural.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Posts | Self::Parts | Self::PostsWithout { .. } => "posts",
            Self::Replies => "replies",
            Self::PostsWith { noun, .. } => noun,
            Self::Reels => "reels",
            Self::Images => "images",
            Self::Videos => "videos",
            Self::Files => "files",
            Self::Calls { .. } => "calls",
        }
    }
}

/// The span of time that a limit counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitSpan {
    /// The time before each publish, of this length.
    Sliding(TimeDelta),
    /// Spans of this length, each from the first publish after the one before has ended.
    Fixed(TimeDelta),
    /// A day, from midnight to midnight in the zone of this IANA name.
    Day(&'static str),
}

impl LimitSpan {
    /// How long it is; of a day 24 hours.
    #[must_use]
    pub const fn length(self) -> TimeDelta {
        match self {
            Self::Sliding(length) | Self::Fixed(length) => length,
            Self::Day(_) => TimeDelta::hours(24),
        }
    }
}

impl PublishingLimit {
    /// A limit of each account.
    pub(super) const fn account(counts: Counted, most: u32, span: LimitSpan) -> Self {
        Self { counts, whose: BudgetScope::Account, most, span, wait: None }
    }

    /// A limit of the application, which all accounts of this installation share.
    pub(super) const fn app(counts: Counted, most: u32, span: LimitSpan) -> Self {
        Self { whose: BudgetScope::App, ..Self::account(counts, most, span) }
    }

    /// The same where the network does not say when there is room: a publish waits for so long.
    pub(super) const fn waits(self, wait: TimeDelta) -> Self {
        Self { wait: Some(wait), ..self }
    }
}
