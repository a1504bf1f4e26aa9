//! What others have written under live posts.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::StoreError;
use crate::ids::{CommentId, WorkspaceId};
use crate::inbox::{CommentChange, InboxQuery, Marked, ReceivedComment};

/// The inboxes of workspaces.
///
/// Comments are stored with the readings that found them
/// ([`ReadingStore::record_readings`](super::ReadingStore::record_readings)), and go with the
/// record of their post.
#[async_trait]
pub trait InboxStore: Send + Sync {
    /// The comments of a workspace that the query takes, by the instants at which they were
    /// written and their ids, both descending.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn inbox(
        &self,
        _workspace: WorkspaceId,
        _query: &InboxQuery,
    ) -> Result<Vec<ReceivedComment>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// How many comments of a workspace are unread.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn unread_comments(&self, _workspace: WorkspaceId) -> Result<u64, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Marks comments of a workspace as read at an instant, or as unread where there is none; how
    /// many were not so before. Those that are read keep their instant.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn mark_comments(
        &self,
        _workspace: WorkspaceId,
        _marked: &Marked,
        _read_at: Option<DateTime<Utc>>,
    ) -> Result<u64, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Stores what was done about a comment, where there is one of that id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn change_comment(
        &self,
        _id: CommentId,
        _change: CommentChange,
    ) -> Result<(), StoreError> {
        Ok(())
    }
}
