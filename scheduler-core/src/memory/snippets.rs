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
        let theirs =
            tables.snippets.keys().filter(|(workspace, _)| *workspace == snippet.workspace_id);
        if theirs.count() >= limit as usize && !tables.snippets.contains_key(&place) {
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
