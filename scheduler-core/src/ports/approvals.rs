//! What is kept of the approval of clients.

use async_trait::async_trait;

use super::{SaveOutcome, StoreError};
use crate::connecting::PassHash;
use crate::ids::{PostId, WorkspaceId};
use crate::post::{Approval, Post};
use crate::webhook::Event;

/// Which links are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalsOf {
    /// That of a post.
    Post(WorkspaceId, PostId),
    /// That with a secret.
    Pass(PassHash),
    /// The latest of a workspace, at most so many.
    Workspace(WorkspaceId, u32),
}

/// The links under which clients see posts, at most one for each post.
///
/// A post that is removed takes its link along.
#[async_trait]
pub trait ApprovalStore: Send + Sync {
    /// Stores a post as [`PostStore::save_post`](super::PostStore::save_post) does, against the
    /// same version and with the same promises, and in the same transaction its link, in place of
    /// any that it had; `None` removes that. The event is stored with them, with a delivery, due at
    /// once, for every webhook that subscribes to it. When the post is not stored, nothing is.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn save_approval(
        &self,
        _post: &Post,
        _approval: Option<&Approval>,
        _event: Option<&Event>,
    ) -> Result<SaveOutcome, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The links that are asked for, expired or not, each with its post as of the same moment:
    /// whatever replaces a link later raises the version of its post. Of several the newest comes
    /// first.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn approvals(&self, _of: ApprovalsOf) -> Result<Vec<(Approval, Post)>, StoreError> {
        Err(StoreError::Unsupported)
    }
}
