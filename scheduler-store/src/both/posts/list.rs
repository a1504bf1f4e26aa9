//! Listing posts by moment, then by id, both descending.

use std::collections::HashMap;

use scheduler_core::cursor::Cursor;
use scheduler_core::post::{ListQuery, PageReader, Post, PostStatus, Window};
use scheduler_core::target::Target;
use sqlx::QueryBuilder;
use uuid::Uuid;

use super::super::{Connection, shared};
use crate::error::Failure;
use crate::instant::{EARLIEST, Instant, LATEST};
use crate::rows::post::{PostRow, post_columns};

const SELECT: &str = concat!("SELECT ", post_columns!(), " FROM posts p WHERE p.workspace_id = ");

/// Where a page begins: after this place.
pub(in super::super) fn place(before: Option<Cursor>) -> (Instant, Uuid) {
    before.map_or((LATEST, Uuid::max()), |place| (Instant(place.sort_at), place.id.0))
}

/// What never grows too old to be listed.
const OPEN: [PostStatus; 3] = [PostStatus::Draft, PostStatus::Scheduled, PostStatus::Publishing];

/// Which posts of a range are listed.
#[derive(Clone, Copy)]
enum Chosen {
    All,
    /// Those of a status.
    Of(PostStatus),
    /// Those that went out or will.
    GoingOut,
}

/// A range of the list: from `from` on, and before the place `(upper, upper_id)`.
#[derive(Clone, Copy)]
struct KeysetRange {
    from: Instant,
    upper: Instant,
    upper_id: Uuid,
}

impl KeysetRange {
    /// Everything after a page's cursor.
    fn after(cursor: Option<Cursor>) -> Self {
        let (upper, upper_id) = place(cursor);
        Self { from: EARLIEST, upper, upper_id }
    }

    fn from(self, from: Instant) -> Self {
        Self { from, ..self }
    }

    /// Only what lies before `to`: no id is less than nil.
    fn before(self, to: Instant) -> Self {
        let (upper, upper_id) = (self.upper, self.upper_id).min((to, Uuid::nil()));
        Self { upper, upper_id, ..self }
    }
}

pub(super) async fn list(
    connection: &mut Connection,
    query: &ListQuery,
) -> Result<Vec<Post>, Failure> {
    let mut reader = PageReader::new(query.page);
    while let Some(page) = reader.next() {
        let rows = rows(connection, &ListQuery { page, ..query.clone() }).await?;
        let is_last = rows.len() < usize::try_from(page.limit).unwrap_or(usize::MAX);
        reader.take(with_targets(connection, rows).await?);
        if is_last {
            break;
        }
    }
    Ok(reader.into_posts())
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

async fn rows(connection: &mut Connection, query: &ListQuery) -> Result<Vec<PostRow>, Failure> {
    let all = KeysetRange::after(query.page.before);
    match (query.window, query.status) {
        (Window::Since(_), Some(status)) if OPEN.contains(&status) => {
            walk(connection, query, all, Chosen::Of(status)).await
        }
        (Window::Since(since), Some(status)) => {
            walk(connection, query, all.from(Instant(since)), Chosen::Of(status)).await
        }
        (Window::Since(since), None) => {
            since_and_open(connection, query, all, Instant(since)).await
        }
        (Window::Between { .. }, Some(PostStatus::Draft)) => Ok(Vec::new()),
        (Window::Between { from, to }, Some(status)) => {
            let range = all.from(Instant(from)).before(Instant(to));
            walk(connection, query, range, Chosen::Of(status)).await
        }
        (Window::Between { from, to }, None) => {
            let range = all.from(Instant(from)).before(Instant(to));
            walk(connection, query, range, Chosen::GoingOut).await
        }
    }
}

/// What is recent, then what is older but still open: the second only once the first is used up,
/// and without passing over the old posts that are done.
async fn since_and_open(
    connection: &mut Connection,
    query: &ListQuery,
    all: KeysetRange,
    since: Instant,
) -> Result<Vec<PostRow>, Failure> {
    let mut rows = walk(connection, query, all.from(since), Chosen::All).await?;
    let limit = usize::try_from(query.page.limit).unwrap_or(usize::MAX);
    if rows.len() < limit {
        let mut older = Vec::new();
        for status in OPEN {
            let chosen = Chosen::Of(status);
            older.extend(walk(connection, query, all.before(since), chosen).await?);
        }
        older.sort_by_key(|row| std::cmp::Reverse((row.moment, row.post_id)));
        older.truncate(limit - rows.len());
        rows.extend(older);
    }
    Ok(rows)
}

/// Walks one index downwards from a place, to the end of the range or of the page, so that a page
/// costs the same wherever it lies.
async fn walk(
    connection: &mut Connection,
    query: &ListQuery,
    range: KeysetRange,
    chosen: Chosen,
) -> Result<Vec<PostRow>, Failure> {
    let mut select = QueryBuilder::<<Connection as sqlx::Connection>::Database>::new(SELECT);
    select.push_bind(query.workspace_id.0).push(" AND p.moment >= ").push_bind(range.from);
    select.push(" AND (p.moment, p.id) < (").push_bind(range.upper);
    select.push(", ").push_bind(range.upper_id).push(")");
    match chosen {
        Chosen::All => {}
        Chosen::Of(status) => {
            select.push(" AND p.status = ").push_bind(status.as_str());
        }
        Chosen::GoingOut => {
            select.push(" AND p.status <> 'draft' AND (p.status <> 'canceled' OR p.went_out)");
        }
    }
    select.push(" ORDER BY p.moment DESC, p.id DESC LIMIT ");
    select.push_bind(i64::from(query.page.limit));
    Ok(select.build_query_as().fetch_all(connection).await?)
}
