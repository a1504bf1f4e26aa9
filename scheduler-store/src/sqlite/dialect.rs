//! What SQLite does in its own way. It needs no locks: there is one writer.

use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use scheduler_core::ids::{PostId, WebhookId, WorkId, WorkspaceId};
use scheduler_core::ports::Claim;
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};
use uuid::Uuid;

use crate::error::Failure;
use crate::export::Described as _;
use crate::instant::Instant;
use crate::rows::media::media_columns;
use crate::rows::post::post_columns;
use crate::rows::reading::ReadingValues;
use crate::rows::target::{TargetValues, join_reading, target_columns, target_values};
use crate::rows::work::{WorkValues, work_values};
use crate::rows::{Values as _, numbered};

pub(super) use super::claim::claim;
pub(super) use super::create::create as create_post;
pub(super) use super::record::{delivery as record_delivery, publish as record_publish};

pub(super) const LOCK_POST: &str =
    "SELECT version, allowance_month FROM posts WHERE id = $1 AND workspace_id = $2";
const WEBHOOK: &str = "SELECT EXISTS (SELECT 1 FROM webhooks WHERE id = $1 AND workspace_id = $2)";
pub(super) const LOCK_DELIVERY_WORK: &str =
    "SELECT leased, claimable_at FROM work WHERE kind = 'deliver' AND subject = $1";
static INSERT_TARGET: LazyLock<String> = LazyLock::new(|| {
    let statement = concat!(
        "INSERT INTO targets (post_id, position, ",
        target_values!(),
        ") VALUES ({post}, {position}, {target}) ON CONFLICT (account_id, slot_at) \
        WHERE slot_at IS NOT NULL AND status IN ('pending', 'publishing') DO NOTHING"
    );
    numbered(statement, &[("post", 1), ("position", 1), ("target", TargetValues::COLUMNS.len())])
});
const DELETE_WORK: &str = "DELETE FROM work WHERE kind = 'publish' AND subject = $1";
const DELETE_TARGET: &str = "DELETE FROM targets WHERE id = $1";
const INSERT_WORK: &str = concat!(
    "INSERT INTO work (",
    work_values!(),
    ", claimable_at, leased, claimed) VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 0, 0)"
);
// Lists of ids come as a JSON array of hex digits.
pub(super) const TARGETS: &str = concat!(
    "SELECT t.post_id AS post_id, ",
    target_columns!(),
    " FROM targets t",
    join_reading!(),
    "WHERE t.post_id IN (SELECT unhex(value) FROM json_each($1)) \
     ORDER BY t.post_id, t.position"
);
/// What targets of accounts hold from one instant to another, by the two indexes of targets by
/// their accounts.
pub(super) const HELD: &str = "SELECT t.account_id, t.slot_at AS at, t.id AS target_id, t.post_id FROM targets t \
    WHERE t.account_id IN (SELECT unhex(value) FROM json_each($1)) AND t.slot_at >= $2 AND t.slot_at < $3 \
    AND t.slot_at IS NOT NULL AND t.status IN ('pending', 'publishing') \
    UNION SELECT t.account_id, t.due_at AS at, t.id AS target_id, t.post_id FROM targets t \
    WHERE t.account_id IN (SELECT unhex(value) FROM json_each($1)) AND t.due_at >= $2 AND t.due_at < $3 \
    AND t.due_at IS NOT NULL AND t.status IN ('pending', 'publishing')";
pub(super) const POSTS: &str = concat!(
    "SELECT ",
    post_columns!(),
    " FROM posts p WHERE p.id IN (SELECT unhex(value) FROM json_each($1))"
);
pub(super) const NOT_SEARCHABLE: &str = concat!(
    "SELECT ",
    post_columns!(),
    " FROM posts p WHERE NOT p.searchable ORDER BY p.id LIMIT $1"
);
const STORE_WORDS: &str = "INSERT INTO post_words (post_id, words) VALUES ($1, $2) \
    ON CONFLICT (post_id) DO UPDATE SET words = excluded.words";
/// Keeps the order of the tables: what is walked comes first.
pub(super) const WALKED_JOIN: &str = "CROSS JOIN";
pub(super) const MEDIA: &str = concat!(
    "SELECT ",
    media_columns!(),
    " FROM media m WHERE m.id IN (SELECT unhex(value) FROM json_each($1)) \
     AND m.workspace_id = $2"
);
pub(super) const LOCK_MEDIA: &str = concat!(
    "SELECT ",
    media_columns!(),
    ", m.allowance_bytes AS allowance_bytes FROM media m WHERE m.id = $1 AND m.workspace_id = $2"
);
pub(super) const ANY_DELETED: &str = "SELECT EXISTS (SELECT 1 FROM media \
    WHERE id IN (SELECT unhex(value) FROM json_each($1)) AND status = 'deleted')";
pub(super) const INSERT_FILES: &str = "INSERT INTO post_files (workspace_id, media_id, post_id) \
    SELECT $1, unhex(value), $2 FROM json_each($3) WHERE true ON CONFLICT DO NOTHING";
pub(super) const DELETE_OTHER_FILES: &str = "DELETE FROM post_files WHERE post_id = $1 \
    AND media_id NOT IN (SELECT unhex(value) FROM json_each($2))";
pub(super) const ATTEMPTS: &str = "SELECT delivery_id, at, status, answer FROM delivery_attempts \
    WHERE delivery_id IN (SELECT unhex(value) FROM json_each($1)) \
    ORDER BY delivery_id, position";
/// With their attempts.
pub(super) const REMOVE_DELIVERIES: &str = "DELETE FROM deliveries WHERE id IN \
    (SELECT id FROM deliveries WHERE ended_at < $1 ORDER BY ended_at LIMIT $2)";
const LOCK_HELD: &str = "SELECT EXISTS (SELECT 1 FROM work \
    WHERE id = $1 AND claimed = $2 AND leased)";
const PLAN_READING: &str = "UPDATE reading_plans SET due_at = $2 WHERE target_id = $1";
const DELETE_READING: &str = "DELETE FROM readings WHERE target_id = $1 AND at = $2";
const INSERT_READING: &str = "INSERT INTO readings (target_id, at, figures) \
    SELECT $1, $2, $3 WHERE EXISTS (SELECT 1 FROM reading_plans WHERE target_id = $1) \
    ON CONFLICT (target_id, at) DO UPDATE SET figures = excluded.figures";
const SHOW_READING: &str = "UPDATE reading_plans SET taken_at = $2, figures = $3 \
    WHERE target_id = $1 AND (taken_at IS NULL OR taken_at <= $2)";
/// What is walked comes first.
pub(super) const FIGURES: &str = "SELECT p.account_id, p.target_id, p.published_at, r.at, \
      CAST(r.figures ->> $2 AS REAL) \
    FROM accounts a CROSS JOIN reading_plans p ON p.account_id = a.id \
    CROSS JOIN readings r ON r.target_id = p.target_id AND r.at <= p.published_at + $6 \
    WHERE a.workspace_id = $1 AND a.disconnected_at IS NULL AND ($3 IS NULL OR a.id = $3) \
      AND p.published_at >= $4 AND p.published_at < $5 AND r.figures ->> $2 IS NOT NULL \
    ORDER BY p.account_id, p.published_at, p.target_id, r.at LIMIT $7";
const RENEW: &str = "UPDATE work SET claimable_at = max(claimable_at, $1) WHERE leased \
    AND (id, claimed) IN (SELECT unhex(value ->> 0), value ->> 1 FROM json_each($2)) \
    RETURNING id";

/// An instant, `$1` microseconds earlier.
macro_rules! earlier {
    ($column:literal) => {
        concat!($column, " - $1")
    };
}
pub(super) use earlier;

const SEE_CLOCK: &str = "INSERT INTO clocks (id, seen_at) VALUES (1, $1) \
    ON CONFLICT (id) DO UPDATE SET seen_at = clocks.seen_at RETURNING seen_at";

/// The latest instant that the clock of this machine was seen at, and what it says now, which is
/// `at`.
pub(super) async fn clock(
    connection: &mut SqliteConnection,
    at: DateTime<Utc>,
) -> Result<(DateTime<Utc>, DateTime<Utc>), Failure> {
    let seen_at: Instant =
        sqlx::query_scalar(SEE_CLOCK).bind(Instant(at)).fetch_one(connection).await?;
    Ok((seen_at.0, at))
}

#[expect(clippy::unused_async, reason = "the other dialect has something to wait for")]
pub(super) async fn lock_workspaces(_: &mut SqliteConnection) -> Result<(), Failure> {
    Ok(())
}

#[expect(clippy::unused_async, reason = "the other dialect has something to wait for")]
pub(super) async fn lock_workspace(
    _: &mut SqliteConnection,
    _: WorkspaceId,
) -> Result<(), Failure> {
    Ok(())
}

/// Whether the workspace has this webhook.
pub(super) async fn lock_webhook(
    connection: &mut SqliteConnection,
    workspace: WorkspaceId,
    id: WebhookId,
) -> Result<bool, Failure> {
    let exists =
        sqlx::query_scalar(WEBHOOK).bind(id.0).bind(workspace.0).fetch_one(connection).await?;
    Ok(exists)
}

/// Stores targets with their positions; `false` when a slot is taken.
pub(super) async fn insert_targets(
    connection: &mut SqliteConnection,
    post: PostId,
    targets: Vec<(i64, TargetValues)>,
) -> Result<bool, Failure> {
    for (position, target) in targets {
        let query = sqlx::query(INSERT_TARGET.as_str()).bind(post.0).bind(position);
        let result = target.bind_to(query).execute(&mut *connection).await?;
        if result.rows_affected() == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes targets and the work that publishes them.
pub(super) async fn remove_targets(
    connection: &mut SqliteConnection,
    ids: &[Uuid],
) -> Result<(), Failure> {
    for id in ids {
        sqlx::query(DELETE_WORK).bind(*id).execute(&mut *connection).await?;
        sqlx::query(DELETE_TARGET).bind(*id).execute(&mut *connection).await?;
    }
    Ok(())
}

pub(super) async fn insert_work(
    connection: &mut SqliteConnection,
    pieces: Vec<WorkValues>,
) -> Result<(), Failure> {
    for work in pieces {
        work.bind_to(sqlx::query(INSERT_WORK)).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Whether any of these files is deleted.
pub(super) async fn is_any_deleted(
    connection: &mut SqliteConnection,
    files: &[Uuid],
) -> Result<bool, Failure> {
    if files.is_empty() {
        return Ok(false);
    }
    Ok(sqlx::query_scalar(ANY_DELETED).bind(id_list(files)).fetch_one(connection).await?)
}

/// Whether a claim is the current one.
pub(super) async fn lock_held(
    connection: &mut SqliteConnection,
    claim: &Claim,
) -> Result<bool, Failure> {
    let query = sqlx::query_scalar(LOCK_HELD).bind(claim.work_id.0).bind(claim.number);
    Ok(query.fetch_one(connection).await?)
}

#[expect(clippy::unused_async, reason = "the other dialect has something to wait for")]
pub(super) async fn lock_readings(_: &mut SqliteConnection, _: WorkspaceId) -> Result<(), Failure> {
    Ok(())
}

/// Stores when the figures of targets are read next.
pub(super) async fn plan_readings(
    connection: &mut SqliteConnection,
    due: Vec<(Uuid, Option<Instant>)>,
) -> Result<(), Failure> {
    for (target, due_at) in due {
        sqlx::query(PLAN_READING).bind(target).bind(due_at).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Stores readings of targets that have a plan, and removes others.
pub(super) async fn keep_readings(
    connection: &mut SqliteConnection,
    new: Vec<ReadingValues>,
    gone: Vec<(Uuid, Instant)>,
) -> Result<(), Failure> {
    for (target, at) in gone {
        sqlx::query(DELETE_READING).bind(target).bind(at).execute(&mut *connection).await?;
    }
    for reading in new {
        for statement in [INSERT_READING, SHOW_READING] {
            sqlx::query(statement)
                .bind(reading.target_id)
                .bind(reading.at)
                .bind(&reading.figures)
                .execute(&mut *connection)
                .await?;
        }
    }
    Ok(())
}

/// Stores the words of a post.
pub(super) async fn store_words(
    connection: &mut SqliteConnection,
    post: PostId,
    words: Vec<String>,
) -> Result<(), Failure> {
    let words = format!(" {} ", words.join(" "));
    sqlx::query(STORE_WORDS).bind(post.0).bind(words).execute(connection).await?;
    Ok(())
}

/// Posts that words are looked up for at most before the other way is taken: to look at the words
/// of each post that a page meets. Both take some tens of milliseconds there.
///
/// Source: ours, measured with 10 000 000 posts.
pub(super) const FEW: i64 = 20_000;

/// Whether few posts have words that begin so.
///
/// Words as they stand are counted first: the index of a beginning is read to its end, whatever the
/// number. With 10 000 000 posts a common word took 0.7 s by its beginning alone.
pub(super) async fn are_few(
    connection: &mut SqliteConnection,
    words: &[String],
    few: i64,
) -> Result<bool, Failure> {
    for sought in [whole(words), matching(words)] {
        let mut select = QueryBuilder::new("SELECT count(*) FROM (SELECT 1 FROM post_words_index");
        select.push(" WHERE post_words_index MATCH ").push_bind(sought);
        select.push(" LIMIT ").push_bind(few + 1).push(")");
        let found: i64 = select.build_query_scalar().fetch_one(&mut *connection).await?;
        if found > few {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The moment of posts that were found by words.
pub(super) const FOUND_MOMENT: &str = "p.moment";

/// Pushes the posts with words that begin so as `found`.
pub(super) fn push_found_with_words(select: &mut QueryBuilder<Sqlite>, words: &[String]) {
    select.push(
        "(WITH those AS MATERIALIZED (SELECT w.post_id FROM post_words_index \
         CROSS JOIN post_words w ON w.id = post_words_index.rowid \
         WHERE post_words_index MATCH ",
    );
    select.push_bind(matching(words)).push(") SELECT post_id FROM those) found");
}

/// Counts the rows of words of the post, where they begin so: one or none.
pub(super) fn push_words_of_post(select: &mut QueryBuilder<Sqlite>, words: &[String]) {
    select.push("SELECT count(*) FROM post_words w WHERE w.post_id = p.id");
    for word in words {
        select.push(" AND instr(w.words, ").push_bind(format!(" {word}")).push(") > 0");
    }
}

/// Words as they stand.
fn whole(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    words.join(" AND ")
}

/// Words that begin so.
///
/// Source: <https://www.sqlite.org/fts5.html#full_text_query_syntax>.
fn matching(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("\"{word}\" *")).collect();
    words.join(" AND ")
}

/// Renews the leases of claims that are current, and returns their work.
pub(super) async fn renew(
    connection: &mut SqliteConnection,
    claims: &[(WorkId, i64)],
    lease_until: Instant,
) -> Result<Vec<Uuid>, Failure> {
    let list: Vec<String> =
        claims.iter().map(|(id, number)| format!("[\"{}\",{number}]", id.0.simple())).collect();
    let list = format!("[{}]", list.join(","));
    Ok(sqlx::query_scalar(RENEW).bind(lease_until).bind(list).fetch_all(connection).await?)
}

/// A list of ids, as it is bound.
pub(super) fn id_list(ids: &[Uuid]) -> String {
    let ids: Vec<String> = ids.iter().map(|id| format!("\"{}\"", id.simple())).collect();
    format!("[{}]", ids.join(","))
}
