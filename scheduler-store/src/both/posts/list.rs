//! Listing posts by moment, then by id, both descending.

use std::collections::HashMap;

use scheduler_core::cursor::Cursor;
use scheduler_core::post::{ListQuery, PageReader, Post, PostStatus, Window};
use scheduler_core::target::Target;
use uuid::Uuid;

use super::{Connection, dialect};
use crate::error::Failure;
use crate::instant::{EARLIEST, Instant, LATEST};
use crate::rows::post::{PostRow, post_columns};

// Every statement walks one index downwards from the place `($3, $4)` and ends at `$2` or after
// `LIMIT` rows, so that a page costs the same wherever it lies.

const SINCE: &str = concat!(
    "SELECT ",
    post_columns!(),
    " FROM posts p WHERE p.workspace_id = $1 AND p.moment >= $2 \
     AND (p.moment, p.id) < ($3, $4) ORDER BY p.moment DESC, p.id DESC LIMIT $5"
);
const BETWEEN: &str = concat!(
    "SELECT ",
    post_columns!(),
    " FROM posts p WHERE p.workspace_id = $1 AND p.moment >= $2 \
     AND (p.moment, p.id) < ($3, $4) AND p.status <> 'draft' \
     AND (p.status <> 'canceled' OR p.went_out) \
     ORDER BY p.moment DESC, p.id DESC LIMIT $5"
);
const OF_STATUS: &str = concat!(
    "SELECT ",
    post_columns!(),
    " FROM posts p WHERE p.workspace_id = $1 AND p.moment >= $2 \
     AND (p.moment, p.id) < ($3, $4) AND p.status = $6 \
     ORDER BY p.moment DESC, p.id DESC LIMIT $5"
);

/// Where a page begins: after this place.
pub(in super::super) fn place(before: Option<Cursor>) -> (Instant, Uuid) {
    before.map_or((LATEST, Uuid::max()), |place| (Instant(place.moment), place.id.0))
}

/// What never grows too old to be listed.
const OPEN: [PostStatus; 3] = [PostStatus::Draft, PostStatus::Scheduled, PostStatus::Publishing];

/// A stretch of the list: from `from` on, and before the place `(upper, upper_id)`.
#[derive(Clone, Copy)]
struct Stretch {
    from: Instant,
    upper: Instant,
    upper_id: Uuid,
}

impl Stretch {
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
    for row in dialect::targets_of(connection, &ids).await? {
        targets.entry(row.post_id).or_default().push(row.read()?);
    }
    let posts = rows.into_iter().map(|row| {
        let targets = targets.remove(&row.post_id).unwrap_or_default();
        Ok(row.read(targets)?)
    });
    posts.collect()
}

async fn rows(connection: &mut Connection, query: &ListQuery) -> Result<Vec<PostRow>, Failure> {
    let all = Stretch::after(query.page.before);
    match (query.window, query.status) {
        (Window::Since(_), Some(status)) if OPEN.contains(&status) => {
            of_status(connection, query, all, status).await
        }
        (Window::Since(since), Some(status)) => {
            of_status(connection, query, all.from(Instant(since)), status).await
        }
        (Window::Since(since), None) => {
            since_and_open(connection, query, all, Instant(since)).await
        }
        (Window::Between { .. }, Some(PostStatus::Draft)) => Ok(Vec::new()),
        (Window::Between { from, to }, Some(status)) => {
            let stretch = all.from(Instant(from)).before(Instant(to));
            of_status(connection, query, stretch, status).await
        }
        (Window::Between { from, to }, None) => {
            let stretch = all.from(Instant(from)).before(Instant(to));
            walk(connection, BETWEEN, query, stretch).await
        }
    }
}

/// What is recent, then what is older but still open: the second only once the first is used up,
/// and without passing over the old posts that are done.
async fn since_and_open(
    connection: &mut Connection,
    query: &ListQuery,
    all: Stretch,
    since: Instant,
) -> Result<Vec<PostRow>, Failure> {
    let mut rows = walk(connection, SINCE, query, all.from(since)).await?;
    let limit = usize::try_from(query.page.limit).unwrap_or(usize::MAX);
    if rows.len() < limit {
        let mut older = Vec::new();
        for status in OPEN {
            older.extend(of_status(connection, query, all.before(since), status).await?);
        }
        older.sort_by_key(|row| std::cmp::Reverse((row.moment, row.post_id)));
        older.truncate(limit - rows.len());
        rows.extend(older);
    }
    Ok(rows)
}

async fn walk(
    connection: &mut Connection,
    statement: &'static str,
    query: &ListQuery,
    stretch: Stretch,
) -> Result<Vec<PostRow>, Failure> {
    let rows = sqlx::query_as(statement)
        .bind(query.workspace_id.0)
        .bind(stretch.from)
        .bind(stretch.upper)
        .bind(stretch.upper_id)
        .bind(i64::from(query.page.limit))
        .fetch_all(connection)
        .await?;
    Ok(rows)
}

async fn of_status(
    connection: &mut Connection,
    query: &ListQuery,
    stretch: Stretch,
    status: PostStatus,
) -> Result<Vec<PostRow>, Failure> {
    let rows = sqlx::query_as(OF_STATUS)
        .bind(query.workspace_id.0)
        .bind(stretch.from)
        .bind(stretch.upper)
        .bind(stretch.upper_id)
        .bind(i64::from(query.page.limit))
        .bind(status.as_str())
        .fetch_all(connection)
        .await?;
    Ok(rows)
}
