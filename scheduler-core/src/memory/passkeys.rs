//! Passkeys.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::MemoryStore;
use crate::connecting::PassHash;
use crate::ids::{PasskeyId, WorkspaceId};
use crate::passkey::{Challenge, Passkey};
use crate::ports::{PasskeyStore, StoreError};
use crate::workspace::Workspace;

#[async_trait]
impl PasskeyStore for MemoryStore {
    async fn create_passkey(&self, passkey: &Passkey) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        if tables.passkeys.values().any(|other| other.credential == passkey.credential) {
            return Ok(false);
        }
        tables.passkeys.insert(passkey.id, passkey.clone());
        Ok(true)
    }

    async fn passkeys(&self, workspace: WorkspaceId) -> Result<Vec<Passkey>, StoreError> {
        let tables = self.tables();
        let all = tables.passkeys.values();
        let mut mine: Vec<Passkey> =
            all.filter(|passkey| passkey.workspace_id == workspace).cloned().collect();
        mine.sort_by_key(|passkey| (passkey.created_at, passkey.id));
        Ok(mine)
    }

    async fn passkey_by_credential(
        &self,
        credential: &[u8],
    ) -> Result<Option<(Passkey, Workspace)>, StoreError> {
        let tables = self.tables();
        let found = tables.passkeys.values().find(|passkey| passkey.credential == credential);
        Ok(found.and_then(|passkey| {
            let workspace = tables.workspaces.get(&passkey.workspace_id)?;
            Some((passkey.clone(), workspace.clone()))
        }))
    }

    async fn use_passkey(
        &self,
        read: &Passkey,
        state: &[u8],
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let found = tables.passkeys.get_mut(&read.id);
        let Some(passkey) = found.filter(|passkey| passkey.state == read.state) else {
            return Ok(false);
        };
        passkey.state = state.to_vec();
        passkey.used_at = Some(at);
        Ok(true)
    }

    async fn remove_passkey(
        &self,
        workspace: WorkspaceId,
        id: PasskeyId,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let found = tables.passkeys.get(&id);
        let is_there = found.is_some_and(|passkey| passkey.workspace_id == workspace);
        if is_there {
            tables.passkeys.remove(&id);
        }
        Ok(is_there)
    }

    async fn keep_challenge(
        &self,
        challenge: &Challenge,
        now: DateTime<Utc>,
        most: u32,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        tables.challenges.retain(|_, open| open.expires_at > now);
        if tables.challenges.len() >= most as usize {
            return Ok(false);
        }
        tables.challenges.insert(challenge.pass, challenge.clone());
        Ok(true)
    }

    async fn take_challenge(&self, pass: PassHash) -> Result<Option<Challenge>, StoreError> {
        Ok(self.tables().challenges.remove(&pass))
    }
}
