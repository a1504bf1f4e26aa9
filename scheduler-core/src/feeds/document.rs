//! What is asked of the server of a feed, and what it answers.

use chrono::{DateTime, Utc};

use super::ItemHash;

/// What is asked for: a feed, unless it is as it was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedRequest {
    /// Where it is.
    pub url: String,
    /// The `ETag` of what was read before.
    pub etag: Option<String>,
    /// The `Last-Modified` of what was read before.
    pub last_modified: Option<String>,
}

/// What came of asking for a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedAnswer {
    /// It is as it was.
    NotModified,
    /// This is what it is now.
    Read(FeedDocument),
}

/// A feed as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedDocument {
    /// What it calls itself.
    pub title: Option<String>,
    /// Its items in its own order, commonly the latest first; the first
    /// [`ITEMS_READ_MAX`](super::ITEMS_READ_MAX) of them.
    pub items: Vec<FeedItem>,
    /// What tells the items apart that stand below those.
    pub beyond: Vec<ItemHash>,
    /// Its `ETag`.
    pub etag: Option<String>,
    /// Its `Last-Modified`.
    pub last_modified: Option<String>,
}

/// An item of a feed, as plain text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedItem {
    /// What tells it from the other items of its feed; never empty, and the same in every answer.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Where it leads: an address of the web.
    pub link: Option<String>,
    /// What it is about.
    pub summary: String,
    /// Who has written it.
    pub author: String,
    /// When it was published, where the feed says so.
    pub published_at: Option<DateTime<Utc>>,
}

impl FeedItem {
    /// What is kept of its id.
    #[must_use]
    pub fn hash(&self) -> ItemHash {
        ItemHash::of(&self.id)
    }
}
