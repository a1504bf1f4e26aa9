//! What is kept of calendar feeds, and what they show.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::StoreError;
use crate::calendar::{CalendarEntry, CalendarFeed};
use crate::connecting::PassHash;
use crate::ids::WorkspaceId;
use crate::workspace::Workspace;

/// The calendar feeds of workspaces.
#[async_trait]
pub trait CalendarStore: Send + Sync {
    /// Stores the feed of a workspace, in place of the one that it had.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn save_calendar_feed(&self, _feed: &CalendarFeed) -> Result<(), StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The feed of a workspace.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn calendar_feed(
        &self,
        _workspace: WorkspaceId,
    ) -> Result<Option<CalendarFeed>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Removes the feed of a workspace; `false` when it has none.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_calendar_feed(&self, _workspace: WorkspaceId) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The workspace whose feed has this secret.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn workspace_of_calendar(
        &self,
        _hash: PassHash,
    ) -> Result<Option<Workspace>, StoreError> {
        Ok(None)
    }

    /// The targets of a workspace's posts, drafts left out, whose moment lies at `from` or after
    /// and before `to`: those of the latest posts first, then those of the greatest post id, in the
    /// order that their post has them; at most `limit`. Of posts and targets no more is read than an
    /// entry shows.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn calendar_entries(
        &self,
        _workspace: WorkspaceId,
        _from: DateTime<Utc>,
        _to: DateTime<Utc>,
        _limit: u32,
    ) -> Result<Vec<CalendarEntry>, StoreError> {
        Err(StoreError::Unsupported)
    }
}
