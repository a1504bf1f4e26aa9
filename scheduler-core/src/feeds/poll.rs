//! What a poll of a feed has to do, and what it leaves behind.

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    BACK_OFF_MAX, FAILING_AFTER, Feed, FeedDocument, FeedItem, FeedState, ITEMS_A_POLL,
    ITEMS_READ_MAX, ItemHash, REST,
};

/// What one poll makes of what was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The items that become posts now, the oldest first.
    pub items: Vec<FeedItem>,
    /// Those that need nothing, whatever becomes of the others.
    settled: Vec<ItemHash>,
    /// True when more wait for the next poll.
    has_more: bool,
}

impl Turn {
    /// What is to be done with what was read of a feed. Of a feed that is read for the first time,
    /// nothing that was there when it was added becomes a post, unless that is asked for.
    #[must_use]
    pub fn of(feed: &Feed, state: &FeedState, document: &FeedDocument) -> Self {
        let is_first = state.read_at.is_none() && !feed.input.existing;
        let is_old =
            |item: &FeedItem| is_first && item.published_at.is_none_or(|at| at <= feed.created_at);
        let known = state.known.to_set();
        let mut fresh: Vec<&FeedItem> = Vec::new();
        let mut settled = Vec::new();
        for item in document.items.iter().take(ITEMS_READ_MAX) {
            let hash = item.hash();
            if known.contains(&hash) || is_old(item) {
                settled.push(hash);
            } else if !fresh.iter().any(|other| other.id == item.id) {
                fresh.push(item);
            }
        }
        // Also what stands so far down, so that it is no news when what stands above it goes.
        let needs_nothing = |hash: &&ItemHash| is_first || known.contains(hash);
        settled.extend(document.beyond.iter().filter(needs_nothing));
        // The latest commonly stand first. Where each says when it was published, that counts.
        fresh.reverse();
        if fresh.iter().all(|item| item.published_at.is_some()) {
            fresh.sort_by_key(|item| item.published_at);
        }
        let has_more = fresh.len() > ITEMS_A_POLL;
        let items = fresh.into_iter().take(ITEMS_A_POLL).cloned().collect();
        Self { items, settled, has_more }
    }
}

/// What came of a poll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Polled {
    /// The feed is as it was.
    NotModified,
    /// It was read, and the first so many items of the turn need nothing any more.
    Read {
        /// What was read.
        document: FeedDocument,
        /// What was to be done.
        turn: Turn,
        /// How many items need nothing any more: they are posts now, or can become none.
        settled: usize,
        /// How many of them are posts now.
        posted: usize,
        /// Why an item became no post, for a person.
        error: Option<String>,
    },
    /// It could not be read, for this reason.
    Failed(String),
}

impl FeedState {
    /// The state after a poll.
    #[must_use]
    pub fn after(self, feed: &Feed, polled: Polled, now: DateTime<Utc>) -> Self {
        match polled {
            Polled::NotModified => Self { read_at: Some(now), ..self }.went_well(feed, now),
            Polled::Failed(error) => self.failed(feed, error, now),
            Polled::Read { document, turn, settled: done, posted, error } => {
                let Turn { items, mut settled, has_more } = turn;
                settled.extend(items[..done].iter().map(FeedItem::hash));
                let is_whole = !has_more && error.is_none();
                let state = Self {
                    known: self.known.seen(&settled),
                    // Asked with these, the server would not tell again what is left.
                    etag: document.etag.filter(|_| is_whole),
                    last_modified: document.last_modified.filter(|_| is_whole),
                    read_at: Some(now),
                    posted_at: if posted > 0 { Some(now) } else { self.posted_at },
                    ..self
                };
                match error {
                    // What has made posts works, and goes on when it would have.
                    Some(error) if posted > 0 => {
                        Self { error: Some(error), ..state.went_well(feed, now) }
                    }
                    Some(error) => state.failed(feed, error, now),
                    None => state.went_well(feed, now),
                }
            }
        }
    }

    /// True when the poll that has led to this is the one after which people are told that the feed
    /// keeps failing: once, until it has worked again.
    #[must_use]
    pub const fn keeps_failing(&self) -> bool {
        self.failures == FAILING_AFTER
    }

    fn went_well(self, feed: &Feed, now: DateTime<Utc>) -> Self {
        let (next_at, rests_until) = (now + feed.input.every(), Some(now + REST));
        Self { next_at, rests_until, failures: 0, error: None, ..self }
    }

    /// The wait doubles with each failure in a row.
    fn failed(self, feed: &Feed, error: String, now: DateTime<Utc>) -> Self {
        let every = feed.input.every();
        let doubled = every * 2_i32.pow(self.failures.min(10));
        let wait: TimeDelta = doubled.min(BACK_OFF_MAX.max(every));
        let (next_at, rests_until) = (now + wait, Some(now + REST));
        let failures = self.failures.saturating_add(1);
        Self { next_at, rests_until, failures, error: Some(error), ..self }
    }
}
