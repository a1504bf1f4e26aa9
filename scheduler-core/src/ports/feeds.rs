//! What is kept of feeds whose items become posts.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::{Recorded, StoreError};
use crate::feeds::{Feed, FeedState};
use crate::ids::{FeedId, WorkspaceId};
use crate::webhook::Event;

/// Feeds, and how far their polls have come.
#[async_trait]
pub trait FeedStore: Send + Sync {
    /// Stores a new feed; `false` when its workspace has `limit` or more. Of several callers at
    /// once, as many store theirs as there is room for.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn create_feed(
        &self,
        _feed: &Feed,
        _state: &FeedState,
        _limit: u32,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Every feed of a workspace, oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn feeds(&self, _workspace: WorkspaceId) -> Result<Vec<(Feed, FeedState)>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// A feed of a workspace; `None` when there is none of that id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn feed(
        &self,
        workspace: WorkspaceId,
        id: FeedId,
    ) -> Result<Option<(Feed, FeedState)>, StoreError> {
        let all = self.feeds(workspace).await?;
        Ok(all.into_iter().find(|(feed, _)| feed.id == id))
    }

    /// Stores what is asked of a feed from now on; `false` when there is none of its id in its
    /// workspace. Where `next_at` is given, the feed is polled then, or when it has rested, where that
    /// is later: while somebody polls it, nobody else does.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn update_feed(
        &self,
        _feed: &Feed,
        _next_at: Option<DateTime<Utc>>,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Has a feed polled at `next_at`, or when it has rested, where that is later, and changes nothing
    /// else of it; `false` when there is none of that id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn hurry_feed(
        &self,
        _workspace: WorkspaceId,
        _id: FeedId,
        _next_at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Removes a feed; `false` when there is none of that id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_feed(&self, _workspace: WorkspaceId, _id: FeedId) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Takes the feed whose poll has been due longest, of those that are not paused and due at
    /// `now`, by setting its next poll and its rest to `lease_until`. No two callers at once take the
    /// same; one of them may find none. Gives it as it is then.
    ///
    /// # Errors
    /// [`StoreError`]; one that cannot be read is taken nevertheless.
    async fn claim_feed(
        &self,
        _now: DateTime<Utc>,
        _lease_until: DateTime<Utc>,
    ) -> Result<Option<(Feed, FeedState)>, StoreError> {
        Ok(None)
    }

    /// Stores what a poll has left behind, and the event if there is one, unless somebody else has
    /// taken the feed since, or it is gone: its next poll is not that of `lease_until` any more then.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn record_poll(
        &self,
        _id: FeedId,
        _lease_until: DateTime<Utc>,
        _state: &FeedState,
        _event: Option<&Event>,
    ) -> Result<Recorded, StoreError> {
        Err(StoreError::Unsupported)
    }
}
