//! The database that a URL names.

use std::sync::Arc;

use scheduler_core::ports::{Observer, Store, StoreError};
use sqlx::migrate::MigrateError;

use crate::error::{Failure, store_error};
#[cfg(feature = "postgres")]
use crate::postgres::PostgresStore;
use crate::sealing::{Resealed, Sealer, SealingKey};
#[cfg(feature = "sqlite")]
use crate::sqlite::SqliteStore;

/// A database could not be opened. Never repeats the URL, which may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The URL names another kind of database.
    #[error("the URL of the database begins with neither sqlite: nor postgres:")]
    Kind,
    /// This build was made without what the database needs.
    #[error("this build has no {database}: build it with the feature `{feature}`")]
    NotBuilt {
        /// The database that the URL names.
        database: &'static str,
        /// The feature of this crate that adds it.
        feature: &'static str,
    },
    /// The URL cannot be read.
    #[error("the URL of the database cannot be read")]
    Address,
    /// The database could not be reached or opened.
    #[error("the database could not be opened")]
    Unavailable(#[source] StoreError),
    /// A newer release has changed the schema.
    #[error("the database belongs to a newer release")]
    Newer,
    /// The schema could not be brought up to date.
    #[error("the schema of the database could not be brought up to date")]
    Schema(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl OpenError {
    /// Of a URL of this scheme, which this build cannot open.
    pub(crate) fn scheme(scheme: Option<&str>) -> Self {
        match scheme {
            Some("sqlite") => Self::NotBuilt { database: "SQLite", feature: "sqlite" },
            Some("postgres" | "postgresql") => {
                Self::NotBuilt { database: "PostgreSQL", feature: "postgres" }
            }
            Some(_) | None => Self::Kind,
        }
    }

    /// What could not be brought up to date after the migrations.
    pub(crate) fn filling(failure: Failure) -> Self {
        Self::Schema(Box::new(StoreError::from(failure)))
    }

    pub(crate) fn unavailable(error: sqlx::Error) -> Self {
        Self::Unavailable(store_error(error))
    }

    pub(crate) fn schema(error: MigrateError) -> Self {
        match error {
            MigrateError::VersionMissing(_) => Self::Newer,
            MigrateError::Execute(error) => Self::unavailable(error),
            MigrateError::ExecuteMigration(error, _) => Self::Schema(Box::new(store_error(error))),
            // The enum is open; the rest names versions of migrations and quotes nothing.
            other => Self::Schema(Box::new(other)),
        }
    }
}

/// Does something with the driver of a URL, as far as this build has it.
macro_rules! of_url {
    ($url:expr, $driver:ident => $operation:expr) => {
        match $url.split_once(':').map(|(scheme, _)| scheme) {
            #[cfg(feature = "sqlite")]
            Some("sqlite") => {
                use $crate::sqlite as $driver;
                $operation
            }
            #[cfg(feature = "postgres")]
            Some("postgres" | "postgresql") => {
                use $crate::postgres as $driver;
                $operation
            }
            scheme => Err($crate::OpenError::scheme(scheme).into()),
        }
    };
}
pub(crate) use of_url;

/// An open database, of either kind.
#[derive(Clone, Debug)]
pub enum Database {
    /// A file, or memory.
    #[cfg(feature = "sqlite")]
    Sqlite(Arc<SqliteStore>),
    /// A server that several nodes may share.
    #[cfg(feature = "postgres")]
    Postgres(Arc<PostgresStore>),
}

/// Does something with the store of a database.
macro_rules! either {
    ($database:expr, $store:ident => $operation:expr) => {
        match $database {
            #[cfg(feature = "sqlite")]
            Database::Sqlite($store) => $operation,
            #[cfg(feature = "postgres")]
            Database::Postgres($store) => $operation,
        }
    };
}

impl Database {
    /// The name of its kind, such as `SQLite`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(_) => "SQLite",
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => "PostgreSQL",
        }
    }
}

/// The connections of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connections {
    /// Those that are open.
    pub open: u32,
    /// Those of them that nobody uses.
    pub idle: u32,
    /// How many may be open at most.
    pub max: u32,
}

impl Connections {
    /// Those of a pool.
    pub(crate) fn of<D: sqlx::Database>(pool: &sqlx::Pool<D>) -> Self {
        Self {
            open: pool.size(),
            idle: u32::try_from(pool.num_idle()).unwrap_or(u32::MAX).min(pool.size()),
            max: pool.options().get_max_connections(),
        }
    }
}

impl std::ops::Add for Connections {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            open: self.open + other.open,
            idle: self.idle + other.idle,
            max: self.max + other.max,
        }
    }
}

impl Database {
    /// Opens the database of a URL and brings its schema up to date: `sqlite:PATH`,
    /// `sqlite::memory:` (gone with the store; for tests), or `postgres://…`.
    ///
    /// Secrets are sealed by `key`.
    ///
    /// # Errors
    /// [`OpenError`] by cause; nothing is changed in a database that a newer release has changed.
    pub async fn open(url: &str, key: &SealingKey) -> Result<Self, OpenError> {
        let sealer = Sealer::new(key);
        of_url!(url, driver => driver::open(url, sealer).await)
    }

    /// The same store on connections of its own, for whoever works off what is due: heavy reads
    /// through [`store`](Self::store) never hold it up. Its statements have no time limit, and it
    /// asks for up to a minute whether a write was committed whose answer was lost.
    #[must_use]
    pub fn engine_store(&self) -> Arc<dyn Store> {
        either!(self, store => Arc::new(store.for_engine()))
    }

    /// The store behind the ports of the core, for everybody but the engine. Where the database
    /// is a server, a statement ends after 30 s as unavailable.
    #[must_use]
    pub fn store(&self) -> Arc<dyn Store> {
        either!(self, store => store.clone())
    }

    /// Looks at every sealed secret once, and seals anew those that are not sealed with the present
    /// key. Others may read and write meanwhile: what they change is left alone.
    ///
    /// # Errors
    /// [`StoreError`]; what was sealed anew before stays so.
    pub async fn reseal(&self) -> Result<Resealed, StoreError> {
        either!(self, store => store.reseal().await)
    }

    /// Answers when the database does.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]
    pub async fn ping(&self) -> Result<(), StoreError> {
        either!(self, store => store.ping().await)
    }

    /// Calls `on_wake` whenever another node has stored work that is due at once, until the
    /// database is closed or dropped. Never for SQLite, which no other node shares.
    ///
    /// A call may be missed while the connection is down; a node looks by itself once a second.
    pub fn listen(&self, on_wake: impl Fn() + Send + 'static) {
        either!(self, store => store.listen(on_wake))
    }

    /// Tells this observer from now on how every operation went. The first observer stays.
    pub fn observe(&self, observer: Arc<dyn Observer>) {
        either!(self, store => store.observed.by(observer))
    }

    /// The connections that are open now; of an SQLite file those that read, besides the one that
    /// writes.
    #[must_use]
    pub fn connections(&self) -> Connections {
        either!(self, store => store.connections())
    }

    /// Waits for what is under way and closes the database.
    pub async fn close(&self) {
        either!(self, store => store.close().await)
    }
}
