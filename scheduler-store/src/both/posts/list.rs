//! Listing posts: first the places of a page, by indexes alone, then the posts.

use std::collections::{BTreeMap, HashMap};

use scheduler_core::cursor::Cursor;
use scheduler_core::post::{ListQuery, PageReader, Post};
use scheduler_core::target::Target;
use uuid::Uuid;

use super::super::{Connection, dialect, shared};
use super::places::places;
use crate::error::Failure;
use crate::instant::{Instant, LATEST};
use crate::rows::post::PostRow;
use dialect::id_list;

/// Where a page begins: after this place.
pub(in super::super) fn place(before: Option<Cursor>) -> (Instant, Uuid) {
    before.map_or((LATEST, Uuid::max()), |place| (Instant(place.sort_at), place.id.0))
}

pub(super) async fn list(
    connection: &mut Connection,
    query: &ListQuery,
) -> Result<Vec<Post>, Failure> {
    let mut ids = places(connection, query).await?.into_iter();
    let mut reader = PageReader::new(query.page);
    while let Some(page) = reader.next() {
        let next: Vec<Uuid> =
            ids.by_ref().take(usize::try_from(page.limit).unwrap_or(usize::MAX)).collect();
        if next.is_empty() {
            break;
        }
        reader.take(by_ids(connection, &next).await?);
    }
    Ok(reader.into_posts())
}

/// The posts with these ids, in the same order.
async fn by_ids(connection: &mut Connection, ids: &[Uuid]) -> Result<Vec<Post>, Failure> {
    let rows: Vec<PostRow> =
        sqlx::query_as(dialect::POSTS).bind(id_list(ids)).fetch_all(&mut *connection).await?;
    let mut rows: BTreeMap<Uuid, PostRow> =
        rows.into_iter().map(|row| (row.post_id, row)).collect();
    let in_order = ids.iter().filter_map(|id| rows.remove(id)).collect();
    with_targets(connection, in_order).await
}

/// The posts of these rows, in the same order.
pub(in super::super) async fn with_targets(
    connection: &mut Connection,
    rows: Vec<PostRow>,
) -> Result<Vec<Post>, Failure> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.post_id).collect();
    let mut targets: HashMap<Uuid, Vec<Target>> = HashMap::with_capacity(rows.len());
    for row in shared::targets_of(connection, &ids).await? {
        targets.entry(row.post_id).or_default().push(row.read()?);
    }
    let posts = rows.into_iter().map(|row| {
        let targets = targets.remove(&row.post_id).unwrap_or_default();
        Ok(row.read(targets)?)
    });
    posts.collect()
}
