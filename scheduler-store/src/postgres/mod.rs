//! PostgreSQL: every operation one transaction, on any number of nodes.

mod claim;
mod create;
mod dialect;
mod export;
mod fault;
mod inspect;
mod instant;
mod link;
mod marks;
mod notify;
mod open;
#[cfg(test)]
mod plans;
mod record;
mod words;

#[path = "../both/mod.rs"]
mod both;

use std::sync::Arc;

use scheduler_core::ports::StoreError;
use scopeguard::ScopeGuard;
use sqlx::pool::PoolConnection;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Postgres};

use PgConnection as Connection;
use PostgresStore as Backend;

use crate::database::Connections;
use crate::error::{Abort, Failure};
use crate::observed::Observed;
use crate::operation::Operation;
use crate::sealing::Sealer;
use link::{Attempts, Fault, Link, is_broken};
use notify::Notifier;

pub(crate) use export::export;
pub(crate) use fault::fault_kind;
pub(crate) use inspect::inspect;
pub(crate) use open::open;

/// Every statement of a reading operation sees the same state.
const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// A store in a PostgreSQL database, which several nodes may share.
///
/// Operations that run into each other are run again, and so are those whose connection breaks.
/// What was answered is as durable as the server's `synchronous_commit` makes it, which is on
/// unless its operator has changed that.
#[derive(Clone, Debug)]
pub struct PostgresStore {
    /// What the operations of this store run on.
    link: Arc<Link>,
    /// The connections of the engine, and those of everybody else.
    links: [Arc<Link>; 2],
    sealer: Sealer,
    notifier: Arc<Notifier>,
    pub(crate) observed: Arc<Observed>,
}

impl PostgresStore {
    /// The same store on connections that nobody but the engine uses, so that heavy reads of
    /// others never hold up what is due. Closing one closes both.
    #[must_use]
    pub fn for_engine(&self) -> Self {
        let [engine, _] = &self.links;
        Self { link: engine.clone(), ..self.clone() }
    }

    /// Waits for what is under way and closes every connection. Whatever is asked afterwards is
    /// refused as unavailable.
    pub async fn close(&self) {
        self.notifier.stop();
        for link in &self.links {
            link.pool.close().await;
        }
    }

    /// Answers when the database does.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.read("ping", (), |connection, ()| {
            Box::pin(async move {
                sqlx::query("SELECT 1").execute(connection).await?;
                Ok(())
            })
        })
        .await
    }

    /// Calls `on_wake` whenever another node has stored work that is due at once, and after the
    /// connection was down, until the store is closed or dropped.
    pub fn listen(&self, on_wake: impl Fn() + Send + 'static) {
        let [engine, _] = &self.links;
        self.notifier.listen(engine.pool.clone(), on_wake);
    }

    /// Runs an operation that writes: in one transaction, again where it ran into another or its
    /// connection broke, and never twice.
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
        self.observed.observe(name, self.run_once(arguments, &operation, Attempts::default())).await
    }

    /// The same for an operation that refers to what it has read: it is also run again where that
    /// went away meanwhile.
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
        let run = self.run_once(arguments, &operation, Attempts::of_referring());
        self.observed.observe(name, run).await
    }

    /// Runs an operation that writes and may be done twice: where the answer of its commit was
    /// lost, it is run again.
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
        let run = async {
            let mut attempts = Attempts::default();
            loop {
                let fault = match self.attempt("BEGIN".to_owned(), &arguments, &operation).await {
                    Ok(outcome) => return Ok(outcome),
                    Err(Undone::Certainly(fault)) => fault,
                    Err(Undone::NotBegun(error) | Undone::Perhaps(_, error)) => error.into(),
                };
                self.link.again(&mut attempts, fault).await?;
            }
        };
        self.observed.observe(name, run).await
    }

    async fn run_once<A, T, F>(
        &self,
        arguments: A,
        operation: &F,
        mut attempts: Attempts,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: Operation<Connection, A, T>,
    {
        loop {
            let mark = self.link.marks.take();
            let fault = match self.attempt(mark.begin(), &arguments, operation).await {
                Ok(outcome) => return Ok(outcome),
                Err(Undone::Certainly(fault)) => fault,
                Err(Undone::NotBegun(error)) => error.into(),
                Err(Undone::Perhaps(outcome, error)) => {
                    // Rare and large.
                    if Box::pin(mark.was_committed(&self.link)).await? {
                        return Ok(outcome);
                    }
                    error.into()
                }
            };
            drop(mark);
            self.link.again(&mut attempts, fault).await?;
        }
    }

    async fn attempt<A, T, F>(
        &self,
        begin: String,
        arguments: &A,
        operation: &F,
    ) -> Result<T, Undone<T>>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: Operation<Connection, A, T>,
    {
        let mut connection = whole(self.link.connection().await.map_err(Undone::Certainly)?);
        let result = transact(&mut connection, begin, arguments, operation).await;
        let connection = ScopeGuard::into_inner(connection);
        if let Some(error) = result.as_ref().err().and_then(Undone::error) {
            self.link.discard(connection, error);
        }
        result
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
        self.observed.observe(name, self.look(None, arguments, &operation)).await
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
        self.observed.observe(name, self.look(Some(SNAPSHOT), arguments, &operation)).await
    }

    async fn look<A, T, F>(
        &self,
        begin: Option<&'static str>,
        arguments: A,
        operation: &F,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: Operation<Connection, A, T>,
    {
        let mut attempts = Attempts::default();
        loop {
            let fault = match self.link.connection().await {
                Err(fault) => fault,
                Ok(connection) => {
                    let mut connection = whole(connection);
                    let result = look(&mut connection, begin, &arguments, operation).await;
                    let connection = ScopeGuard::into_inner(connection);
                    match result {
                        Ok(outcome) => return Ok(outcome),
                        Err(failure) => {
                            if let Some(error) = broken(&failure) {
                                self.link.discard(connection, error);
                            }
                            failure.into()
                        }
                    }
                }
            };
            self.link.again(&mut attempts, fault).await?;
        }
    }

    /// The connections that are open, of the engine and of everybody else.
    pub(crate) fn connections(&self) -> Connections {
        let [engine, others] = &self.links;
        Connections::of(&engine.pool) + Connections::of(&others.pool)
    }

    /// Tells the other nodes that there is work due at once.
    fn wake_others(&self) {
        self.notifier.notify();
    }
}

/// An attempt at an operation that writes did not go through.
enum Undone<T> {
    /// Its transaction could not be begun.
    NotBegun(sqlx::Error),
    /// Nothing of it is stored.
    Certainly(Fault),
    /// Its commit got no answer. If it was committed, this is its outcome.
    Perhaps(T, sqlx::Error),
}

impl<T> Undone<T> {
    /// What makes its connection unfit for another operation.
    fn error(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Certainly(Fault::Undone(failure)) => broken(failure),
            Self::Certainly(Fault::Connection(..)) => None,
            // What failed to begin may have left half of a transaction behind.
            Self::NotBegun(error) | Self::Perhaps(_, error) => Some(error),
        }
    }
}

/// A connection that is closed when what is done over it is cut off: a transaction that was half
/// begun would go on with whoever gets it next.
fn whole(
    connection: PoolConnection<Postgres>,
) -> ScopeGuard<PoolConnection<Postgres>, impl FnOnce(PoolConnection<Postgres>)> {
    scopeguard::guard(connection, |cut_off| drop(cut_off.detach()))
}

fn broken(failure: &Failure) -> Option<&sqlx::Error> {
    match failure {
        Failure::Database(error) if is_broken(error) => Some(error),
        Failure::Database(_) | Failure::Store(_) => None,
    }
}

async fn transact<A, T, F>(
    connection: &mut PoolConnection<Postgres>,
    begin: String,
    arguments: &A,
    operation: &F,
) -> Result<T, Undone<T>>
where
    A: Send + Sync + 'static,
    T: Send + 'static,
    F: Operation<Connection, A, T>,
{
    let certainly = |failure: Failure| Undone::Certainly(failure.into());
    let begun = connection.begin_with(AssertSqlSafe(begin)).await;
    let mut transaction = begun.map_err(Undone::NotBegun)?;
    match operation(&mut transaction, arguments).await {
        Ok(outcome) => match transaction.commit().await {
            Ok(()) => Ok(outcome),
            Err(error) if is_broken(&error) => Err(Undone::Perhaps(outcome, error)),
            Err(error) => Err(certainly(error.into())),
        },
        Err(Abort::Outcome(outcome)) => {
            // A connection that breaks now undoes it as well.
            let _ = transaction.rollback().await;
            Ok(outcome)
        }
        Err(Abort::Failure(failure)) => {
            // The connection may be gone, and with it the transaction.
            let _ = transaction.rollback().await;
            Err(certainly(failure))
        }
    }
}

async fn look<A, T, F>(
    connection: &mut PoolConnection<Postgres>,
    begin: Option<&'static str>,
    arguments: &A,
    operation: &F,
) -> Result<T, Failure>
where
    F: Operation<Connection, A, T>,
{
    let outcome = match begin {
        None => operation(connection, arguments).await,
        Some(begin) => {
            let mut snapshot = connection.begin_with(begin).await?;
            let outcome = operation(&mut snapshot, arguments).await;
            // It has only read; a connection that breaks now is found out by the next operation.
            let _ = snapshot.rollback().await;
            outcome
        }
    };
    match outcome {
        Ok(outcome) | Err(Abort::Outcome(outcome)) => Ok(outcome),
        Err(Abort::Failure(failure)) => Err(failure),
    }
}
