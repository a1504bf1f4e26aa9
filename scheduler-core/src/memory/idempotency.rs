//! The uses of Idempotency-Keys, beside those of posts.

use async_trait::async_trait;
use uuid::Uuid;

use super::{MemoryStore, Tables};
use crate::idempotency::{KeyScope, KeyUse};
use crate::ids::WorkspaceId;
use crate::ports::{IdempotencyStore, StoreError};

/// Where a use is kept.
pub(super) type KeyPlace = (WorkspaceId, KeyScope, String);

fn place(of: &KeyUse) -> KeyPlace {
    (of.workspace_id, of.scope.clone(), of.key.as_str().to_owned())
}

impl Tables {
    /// Stores a use; the one that is there already, if any, stays and is answered.
    pub(super) fn begin_key_use(&mut self, new: &KeyUse) -> Option<KeyUse> {
        let place = place(new);
        if let Some(earlier) = self.key_uses.get(&place) {
            return Some(earlier.clone());
        }
        self.key_uses.insert(place, new.clone());
        None
    }

    pub(super) fn forget_keys_of(&mut self, thing: Uuid) {
        self.key_uses.retain(|_, key_use| key_use.belongs_to != thing);
    }
}

#[async_trait]
impl IdempotencyStore for MemoryStore {
    async fn key_use(
        &self,
        workspace: WorkspaceId,
        scope: &KeyScope,
        key: &str,
    ) -> Result<Option<KeyUse>, StoreError> {
        let place = (workspace, scope.clone(), key.to_owned());
        Ok(self.tables().key_uses.get(&place).cloned())
    }

    async fn begin_key_use(&self, new: &KeyUse) -> Result<Option<KeyUse>, StoreError> {
        Ok(self.tables().begin_key_use(new))
    }

    async fn settle_key_use(&self, settled: &KeyUse) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let found = tables.key_uses.get_mut(&place(settled)).filter(|there| there.id == settled.id);
        let is_there = found.is_some();
        if let Some(there) = found {
            there.outcome = settled.outcome.clone();
        }
        Ok(is_there)
    }

    async fn forget_key_use(&self, of: &KeyUse) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let place = place(of);
        let is_there = tables.key_uses.get(&place).is_some_and(|there| there.id == of.id);
        if is_there {
            tables.key_uses.remove(&place);
        }
        Ok(is_there)
    }
}
