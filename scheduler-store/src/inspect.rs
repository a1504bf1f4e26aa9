//! A look at a database that changes nothing in it, for an operator who asks what is wrong.

use std::collections::BTreeMap;
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use sqlx::migrate::Migrator;
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection, SqliteConnection};
use uuid::Uuid;

use crate::database::OpenError;
use crate::sealing::{Sealed, Sealer, SealingKey};
use crate::{postgres, sqlite};

/// The schema of a database, next to that of this release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaState {
    /// There is no table yet.
    Empty,
    /// An earlier release has made it; so many migrations are missing.
    Older {
        /// How many.
        missing: usize,
    },
    /// It is that of this release.
    Current,
    /// A newer release has changed it.
    Newer,
    /// A migration was broken off, or is another than that of this release.
    Damaged,
}

/// Whether the secrets of a database open with a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seals {
    /// There are none.
    None,
    /// All that were tried open.
    Open,
    /// Some do not.
    Closed {
        /// How many do not.
        closed: usize,
        /// How many were tried.
        tried: usize,
    },
}

/// What was seen in a database.
#[derive(Debug)]
pub struct Inspection {
    /// Its schema.
    pub schema: SchemaState,
    /// What its own clock says; `None` where it has no other than this machine's.
    pub now: Option<DateTime<Utc>>,
    /// Whether tables can be made in it; `None` where only an attempt would tell.
    pub takes_tables: Option<bool>,
    /// Whether it contradicts itself. Looked at in files of up to 64 MiB alone.
    pub is_damaged: bool,
    sealed: Vec<(Sealed, Uuid, Vec<u8>)>,
}

/// A migration that was run: its number, whether it went through, and what it was.
#[derive(sqlx::FromRow)]
struct Applied {
    version: i64,
    success: bool,
    checksum: Vec<u8>,
}

/// Bytes of a file up to which it is read as a whole to see whether it is damaged; a larger one
/// would take longer than a person waits.
///
/// Source: our decision.
const CHECKED_BYTES: u64 = 64 << 20;

const APPLIED: &str = "SELECT version, success, checksum FROM _sqlx_migrations";

/// Secrets of each kind that are tried. A key opens all of them or none, unless rows were copied
/// from elsewhere.
const CREDENTIALS: &str = "SELECT id, credentials FROM accounts WHERE credentials IS NOT NULL \
     ORDER BY id DESC LIMIT 100";
const WEBHOOK_SECRETS: &str = "SELECT id, secret FROM webhooks ORDER BY id DESC LIMIT 100";

impl Inspection {
    const fn new(schema: SchemaState, sealed: Vec<(Sealed, Uuid, Vec<u8>)>) -> Self {
        Self { schema, now: None, takes_tables: None, is_damaged: false, sealed }
    }

    /// Looks at the database of a URL; `None` for a file of SQLite that does not exist.
    ///
    /// # Errors
    /// [`OpenError::Kind`], [`OpenError::Address`], [`OpenError::Unavailable`].
    pub async fn of(url: &str) -> Result<Option<Self>, OpenError> {
        Self::look(url, CHECKED_BYTES).await
    }

    /// The same without a search for damage, for a look at the secrets alone.
    ///
    /// # Errors
    /// As [`Inspection::of`].
    pub async fn of_secrets(url: &str) -> Result<Option<Self>, OpenError> {
        Self::look(url, 0).await
    }

    async fn look(url: &str, checked_bytes: u64) -> Result<Option<Self>, OpenError> {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => of_sqlite(url, checked_bytes).await,
            Some("postgres" | "postgresql") => of_postgres(url).await.map(Some),
            Some(_) | None => Err(OpenError::Kind),
        }
    }

    /// Whether its secrets open with a key.
    #[must_use]
    pub fn seals(&self, key: &SealingKey) -> Seals {
        let sealer = Sealer::new(key);
        let tried = self.sealed.len();
        let is_closed = |(what, row, stored): &&(Sealed, Uuid, Vec<u8>)| {
            sealer.open(*what, *row, stored).is_err()
        };
        match (tried, self.sealed.iter().filter(is_closed).count()) {
            (0, _) => Seals::None,
            (_, 0) => Seals::Open,
            (tried, closed) => Seals::Closed { closed, tried },
        }
    }

    /// Whether there are secrets in it, which only their key opens.
    #[must_use]
    pub const fn has_secrets(&self) -> bool {
        !self.sealed.is_empty()
    }
}

/// The file of a URL such as `sqlite:scheduler.db`; `None` for another database, and for one in
/// memory.
#[must_use]
pub fn sqlite_file(url: &str) -> Option<PathBuf> {
    let is_file = url.starts_with("sqlite:") && !sqlite::is_in_memory(url);
    let options: SqliteConnectOptions = if is_file { url.parse().ok()? } else { return None };
    Some(options.get_filename().to_owned())
}

async fn of_sqlite(url: &str, checked_bytes: u64) -> Result<Option<Inspection>, OpenError> {
    let options: SqliteConnectOptions = url.parse().map_err(|_| OpenError::Address)?;
    if !options.get_filename().exists() {
        return Ok(None);
    }
    let bytes = std::fs::metadata(options.get_filename()).map_or(0, |data| data.len());
    let options = options.create_if_missing(false).read_only(true);
    let mut connection = options.connect().await.map_err(OpenError::unavailable)?;
    let mut inspection = in_sqlite(&mut connection).await.map_err(OpenError::unavailable)?;
    if bytes <= checked_bytes {
        // In SQLite's own words, which quote no value; the first is "ok" when there is no fault.
        let said: String = sqlx::query_scalar("PRAGMA quick_check(1)")
            .fetch_one(&mut connection)
            .await
            .map_err(OpenError::unavailable)?;
        inspection.is_damaged = said != "ok";
    }
    connection.close().await.map_err(OpenError::unavailable)?;
    Ok(Some(inspection))
}

async fn in_sqlite(connection: &mut SqliteConnection) -> Result<Inspection, sqlx::Error> {
    const TABLES: &str = "SELECT count(*) FROM sqlite_schema WHERE name = '_sqlx_migrations'";
    let tables: i64 = sqlx::query_scalar(TABLES).fetch_one(&mut *connection).await?;
    if tables == 0 {
        return Ok(Inspection::new(SchemaState::Empty, Vec::new()));
    }
    let applied = sqlx::query_as(APPLIED).fetch_all(&mut *connection).await?;
    let schema = compare(&sqlite::MIGRATIONS, applied);
    let (mut credentials, mut secrets) = (Vec::new(), Vec::new());
    if has_tables(schema) {
        credentials = sqlx::query_as(CREDENTIALS).fetch_all(&mut *connection).await?;
        secrets = sqlx::query_as(WEBHOOK_SECRETS).fetch_all(&mut *connection).await?;
    }
    Ok(Inspection::new(schema, both(credentials, secrets)))
}

async fn of_postgres(url: &str) -> Result<Inspection, OpenError> {
    let options: PgConnectOptions = url.parse().map_err(|_| OpenError::Address)?;
    let options = options.application_name("scheduler doctor");
    let mut connection = options.connect().await.map_err(OpenError::unavailable)?;
    let inspection = in_postgres(&mut connection).await.map_err(OpenError::unavailable)?;
    connection.close().await.map_err(OpenError::unavailable)?;
    Ok(inspection)
}

async fn in_postgres(connection: &mut PgConnection) -> Result<Inspection, sqlx::Error> {
    const HAS_TABLE: &str = "SELECT to_regclass('_sqlx_migrations') IS NOT NULL";
    let has_table: bool = sqlx::query_scalar(HAS_TABLE).fetch_one(&mut *connection).await?;
    const TAKES_TABLES: &str =
        "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), FALSE)";
    let takes_tables: bool = sqlx::query_scalar(TAKES_TABLES).fetch_one(&mut *connection).await?;
    let (mut schema, mut sealed) = (SchemaState::Empty, Vec::new());
    if has_table {
        let applied = sqlx::query_as(APPLIED).fetch_all(&mut *connection).await?;
        schema = compare(&postgres::MIGRATIONS, applied);
        if has_tables(schema) {
            let credentials = sqlx::query_as(CREDENTIALS).fetch_all(&mut *connection).await?;
            let secrets = sqlx::query_as(WEBHOOK_SECRETS).fetch_all(&mut *connection).await?;
            sealed = both(credentials, secrets);
        }
    }
    // Last, so that the time it takes to ask is short.
    let now = sqlx::query_scalar("SELECT clock_timestamp()").fetch_one(connection).await?;
    let seen = Inspection::new(schema, sealed);
    Ok(Inspection { now: Some(now), takes_tables: Some(takes_tables), ..seen })
}

/// Whether the tables are known to this release: they have been there since its first.
const fn has_tables(schema: SchemaState) -> bool {
    matches!(schema, SchemaState::Older { .. } | SchemaState::Current)
}

fn both(
    credentials: Vec<(Uuid, Vec<u8>)>,
    secrets: Vec<(Uuid, Vec<u8>)>,
) -> Vec<(Sealed, Uuid, Vec<u8>)> {
    let credentials = credentials.into_iter().map(|(row, text)| (Sealed::Credentials, row, text));
    let secrets = secrets.into_iter().map(|(row, text)| (Sealed::WebhookSecret, row, text));
    credentials.chain(secrets).collect()
}

fn compare(ours: &Migrator, applied: Vec<Applied>) -> SchemaState {
    let applied: BTreeMap<i64, Applied> =
        applied.into_iter().map(|applied| (applied.version, applied)).collect();
    let is_ours = |version: &i64| ours.iter().any(|migration| migration.version == *version);
    if !applied.keys().all(is_ours) {
        return SchemaState::Newer;
    }
    let mut missing = 0;
    for migration in ours.iter() {
        match applied.get(&migration.version) {
            None => missing += 1,
            Some(run) if run.success && *run.checksum == *migration.checksum => {}
            Some(_) => return SchemaState::Damaged,
        }
    }
    match (applied.len(), missing) {
        (0, _) => SchemaState::Empty,
        (_, 0) => SchemaState::Current,
        (_, missing) => SchemaState::Older { missing },
    }
}
