//! The last changes of posts, while they can be taken back.

use scheduler_core::ids::{PostId, WorkspaceId};
use scheduler_core::post::{LastChange, Post, UNDO_WITHIN};

use super::super::Connection;
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::last_change::{LastChangeRow, last_change_columns};
use crate::rows::{to_json, to_name};

const FORGET: &str = "DELETE FROM last_changes WHERE post_id = $1";
const FORGET_OLD: &str = "DELETE FROM last_changes WHERE workspace_id = $1 AND at < $2";
const INSERT: &str = "INSERT INTO last_changes (post_id, workspace_id, at, revision, kind, before) \
    VALUES ($1, $2, $3, $4, $5, $6)";
const OF_POST: &str = concat!(
    "SELECT ",
    last_change_columns!(),
    " FROM last_changes l WHERE l.post_id = $2 AND l.workspace_id = $1"
);
const OF_WORKSPACE: &str = concat!(
    "SELECT ",
    last_change_columns!(),
    " FROM last_changes l WHERE l.workspace_id = $1 AND l.at >= $2 \
    ORDER BY l.at DESC, l.post_id DESC LIMIT $3"
);

/// Keeps what a save has made of a post in place of what an earlier one did.
pub(super) async fn keep(
    connection: &mut Connection,
    before: Option<&Post>,
    after: &Post,
) -> Result<(), Failure> {
    sqlx::query(FORGET).bind(after.id.0).execute(&mut *connection).await?;
    let Some(change) = before.and_then(|before| LastChange::of(before, after)) else {
        return Ok(());
    };
    sqlx::query(FORGET_OLD)
        .bind(change.workspace_id.0)
        .bind(Instant(change.at - UNDO_WITHIN))
        .execute(&mut *connection)
        .await?;
    sqlx::query(INSERT)
        .bind(change.post_id.0)
        .bind(change.workspace_id.0)
        .bind(Instant(change.at))
        .bind(change.revision)
        .bind(to_name("last_changes.kind", &change.kind)?)
        .bind(to_json("last_changes.before", &change.before)?)
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn of_post(
    connection: &mut Connection,
    workspace: WorkspaceId,
    post: PostId,
) -> Result<Option<LastChange>, Failure> {
    let query = sqlx::query_as(OF_POST).bind(workspace.0).bind(post.0);
    let row: Option<LastChangeRow> = query.fetch_optional(connection).await?;
    Ok(row.map(LastChangeRow::read).transpose()?)
}

pub(super) async fn of_workspace(
    connection: &mut Connection,
    workspace: WorkspaceId,
    since: Instant,
    limit: u32,
) -> Result<Vec<LastChange>, Failure> {
    let query = sqlx::query_as(OF_WORKSPACE).bind(workspace.0).bind(since);
    let rows: Vec<LastChangeRow> = query.bind(i64::from(limit)).fetch_all(connection).await?;
    Ok(rows.into_iter().map(LastChangeRow::read).collect::<Result<_, _>>()?)
}
