//! What a workspace keeps to write with.

use async_trait::async_trait;

use super::StoreError;
use crate::ids::WorkspaceId;
use crate::snippet::{Snippet, SnippetName};

/// The snippets of workspaces.
#[async_trait]
pub trait SnippetStore: Send + Sync {
    /// Stores a snippet in place of the one of its name; `false`, and nothing is stored, when it is
    /// a new one and its workspace has `limit` or more. Of several callers at once, as many store
    /// new ones as there is room for.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn save_snippet(&self, _snippet: &Snippet, _limit: u32) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The snippets of a workspace by their names.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn snippets(&self, _workspace: WorkspaceId) -> Result<Vec<Snippet>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Removes a snippet; `false` when there is none of that name.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_snippet(
        &self,
        _workspace: WorkspaceId,
        _name: &SnippetName,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }
}
