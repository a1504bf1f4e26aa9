//! Accounts that workspaces pick together.

use async_trait::async_trait;

use super::{MemoryStore, Tables};
use crate::account::{AccountSet, AccountSetChange};
use crate::ids::{AccountSetId, WorkspaceId};
use crate::ports::{AccountSetStore, SetOutcome, StoreError};

/// Whether another set of the workspace has the name.
fn is_taken(tables: &Tables, workspace: WorkspaceId, id: AccountSetId, name: &str) -> bool {
    let mut others = tables.account_sets.values().filter(|other| other.id != id);
    others.any(|other| other.workspace_id == workspace && other.name == name)
}

#[async_trait]
impl AccountSetStore for MemoryStore {
    async fn create_account_set(
        &self,
        set: &AccountSet,
        limit: u32,
    ) -> Result<SetOutcome, StoreError> {
        let mut tables = self.tables();
        let theirs = |other: &&AccountSet| other.workspace_id == set.workspace_id;
        if tables.account_sets.values().filter(theirs).count() >= limit as usize {
            return Ok(SetOutcome::Full);
        }
        if is_taken(&tables, set.workspace_id, set.id, &set.name) {
            return Ok(SetOutcome::NameTaken);
        }
        tables.account_sets.insert(set.id, set.clone());
        Ok(SetOutcome::Stored)
    }

    async fn account_sets(&self, workspace: WorkspaceId) -> Result<Vec<AccountSet>, StoreError> {
        let tables = self.tables();
        let theirs = tables.account_sets.values().filter(|set| set.workspace_id == workspace);
        let mut theirs: Vec<AccountSet> = theirs.cloned().collect();
        theirs.sort_by_key(|set| (set.created_at, set.id));
        Ok(theirs)
    }

    async fn update_account_set(
        &self,
        workspace: WorkspaceId,
        id: AccountSetId,
        change: &AccountSetChange,
    ) -> Result<SetOutcome, StoreError> {
        let mut tables = self.tables();
        if change.name.as_ref().is_some_and(|name| is_taken(&tables, workspace, id, name)) {
            return Ok(SetOutcome::NameTaken);
        }
        let stored = tables.account_sets.get_mut(&id);
        let Some(stored) = stored.filter(|stored| stored.workspace_id == workspace) else {
            return Ok(SetOutcome::Missing);
        };
        if let Some(name) = &change.name {
            stored.name.clone_from(name);
        }
        if let Some(accounts) = &change.account_ids {
            stored.accounts.clone_from(accounts);
        }
        Ok(SetOutcome::Stored)
    }

    async fn remove_account_set(
        &self,
        workspace: WorkspaceId,
        id: AccountSetId,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let is_theirs = |set: &AccountSet| set.workspace_id == workspace;
        if !tables.account_sets.get(&id).is_some_and(is_theirs) {
            return Ok(false);
        }
        Ok(tables.account_sets.remove(&id).is_some())
    }
}
