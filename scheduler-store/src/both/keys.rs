//! API keys.

use async_trait::async_trait;
use scheduler_core::ids::{KeyId, WorkspaceId};
use scheduler_core::key::{Key, KeyHash};
use scheduler_core::ports::{KeyStore, StoreError};
use scheduler_core::workspace::Workspace;

use super::{Backend, Connection};
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::key::{KeyAndWorkspaceRow, KeyRow, key_columns};
use crate::rows::workspace::workspace_columns;

const INSERT: &str = "INSERT INTO keys \
    (id, workspace_id, name, hash, hint, scopes, confirmation, live_per_hour, created_at, expires_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
const DELETE: &str = "DELETE FROM keys WHERE id = $1";
const OF_WORKSPACE: &str = concat!(
    "SELECT ",
    key_columns!(),
    " FROM keys k WHERE k.workspace_id = $1 ORDER BY k.created_at, k.id"
);
const BY_HASH: &str = concat!(
    "SELECT ",
    key_columns!(),
    ", ",
    workspace_columns!(),
    " FROM keys k JOIN workspaces w ON w.id = k.workspace_id WHERE k.hash = $1"
);

pub(super) async fn insert(connection: &mut Connection, key: &Key) -> Result<(), Failure> {
    sqlx::query(INSERT)
        .bind(key.id.0)
        .bind(key.workspace_id.0)
        .bind(&key.name)
        .bind(key.hash.0.to_vec())
        .bind(&key.hint)
        .bind(key.scopes.to_string())
        .bind(key.agents.confirmation.as_str())
        .bind(i64::from(key.agents.live_per_hour))
        .bind(Instant(key.created_at))
        .bind(Instant(key.expires_at))
        .execute(connection)
        .await?;
    Ok(())
}

#[async_trait]
impl KeyStore for Backend {
    async fn create_key(&self, key: &Key) -> Result<(), StoreError> {
        self.write("create_key", key.clone(), |connection, key| {
            Box::pin(async move { Ok(insert(connection, key).await?) })
        })
        .await
    }

    async fn keys(&self, workspace: WorkspaceId) -> Result<Vec<Key>, StoreError> {
        self.read("keys", workspace, |connection, workspace| {
            Box::pin(async move {
                let rows: Vec<KeyRow> =
                    sqlx::query_as(OF_WORKSPACE).bind(workspace.0).fetch_all(connection).await?;
                Ok(rows.into_iter().map(KeyRow::read).collect::<Result<_, _>>()?)
            })
        })
        .await
    }

    async fn key_by_hash(&self, hash: KeyHash) -> Result<Option<(Key, Workspace)>, StoreError> {
        self.read("key_by_hash", hash.0.to_vec(), |connection, hash| {
            Box::pin(async move {
                let row: Option<KeyAndWorkspaceRow> =
                    sqlx::query_as(BY_HASH).bind(hash).fetch_optional(connection).await?;
                let Some(row) = row else { return Ok(None) };
                Ok(Some((row.key.read()?, row.workspace.read()?)))
            })
        })
        .await
    }

    async fn revoke_key(&self, id: KeyId) -> Result<bool, StoreError> {
        self.write("revoke_key", id, |connection, id| {
            Box::pin(async move {
                let result = sqlx::query(DELETE).bind(id.0).execute(connection).await?;
                Ok(result.rows_affected() > 0)
            })
        })
        .await
    }
}
