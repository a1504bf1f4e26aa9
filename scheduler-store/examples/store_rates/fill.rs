//! Many rows at once, made inside the database.

use sqlx::Connection as _;

use crate::rows::{WORKSPACE, noon};

/// The columns that a post of these is stored with.
macro_rules! posts {
    () => {
        "INSERT INTO posts (id, workspace_id, status, content, media_ids, alt_texts, scheduled_at, \
          created_at, updated_at, version, moment, went_out, allowance_month) "
    };
}

/// A live target for each of them.
macro_rules! targets {
    ($id:literal) => {
        concat!(
            "INSERT INTO targets (id, post_id, position, platform, account_id, status, options, \
              remote_id, published_at, attempts, spent_tries, spent_rate_limits, revision) SELECT ",
            $id,
            ", p.id, 0, 'bluesky', p.workspace_id, 'published', '{}', 'at://x', p.moment, 1, 0, 0, 0 \
              FROM posts p WHERE p.status = 'done' \
              AND NOT EXISTS (SELECT 1 FROM targets t WHERE t.post_id = p.id)"
        )
    };
}

const LATER_SQLITE: &str = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n \
      WHERE n < $1) \
    INSERT INTO work SELECT randomblob(16), 'publish', randomblob(16), $2, 'bluesky', \
      lower(hex(randomblob(2))), $3 + n * 1000, $3 + n * 1000, 0, 0 FROM n";
const LATER_POSTGRES: &str = "INSERT INTO work SELECT gen_random_uuid(), 'publish', \
      gen_random_uuid(), $2, 'bluesky', (random() * 65536)::int::text, $3 + n * interval '1 ms', \
      $3 + n * interval '1 ms', false, 0 FROM generate_series(1, $1) n";
const POSTS_SQLITE: &str = concat!(
    "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < $1) ",
    posts!(),
    "SELECT randomblob(16), $2, 'done', 'content of a post', '[]', '[]', $3 - n * 100000, $3, $3, \
      1, $3 - n * 100000, 1, 1 FROM n"
);
const POSTS_POSTGRES: &str = concat!(
    posts!(),
    "SELECT gen_random_uuid(), $2, 'done', 'content of a post', '[]', '[]', \
      $3 - n * interval '100 ms', $3, $3, 1, $3 - n * interval '100 ms', true, 1 \
      FROM generate_series(1, $1) n"
);
const TARGETS_SQLITE: &str = targets!("randomblob(16)");
const TARGETS_POSTGRES: &str = targets!("gen_random_uuid()");

macro_rules! run {
    ($connection:expr, $statement:expr, $count:expr, $at:expr) => {
        sqlx::query($statement)
            .bind($count)
            .bind(WORKSPACE.0)
            .bind($at)
            .execute(&mut $connection)
            .await
            .unwrap()
    };
}

/// Adds so many rows of work that are due an hour from noon and later.
pub(crate) async fn later(url: &str, count: i64) {
    let later = noon() + chrono::TimeDelta::hours(1);
    if url.starts_with("postgres") {
        let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
        run!(connection, LATER_POSTGRES, count, later);
        settle(&mut connection).await;
    } else {
        let mut connection = sqlx::SqliteConnection::connect(url).await.unwrap();
        run!(connection, LATER_SQLITE, count, later.timestamp_micros());
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await.unwrap();
    }
}

/// Adds so many posts that went out before noon, with a target each.
pub(crate) async fn listed(url: &str, count: i64) {
    if url.starts_with("postgres") {
        let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
        run!(connection, POSTS_POSTGRES, count, noon());
        sqlx::query(TARGETS_POSTGRES).execute(&mut connection).await.unwrap();
        settle(&mut connection).await;
    } else {
        let mut connection = sqlx::SqliteConnection::connect(url).await.unwrap();
        run!(connection, POSTS_SQLITE, count, noon().timestamp_micros());
        sqlx::query(TARGETS_SQLITE).execute(&mut connection).await.unwrap();
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await.unwrap();
    }
}

async fn settle(connection: &mut sqlx::PgConnection) {
    for statement in ["VACUUM ANALYZE", "CHECKPOINT"] {
        sqlx::raw_sql(statement).execute(&mut *connection).await.unwrap();
    }
}
