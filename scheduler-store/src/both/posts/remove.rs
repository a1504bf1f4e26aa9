//! Removing the record of a post.

use scheduler_core::ids::{PostId, WorkspaceId};
use scheduler_core::ports::RemoveOutcome;

use super::super::{Connection, idempotency, readings, shared};
use super::{find, read};
use crate::error::Abort;

const DELETE_WORK: &str = "DELETE FROM work WHERE kind = 'publish' \
    AND subject IN (SELECT id FROM targets WHERE post_id = $1)";
const DELETE: &str = "DELETE FROM posts WHERE id = $1";

/// The count of the month is left alone: what has gone out has used its place.
pub(super) async fn remove(
    connection: &mut Connection,
    workspace: WorkspaceId,
    id: PostId,
    version: i64,
) -> Result<RemoveOutcome, Abort<RemoveOutcome>> {
    let stored = shared::lock_post(connection, workspace, id).await?;
    let Some(stored) = stored else { return Ok(RemoveOutcome::Missing) };
    if stored.version != version {
        return Ok(RemoveOutcome::Stale);
    }
    if let Some(post) = read::by_id(connection, workspace, id).await? {
        find::unindex(connection, &post).await?;
    }
    sqlx::query(DELETE_WORK).bind(id.0).execute(&mut *connection).await?;
    readings::forget(connection, id).await?;
    idempotency::forget_of(connection, id.0).await?;
    sqlx::query(DELETE).bind(id.0).execute(connection).await?;
    Ok(RemoveOutcome::Removed)
}
