//! What PostgreSQL does in its own way: locks, and lists as arrays.
//!
//! Operations lock in one order, so that they wait for each other and do not clash: the post, then
//! its work, its targets, a webhook, deliveries, files, the work on a file, and last the count of
//! the month. Work is locked in the order of its ids, and that of readings sorts last: it comes
//! after the work of the post, and before the account and the plans of its posts' readings.

use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use scheduler_core::ids::{PostId, WebhookId, WorkId, WorkspaceId};
use scheduler_core::ports::Claim;
use serde::Deserialize;
use sqlx::{PgConnection, Postgres, QueryBuilder, Row as _};
use uuid::Uuid;

use crate::error::Failure;
use crate::export::Described as _;
use crate::instant::Instant;
use crate::rows::media::media_columns;
use crate::rows::post::post_columns;
use crate::rows::reading::ReadingValues;
use crate::rows::target::{TargetValues, join_reading, target_columns, target_values};
use crate::rows::work::{WorkValues, work_values};
use crate::rows::{Columns as _, from_json, numbered};

pub(super) use super::claim::claim;
pub(super) use super::create::create as create_post;
pub(super) use super::record::{delivery as record_delivery, publish as record_publish};

const LOCK_WORKSPACES: &str = "LOCK TABLE workspaces IN SHARE ROW EXCLUSIVE MODE";
const LOCK_WORKSPACE: &str = "SELECT 1 FROM workspaces WHERE id = $1 FOR NO KEY UPDATE";
pub(super) const LOCK_POST: &str =
    "SELECT version, allowance_month FROM posts WHERE id = $1 AND workspace_id = $2 FOR UPDATE";
const LOCK_WEBHOOK: &str = "SELECT 1 FROM webhooks WHERE id = $1 AND workspace_id = $2 FOR UPDATE";
pub(super) const LOCK_DELIVERY_WORK: &str = "SELECT leased, claimable_at FROM work \
    WHERE kind = 'deliver' AND subject = $1 FOR UPDATE";
static INSERT_TARGETS: LazyLock<String> = LazyLock::new(|| {
    let statement = concat!(
        "INSERT INTO targets (post_id, position, ",
        target_values!(),
        ") SELECT {post}, * FROM unnest({positions}, {targets}) \
        ON CONFLICT (account_id, slot_at) \
        WHERE slot_at IS NOT NULL AND status IN ('pending', 'publishing') DO NOTHING"
    );
    numbered(statement, &[("post", 1), ("positions", 1), ("targets", TargetValues::COLUMNS.len())])
});
const LOCK_WORK: &str = "SELECT 1 FROM work WHERE kind = 'publish' AND subject = ANY ($1) \
    ORDER BY id FOR UPDATE";
const DELETE_WORK: &str = "DELETE FROM work WHERE kind = 'publish' AND subject = ANY ($1)";
const DELETE_TARGETS: &str = "DELETE FROM targets WHERE id = ANY ($1)";
const INSERT_WORK: &str = concat!(
    "INSERT INTO work (",
    work_values!(),
    ", claimable_at, leased, claimed) \
    SELECT new.*, new.due_at, false, 0 FROM unnest($1, $2, $3, $4, $5, $6, $7) new (",
    work_values!(),
    ")"
);
pub(super) const TARGETS: &str = concat!(
    "SELECT t.post_id AS post_id, ",
    target_columns!(),
    " FROM targets t",
    join_reading!(),
    "WHERE t.post_id = ANY ($1) ORDER BY t.post_id, t.position"
);
/// What targets of accounts hold from one instant to another, by the two indexes of targets by
/// their accounts.
pub(super) const HELD: &str = "SELECT t.account_id, t.slot_at AS at, t.id AS target_id, t.post_id FROM targets t \
    WHERE t.account_id = ANY ($1) AND t.slot_at >= $2 AND t.slot_at < $3 \
    AND t.slot_at IS NOT NULL AND t.status IN ('pending', 'publishing') \
    UNION SELECT t.account_id, t.due_at AS at, t.id AS target_id, t.post_id FROM targets t \
    WHERE t.account_id = ANY ($1) AND t.due_at >= $2 AND t.due_at < $3 \
    AND t.due_at IS NOT NULL AND t.status IN ('pending', 'publishing')";
pub(super) const POSTS: &str =
    concat!("SELECT ", post_columns!(), " FROM posts p WHERE p.id = ANY ($1)");
/// What another node is filling is passed over.
pub(super) const NOT_SEARCHABLE: &str = concat!(
    "SELECT ",
    post_columns!(),
    " FROM posts p WHERE NOT p.searchable ORDER BY p.id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED"
);
/// A trigger moves the words of a post with its moment.
const STORE_WORDS: &str = "INSERT INTO post_words (post_id, words, moment) \
    SELECT $1, array_to_tsvector($2), moment FROM posts WHERE id = $1 \
    ON CONFLICT (post_id) DO UPDATE SET words = excluded.words, moment = excluded.moment";
pub(super) const WALKED_JOIN: &str = "JOIN";
pub(super) const MEDIA: &str = concat!(
    "SELECT ",
    media_columns!(),
    " FROM media m WHERE m.id = ANY ($1) AND m.workspace_id = $2"
);
pub(super) const LOCK_MEDIA: &str = concat!(
    "SELECT ",
    media_columns!(),
    ", m.allowance_bytes AS allowance_bytes FROM media m \
     WHERE m.id = $1 AND m.workspace_id = $2 FOR UPDATE"
);
/// Waits for whoever is deleting one of them, and lets nobody delete them until the commit.
pub(super) const LOCK_FILES: &str =
    "SELECT status = 'deleted' FROM media WHERE id = ANY ($1) ORDER BY id FOR KEY SHARE";
pub(super) const INSERT_FILES: &str = "INSERT INTO post_files (workspace_id, media_id, post_id) \
    SELECT $1, file, $2 FROM unnest($3) file ON CONFLICT DO NOTHING";
pub(super) const DELETE_OTHER_FILES: &str =
    "DELETE FROM post_files WHERE post_id = $1 AND media_id <> ALL ($2)";
pub(super) const ATTEMPTS: &str = "SELECT delivery_id, at, status, answer FROM delivery_attempts \
    WHERE delivery_id = ANY ($1) ORDER BY delivery_id, position";
/// With their attempts. What another node is removing or changing is passed over.
pub(super) const REMOVE_DELIVERIES: &str = "DELETE FROM deliveries WHERE id = ANY (ARRAY \
    (SELECT id FROM deliveries WHERE ended_at < $1 ORDER BY ended_at LIMIT $2 \
    FOR UPDATE SKIP LOCKED))";
const LOCK_HELD: &str = "SELECT 1 FROM work \
    WHERE id = $1 AND claimed = $2 AND leased FOR UPDATE";
pub(super) const LOCK_READINGS: &str = "SELECT 1 FROM work WHERE kind = 'read' AND subject IN \
      (SELECT id FROM accounts WHERE workspace_id = $1 AND disconnected_at IS NULL) \
    ORDER BY id FOR UPDATE OF work";
pub(super) const PLAN_READINGS: &str = "UPDATE reading_plans SET due_at = new.due_at \
    FROM unnest($1::uuid[], $2::timestamptz[]) new (target_id, due_at) \
    WHERE reading_plans.target_id = new.target_id";
/// Readings follow the plans of their targets, which a post that is removed takes along.
pub(super) const KEEP_READINGS: &str = "WITH \
    new AS (SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) \
      new (target_id, at, figures)), \
    gone AS (DELETE FROM readings USING unnest($4::uuid[], $5::timestamptz[]) old (target_id, at) \
      WHERE readings.target_id = old.target_id AND readings.at = old.at), \
    known AS (UPDATE reading_plans plan SET \
      taken_at = CASE WHEN plan.taken_at > new.at THEN plan.taken_at ELSE new.at END, \
      figures = CASE WHEN plan.taken_at > new.at THEN plan.figures ELSE new.figures END \
      FROM new WHERE plan.target_id = new.target_id RETURNING plan.target_id) \
    INSERT INTO readings (target_id, at, figures) \
      SELECT new.target_id, new.at, new.figures \
      FROM known JOIN new ON new.target_id = known.target_id \
    ON CONFLICT (target_id, at) DO UPDATE SET figures = excluded.figures";
pub(super) const FIGURES: &str = "SELECT p.account_id, p.target_id, p.published_at, r.at, \
      (r.figures::jsonb ->> $2::text)::float8 \
    FROM accounts a JOIN reading_plans p ON p.account_id = a.id \
    JOIN readings r ON r.target_id = p.target_id \
      AND r.at <= p.published_at + $6::bigint * interval '1 microsecond' \
    WHERE a.workspace_id = $1 AND a.disconnected_at IS NULL \
      AND ($3::uuid IS NULL OR a.id = $3) AND p.published_at >= $4 AND p.published_at < $5 \
      AND r.figures::jsonb ->> $2::text IS NOT NULL \
    ORDER BY p.account_id, p.published_at, p.target_id, r.at LIMIT $7";
const RENEW: &str = "WITH held AS (SELECT work.id FROM work \
      JOIN unnest($2, $3) claims (id, number) ON work.id = claims.id AND work.claimed = number \
      WHERE work.leased ORDER BY work.id FOR UPDATE OF work) \
    UPDATE work SET claimable_at = greatest(claimable_at, $1) FROM held \
    WHERE work.id = held.id RETURNING work.id";

/// An instant, `$1` microseconds earlier.
macro_rules! earlier {
    ($column:literal) => {
        concat!($column, " - $1 * interval '1 microsecond'")
    };
}
pub(super) use earlier;

const SEE_CLOCK: &str = "INSERT INTO clocks (id, seen_at) VALUES (1, clock_timestamp()) \
    ON CONFLICT (id) DO UPDATE SET seen_at = clocks.seen_at RETURNING seen_at";

/// The latest instant that the clock of the server was seen at, and what it says now. Until the
/// commit nobody else learns them.
pub(super) async fn clock(
    connection: &mut PgConnection,
    _: DateTime<Utc>,
) -> Result<(DateTime<Utc>, DateTime<Utc>), Failure> {
    let seen_at = sqlx::query_scalar(SEE_CLOCK).fetch_one(&mut *connection).await?;
    // Asked for once the row is locked, so that who waits for it is not taken for late.
    let now = sqlx::query_scalar("SELECT clock_timestamp()").fetch_one(connection).await?;
    Ok((seen_at, now))
}

/// Lets nobody else make a workspace until the commit.
pub(super) async fn lock_workspaces(connection: &mut PgConnection) -> Result<(), Failure> {
    sqlx::query(LOCK_WORKSPACES).execute(connection).await?;
    Ok(())
}

/// Lets nobody else connect an account of the workspace, or add a webhook, until the commit.
pub(super) async fn lock_workspace(
    connection: &mut PgConnection,
    id: WorkspaceId,
) -> Result<(), Failure> {
    sqlx::query(LOCK_WORKSPACE).bind(id.0).execute(connection).await?;
    Ok(())
}

/// Whether the workspace has this webhook.
pub(super) async fn lock_webhook(
    connection: &mut PgConnection,
    workspace: WorkspaceId,
    id: WebhookId,
) -> Result<bool, Failure> {
    let query = sqlx::query(LOCK_WEBHOOK).bind(id.0).bind(workspace.0);
    Ok(query.fetch_optional(connection).await?.is_some())
}

/// Stores targets with their positions; `false` when a slot is taken.
pub(super) async fn insert_targets(
    connection: &mut PgConnection,
    post: PostId,
    targets: Vec<(i64, TargetValues)>,
) -> Result<bool, Failure> {
    if targets.is_empty() {
        return Ok(true);
    }
    let wanted = targets.len();
    let (positions, targets): (Vec<i64>, Vec<TargetValues>) = targets.into_iter().unzip();
    let query = sqlx::query(INSERT_TARGETS.as_str()).bind(post.0).bind(positions);
    let result = TargetValues::bind_all(targets, query).execute(connection).await?;
    Ok(usize::try_from(result.rows_affected()).is_ok_and(|count| count == wanted))
}

/// Removes targets and the work that publishes them.
pub(super) async fn remove_targets(
    connection: &mut PgConnection,
    ids: &[Uuid],
) -> Result<(), Failure> {
    sqlx::query(LOCK_WORK).bind(ids).execute(&mut *connection).await?;
    sqlx::query(DELETE_WORK).bind(ids).execute(&mut *connection).await?;
    sqlx::query(DELETE_TARGETS).bind(ids).execute(connection).await?;
    Ok(())
}

pub(super) async fn insert_work(
    connection: &mut PgConnection,
    pieces: Vec<WorkValues>,
) -> Result<(), Failure> {
    if pieces.is_empty() {
        return Ok(());
    }
    WorkValues::bind_all(pieces, sqlx::query(INSERT_WORK)).execute(connection).await?;
    Ok(())
}

/// Whether any of these files is deleted; until the commit, none of the others can be.
pub(super) async fn is_any_deleted(
    connection: &mut PgConnection,
    files: &[Uuid],
) -> Result<bool, Failure> {
    if files.is_empty() {
        return Ok(false);
    }
    let deleted: Vec<bool> =
        sqlx::query_scalar(LOCK_FILES).bind(files).fetch_all(connection).await?;
    Ok(deleted.contains(&true))
}

/// Whether a claim is the current one; until the commit, it is left to this holder.
pub(super) async fn lock_held(
    connection: &mut PgConnection,
    claim: &Claim,
) -> Result<bool, Failure> {
    let query = sqlx::query(LOCK_HELD).bind(claim.work_id.0).bind(claim.number);
    Ok(query.fetch_optional(connection).await?.is_some())
}

/// Locks the work that takes the readings of a workspace's accounts.
pub(super) async fn lock_readings(
    connection: &mut PgConnection,
    workspace: WorkspaceId,
) -> Result<(), Failure> {
    sqlx::query(LOCK_READINGS).bind(workspace.0).execute(connection).await?;
    Ok(())
}

/// Stores when the figures of targets are read next.
pub(super) async fn plan_readings(
    connection: &mut PgConnection,
    due: Vec<(Uuid, Option<Instant>)>,
) -> Result<(), Failure> {
    if due.is_empty() {
        return Ok(());
    }
    let (targets, due_at): (Vec<Uuid>, Vec<Option<Instant>>) = due.into_iter().unzip();
    sqlx::query(PLAN_READINGS).bind(targets).bind(due_at).execute(connection).await?;
    Ok(())
}

/// Stores readings of targets that have a plan, and removes others.
pub(super) async fn keep_readings(
    connection: &mut PgConnection,
    new: Vec<ReadingValues>,
    gone: Vec<(Uuid, Instant)>,
) -> Result<(), Failure> {
    if new.is_empty() {
        return Ok(());
    }
    let (gone_targets, gone_at): (Vec<Uuid>, Vec<Instant>) = gone.into_iter().unzip();
    sqlx::query(KEEP_READINGS)
        .bind(new.iter().map(|reading| reading.target_id).collect::<Vec<Uuid>>())
        .bind(new.iter().map(|reading| reading.at).collect::<Vec<Instant>>())
        .bind(new.into_iter().map(|reading| reading.figures).collect::<Vec<String>>())
        .bind(gone_targets)
        .bind(gone_at)
        .execute(connection)
        .await?;
    Ok(())
}

/// Stores the words of a post.
pub(super) async fn store_words(
    connection: &mut PgConnection,
    post: PostId,
    words: Vec<String>,
) -> Result<(), Failure> {
    sqlx::query(STORE_WORDS).bind(post.0).bind(words).execute(connection).await?;
    Ok(())
}

/// Posts that words are looked up for at most before the other way is taken: to look at the words
/// of each post that a page meets. To find so many takes some tenths of a second; where more have the
/// words, a page meets them soon.
///
/// Source: ours, measured with 2 000 000 posts.
pub(super) const FEW: i64 = 200_000;

/// Whether few posts have words that begin so. They are not counted: the index gives all posts of a
/// common word before the first is counted, whatever the number.
pub(super) async fn are_few(
    connection: &mut PgConnection,
    words: &[String],
    few: i64,
) -> Result<bool, Failure> {
    Ok(expected_with_words(connection, words).await? <= few)
}

/// How many posts with words that begin so the planner expects, by the statistics of the table,
/// which know common words well, and take words that they do not know for a few in a thousand.
///
/// Source: <https://www.postgresql.org/docs/current/sql-explain.html>.
async fn expected_with_words(
    connection: &mut PgConnection,
    words: &[String],
) -> Result<i64, Failure> {
    #[derive(Deserialize)]
    struct Explained {
        #[serde(rename = "Plan")]
        plan: Expected,
    }
    #[derive(Deserialize)]
    struct Expected {
        #[serde(rename = "Plan Rows")]
        rows: i64,
    }
    let mut explain =
        QueryBuilder::new("EXPLAIN (FORMAT JSON) SELECT FROM post_words w WHERE w.words @@ ");
    explain.push_bind(matching(words)).push("::tsquery");
    let row = explain.build().fetch_one(connection).await?;
    let explained: String = row.try_get_unchecked(0)?;
    let explained: Vec<Explained> = from_json("plan", &explained)?;
    Ok(explained.first().map_or(0, |explained| explained.plan.rows))
}

/// The moment of posts that were found by words.
pub(super) const FOUND_MOMENT: &str = "found.moment";

/// Pushes the posts with words that begin so, the latest first, as `found`. What is said of a post
/// besides is looked up in this order, until a page is full.
pub(super) fn push_found_with_words(select: &mut QueryBuilder<Postgres>, words: &[String]) {
    select.push(
        "(SELECT w.post_id, coalesce(w.moment, \
           (SELECT q.moment FROM posts q WHERE q.id = w.post_id)) AS moment \
         FROM post_words w WHERE w.words @@ ",
    );
    select.push_bind(matching(words));
    select.push("::tsquery ORDER BY 2 DESC, 1 DESC OFFSET 0) found");
}

/// Counts the rows of words of the post, where they begin so: one or none.
pub(super) fn push_words_of_post(select: &mut QueryBuilder<Postgres>, words: &[String]) {
    select.push("SELECT count(*) FROM post_words w WHERE w.post_id = p.id AND w.words @@ ");
    select.push_bind(matching(words)).push("::tsquery");
}

/// Source: <https://www.postgresql.org/docs/current/datatype-textsearch.html>.
fn matching(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("'{word}':*")).collect();
    words.join(" & ")
}

/// Renews the leases of claims that are current, and returns their work.
pub(super) async fn renew(
    connection: &mut PgConnection,
    claims: &[(WorkId, i64)],
    lease_until: Instant,
) -> Result<Vec<Uuid>, Failure> {
    let renewed = sqlx::query_scalar(RENEW)
        .bind(lease_until)
        .bind(claims.iter().map(|(id, _)| id.0).collect::<Vec<_>>())
        .bind(claims.iter().map(|(_, number)| *number).collect::<Vec<_>>())
        .fetch_all(connection)
        .await?;
    Ok(renewed)
}

/// A list of ids, as it is bound.
pub(super) fn id_list(ids: &[Uuid]) -> Vec<Uuid> {
    ids.to_vec()
}
