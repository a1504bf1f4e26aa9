//! Workspaces and keys.

use async_trait::async_trait;

use super::MemoryStore;
use crate::ids::{KeyId, WorkspaceId};
use crate::key::{Key, KeyHash};
use crate::ports::{KeyStore, RenameOutcome, StoreError, WorkspaceStore};
use crate::workspace::Workspace;

#[async_trait]
impl WorkspaceStore for MemoryStore {
    async fn create_first_workspace(
        &self,
        workspace: &Workspace,
        key: &Key,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        if !tables.workspaces.is_empty() {
            return Ok(false);
        }
        tables.workspaces.insert(workspace.id, workspace.clone());
        tables.keys.insert(key.id, key.clone());
        Ok(true)
    }

    async fn create_workspace(&self, workspace: &Workspace) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        if tables.workspaces.values().any(|other| other.name == workspace.name) {
            return Ok(false);
        }
        tables.workspaces.insert(workspace.id, workspace.clone());
        Ok(true)
    }

    async fn workspace(&self, id: WorkspaceId) -> Result<Option<Workspace>, StoreError> {
        Ok(self.tables().workspaces.get(&id).cloned())
    }

    async fn workspaces(&self) -> Result<Vec<Workspace>, StoreError> {
        let mut workspaces: Vec<Workspace> = self.tables().workspaces.values().cloned().collect();
        workspaces.sort_by_key(|workspace| (workspace.created_at, workspace.id));
        Ok(workspaces)
    }

    async fn update_workspace(&self, workspace: &Workspace) -> Result<RenameOutcome, StoreError> {
        let mut tables = self.tables();
        let mut others = tables.workspaces.values().filter(|other| other.id != workspace.id);
        if others.any(|other| other.name == workspace.name) {
            return Ok(RenameOutcome::NameTaken);
        }
        let Some(row) = tables.workspaces.get_mut(&workspace.id) else {
            return Ok(RenameOutcome::Missing);
        };
        *row = Workspace { created_at: row.created_at, ..workspace.clone() };
        Ok(RenameOutcome::Saved)
    }
}

#[async_trait]
impl KeyStore for MemoryStore {
    async fn create_key(&self, key: &Key) -> Result<(), StoreError> {
        self.tables().keys.insert(key.id, key.clone());
        Ok(())
    }

    async fn keys(&self, workspace: WorkspaceId) -> Result<Vec<Key>, StoreError> {
        let tables = self.tables();
        let mut keys: Vec<Key> =
            tables.keys.values().filter(|key| key.workspace_id == workspace).cloned().collect();
        keys.sort_by_key(|key| (key.created_at, key.id));
        Ok(keys)
    }

    async fn key_by_hash(&self, hash: KeyHash) -> Result<Option<(Key, Workspace)>, StoreError> {
        let tables = self.tables();
        let key = tables.keys.values().find(|key| key.hash == hash);
        Ok(key.and_then(|key| {
            let workspace = tables.workspaces.get(&key.workspace_id)?;
            Some((key.clone(), workspace.clone()))
        }))
    }

    async fn revoke_key(&self, id: KeyId) -> Result<bool, StoreError> {
        Ok(self.tables().keys.remove(&id).is_some())
    }
}
