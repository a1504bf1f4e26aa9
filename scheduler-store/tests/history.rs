//! The room that old events leave is used again.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::Store;
use scheduler_store::testing::{Durability, TestPostgres};
use scheduler_store::{Database, SealingKey};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, SqliteConnection};

/// Rounds of events that are written and removed, and events of a round.
const ROUNDS: u32 = 4;
const EVENTS: u32 = 20_000;

/// What a round may add to the room that an earlier one took, in percent.
const GROWTH_MAX: u64 = 5;

/// Bytes that SQLite's log may have: what is written between two checkpoints, and more than that
/// for those that wait for a reader.
const LOG_MAX: u64 = 16 << 20;

/// When the events of a round ended.
fn at(round: u32) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(1 + i64::from(round))
}

/// A database that several rounds are written to.
struct Filled {
    store: Arc<dyn Store>,
    /// How the database writes an id of a number, an instant, and no bytes.
    id: fn(&str) -> String,
    instant: fn(DateTime<Utc>) -> String,
    no_bytes: &'static str,
}

impl Filled {
    fn webhook(&self) -> String {
        let (id, at) = ((self.id)("1"), (self.instant)(at(0)));
        format!(
            "INSERT INTO workspaces VALUES ({id}, 'w', 'pro', NULL, {at}); \
             INSERT INTO webhooks VALUES ({id}, {id}, 'https://a.example', '[]', {}, {at})",
            self.no_bytes
        )
    }

    /// A thousand events, each delivered after two attempts.
    fn thousand(&self, round: u32, first: u32) -> String {
        let numbers = format!(
            "(WITH RECURSIVE s (n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM s \
             WHERE n < {first} + 999) SELECT n FROM s) numbers"
        );
        let one = (self.id)("1");
        let id = (self.id)(&format!("({round} * 10000000 + n)"));
        let at = (self.instant)(at(round));
        format!(
            "INSERT INTO events SELECT {id}, {one}, 'post.failed', {at}, '{body}' FROM {numbers}; \
             INSERT INTO deliveries SELECT {id}, {id}, {one}, {one}, 'delivered', 2, {at}, {at} \
               FROM {numbers}; \
             INSERT INTO delivery_attempts SELECT {id}, 1, {at}, 500, 'no' FROM {numbers}; \
             INSERT INTO delivery_attempts SELECT {id}, 2, {at}, 200, 'yes' FROM {numbers}",
            body = "x".repeat(400),
        )
    }

    /// Removes what ended in a round and before, piece by piece.
    async fn remove(&self, round: u32) {
        let before = at(round) + TimeDelta::seconds(1);
        let mut deliveries = 0;
        while deliveries < EVENTS.into() {
            deliveries += self.store.remove_ended_deliveries(before, 500).await.unwrap();
        }
        let (mut events, mut after) = (0, None);
        loop {
            let piece = self.store.remove_unnamed_events(before, after, 500).await.unwrap();
            events += piece.removed;
            after = piece.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!((deliveries, events), (EVENTS.into(), EVENTS.into()));
    }
}

/// From the round `settled` on no round needs more room than that one did.
fn check(name: &str, sizes: &[u64], settled: usize) {
    eprintln!("{name}: {sizes:?} bytes after each round of {EVENTS} events");
    for size in &sizes[settled..] {
        assert!(*size <= sizes[settled] * (100 + GROWTH_MAX) / 100, "{name}: {sizes:?}");
    }
}

fn bytes(file: &Path) -> u64 {
    std::fs::metadata(file).unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scheduler.db");
    let url = format!("sqlite:{}", file.display());
    let database = Database::open(&url, &SealingKey::from_bytes([1; 32])).await.unwrap();
    let filled = Filled {
        store: database.store(),
        id: |number| format!("unhex(printf('%032x', {number}))"),
        instant: |at| at.timestamp_micros().to_string(),
        no_bytes: "x''",
    };
    let mut connection = SqliteConnection::connect(&url).await.unwrap();
    connection.execute(AssertSqlSafe(filled.webhook())).await.unwrap();
    let mut sizes = Vec::new();
    for round in 1..=ROUNDS {
        for first in (0..EVENTS).step_by(1_000) {
            let thousand = format!("BEGIN; {}; COMMIT", filled.thousand(round, first));
            connection.execute(AssertSqlSafe(thousand)).await.unwrap();
        }
        let pages: i64 =
            sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut connection).await.unwrap();
        sizes.push(pages.unsigned_abs() * 4_096);
        filled.remove(round).await;
        let log = bytes(&file.with_extension("db-wal"));
        assert!(log <= LOG_MAX, "{log} bytes of log");
    }
    check("SQLite", &sizes, 0);
    connection.close().await.unwrap();
    database.close().await;
    assert!(bytes(&file) <= sizes.iter().copied().max().unwrap_or_default());
}

/// The server itself sweeps tables after a while; here it is asked to. Pages of an index that one
/// sweep has emptied are free after the next one, so the second round needs more room than the first.
///
/// Source: <https://www.postgresql.org/docs/current/btree.html>, and `nbtree/README` beside its
/// source.
#[tokio::test(flavor = "multi_thread")]
async fn in_postgres() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let key = SealingKey::from_bytes([1; 32]);
    let database = Database::open(postgres.url(), &key).await.unwrap();
    let filled = Filled {
        store: database.store(),
        id: |number| format!("lpad(to_hex({number}), 32, '0')::uuid"),
        instant: |at| format!("'{}'::timestamptz", at.to_rfc3339()),
        no_bytes: "''",
    };
    let mut connection = PgConnection::connect(postgres.url()).await.unwrap();
    connection.execute(sqlx::raw_sql(AssertSqlSafe(filled.webhook()))).await.unwrap();
    let mut sizes = Vec::new();
    for round in 1..=ROUNDS {
        for first in (0..EVENTS).step_by(1_000) {
            let thousand = sqlx::raw_sql(AssertSqlSafe(filled.thousand(round, first)));
            connection.execute(thousand).await.unwrap();
        }
        let bytes: i64 = sqlx::query_scalar(
            "SELECT pg_total_relation_size('events') + pg_total_relation_size('deliveries') \
             + pg_total_relation_size('delivery_attempts')",
        )
        .fetch_one(&mut connection)
        .await
        .unwrap();
        sizes.push(bytes.unsigned_abs());
        filled.remove(round).await;
        connection.execute("VACUUM events, deliveries, delivery_attempts").await.unwrap();
    }
    check("PostgreSQL", &sizes, 1);
    database.close().await;
}
