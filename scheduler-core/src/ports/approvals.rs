//! What is kept of the approval of clients.

use async_trait::async_trait;

use super::{SaveOutcome, StoreError};
use crate::connecting::PassHash;
use crate::ids::{PostId, WorkspaceId};
use crate::post::{Approval, Post};
use crate::webhook::Event;

/// Which approvals are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalsOf {
    /// That of a post.
    Post(WorkspaceId, PostId),
    /// Those under the link with a secret.
    Pass(PassHash),
    /// The latest of a workspace, at most so many.
    Workspace(WorkspaceId, u32),
}

/// The approvals of clients, at most one for each post.
///
/// A post that is removed takes its approval along.
#[async_trait]
pub trait ApprovalStore: Send + Sync {
    /// Stores posts as [`PostStore::save_post`](super::PostStore::save_post) does, against the
    /// same versions and with the same promises, and in the same transaction the approval of each,
    /// in place of any that it had; `None` removes that. The event is stored with them, with a
    /// delivery, due at once, for every webhook that subscribes to it. When one of the posts is not
    /// stored, nothing is, and the outcome is that of the first such.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn save_approvals(
        &self,
        _changes: &[(Post, Option<Approval>)],
        _event: Option<&Event>,
    ) -> Result<SaveOutcome, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The approvals that are asked for, expired or not, each with its post as of the same moment:
    /// whatever replaces one later raises the version of its post. The newest come first, of those
    /// made at once the one with the highest id of its post.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn approvals(&self, _of: ApprovalsOf) -> Result<Vec<(Approval, Post)>, StoreError> {
        Err(StoreError::Unsupported)
    }
}
