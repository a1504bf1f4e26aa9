//! Opening an SQLite database.

use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};

use super::SqliteStore;
use super::both::fill_words;
use super::files::create_for_sqlite;
use super::writer::Writer;
use crate::database::{Database, OpenError};
use crate::migrations;
use crate::sealing::Sealer;

/// How long a statement waits for another process that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// How long to leave a file alone whose log another process is making.
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// Pages that the writer keeps, in KiB; as a negative number SQLite reads it so.
///
/// Source: <https://www.sqlite.org/pragma.html#pragma_cache_size>; the figures are ours.
const WRITER_CACHE: &str = "-4096";

/// Pages that each reader keeps, in KiB.
const READER_CACHE: &str = "-1024";

/// Readers at once, of the engine and of everybody else. They wait for the disk, and each has a
/// thread and a cache.
///
/// Source: our decision.
const ENGINE_READERS: u32 = 2;
const OTHER_READERS: u32 = 4;

/// How long an idle reader is kept.
const READER_IDLE: Duration = Duration::from_secs(60);

/// The log is cut back to this many bytes after a burst.
const LOG_BYTES: &str = "67108864";

/// Opens the database of a URL.
pub(crate) async fn open(url: &str, sealer: Sealer) -> Result<Database, OpenError> {
    Ok(Database::Sqlite(Arc::new(SqliteStore::open(url, sealer).await?)))
}

impl SqliteStore {
    /// Opens the database of a URL such as `sqlite:scheduler.db` or `sqlite::memory:`; makes the
    /// file, which only its user may read, when there is none, and brings the schema up to date.
    ///
    /// What was answered is on disk: the log is synced at every commit.
    ///
    /// # Errors
    /// [`OpenError::Address`] when the URL cannot be read, [`OpenError::Unavailable`] when the file
    /// cannot be opened, [`OpenError::Schema`] when its schema cannot be brought up to date.
    pub async fn open(url: &str, sealer: Sealer) -> Result<Self, OpenError> {
        let options: SqliteConnectOptions = url.parse().map_err(|_| OpenError::Address)?;
        let options = options
            .create_if_missing(true)
            .foreign_keys(true)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(BUSY_TIMEOUT)
            .pragma("journal_size_limit", LOG_BYTES);
        let is_in_memory = is_in_memory(url);
        if !is_in_memory {
            create_for_sqlite(options.get_filename());
        }
        let for_writing = options.clone().pragma("cache_size", WRITER_CACHE);
        let for_writing = if is_in_memory {
            for_writing.in_memory(true)
        } else {
            for_writing.journal_mode(SqliteJournalMode::Wal)
        };
        let mut connection = connect(&for_writing).await?;
        migrate(&mut connection).await?;
        let for_reading = options.read_only(true).pragma("cache_size", READER_CACHE);
        let pool = |readers| {
            SqlitePoolOptions::new()
                .max_connections(readers)
                .idle_timeout(READER_IDLE)
                .test_before_acquire(false)
                .connect_lazy_with(for_reading.clone())
        };
        let all_readers = (!is_in_memory).then(|| [ENGINE_READERS, OTHER_READERS].map(pool));
        let readers = all_readers.as_ref().map(|[_, others]| others.clone());
        let writer = Arc::new(Writer::start(connection));
        Ok(Self { writer, readers, all_readers, sealer, observed: Arc::default() })
    }
}

/// Opens a connection. Of processes that move a new file to its log at once, SQLite lets one and
/// turns the others away without a wait, so those come again.
async fn connect(options: &SqliteConnectOptions) -> Result<SqliteConnection, OpenError> {
    let mut waited = Duration::ZERO;
    loop {
        match options.connect().await {
            Err(error) if is_busy(&error) && waited < BUSY_TIMEOUT => {
                tokio::time::sleep(BUSY_PAUSE).await;
                waited += BUSY_PAUSE;
            }
            connected => return connected.map_err(OpenError::unavailable),
        }
    }
}

/// Source: <https://www.sqlite.org/rescode.html>, the primary code 5, alone or extended.
fn is_busy(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.and_then(|code| code.parse::<u32>().ok()).is_some_and(|code| code & 0xff == 5)
}

pub(crate) fn is_in_memory(url: &str) -> bool {
    url.contains(":memory:") || url.contains("mode=memory")
}

/// Runs the migrations in one transaction that keeps every other writer out, so that of two
/// processes that start at once, one migrates and the other finds it done.
async fn migrate(connection: &mut SqliteConnection) -> Result<(), OpenError> {
    let mut transaction =
        connection.begin_with("BEGIN IMMEDIATE").await.map_err(OpenError::unavailable)?;
    migrations::SQLITE
        .run_direct(None, &mut *transaction, false)
        .await
        .map_err(OpenError::schema)?;
    while fill_words(&mut transaction).await.map_err(OpenError::filling)? {}
    transaction.commit().await.map_err(OpenError::unavailable)
}

#[cfg(test)]
pub(super) mod tests {
    use sqlx::{AssertSqlSafe, Row as _};

    use super::*;

    /// A connection to a database with the schema and nothing in it.
    pub(crate) async fn connection() -> SqliteConnection {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        migrate(&mut connection).await.unwrap();
        connection
    }

    /// How SQLite would run a statement, a line for each step.
    pub(crate) async fn plan(connection: &mut SqliteConnection, statement: &str) -> String {
        let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
        let steps = sqlx::query(explain).fetch_all(connection).await.unwrap();
        steps.iter().map(|step| format!("{}\n", step.get::<String, _>("detail"))).collect()
    }

    /// Everybody else's readers are all in use.
    #[tokio::test]
    async fn reads_leave_the_engine_its_readers() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("scheduler.db").display());
        let key = crate::sealing::SealingKey::from_bytes([1; 32]);
        let store = SqliteStore::open(&url, Sealer::new(&key)).await.unwrap();
        let [_, others] = store.all_readers.as_ref().unwrap();
        let mut held = Vec::new();
        for _ in 0..OTHER_READERS {
            held.push(others.acquire().await.unwrap());
        }
        assert!(others.try_acquire().is_none());
        let engine = store.for_engine();
        let answered = tokio::time::timeout(Duration::from_secs(5), engine.ping()).await;
        answered.expect("the engine does not wait").unwrap();
        drop(held);
        store.close().await;
        engine.ping().await.unwrap_err();
    }
}
