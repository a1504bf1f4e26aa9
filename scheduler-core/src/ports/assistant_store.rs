//! What is kept of the assistant: how often it was called, and what it said of posts.

use async_trait::async_trait;

use super::StoreError;
use crate::assistant::{AssistantCall, Reviewed};
use crate::ids::{PostId, TargetId, WorkspaceId};
use crate::post::{Month, Post};

/// Calls to the assistant, and reviews. A review goes with the record of its post.
#[async_trait]
pub trait AssistantStore: Send + Sync {
    /// Counts one call of a workspace in a month unless there are `limit` already; returns whether
    /// it did. Of many callers at once, as many succeed as fit.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn take_call(
        &self,
        _workspace: WorkspaceId,
        _month: Month,
        _call: AssistantCall,
        _limit: u64,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Counts one call less, down to none.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn give_back_call(
        &self,
        _workspace: WorkspaceId,
        _month: Month,
        _call: AssistantCall,
    ) -> Result<(), StoreError> {
        Err(StoreError::Unsupported)
    }

    /// How many calls of a workspace count in a month.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn calls_in_month(
        &self,
        _workspace: WorkspaceId,
        _month: Month,
        _call: AssistantCall,
    ) -> Result<u64, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The post that a target of the workspace belongs to.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn post_of_target(
        &self,
        _workspace: WorkspaceId,
        _target: TargetId,
    ) -> Result<Option<Post>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Stores the review of a target of the post, in place of an earlier one; `false` when the
    /// workspace has no such post any more.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn save_review(
        &self,
        _workspace: WorkspaceId,
        _post: PostId,
        _reviewed: &Reviewed,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The last review of a target of the workspace.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn review(
        &self,
        _workspace: WorkspaceId,
        _target: TargetId,
    ) -> Result<Option<Reviewed>, StoreError> {
        Err(StoreError::Unsupported)
    }
}
