//! Opening a PostgreSQL database.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};

use super::PostgresStore;
use super::both::fill_words;
use super::link::{Link, LinkSettings};
use super::notify::Notifier;
use super::words::fill_moments;
use crate::database::{Database, OpenError};
use crate::migrations;
use crate::sealing::Sealer;

/// Connections of the engine of one node, and of everything else on it, at most.
///
/// Source: our decision; a server takes 100 connections unless its operator says otherwise.
const ENGINE: LinkSettings =
    LinkSettings { connections: 8, commit_timeout: Duration::from_secs(60) };
const OTHERS: LinkSettings =
    LinkSettings { connections: 8, commit_timeout: Duration::from_millis(500) };

/// A node that hangs in the middle of a transaction loses it, and its locks, after so long. No
/// statement is compiled: those that look for words took three times as long for it, and none here
/// runs for long enough to gain by it.
const SETTINGS: [(&str, &str); 3] =
    [("lock_timeout", "10s"), ("idle_in_transaction_session_timeout", "30s"), ("jit", "off")];

/// A statement that is not the engine's may run for so long. Source: our decision; as long as a
/// request may take to arrive.
const STATEMENT_TIMEOUT: [(&str, &str); 1] = [("statement_timeout", "30s")];

/// Rows of stores that are gone. A store that still uses such a row writes it anew.
const FORGET_WRITES: &str = "DELETE FROM last_writes WHERE written_at < now() - interval '1 day'";

/// Opens the database of a URL.
pub(crate) async fn open(url: &str, sealer: Sealer) -> Result<Database, OpenError> {
    Ok(Database::Postgres(Arc::new(PostgresStore::open(url, sealer).await?)))
}

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
        migrations::POSTGRES
            .run_direct(None, &mut connection, false)
            .await
            .map_err(OpenError::schema)?;
        loop {
            let mut transaction = connection.begin().await.map_err(OpenError::unavailable)?;
            let filled = fill_words(&mut transaction).await;
            let is_more = filled.map_err(OpenError::filling)?;
            transaction.commit().await.map_err(OpenError::unavailable)?;
            if !is_more {
                break;
            }
        }
        let forgotten = sqlx::query(FORGET_WRITES).execute(&mut connection).await;
        forgotten.map_err(OpenError::unavailable)?;
        connection.close().await.map_err(OpenError::unavailable)?;
        let options = options.options(SETTINGS);
        let unavailable = |error| OpenError::unavailable(sqlx::Error::Io(error));
        let engine = Arc::new(Link::new(options.clone(), ENGINE).map_err(unavailable)?);
        let others = Link::new(options.options(STATEMENT_TIMEOUT), OTHERS).map_err(unavailable)?;
        let others = Arc::new(others);
        let notifier = Arc::new(Notifier::start(engine.pool.clone())?);
        notifier.keep(tokio::spawn(fill_moments(engine.pool.clone())));
        let link = others.clone();
        Ok(Self { link, links: [engine, others], sealer, notifier, observed: Arc::default() })
    }
}

#[cfg(test)]
mod tests {
    use scheduler_core::ports::StoreError;

    use super::*;
    use crate::sealing::SealingKey;
    use crate::testing::{Durability, TestPostgres};

    async fn setting(store: &PostgresStore, name: &'static str) -> String {
        let shown = store.read("setting", name, |connection, name| {
            Box::pin(async move {
                let query = sqlx::query_scalar("SELECT current_setting($1)").bind(*name);
                Ok(query.fetch_one(connection).await?)
            })
        });
        shown.await.unwrap()
    }

    #[tokio::test]
    async fn statements_of_others_have_an_end_and_those_of_the_engine_have_none() {
        let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
        let sealer = Sealer::new(&SealingKey::from_bytes([1; 32]));
        let others = PostgresStore::open(postgres.url(), sealer).await.unwrap();
        let engine = others.for_engine();
        for (store, name, want) in [
            (&others, "statement_timeout", "30s"),
            (&engine, "statement_timeout", "0"),
            (&others, "idle_in_transaction_session_timeout", "30s"),
            (&engine, "idle_in_transaction_session_timeout", "30s"),
            (&others, "lock_timeout", "10s"),
            (&engine, "lock_timeout", "10s"),
        ] {
            assert_eq!(setting(store, name).await, want, "{name}");
        }
        let slow = others.read_snapshot("slow", (), |connection, ()| {
            Box::pin(async move {
                sqlx::query("SET LOCAL statement_timeout = '10ms'")
                    .execute(&mut *connection)
                    .await?;
                sqlx::query("SELECT pg_sleep(60)").execute(connection).await?;
                Ok(())
            })
        });
        let error = slow.await.unwrap_err();
        assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
        others.ping().await.unwrap();
        others.close().await;
    }
}
