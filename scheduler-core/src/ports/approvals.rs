//! What is kept of the approval of clients.

use async_trait::async_trait;

use super::{SaveOutcome, StoreError};
use crate::connecting::PassHash;
use crate::ids::{PostId, WorkspaceId};
use crate::post::{Approval, Post};

/// The links under which clients see posts, at most one for each post.
///
/// A post that is removed takes its link along.
#[async_trait]
pub trait ApprovalStore: Send + Sync {
    /// Stores a post as [`PostStore::save_post`](super::PostStore::save_post) does, against the
    /// same version and with the same promises, and in the same transaction its link, in place of
    /// any that it had; `None` removes that. When the post is not stored, neither is the link.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn save_approval(
        &self,
        post: &Post,
        approval: Option<&Approval>,
    ) -> Result<SaveOutcome, StoreError>;

    /// The link of a post.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn approval(
        &self,
        workspace: WorkspaceId,
        post: PostId,
    ) -> Result<Option<Approval>, StoreError>;

    /// The link with this secret, expired or not, and its post, read at one moment: whatever
    /// replaces the link later raises the version of that post.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn approval_by_pass(
        &self,
        pass: PassHash,
    ) -> Result<Option<(Approval, Post)>, StoreError>;

    /// The latest links of a workspace with their posts, newest first, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn approvals(
        &self,
        workspace: WorkspaceId,
        limit: u32,
    ) -> Result<Vec<(Approval, Post)>, StoreError>;
}
