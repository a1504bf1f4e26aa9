//! Where readings of posts and of accounts are kept, and when the next are due.

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use super::{Claim, LivePost, Recorded, StoreError, StoredCredentials};
use crate::account::Account;
use crate::ids::{AccountId, PostId, TargetId, WorkspaceId};
use crate::inbox::ReceivedComment;
use crate::platform::{AccountLimits, Metric};
use crate::reading::Reading;
use crate::webhook::Event;

/// How the readings of an account stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadingState {
    /// When the account itself is looked at next: its followers and its limits.
    pub look_due_at: DateTime<Utc>,
    /// Nothing is read before this instant: the network wants to be left alone, or its budget is
    /// used up. Kept as given, also once it has passed.
    pub blocked_until: Option<DateTime<Utc>>,
    /// How often in a row reading has failed.
    pub failures: u32,
    /// How its posts are read.
    pub mode: ReadMode,
}

impl ReadingState {
    /// An account of which nothing was read yet, and that is looked at then.
    #[must_use]
    pub const fn new(look_due_at: DateTime<Utc>) -> Self {
        Self { look_due_at, blocked_until: None, failures: 0, mode: ReadMode::Batch }
    }
}

/// How the posts of an account are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadMode {
    /// As many in one call as the network takes.
    Batch,
    /// One in each call, since the network has refused all of a batch for one of them. Goes on
    /// after a wait: a budget may do for one call of a span.
    OneByOne,
}

impl ReadMode {
    /// Every mode. Tables in tests run over it.
    pub const ALL: [Self; 2] = [Self::Batch, Self::OneByOne];

    /// The name that is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Batch => "batch",
            Self::OneByOne => "one_by_one",
        }
    }
}

/// A live post whose figures are due.
#[derive(Clone, Debug, PartialEq)]
pub struct DueReading {
    /// The target.
    pub target_id: TargetId,
    /// The post that it belongs to.
    pub post_id: PostId,
    /// The live post; `None` when it is not live any more.
    pub live: Option<LivePost>,
    /// When its readings were taken, oldest first.
    pub taken_at: Vec<DateTime<Utc>>,
    /// How many comments the network had counted when they were read last; `None` when they never
    /// were.
    pub comments_seen: Option<u64>,
}

/// Everything that the readings of an account need, read in one operation.
#[derive(Clone, Debug)]
pub struct ReadingContext {
    /// The account.
    pub account: Account,
    /// Its credentials; `None` when it is disconnected.
    pub credentials: Option<StoredCredentials>,
    /// How its readings stand.
    pub state: ReadingState,
    /// Its posts whose figures are due, those first that were due first.
    pub due: Vec<DueReading>,
}

/// What came of reading the figures of one post.
#[derive(Clone, Debug, PartialEq)]
pub struct TakenReading {
    /// The target.
    pub target_id: TargetId,
    /// Its figures; `None` when the network has none.
    pub reading: Option<Reading>,
    /// Earlier readings that are not needed any more, by their instants.
    pub superfluous: Vec<DateTime<Utc>>,
    /// When they are due next; `None` for never.
    pub next_due_at: Option<DateTime<Utc>>,
}

/// What others have written under a post since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenComments {
    /// The target. Nothing is stored of one whose figures are not read any more.
    pub target_id: TargetId,
    /// How many comments the network has counted.
    pub seen: u64,
    /// All of them that it has told of, each with the event of a new one. What is stored already
    /// takes the author, the text, the likes and whether it is hidden, and stays read; its event is
    /// not stored.
    pub received: Vec<(ReceivedComment, Event)>,
}

/// How many follow an account on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Followers {
    /// The account.
    pub account_id: AccountId,
    /// The day, in UTC.
    pub day: NaiveDate,
    /// How many.
    pub count: u64,
}

/// What came of the readings of an account.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadingsTaken {
    /// Those of its posts.
    pub readings: Vec<TakenReading>,
    /// What was found under them.
    pub comments: Vec<TakenComments>,
    /// Its followers; a second count of a day takes the place of the first.
    pub followers: Option<Followers>,
    /// Followers of earlier days are forgotten; `None` forgets nothing.
    pub forget_followers_before: Option<NaiveDate>,
    /// What its network allows it now.
    pub limits: Option<AccountLimits>,
    /// What was noticed on the way. It is stored once, however often it is noticed.
    pub event: Option<Event>,
    /// How its readings stand.
    pub state: ReadingState,
}

impl ReadingsTaken {
    /// Changes nothing but how the readings stand.
    #[must_use]
    pub const fn nothing(state: ReadingState) -> Self {
        Self {
            readings: Vec::new(),
            comments: Vec::new(),
            followers: None,
            forget_followers_before: None,
            limits: None,
            event: None,
            state,
        }
    }
}

/// Which readings of one figure are wanted, over the posts of a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FigureQuery {
    /// The figure. Readings without it are left out.
    pub metric: Metric,
    /// Only of posts on this account.
    pub account_id: Option<AccountId>,
    /// Only of posts that went live from here on.
    pub from: DateTime<Utc>,
    /// Only of posts that went live before.
    pub to: DateTime<Utc>,
    /// Only readings that were taken no longer than this after their post went live.
    pub within: TimeDelta,
    /// At most so many.
    pub limit: u32,
}

impl FigureQuery {
    /// True for a reading of a post that went live at `published_at`, whatever the limit.
    #[must_use]
    pub fn takes(
        &self,
        account: AccountId,
        published_at: DateTime<Utc>,
        taken_at: DateTime<Utc>,
    ) -> bool {
        self.account_id.is_none_or(|only| only == account)
            && (self.from..self.to).contains(&published_at)
            && taken_at - published_at <= self.within
    }
}

/// One figure of a post at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigureReading {
    /// The account that the post went to.
    pub account_id: AccountId,
    /// The target.
    pub target_id: TargetId,
    /// When it went live.
    pub published_at: DateTime<Utc>,
    /// When the figure was read.
    pub at: DateTime<Utc>,
    /// The figure.
    pub value: f64,
}

/// What may be spent in a span of time: requests to a network, or thousandths of a currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Whose it is, and of what: the requests to a network, a workspace's part of them, those of
    /// one account, what its posts cost.
    pub subject: String,
    /// When the span began. Spans of a subject do not overlap.
    pub begins_at: DateTime<Utc>,
    /// When it ends.
    pub ends_at: DateTime<Utc>,
    /// So much may be spent.
    pub limit: u32,
}

/// What came of spending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spending {
    /// It is counted against every budget.
    Counted,
    /// It would go over the budget at this place, the first of those that have no room; nothing is
    /// counted.
    UsedUp(usize),
}

/// What came of asking for fresh readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefreshOutcome {
    /// So many posts are due now.
    Queued(u64),
    /// It was asked for not long ago; nothing was changed.
    TooSoon {
        /// When it may be asked for again.
        until: DateTime<Utc>,
    },
}

/// Readings.
///
/// Every connected account has exactly one piece of work of the kind `Read`, on a lane of its own:
/// due at the earliest of [`ReadingState::look_due_at`] and the due times of its posts' readings,
/// but not before [`ReadingState::blocked_until`]. Connecting an account (also again) makes it due
/// at once; disconnecting it removes it. A target that goes live has its first reading due at
/// [`next_due`](crate::reading::next_due), in the transaction that records it, which may make the
/// work of its account due earlier than the block; whoever claims it then gives it back.
/// Readings go with the record of their post.
#[async_trait]
pub trait ReadingStore: Send + Sync {
    /// Reads what the readings of an account need, with at most `limit` posts that are due at
    /// `now`; `None` when the claim is not the current one or the account is gone.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn reading_context(
        &self,
        _claim: &Claim,
        _now: DateTime<Utc>,
        _limit: u32,
    ) -> Result<Option<ReadingContext>, StoreError> {
        Ok(None)
    }

    /// Stores what was read, and when the work is due next.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn record_readings(
        &self,
        _claim: &Claim,
        _taken: &ReadingsTaken,
    ) -> Result<Recorded, StoreError> {
        Ok(Recorded::Lost)
    }

    /// Stores a reading that somebody asked for; when the next is due stays as it is.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn add_reading(
        &self,
        _target: TargetId,
        _reading: &Reading,
        _superfluous: &[DateTime<Utc>],
    ) -> Result<(), StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The readings of a target from `since` on, oldest first: the latest `limit`.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn readings(
        &self,
        _target: TargetId,
        _since: Option<DateTime<Utc>>,
        _limit: u32,
    ) -> Result<Vec<Reading>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Readings of one figure of the posts on a workspace's connected accounts: by account, then by
    /// when the post went live, by target, and by when they were taken.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn figure_readings(
        &self,
        _workspace: WorkspaceId,
        _query: &FigureQuery,
    ) -> Result<Vec<FigureReading>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Makes the readings of a workspace's live posts due at `now`, unless they are due already:
    /// those of posts that went live at `published_since` or later, on connected accounts. Refused
    /// when that was last done less than `every` ago.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn refresh_readings(
        &self,
        _workspace: WorkspaceId,
        _now: DateTime<Utc>,
        _published_since: DateTime<Utc>,
        _every: TimeDelta,
    ) -> Result<RefreshOutcome, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The followers of a workspace's connected accounts from a day on, by account, then by day.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn followers(
        &self,
        _workspace: WorkspaceId,
        _from: NaiveDate,
    ) -> Result<Vec<Followers>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Counts `amount` against each of several budgets, over all nodes, unless it goes over one of
    /// them. A span is forgotten when the next one has ended as well, so that a node whose clock is
    /// somewhat behind does not begin it anew.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn spend(&self, _budgets: &[Budget], _amount: u32) -> Result<Spending, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// How much is spent of each of several budgets, in their order.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn spent(&self, budgets: &[Budget]) -> Result<Vec<u32>, StoreError> {
        Ok(vec![0; budgets.len()])
    }
}
