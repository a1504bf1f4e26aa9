//! The count of a workspace's posts in a month.

use scheduler_core::effects::moved_count;
use scheduler_core::ids::WorkspaceId;
use scheduler_core::post::Month;

use super::super::Connection;
use crate::error::Failure;
use crate::rows::narrow;

const READ: &str = "SELECT posts FROM post_counts WHERE workspace_id = $1 AND month = $2";
/// Counts one more unless the month is full. The guard and the addition are one statement, so
/// that the limit holds however many add at once.
const ADD: &str = "INSERT INTO post_counts (workspace_id, month, posts) \
    SELECT $1, $2, 1 WHERE $3 > 0 \
    ON CONFLICT (workspace_id, month) DO UPDATE SET posts = post_counts.posts + 1 \
    WHERE post_counts.posts < $3";
const SUBTRACT: &str = "UPDATE post_counts SET posts = posts - 1 \
    WHERE workspace_id = $1 AND month = $2 AND posts > 0";

pub(super) async fn read(
    connection: &mut Connection,
    workspace: WorkspaceId,
    month: Month,
) -> Result<u64, Failure> {
    let posts: Option<i64> = sqlx::query_scalar(READ)
        .bind(workspace.0)
        .bind(i64::from(month.0))
        .fetch_optional(connection)
        .await?;
    Ok(narrow("post_counts.posts", posts.unwrap_or_default())?)
}

/// Moves a post's place in the count from one month to another; `false` when the new month has
/// `limit` posts already.
pub(crate) async fn count(
    connection: &mut Connection,
    workspace: WorkspaceId,
    old: Option<i64>,
    new: Option<i64>,
    limit: u64,
) -> Result<bool, Failure> {
    let (old, new) = moved_count(old, new);
    if let Some(month) = new {
        let added = sqlx::query(ADD)
            .bind(workspace.0)
            .bind(month)
            .bind(i64::try_from(limit).unwrap_or(i64::MAX))
            .execute(&mut *connection)
            .await?;
        if added.rows_affected() == 0 {
            return Ok(false);
        }
    }
    if let Some(month) = old {
        sqlx::query(SUBTRACT).bind(workspace.0).bind(month).execute(connection).await?;
    }
    Ok(true)
}
