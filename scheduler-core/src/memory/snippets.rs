//! What workspaces keep to write with.

use async_trait::async_trait;

use super::MemoryStore;
use crate::ids::WorkspaceId;
use crate::ports::{SnippetStore, StoreError};
use crate::snippet::{Snippet, SnippetName};

#[async_trait]
impl SnippetStore for MemoryStore {
    async fn save_snippet(&self, snippet: &Snippet, limit: u32) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let place = (snippet.workspace_id, snippet.name.clone());
        let others = tables.snippets.keys().filter(|other| other.0 == place.0 && **other != place);
        if others.count() >= limit as usize {
            return Ok(false);
        }
        tables.snippets.insert(place, snippet.clone());
        Ok(true)
    }

    async fn snippets(&self, workspace: WorkspaceId) -> Result<Vec<Snippet>, StoreError> {
        let tables = self.tables();
        let theirs = tables.snippets.values().filter(|one| one.workspace_id == workspace);
        Ok(theirs.cloned().collect())
    }

    async fn remove_snippet(
        &self,
        workspace: WorkspaceId,
        name: &SnippetName,
    ) -> Result<bool, StoreError> {
        Ok(self.tables().snippets.remove(&(workspace, name.clone())).is_some())
    }
}
