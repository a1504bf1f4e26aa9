//! The bytes that a workspace's files use of a month's allowance.

use scheduler_core::ids::WorkspaceId;
use scheduler_core::post::Month;

use super::super::Connection;
use crate::error::Failure;
use crate::rows::narrow;

pub(super) const READ: &str =
    "SELECT bytes FROM media_counts WHERE workspace_id = $1 AND month = $2";
/// Adds bytes unless the month would then hold more than `$4`. The guard and the addition are one
/// statement, so that the limit holds however many add at once.
const ADD: &str = "INSERT INTO media_counts (workspace_id, month, bytes) \
    SELECT $1, $2, $3 WHERE $3 <= $4 \
    ON CONFLICT (workspace_id, month) DO UPDATE SET bytes = media_counts.bytes + excluded.bytes \
    WHERE media_counts.bytes <= $4 - excluded.bytes";
pub(super) const SUBTRACT: &str = "UPDATE media_counts SET bytes = bytes - $3 \
    WHERE workspace_id = $1 AND month = $2 AND bytes >= $3";

/// What one file counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) month: Month,
    pub(super) bytes: i64,
}

pub(super) async fn read(
    connection: &mut Connection,
    workspace: WorkspaceId,
    month: Month,
) -> Result<u64, Failure> {
    let bytes: Option<i64> = sqlx::query_scalar(READ)
        .bind(workspace.0)
        .bind(i64::from(month.0))
        .fetch_optional(connection)
        .await?;
    Ok(narrow("media_counts.bytes", bytes.unwrap_or_default())?)
}

/// Counts a file; `false` when its month would then hold more than `limit` bytes.
pub(super) async fn add(
    connection: &mut Connection,
    workspace: WorkspaceId,
    share: Share,
    limit: u64,
) -> Result<bool, Failure> {
    let added = sqlx::query(ADD)
        .bind(workspace.0)
        .bind(i64::from(share.month.0))
        .bind(share.bytes)
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .execute(connection)
        .await?;
    Ok(added.rows_affected() > 0)
}

/// Counts a file for something else than before. What is there counts, limit or not.
pub(super) async fn shift(
    connection: &mut Connection,
    workspace: WorkspaceId,
    old: Share,
    new: Share,
) -> Result<(), Failure> {
    if old == new {
        return Ok(());
    }
    if old.bytes > 0 {
        sqlx::query(SUBTRACT)
            .bind(workspace.0)
            .bind(i64::from(old.month.0))
            .bind(old.bytes)
            .execute(&mut *connection)
            .await?;
    }
    if new.bytes > 0 {
        add(connection, workspace, new, u64::MAX).await?;
    }
    Ok(())
}
