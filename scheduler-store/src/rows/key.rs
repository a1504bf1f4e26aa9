//! Rows of `keys`.

use scheduler_core::ids::{KeyId, WorkspaceId};
use scheduler_core::key::{Key, KeyHash};
use scheduler_core::ports::StoreError;
use uuid::Uuid;

use super::parse;
use super::workspace::WorkspaceRow;
use crate::error::corrupt;
use crate::instant::Instant;

/// The columns of `keys k`.
macro_rules! key_columns {
    () => {
        "k.id AS id, k.workspace_id AS workspace_id, k.name AS name, k.hash AS hash, \
         k.hint AS hint, k.scopes AS scopes, k.created_at AS created_at, \
         k.expires_at AS expires_at"
    };
}
pub(crate) use key_columns;

/// A row of `keys`.
#[derive(sqlx::FromRow)]
pub(crate) struct KeyRow {
    id: Uuid,
    workspace_id: Uuid,
    name: String,
    hash: Vec<u8>,
    hint: String,
    scopes: String,
    created_at: Instant,
    expires_at: Instant,
}

/// A row of `keys` with that of its workspace.
#[derive(sqlx::FromRow)]
pub(crate) struct KeyAndWorkspaceRow {
    #[sqlx(flatten)]
    pub(crate) key: KeyRow,
    #[sqlx(flatten)]
    pub(crate) workspace: WorkspaceRow,
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
