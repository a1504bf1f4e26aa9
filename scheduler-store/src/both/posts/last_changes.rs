//! The last changes of posts, while they can be taken back.

use scheduler_core::ids::{PostId, WorkspaceId};
use scheduler_core::post::{LastChange, Post, UNDO_WITHIN};
use uuid::Uuid;

use super::super::Connection;
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::{from_json, from_name, row, to_json, to_name};

const FORGET: &str = "DELETE FROM last_changes WHERE post_id = $1";
const FORGET_OLD: &str = "DELETE FROM last_changes WHERE workspace_id = $1 AND at < $2";
const INSERT: &str = "INSERT INTO last_changes (post_id, workspace_id, at, revision, kind, before) \
    VALUES ($1, $2, $3, $4, $5, $6)";
const OF_WORKSPACE: &str = "SELECT post_id, workspace_id, at, revision, kind, before \
    FROM last_changes WHERE workspace_id = $1 AND at >= $2 ORDER BY at DESC, post_id DESC LIMIT $3";
const OF_POST: &str = "SELECT post_id, workspace_id, at, revision, kind, before \
    FROM last_changes WHERE workspace_id = $1 AND at >= $2 AND post_id = $4 LIMIT $3";

row! {
    /// A row of `last_changes`.
    struct LastChangeRow {
        post_id: Uuid,
        workspace_id: Uuid,
        at: Instant,
        revision: i64,
        kind: String,
        before: String,
    }
}

impl LastChangeRow {
    fn read(self) -> Result<LastChange, Failure> {
        Ok(LastChange {
            post_id: PostId(self.post_id),
            workspace_id: WorkspaceId(self.workspace_id),
            at: self.at.0,
            revision: self.revision,
            kind: from_name("last_changes.kind", &self.kind)?,
            before: from_json("last_changes.before", &self.before)?,
        })
    }
}

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

pub(super) async fn read(
    connection: &mut Connection,
    workspace: WorkspaceId,
    post: Option<PostId>,
    since: Instant,
    limit: u32,
) -> Result<Vec<LastChange>, Failure> {
    let statement = if post.is_some() { OF_POST } else { OF_WORKSPACE };
    let query = sqlx::query_as(statement).bind(workspace.0).bind(since);
    let query = query.bind(i64::from(limit));
    let query = match post {
        Some(id) => query.bind(id.0),
        None => query,
    };
    let rows: Vec<LastChangeRow> = query.fetch_all(connection).await?;
    rows.into_iter().map(LastChangeRow::read).collect()
}
