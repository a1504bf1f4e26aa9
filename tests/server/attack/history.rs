//! A million events of long ago: they are removed while others are served, and the room that they
//! leave is used again.

use std::path::Path;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, SqliteConnection};

use super::{Row, crowd, sized};
use crate::support::{Networks, Service, Setup, Tenant, backends};

/// Events of a round; one of five was delivered, at the second attempt.
const EVENTS: u64 = 5_000;
const EVENTS_LONG: u64 = 1_000_000;

/// Events that are written in one transaction.
const AT_ONCE: u64 = 5_000;

/// Rounds of events that are written and removed, and the first of them of which no other needs
/// more room: pages of an index of PostgreSQL are free after one more sweep than those of a table.
const ROUNDS: (u64, usize) = (3, 0);
const ROUNDS_POSTGRES: (u64, usize) = (4, 2);

const ATTACK: &str = "1 000 000 events, each round anew";

/// What the slowest request of another workspace may take while they are removed. Source: the bound
/// of the row on places, by which another workspace may be slower.
const WAIT_MAX: Duration = Duration::from_secs(1);

/// What a round may add to the room that an earlier one took: in percent, and in bytes of pages
/// that one sweep leaves for the next, whatever the number of events is. A short round writes 6
/// MiB.
const GROWTH_MAX: u64 = 5;
const LEFT_MAX: u64 = 1 << 20;

/// Bytes that SQLite's log may have: what is written between two checkpoints, and more than that
/// for those that wait for a reader.
const LOG_MAX: u64 = 16 << 20;

/// The database of a server that does not run, or beside it.
enum Db {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Db {
    async fn open(url: Option<&str>, data: &Path) -> Self {
        match url {
            Some(url) => Self::Postgres(PgConnection::connect(url).await.unwrap()),
            None => {
                let url = format!("sqlite:{}", data.join("scheduler.db").display());
                Self::Sqlite(SqliteConnection::connect(&url).await.unwrap())
            }
        }
    }

    async fn run(&mut self, statements: String) {
        let statements = sqlx::raw_sql(AssertSqlSafe(statements));
        match self {
            Self::Sqlite(connection) => connection.execute(statements).await.map(drop),
            Self::Postgres(connection) => connection.execute(statements).await.map(drop),
        }
        .unwrap();
    }

    async fn number(&mut self, statement: &str) -> u64 {
        let statement = AssertSqlSafe(statement.to_owned());
        let number: i64 = match self {
            Self::Sqlite(connection) => sqlx::query_scalar(statement).fetch_one(connection).await,
            Self::Postgres(connection) => sqlx::query_scalar(statement).fetch_one(connection).await,
        }
        .unwrap();
        number.unsigned_abs()
    }

    /// How the database writes an id of a number, and an instant.
    fn id(&self, number: &str) -> String {
        match self {
            Self::Sqlite(_) => format!("unhex(printf('%032x', {number}))"),
            Self::Postgres(_) => format!("lpad(to_hex({number}), 32, '0')::uuid"),
        }
    }

    fn instant(&self, at: DateTime<Utc>) -> String {
        match self {
            Self::Sqlite(_) => at.timestamp_micros().to_string(),
            Self::Postgres(_) => format!("'{}'::timestamptz", at.to_rfc3339()),
        }
    }

    /// Stores events that ended at this instant.
    async fn fill(&mut self, round: u64, events: u64, at: DateTime<Utc>) {
        let (id, at) = (self.id(&format!("({round} * 10000000 + n)")), self.instant(at));
        let of_webhook = "(SELECT workspace_id FROM webhooks)";
        let body = "x".repeat(400);
        for first in (0..events).step_by(usize::try_from(AT_ONCE).unwrap()) {
            let numbers = format!(
                "(WITH RECURSIVE s (n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM s \
                 WHERE n < {first} + {AT_ONCE} - 1) SELECT n FROM s) numbers"
            );
            let delivered = format!("{numbers} WHERE n % 5 = 0");
            self.run(format!(
                "BEGIN; \
                 INSERT INTO events (id, workspace_id, kind, created_at, body) \
                   SELECT {id}, {of_webhook}, 'post.failed', {at}, '{body}' FROM {numbers}; \
                 INSERT INTO deliveries (id, event_id, webhook_id, workspace_id, status, attempts, \
                   created_at, ended_at) SELECT {id}, {id}, (SELECT id FROM webhooks), \
                   {of_webhook}, 'delivered', 2, {at}, {at} FROM {delivered}; \
                 INSERT INTO delivery_attempts (delivery_id, position, at, status, answer) \
                   SELECT {id}, 1, {at}, 500, 'no' FROM {delivered}; \
                 INSERT INTO delivery_attempts (delivery_id, position, at, status, answer) \
                   SELECT {id}, 2, {at}, 200, 'yes' FROM {delivered}; \
                 COMMIT"
            ))
            .await;
        }
    }

    async fn counts(&mut self) -> [u64; 3] {
        let mut counts = [0; 3];
        for (count, table) in counts.iter_mut().zip(["events", "deliveries", "delivery_attempts"]) {
            *count = self.number(&format!("SELECT count(*) FROM {table}")).await;
        }
        counts
    }

    async fn has_older(&mut self, at: DateTime<Utc>) -> bool {
        let at = self.instant(at);
        self.number(&format!(
            "SELECT count(*) FROM (SELECT 1 FROM events WHERE created_at < {at} LIMIT 1) found"
        ))
        .await
            > 0
    }

    /// Bytes of the file, its log apart; on a server, those of what is written here.
    async fn size(&mut self) -> u64 {
        match self {
            Self::Sqlite(_) => self.number("SELECT page_count * 4096 FROM pragma_page_count").await,
            Self::Postgres(_) => {
                self.number(
                    "SELECT pg_total_relation_size('events') + pg_total_relation_size('deliveries') \
                     + pg_total_relation_size('delivery_attempts')",
                )
                .await
            }
        }
    }

    /// What the database server does by itself after a while.
    async fn sweep(&mut self) {
        if let Self::Postgres(connection) = self {
            connection.execute("VACUUM").await.unwrap();
        }
    }

    async fn close(self) {
        match self {
            Self::Sqlite(connection) => connection.close().await.unwrap(),
            Self::Postgres(connection) => connection.close().await.unwrap(),
        }
    }
}

/// Sends requests of another workspace until everything old is gone; how long the slowest took, and
/// all of it.
async fn removed(other: &Tenant, db: &mut Db, before: DateTime<Utc>) -> (Duration, Duration) {
    let (begun, mut longest) = (Instant::now(), Duration::ZERO);
    let draft = json!({"content": "x", "saveAsDraft": true, "targets": [{"platform": "bluesky"}]});
    while db.has_older(before).await {
        assert!(begun.elapsed() < Duration::from_secs(1_200), "removed in vain");
        for body in [Some(&draft), None] {
            let begun = Instant::now();
            match body {
                Some(body) => drop(other.api.create(body).await),
                None => drop(other.api.get("/posts?limit=10").await),
            }
            longest = longest.max(begun.elapsed());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    (longest, begun.elapsed())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_ended_long_ago_is_removed_and_its_room_used_again() {
    let events = sized(EVENTS, EVENTS_LONG);
    for backend in backends().await {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup { database: backend.url(), ..Setup::new(folder.path(), networks.url()) };
        let (row, database) = (Row::new(ATTACK, &backend), backend.name());
        let service = setup.serve();
        service.api().add_webhook("http://127.0.0.1:9/").await;
        let other = Tenant::new(&service, &setup, "other");
        other.connect("bluesky", 1);
        crowd(&setup, 2);
        assert_eq!(service.stop(), Some(0));

        #[expect(
            clippy::disallowed_methods,
            reason = "the test reads the clock that the server reads"
        )]
        let now = DateTime::<Utc>::from(std::time::SystemTime::now());
        let mut db = Db::open(backend.url().as_deref(), folder.path()).await;
        // What is younger stays.
        db.fill(0, AT_ONCE, now - TimeDelta::days(89)).await;
        let young = db.counts().await;
        let mut sizes = Vec::new();
        let (rounds, settled) = if backend.url().is_none() { ROUNDS } else { ROUNDS_POSTGRES };
        for round in 1..=rounds {
            db.fill(round, events, now - TimeDelta::days(91)).await;
            let before = db.counts().await;
            sizes.push(db.size().await);
            let service: Service = setup.serve();
            let other = other.at(&service);
            let (longest, took) = removed(&other, &mut db, now - TimeDelta::days(90)).await;
            assert_eq!(db.counts().await, young, "{database}");
            let rows: u64 = before.iter().sum::<u64>() - young.iter().sum::<u64>();
            eprintln!("{database}: {rows} rows removed in {took:?}");
            row.within("another workspace waited", longest, WAIT_MAX);
            if backend.url().is_none() {
                let log = std::fs::metadata(folder.path().join("scheduler.db-wal")).unwrap().len();
                row.at_most("bytes of the log", log, LOG_MAX);
            }
            assert_eq!(service.stop(), Some(0));
            db.sweep().await;
        }
        let bound = sizes[settled] * (100 + GROWTH_MAX) / 100 + LEFT_MAX;
        let largest = sizes[settled..].iter().copied().max().unwrap_or_default();
        row.at_most("bytes after the rounds", largest, bound);
        if backend.url().is_none() {
            db.close().await;
            let bytes = std::fs::metadata(folder.path().join("scheduler.db")).unwrap().len();
            row.at_most("bytes on the disk", bytes, bound);
        }
    }
}
