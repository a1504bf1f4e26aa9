//! What each database says in its own way and both do alike: rows under a lock, which SQLite needs
//! none of, and the rows of many ids.

use scheduler_core::ids::{DeliveryId, MediaId, PostId, WorkspaceId};
use scheduler_core::post::Post;
use uuid::Uuid;

use super::{Connection, dialect};
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::media::{LockedMediaRow, MediaRow};
use crate::rows::post::LockedPostRow;
use crate::rows::target::TargetRow;
use crate::rows::webhook::AttemptRow;
use dialect::id_list;

/// What a change of the post is decided on; `None` when there is no such post.
pub(super) async fn lock_post(
    connection: &mut Connection,
    workspace: WorkspaceId,
    id: PostId,
) -> Result<Option<LockedPostRow>, Failure> {
    let query = sqlx::query_as(dialect::LOCK_POST).bind(id.0).bind(workspace.0);
    Ok(query.fetch_optional(connection).await?)
}

/// What a change of a file is decided on; `None` when there is no such file.
pub(super) async fn lock_media(
    connection: &mut Connection,
    workspace: WorkspaceId,
    id: MediaId,
) -> Result<Option<LockedMediaRow>, Failure> {
    let query = sqlx::query_as(dialect::LOCK_MEDIA).bind(id.0).bind(workspace.0);
    Ok(query.fetch_optional(connection).await?)
}

/// Whether the work of a delivery is held, and until when; `None` when there is none.
pub(super) async fn lock_delivery_work(
    connection: &mut Connection,
    id: DeliveryId,
) -> Result<Option<(bool, Instant)>, Failure> {
    let query = sqlx::query_as(dialect::LOCK_DELIVERY_WORK).bind(id.0);
    Ok(query.fetch_optional(connection).await?)
}

/// The targets of these posts, each post's in order.
pub(super) async fn targets_of(
    connection: &mut Connection,
    posts: &[Uuid],
) -> Result<Vec<TargetRow>, Failure> {
    Ok(sqlx::query_as(dialect::TARGETS).bind(id_list(posts)).fetch_all(connection).await?)
}

pub(super) async fn media_of(
    connection: &mut Connection,
    workspace: WorkspaceId,
    ids: &[Uuid],
) -> Result<Vec<MediaRow>, Failure> {
    let query = sqlx::query_as(dialect::MEDIA).bind(id_list(ids)).bind(workspace.0);
    Ok(query.fetch_all(connection).await?)
}

/// The attempts of these deliveries, each delivery's in order.
pub(super) async fn attempts_of(
    connection: &mut Connection,
    deliveries: &[Uuid],
) -> Result<Vec<AttemptRow>, Failure> {
    Ok(sqlx::query_as(dialect::ATTEMPTS).bind(id_list(deliveries)).fetch_all(connection).await?)
}

/// Stores which files a post needs, beside those that are stored.
pub(in super::super) async fn insert_files(
    connection: &mut Connection,
    post: &Post,
    files: &[Uuid],
) -> Result<(), Failure> {
    if files.is_empty() {
        return Ok(());
    }
    let query = sqlx::query(dialect::INSERT_FILES).bind(post.workspace_id.0).bind(post.id.0);
    query.bind(id_list(files)).execute(connection).await?;
    Ok(())
}

/// Forgets the files that a post needs no more.
pub(super) async fn remove_other_files(
    connection: &mut Connection,
    post: PostId,
    files: &[Uuid],
) -> Result<(), Failure> {
    let query = sqlx::query(dialect::DELETE_OTHER_FILES).bind(post.0).bind(id_list(files));
    query.execute(connection).await?;
    Ok(())
}
