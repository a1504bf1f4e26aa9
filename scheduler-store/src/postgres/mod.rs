//! PostgreSQL: every act one transaction, on any number of nodes.

mod claim;
mod columns;
mod create;
mod dialect;
mod notify;
mod open;
#[cfg(test)]
mod plans;
mod record;

#[path = "../both/mod.rs"]
mod both;

use futures_util::future::BoxFuture;
use scheduler_core::ports::StoreError;
use sqlx::{PgConnection, PgPool};

use PgConnection as Connection;
use PostgresStore as Backend;

use crate::database::Connections;
use crate::error::{Abort, Failure, store_error};
use crate::observed::Observed;
use crate::sealing::Sealer;
use notify::Bell;

pub(crate) use open::MIGRATIONS;

/// How often an act is run that ran into others. Of acts that meet, one wins each time: all the
/// targets of a post may end at once, a hundred where a plan has so many channels.
const ACT_ATTEMPTS: usize = 200;

/// Every statement of a reading act sees the same state.
const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// A store in a PostgreSQL database, which several nodes may share.
///
/// Acts that run into each other are run again. What was answered is as durable as the server's
/// `synchronous_commit` makes it, which is on unless its operator has changed that.
#[derive(Debug)]
pub struct PostgresStore {
    pool: PgPool,
    sealer: Sealer,
    bell: Bell,
    pub(crate) observed: Observed,
}

impl PostgresStore {
    /// Waits for what is under way and closes every connection. Whatever is asked afterwards is
    /// refused as unavailable.
    pub async fn close(&self) {
        self.bell.stop();
        self.pool.close().await;
    }

    /// Answers when the database does.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]
    pub async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.pool).await.map(|_| ()).map_err(store_error)
    }

    /// Calls `on_wake` whenever another node has stored work that is due at once, and after the
    /// connection was down, until the store is closed or dropped.
    pub fn listen(&self, on_wake: impl Fn() + Send + 'static) {
        self.bell.listen(self.pool.clone(), on_wake);
    }

    /// Runs an act that writes, again where it ran into another.
    async fn write<A, T, F>(&self, arguments: A, act: F) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: for<'a> Fn(&'a mut Connection, &'a A) -> BoxFuture<'a, Result<T, Abort<T>>>
            + Send
            + Sync
            + 'static,
    {
        let run = async {
            let mut attempt = 1;
            loop {
                match self.attempt(&arguments, &act).await {
                    Ok(outcome) => return Ok(outcome),
                    Err(Failure::Database(error)) if attempt < ACT_ATTEMPTS && is_clash(&error) => {
                        attempt += 1;
                    }
                    Err(failure) => return Err(failure.into()),
                }
            }
        };
        self.observed.act::<F, _, _>(run).await
    }

    async fn attempt<A, T, F>(&self, arguments: &A, act: &F) -> Result<T, Failure>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: for<'a> Fn(&'a mut Connection, &'a A) -> BoxFuture<'a, Result<T, Abort<T>>> + Sync,
    {
        let mut transaction = self.pool.begin().await?;
        match act(&mut transaction, arguments).await {
            Ok(outcome) => {
                transaction.commit().await?;
                Ok(outcome)
            }
            Err(Abort::Outcome(outcome)) => {
                transaction.rollback().await?;
                Ok(outcome)
            }
            Err(Abort::Failure(failure)) => {
                // The connection may be gone, and with it the transaction.
                let _ = transaction.rollback().await;
                Err(failure)
            }
        }
    }

    /// Runs an act that writes whole or not at all by itself, such as by one statement: without a
    /// transaction around it, and again where it ran into another.
    async fn write_whole<A, T, F>(&self, arguments: A, act: F) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: for<'a> Fn(&'a mut Connection, &'a A) -> BoxFuture<'a, Result<T, Abort<T>>>
            + Send
            + Sync
            + 'static,
    {
        let run = async {
            let mut connection = self.pool.acquire().await.map_err(store_error)?;
            let mut attempt = 1;
            loop {
                match act(&mut connection, &arguments).await {
                    Err(Abort::Failure(Failure::Database(error)))
                        if attempt < ACT_ATTEMPTS && (is_clash(&error) || is_gone(&error)) =>
                    {
                        attempt += 1;
                    }
                    result => return result.or_else(Abort::into_result),
                }
            }
        };
        self.observed.act::<F, _, _>(run).await
    }

    /// Runs an act of one statement that reads.
    async fn read<A, T, F>(&self, arguments: A, act: F) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: for<'a> Fn(&'a mut Connection, &'a A) -> BoxFuture<'a, Result<T, Abort<T>>>
            + Send
            + 'static,
    {
        let run = async {
            let mut connection = self.pool.acquire().await.map_err(store_error)?;
            act(&mut connection, &arguments).await.or_else(Abort::into_result)
        };
        self.observed.act::<F, _, _>(run).await
    }

    /// Runs an act of several statements that all read the same state.
    async fn read_snapshot<A, T, F>(&self, arguments: A, act: F) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: for<'a> Fn(&'a mut Connection, &'a A) -> BoxFuture<'a, Result<T, Abort<T>>>
            + Send
            + 'static,
    {
        let run = async {
            let mut snapshot = self.pool.begin_with(SNAPSHOT).await.map_err(store_error)?;
            let outcome = act(&mut snapshot, &arguments).await.or_else(Abort::into_result)?;
            snapshot.rollback().await.map_err(store_error)?;
            Ok(outcome)
        };
        self.observed.act::<F, _, _>(run).await
    }

    /// The connections that are open.
    pub(crate) fn connections(&self) -> Connections {
        Connections::of(&self.pool)
    }

    /// Tells the other nodes that there is work due at once.
    fn wake_others(&self) {
        self.bell.ring();
    }
}

/// True when two transactions ran into each other and this one was given up.
///
/// Source: <https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html>
fn is_clash(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.is_some_and(|code| matches!(code.as_ref(), "40001" | "40P01"))
}

/// True when something that was read went away before the statement that refers to it.
fn is_gone(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_foreign_key_violation)
}
