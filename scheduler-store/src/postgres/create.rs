//! Storing a new post by one statement, the last before the commit: the row of the month's count is
//! held for as short as can be.

use std::sync::LazyLock;

use scheduler_core::idempotency::IdempotencyKey;
use scheduler_core::ports::{CreateOutcome, StoreError};
use scheduler_core::post::Post;
use sqlx::PgConnection;
use uuid::Uuid;

use super::both::deliveries::tell_scheduled;
use super::both::links;
use super::both::post_by_key;
use crate::error::{Abort, Failure};
use crate::export::Described as _;
use crate::rows::facet::FacetRows;
use crate::rows::post::{PostValues, post_values};
use crate::rows::target::{TargetValues, target_values};
use crate::rows::words::words_of;
use crate::rows::work::{WorkValues, work_values};
use crate::rows::{Columns as _, Values as _, numbered};

/// The plan's posts of the month are used up.
const LIMIT_REACHED: &str = "SC001";

/// A file of the post is deleted.
const FILE_DELETED: &str = "SC004";

/// Stores nothing when the key has a post. A slot that is taken raises an error by its unique
/// index, a deleted file and a month that is full by the last lines, and nothing of the statement
/// stays. `$files` is done beside the rest, `$unless` decides before the month does.
macro_rules! create {
    ($files:expr, $unless:expr) => {
        concat!(
            "WITH post AS (INSERT INTO posts (id, ",
            post_values!(),
            ") VALUES ({id}, {post}) \
      ON CONFLICT (workspace_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING \
      RETURNING workspace_id, allowance_month), \
    new_targets AS (INSERT INTO targets (post_id, position, ",
            target_values!(),
            ") SELECT {id}, * FROM unnest({positions}, {targets}) \
      WHERE EXISTS (SELECT 1 FROM post)), \
    new_work AS (INSERT INTO work (",
            work_values!(),
            ", claimable_at, leased, claimed) \
      SELECT new.*, new.due_at, false, 0 FROM unnest({work}) new (",
            work_values!(),
            ") WHERE EXISTS (SELECT 1 FROM post)), \
    counted AS (INSERT INTO post_counts (workspace_id, month, posts) \
      SELECT workspace_id, allowance_month, 1 FROM post \
      WHERE allowance_month IS NOT NULL AND {limit} > 0 \
      ON CONFLICT (workspace_id, month) DO UPDATE SET posts = post_counts.posts + 1 \
      WHERE post_counts.posts < {limit} RETURNING 1), \
    facets AS (INSERT INTO post_facets (workspace_id, facet, moment, post_id) \
      SELECT workspace_id, facet, {moment}, {id} FROM post, unnest({facets}::bytea[]) facet), \
    words AS (INSERT INTO post_words (post_id, words, moment) \
      SELECT {id}, array_to_tsvector({words}), {moment} FROM post)",
            $files,
            " SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM post) THEN 0 ",
            $unless,
            "WHEN EXISTS (SELECT 1 FROM post WHERE allowance_month IS NULL) \
      OR EXISTS (SELECT 1 FROM counted) THEN CASE WHEN EXISTS (SELECT 1 FROM webhooks w \
        JOIN post ON post.workspace_id = w.workspace_id WHERE w.disabled_at IS NULL \
        AND w.events LIKE '%\"post.scheduled\"%') THEN 2 ELSE 1 END \
      ELSE scheduler_refuse('SC001') END"
        )
    };
}

/// What is bound, in its order; files only where there are some.
const BOUND: [(&str, usize); 10] = [
    ("id", 1),
    ("post", PostValues::COLUMNS.len()),
    ("limit", 1),
    ("positions", 1),
    ("targets", TargetValues::COLUMNS.len()),
    ("work", WorkValues::COLUMNS.len()),
    ("moment", 1),
    ("facets", 1),
    ("words", 1),
    ("files", 1),
];

static CREATE: LazyLock<String> = LazyLock::new(|| numbered(create!("", ""), &BOUND));

/// `files` waits for whoever is deleting one of them, and lets nobody delete them until the
/// commit.
static CREATE_WITH_FILES: LazyLock<String> = LazyLock::new(|| {
    let statement = create!(
        ", files AS (SELECT status FROM media WHERE id = ANY ({files}) ORDER BY id FOR KEY SHARE), \
      uses AS (INSERT INTO post_files (workspace_id, media_id, post_id) \
        SELECT workspace_id, file, {id} FROM post, unnest({files}) file)",
        "WHEN EXISTS (SELECT 1 FROM files WHERE status = 'deleted') \
      THEN scheduler_refuse('SC004') "
    );
    numbered(statement, &BOUND)
});

/// How often a post is stored again whose key was in the way of it and then had no post.
const KEY_ATTEMPTS: usize = 3;

/// The post of this key has come and gone over and over.
#[derive(Debug, thiserror::Error)]
#[error("the post of this key keeps changing")]
struct KeyUnsettled;

pub(super) async fn create(
    connection: &mut PgConnection,
    post: &Post,
    posts_a_month: u64,
) -> Result<CreateOutcome, Abort<CreateOutcome>> {
    for _ in 0..KEY_ATTEMPTS {
        match insert(connection, post, posts_a_month).await {
            Ok(Stored::No) => {}
            Ok(Stored::Yes { may_be_told }) => {
                links::keep(connection, post).await?;
                if may_be_told {
                    tell_scheduled(connection, None, post).await?;
                }
                return Ok(CreateOutcome::Created);
            }
            Err(failure) => return Err(refusal(&failure).map_or(failure.into(), Abort::Outcome)),
        }
        let key = post.idempotency_key.as_ref().map(IdempotencyKey::as_str).unwrap_or_default();
        if let Some(existing) = post_by_key(connection, post.workspace_id, key).await? {
            return Ok(CreateOutcome::Existing(existing));
        }
    }
    Err(StoreError::Unavailable(Box::new(KeyUnsettled)).into())
}

/// The outcome that an error of the statement stands for.
fn refusal(failure: &Failure) -> Option<CreateOutcome> {
    let Failure::Database(sqlx::Error::Database(error)) = failure else { return None };
    match (error.code()?.as_ref(), error.constraint()) {
        ("23505", Some("targets_by_slot")) => Some(CreateOutcome::SlotTaken),
        (LIMIT_REACHED, _) => Some(CreateOutcome::LimitReached),
        (FILE_DELETED, _) => Some(CreateOutcome::FileDeleted),
        _ => None,
    }
}

/// Whether a post is stored; not when its key has a post.
enum Stored {
    No,
    /// A webhook of its workspace may subscribe to posts that are given a time.
    Yes {
        may_be_told: bool,
    },
}

async fn insert(
    connection: &mut PgConnection,
    post: &Post,
    posts_a_month: u64,
) -> Result<Stored, Failure> {
    let values = PostValues::of(post)?;
    let positions: Vec<i64> = (0..).take(post.targets.len()).collect();
    let targets = post.targets.iter().map(TargetValues::of).collect::<Result<_, _>>()?;
    let work = WorkValues::of_post(post, post.version);
    let files: Vec<Uuid> = post.files().into_iter().map(|id| id.0).collect();
    let statement = if files.is_empty() { &CREATE } else { &CREATE_WITH_FILES };
    let query = values
        .bind_to(sqlx::query(statement.as_str()).bind(post.id.0))
        .bind(i64::try_from(posts_a_month).unwrap_or(i64::MAX))
        .bind(positions);
    let query = WorkValues::bind_all(work, TargetValues::bind_all(targets, query));
    let found = FacetRows::of(post);
    let query = query.bind(found.moment).bind(found.facets.into_iter().collect::<Vec<_>>());
    let query = query.bind(words_of(post));
    let query = if files.is_empty() { query } else { query.bind(files) };
    let stored: i64 = sqlx::Row::try_get(&query.fetch_one(connection).await?, 0)?;
    Ok(if stored == 0 { Stored::No } else { Stored::Yes { may_be_told: stored > 1 } })
}
