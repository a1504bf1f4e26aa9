//! What posts said at earlier times.

use scheduler_core::ids::{PostId, PostVersionId, WorkspaceId};
use scheduler_core::post::PostVersion;

use super::super::Connection;
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::post_version::{PostVersionRow, post_version_columns};
use crate::rows::{to_json, to_name};

const FORGET: &str = "DELETE FROM post_versions WHERE id = $1 AND post_id = $2";
/// Nothing is kept of a post that is gone.
const INSERT: &str = "INSERT INTO post_versions \
    (id, post_id, workspace_id, began_at, at, actor, kind, content) \
    SELECT $1, p.id, p.workspace_id, $4, $5, $6, $7, $8 FROM posts p \
    WHERE p.id = $2 AND p.workspace_id = $3";
const OF_POST: &str = concat!(
    "SELECT ",
    post_version_columns!(),
    " FROM post_versions v WHERE v.post_id = $2 AND v.workspace_id = $1 ORDER BY v.id DESC"
);

pub(super) async fn keep(
    connection: &mut Connection,
    version: &PostVersion,
    replaced: &[PostVersionId],
) -> Result<(), Failure> {
    for id in replaced.iter().chain([&version.id]) {
        let forgotten = sqlx::query(FORGET).bind(id.0).bind(version.post_id.0);
        forgotten.execute(&mut *connection).await?;
    }
    let actor = version.by.as_ref().map(|actor| to_json("post_versions.actor", actor));
    sqlx::query(INSERT)
        .bind(version.id.0)
        .bind(version.post_id.0)
        .bind(version.workspace_id.0)
        .bind(Instant(version.began_at))
        .bind(Instant(version.at))
        .bind(actor.transpose()?)
        .bind(to_name("post_versions.kind", &version.kind)?)
        .bind(to_json("post_versions.content", &version.content)?)
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn of_post(
    connection: &mut Connection,
    workspace: WorkspaceId,
    post: PostId,
) -> Result<Vec<PostVersion>, Failure> {
    let query = sqlx::query_as(OF_POST).bind(workspace.0).bind(post.0);
    let rows: Vec<PostVersionRow> = query.fetch_all(connection).await?;
    Ok(rows.into_iter().map(PostVersionRow::read).collect::<Result<_, _>>()?)
}
