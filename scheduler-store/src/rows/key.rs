//! Rows of `keys`.

use scheduler_core::ids::{KeyId, WorkspaceId};
use scheduler_core::key::{Key, KeyHash};
use scheduler_core::ports::StoreError;
use uuid::Uuid;

use super::workspace::WorkspaceRow;
use super::{parse, row};
use crate::error::corrupt;
use crate::instant::Instant;

row! {
    /// A row of `keys`.
    pub(crate) struct KeyRow by key_columns {
        k {
            id: Uuid,
            workspace_id: Uuid,
            name: String,
            hash: Vec<u8>,
            hint: String,
            scopes: String,
            created_at: Instant,
            expires_at: Instant,
        }
    }
}

row! {
    /// A row of `keys` with that of its workspace.
    pub(crate) struct KeyAndWorkspaceRow {
        ..pub(crate) key: KeyRow,
        ..pub(crate) workspace: WorkspaceRow,
    }
}

impl KeyRow {
    pub(crate) fn read(self) -> Result<Key, StoreError> {
        let hash = <[u8; 32]>::try_from(self.hash)
            .map_err(|_| corrupt("keys.hash", "the hash is not 32 bytes"))?;
        Ok(Key {
            id: KeyId(self.id),
            workspace_id: WorkspaceId(self.workspace_id),
            name: self.name,
            hash: KeyHash(hash),
            hint: self.hint,
            scopes: parse("keys.scopes", &self.scopes)?,
            created_at: self.created_at.0,
            expires_at: self.expires_at.0,
        })
    }
}
