//! The same rows by bare statements, as durably and with as many writers.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use scheduler_core::idempotency::IdempotencyKey;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{PgPool, SqlitePool};
use uuid::Uuid;

use crate::rows::{WORKSPACE, id, noon, post};

const POST: &str = "INSERT INTO posts (id, workspace_id, status, content, media_ids, alt_texts, \
    scheduled_at, created_at, updated_at, idempotency_key, version, moment, went_out, \
    allowance_month) VALUES ($1, $2, 'scheduled', $3, '[]', '[]', $4, $4, $4, $5, 1, $4, false, 1)";
const TARGET: &str = "INSERT INTO targets (id, post_id, position, platform, account_id, status, \
    options, due_at, attempts, spent_tries, spent_rate_limits, revision) \
    VALUES ($1, $2, 0, 'bluesky', $3, 'pending', '{}', $4, 0, 0, 0, 0)";
const WORK: &str = "INSERT INTO work (id, kind, subject, workspace_id, platform, lane, due_at, \
    claimable_at, leased, claimed) VALUES ($1, 'publish', $2, $3, 'bluesky', $4, $5, $5, false, 0)";
const SOME: &str = "SELECT id FROM targets LIMIT $1";
const UPDATE: &str =
    "UPDATE targets SET status = 'published', attempts = attempts + 1 WHERE id = $1";

pub(crate) enum Bare {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// Runs a loop on so many connections; `$begin` opens a transaction, `$at` is how an instant is
/// bound.
macro_rules! inserts {
    ($pool:expr, $begin:expr, $at:expr, $count:expr) => {{
        let (pool, account) = ($pool.clone(), id());
        tokio::spawn(async move {
            for _ in 0..$count {
                let post = post(account, noon());
                let target = &post.targets[0];
                let mut transaction = pool.begin_with($begin).await.unwrap();
                sqlx::query(POST)
                    .bind(post.id.0)
                    .bind(WORKSPACE.0)
                    .bind(&post.content)
                    .bind($at)
                    .bind(post.idempotency_key.as_ref().map(IdempotencyKey::as_str))
                    .execute(&mut *transaction)
                    .await
                    .unwrap();
                sqlx::query(TARGET)
                    .bind(target.id.0)
                    .bind(post.id.0)
                    .bind(account)
                    .bind($at)
                    .execute(&mut *transaction)
                    .await
                    .unwrap();
                sqlx::query(WORK)
                    .bind(id())
                    .bind(target.id.0)
                    .bind(WORKSPACE.0)
                    .bind(account.to_string())
                    .bind($at)
                    .execute(&mut *transaction)
                    .await
                    .unwrap();
                transaction.commit().await.unwrap();
            }
        })
    }};
}

macro_rules! updates {
    ($pool:expr, $ids:expr) => {{
        let (pool, ids) = ($pool.clone(), $ids.to_vec());
        tokio::spawn(async move {
            for id in ids {
                sqlx::query(UPDATE).bind(id).execute(&pool).await.unwrap();
            }
        })
    }};
}

impl Bare {
    pub(crate) async fn open(url: &str) -> Self {
        if url.starts_with("postgres") {
            return Self::Postgres(PgPool::connect(url).await.unwrap());
        }
        let options: SqliteConnectOptions = url.parse().unwrap();
        let options = options
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(60));
        let pool = SqlitePoolOptions::new().max_connections(8).connect_with(options);
        Self::Sqlite(pool.await.unwrap())
    }

    pub(crate) async fn inserts(&self, writers: usize, count: usize) -> Duration {
        let begun = Instant::now();
        let each = count / writers;
        let tasks = (0..writers).map(|_| match self {
            Self::Sqlite(pool) => {
                inserts!(pool, "BEGIN IMMEDIATE", noon().timestamp_micros(), each)
            }
            Self::Postgres(pool) => inserts!(pool, "BEGIN", noon(), each),
        });
        join_all(tasks).await.into_iter().for_each(Result::unwrap);
        begun.elapsed()
    }

    pub(crate) async fn updates(&self, writers: usize, count: usize) -> Duration {
        let limit = i64::try_from(count).unwrap();
        let ids: Vec<Uuid> = match self {
            Self::Sqlite(pool) => sqlx::query_scalar(SOME).bind(limit).fetch_all(pool).await,
            Self::Postgres(pool) => sqlx::query_scalar(SOME).bind(limit).fetch_all(pool).await,
        }
        .unwrap();
        let begun = Instant::now();
        let tasks = ids.chunks(count / writers).map(|ids| match self {
            Self::Sqlite(pool) => updates!(pool, ids),
            Self::Postgres(pool) => updates!(pool, ids),
        });
        join_all(tasks).await.into_iter().for_each(Result::unwrap);
        begun.elapsed()
    }
}
