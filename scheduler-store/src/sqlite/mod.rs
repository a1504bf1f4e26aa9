//! SQLite: one writer that commits waiting operations together, and a few readers.

mod backup;
mod claim;
mod create;
mod dialect;
mod export;
mod fault;
mod files;
mod inspect;
mod instant;
mod open;
#[cfg(test)]
mod plans;
mod record;
mod writer;

#[path = "../both/mod.rs"]
mod both;

use std::sync::Arc;

use scheduler_core::ports::StoreError;
use sqlx::{Acquire as _, SqliteConnection, SqlitePool};

use SqliteConnection as Connection;
use SqliteStore as Backend;

use crate::database::Connections;
use crate::error::{Abort, store_error};
use crate::observed::Observed;
use crate::operation::Operation;
use crate::sealing::Sealer;
use writer::Writer;

pub use backup::{CopyContents, CopyError, copy_sqlite, verify_sqlite};
pub(crate) use export::export;
pub(crate) use fault::fault_kind;
pub use files::{close_sqlite_files, sqlite_files_open_to_others};
pub(crate) use inspect::inspect;
pub use inspect::sqlite_file;
use open::is_in_memory;
pub(crate) use open::open;

/// A store in an SQLite file.
///
/// Operations that write wait for one writer, which runs those that wait together in one
/// transaction and answers each after the commit. Readers see what is committed and wait for
/// nobody. Several processes may open the same file.
#[derive(Clone, Debug)]
pub struct SqliteStore {
    writer: Arc<Writer>,
    /// What this store reads by. `None` for a database in memory, which only its one connection
    /// sees.
    readers: Option<SqlitePool>,
    /// The readers of the engine, and those of everybody else.
    all_readers: Option<[SqlitePool; 2]>,
    sealer: Sealer,
    pub(crate) observed: Arc<Observed>,
}

impl SqliteStore {
    /// The same store with readers that nobody but the engine uses, so that heavy reads of others
    /// never hold up what is due. Closing one closes both.
    #[must_use]
    pub fn for_engine(&self) -> Self {
        let readers = self.all_readers.as_ref().map(|[engine, _]| engine.clone());
        Self { readers, ..self.clone() }
    }

    /// Waits until everything that was asked for is stored, and closes the file. Whatever is asked
    /// afterwards is refused as unavailable.
    pub async fn close(&self) {
        for readers in self.all_readers.iter().flatten() {
            readers.close().await;
        }
        self.writer.close().await;
    }

    /// Answers when the database does.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.writer.check()?;
        self.read("ping", (), |connection, ()| {
            Box::pin(async move {
                sqlx::query("SELECT 1").execute(connection).await?;
                Ok(())
            })
        })
        .await
    }

    /// Nobody wakes it: no other node shares the file.
    pub(crate) fn listen(&self, _: impl Fn() + Send + 'static) {}

    /// Runs an operation that writes.
    async fn write<A, T, F>(
        &self,
        name: &'static str,
        arguments: A,
        operation: F,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: Operation<Connection, A, T>,
    {
        self.observed.observe(name, self.writer.run(arguments, operation)).await
    }

    /// The same for an operation that refers to what it has read, which nobody changes meanwhile
    /// here.
    async fn write_referring<A, T, F>(
        &self,
        name: &'static str,
        arguments: A,
        operation: F,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: Operation<Connection, A, T>,
    {
        self.write(name, arguments, operation).await
    }

    /// The same for an operation that may be done twice, which none is here.
    async fn write_repeatable<A, T, F>(
        &self,
        name: &'static str,
        arguments: A,
        operation: F,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: Operation<Connection, A, T>,
    {
        self.write(name, arguments, operation).await
    }

    /// Runs an operation of one statement that reads.
    async fn read<A, T, F>(
        &self,
        name: &'static str,
        arguments: A,
        operation: F,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: Operation<Connection, A, T>,
    {
        let run = async {
            let Some(readers) = &self.readers else {
                return self.writer.run(arguments, operation).await;
            };
            let mut connection = readers.acquire().await.map_err(store_error)?;
            operation(&mut connection, &arguments).await.or_else(Abort::into_result)
        };
        self.observed.observe(name, run).await
    }

    /// Runs an operation of several statements that all read the same state.
    async fn read_snapshot<A, T, F>(
        &self,
        name: &'static str,
        arguments: A,
        operation: F,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: Operation<Connection, A, T>,
    {
        let run = async {
            let Some(readers) = &self.readers else {
                return self.writer.run(arguments, operation).await;
            };
            let mut connection = readers.acquire().await.map_err(store_error)?;
            let mut snapshot = connection.begin().await.map_err(store_error)?;
            let outcome = operation(&mut snapshot, &arguments).await.or_else(Abort::into_result)?;
            snapshot.rollback().await.map_err(store_error)?;
            Ok(outcome)
        };
        self.observed.observe(name, run).await
    }

    /// The readers that are open; of a database in memory its one connection.
    pub(crate) fn connections(&self) -> Connections {
        match &self.all_readers {
            Some([engine, others]) => Connections::of(engine) + Connections::of(others),
            None => Connections { open: 1, idle: 0, max: 1 },
        }
    }

    /// No other node shares the file.
    fn wake_others(&self) {}
}
