//! Reading files, and the posts that use them.

use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{Media, MediaCursor};
use scheduler_core::ports::{Claim, MediaContext};
use scheduler_core::post::{PageQuery, PageReader, Post};
use uuid::Uuid;

use super::super::{Connection, posts};
use crate::error::Failure;
use crate::instant::{Instant, LATEST};
use crate::rows::media::{CountedMediaRow, MediaContextRow, media_columns};
use crate::rows::narrow;
use crate::rows::post::{PostRow, post_columns};
use crate::sealing::Sealer;

/// Walks the index of a workspace's files downwards, and counts the posts of those that it lists.
pub(super) const LIST: &str = concat!(
    "SELECT ",
    media_columns!(),
    ", (SELECT count(*) FROM post_files f \
        WHERE f.workspace_id = m.workspace_id AND f.media_id = m.id) AS post_count \
     FROM media m WHERE m.workspace_id = $1 AND (m.created_at, m.id) < ($2, $3) \
     ORDER BY m.created_at DESC, m.id DESC LIMIT $4"
);
pub(super) const POSTS: &str = concat!(
    "SELECT ",
    post_columns!(),
    " FROM post_files f JOIN posts p ON p.id = f.post_id \
     WHERE f.workspace_id = $1 AND f.media_id = $2 AND (p.moment, p.id) < ($3, $4) \
     ORDER BY p.moment DESC, p.id DESC LIMIT $5"
);
pub(super) const CONTEXT: &str = concat!(
    "SELECT ",
    media_columns!(),
    ", w.plan AS plan FROM work JOIN media m ON m.id = work.subject \
     JOIN workspaces w ON w.id = m.workspace_id \
     WHERE work.id = $1 AND work.claimed = $2 AND work.leased \
     AND work.kind IN ('fetch', 'examine', 'erase')"
);

pub(super) async fn list(
    connection: &mut Connection,
    workspace: WorkspaceId,
    limit: u32,
    before: Option<MediaCursor>,
    sealer: &Sealer,
) -> Result<Vec<(Media, u64)>, Failure> {
    let (created_at, id) =
        before.map_or((LATEST, Uuid::max()), |place| (Instant(place.at), place.id.0));
    let rows: Vec<CountedMediaRow> = sqlx::query_as(LIST)
        .bind(workspace.0)
        .bind(created_at)
        .bind(id)
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    let files = rows.into_iter().map(|row| {
        let posts = narrow("post_files", row.post_count)?;
        Ok((row.media.open(sealer)?, posts))
    });
    files.collect()
}

pub(super) async fn posts_using(
    connection: &mut Connection,
    workspace: WorkspaceId,
    id: MediaId,
    page: PageQuery,
) -> Result<Vec<Post>, Failure> {
    let mut reader = PageReader::new(page);
    while let Some(page) = reader.next() {
        let (moment, post) = posts::place(page.before);
        let rows: Vec<PostRow> = sqlx::query_as(POSTS)
            .bind(workspace.0)
            .bind(id.0)
            .bind(moment)
            .bind(post)
            .bind(i64::from(page.limit))
            .fetch_all(&mut *connection)
            .await?;
        let is_last = rows.len() < usize::try_from(page.limit).unwrap_or(usize::MAX);
        reader.take(posts::with_targets(connection, rows).await?);
        if is_last {
            break;
        }
    }
    Ok(reader.into_posts())
}

/// Reads what work on a file needs; `None` when the claim is not the current one.
pub(in super::super) async fn context(
    connection: &mut Connection,
    claim: &Claim,
    sealer: &Sealer,
) -> Result<Option<MediaContext>, Failure> {
    let row: Option<MediaContextRow> = sqlx::query_as(CONTEXT)
        .bind(claim.work_id.0)
        .bind(claim.number)
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| row.open(sealer)).transpose()?)
}
