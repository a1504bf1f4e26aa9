//! Opening a PostgreSQL database.

use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _};

use super::PostgresStore;
use super::notify::Bell;
use crate::database::OpenError;
use crate::observed::Observed;
use crate::sealing::Sealer;

pub(crate) static MIGRATIONS: Migrator = sqlx::migrate!("migrations/postgres");

/// Connections of one node at most.
///
/// Source: our decision; a server takes 100 connections unless its operator says otherwise.
const CONNECTIONS: u32 = 16;

/// How long an act waits for a connection.
const CONNECTION_WAIT: Duration = Duration::from_secs(10);

/// How long an idle connection is kept.
const CONNECTION_IDLE: Duration = Duration::from_secs(300);

/// A connection that was idle for longer is tried before it is used: the server may have gone.
const UNTRIED_IDLE: Duration = Duration::from_secs(5);

/// A node that hangs in the middle of a transaction loses it, and its locks, after so long.
const SETTINGS: [(&str, &str); 2] =
    [("lock_timeout", "10s"), ("idle_in_transaction_session_timeout", "30s")];

impl PostgresStore {
    /// Opens the database of a URL such as `postgres://user:password@host/database`, and brings
    /// its schema up to date. Of several nodes that start at once, one does.
    ///
    /// # Errors
    /// [`OpenError::Address`] when the URL cannot be read, [`OpenError::Unavailable`] when the
    /// server cannot be reached, [`OpenError::Newer`], [`OpenError::Schema`].
    pub async fn open(url: &str, sealer: Sealer) -> Result<Self, OpenError> {
        let options: PgConnectOptions = url.parse().map_err(|_| OpenError::Address)?;
        let options = options.application_name("scheduler");
        // Outside of the pool: a migration may take longer than the settings allow.
        let mut connection = options.connect().await.map_err(OpenError::unavailable)?;
        MIGRATIONS.run_direct(None, &mut connection, false).await.map_err(OpenError::schema)?;
        connection.close().await.map_err(OpenError::unavailable)?;
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(CONNECTION_WAIT)
            .idle_timeout(CONNECTION_IDLE)
            .test_before_acquire(false)
            .before_acquire(|connection, about| {
                Box::pin(async move {
                    if about.idle_for > UNTRIED_IDLE {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .connect_lazy_with(options.options(SETTINGS));
        let bell = Bell::start(pool.clone())?;
        Ok(Self { pool, sealer, bell, observed: Observed::default() })
    }
}
