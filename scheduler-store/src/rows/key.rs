//! Rows of `keys`.

use scheduler_core::ids::{KeyId, WorkspaceId};
use scheduler_core::key::{AgentPolicy, Key, KeyHash};
use scheduler_core::ports::StoreError;
use uuid::Uuid;

use super::workspace::WorkspaceRow;
use super::{narrow, parse, row};
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
            confirmation: String,
            live_per_hour: i64,
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
            agents: AgentPolicy {
                confirmation: parse("keys.confirmation", &self.confirmation)?,
                live_per_hour: narrow("keys.live_per_hour", self.live_per_hour)?,
            },
            created_at: self.created_at.0,
            expires_at: self.expires_at.0,
        })
    }
}
