//! The one writer: a task that owns the connection and commits waiting operations together.
//!
//! A commit waits for the disk. While it does, further operations queue up, and the next
//! transaction takes them all: the more callers, the more operations share one wait. Each operation
//! runs under a savepoint, so that one which fails takes nothing of the others with it. Nobody is
//! answered before the commit.

use futures_util::future::BoxFuture;
use scheduler_core::ports::StoreError;
use sqlx::{Connection as _, Executor as _, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

use crate::error::{Abort, store_error};
use crate::operation::Operation;

/// Operations that may wait before callers have to wait to ask.
const WAITING_ACTS: usize = 1_024;

/// Operations that share one commit at most, so that the first of them is answered soon.
const BATCH_ACTS: usize = 128;

/// The writer has ended, or its transaction has.
#[derive(Debug, thiserror::Error)]
enum WriterError {
    #[error("the store is closed")]
    Closed,
    #[error("the transaction could not be committed")]
    NotCommitted,
}

fn unavailable(error: WriterError) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}

/// The handle of the task.
#[derive(Debug)]
pub(super) struct Writer(mpsc::Sender<Message>);

enum Message {
    Run(Box<dyn Job>),
    Close(oneshot::Sender<()>),
}

/// How a transaction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    Committed,
    /// Undone, since there was no room for it.
    Full,
    /// Undone for another reason.
    Failed,
}

/// An operation that waits for its turn, whatever its outcome is.
trait Job: Send {
    /// Runs the operation and keeps its outcome; `false` when what it has written is to be undone.
    fn run<'a>(&'a mut self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, bool>;

    /// True when there was no room for what the operation writes. SQLite may then have undone the
    /// whole transaction by itself.
    fn is_out_of_room(&self) -> bool;

    /// Tells the caller the outcome, or that the transaction did not go through.
    fn answer(self: Box<Self>, ended: Ended);
}

struct WaitingOperation<A, T, F> {
    arguments: A,
    operation: F,
    outcome: Option<Result<T, StoreError>>,
    caller: oneshot::Sender<Result<T, StoreError>>,
}

impl<A, T, F> Job for WaitingOperation<A, T, F>
where
    A: Send + Sync,
    T: Send,
    F: Operation<SqliteConnection, A, T>,
{
    fn run<'a>(&'a mut self, connection: &'a mut SqliteConnection) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            let result = (self.operation)(connection, &self.arguments).await;
            let is_kept = result.is_ok();
            self.outcome = Some(result.or_else(Abort::into_result));
            is_kept
        })
    }

    fn is_out_of_room(&self) -> bool {
        matches!(self.outcome, Some(Err(StoreError::Full(_))))
    }

    fn answer(self: Box<Self>, ended: Ended) {
        let outcome = match (self.outcome, ended) {
            (Some(outcome), Ended::Committed) => outcome,
            // A failure of the operation says more than the failure of the transaction that it
            // caused.
            (Some(Err(error)), _) => Err(error),
            (_, Ended::Full) => Err(StoreError::Full(Box::new(WriterError::NotCommitted))),
            (_, Ended::Committed | Ended::Failed) => Err(unavailable(WriterError::NotCommitted)),
        };
        // A caller that has gone away wants no answer; its operation is stored all the same.
        let _ = self.caller.send(outcome);
    }
}

impl Writer {
    /// Starts the task; it ends when this handle is dropped.
    pub(super) fn start(connection: SqliteConnection) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING_ACTS);
        tokio::spawn(work(connection, receiver));
        Self(sender)
    }

    /// Runs an operation and waits for its commit. An operation that was asked for runs to its end,
    /// also when the caller stops waiting.
    pub(super) async fn run<A, T, F>(&self, arguments: A, operation: F) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
        F: Operation<SqliteConnection, A, T>,
    {
        let (caller, answer) = oneshot::channel();
        let job = Box::new(WaitingOperation { arguments, operation, outcome: None, caller });
        let closed = || unavailable(WriterError::Closed);
        self.0.send(Message::Run(job)).await.map_err(|_| closed())?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    }

    /// An error when the task has ended.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        if self.0.is_closed() { Err(unavailable(WriterError::Closed)) } else { Ok(()) }
    }

    /// Ends the task after all that waits.
    pub(super) async fn close(&self) {
        let (caller, answer) = oneshot::channel();
        if self.0.send(Message::Close(caller)).await.is_ok() {
            // An error means that the task has ended by itself, which is as good.
            let _ = answer.await;
        }
    }
}

async fn work(mut connection: SqliteConnection, mut queue: mpsc::Receiver<Message>) {
    let mut closing = None;
    while closing.is_none() {
        match queue.recv().await {
            Some(Message::Run(job)) => closing = batch(&mut connection, job, &mut queue).await,
            Some(Message::Close(caller)) => closing = Some(caller),
            None => break,
        }
    }
    queue.close();
    if let Err(error) = connection.close().await {
        tracing::warn!(error = %store_error(error), "the database did not close cleanly");
    }
    if let Some(caller) = closing {
        let _ = caller.send(());
    }
}

/// Runs the first operation and what waits behind it in one transaction, and answers them all.
/// Returns who waits for the end, when the end was asked for meanwhile.
async fn batch(
    connection: &mut SqliteConnection,
    first: Box<dyn Job>,
    queue: &mut mpsc::Receiver<Message>,
) -> Option<oneshot::Sender<()>> {
    let mut batch = Batch { connection, ran: Vec::new(), is_open: false };
    let mut closing = None;
    let mut next = Some(first);
    let mut result = Ok(());
    while let Some(job) = next.take() {
        result = batch.run(job).await;
        if result.is_err() || batch.ran.len() >= BATCH_ACTS {
            break;
        }
        match queue.try_recv() {
            Ok(Message::Run(job)) => next = Some(job),
            Ok(Message::Close(caller)) => closing = Some(caller),
            Err(_) => {}
        }
    }
    batch.end(result).await;
    closing
}

struct Batch<'a> {
    connection: &'a mut SqliteConnection,
    /// The operations that have run and wait for the commit.
    ran: Vec<Box<dyn Job>>,
    /// True while a transaction is open and holds something.
    is_open: bool,
}

impl Batch<'_> {
    /// Runs one operation. The first of a transaction needs no savepoint of its own: undoing it is
    /// undoing everything.
    async fn run(&mut self, mut job: Box<dyn Job>) -> Result<(), sqlx::Error> {
        let has_savepoint = self.is_open;
        let begun = if has_savepoint { "SAVEPOINT operation" } else { "BEGIN IMMEDIATE" };
        let begun = self.connection.execute(begun).await;
        let is_kept = match begun {
            Ok(_) => job.run(self.connection).await,
            Err(_) => false,
        };
        self.ran.push(job);
        begun?;
        let ended = match (has_savepoint, is_kept) {
            (true, true) => "RELEASE operation",
            (true, false) => "ROLLBACK TO operation; RELEASE operation",
            (false, true) => {
                self.is_open = true;
                return Ok(());
            }
            (false, false) => "ROLLBACK",
        };
        self.connection.execute(ended).await?;
        Ok(())
    }

    async fn end(self, result: Result<(), sqlx::Error>) {
        let result = match result {
            Ok(()) if self.is_open => self.connection.execute("COMMIT").await.map(|_| ()),
            other => other,
        };
        let ended = match result {
            Ok(()) => Ended::Committed,
            Err(error) => {
                tracing::error!(error = %Describe(&error), "a transaction was not committed");
                // Fails when SQLite has rolled back by itself, which is what is wanted.
                let _ = self.connection.execute("ROLLBACK").await;
                let is_full = matches!(store_error(error), StoreError::Full(_))
                    || self.ran.iter().any(|job| job.is_out_of_room());
                if is_full { Ended::Full } else { Ended::Failed }
            }
        };
        for job in self.ran {
            job.answer(ended);
        }
    }
}

/// Words an error for the log by its code, without what the database quotes.
struct Describe<'a>(&'a sqlx::Error);

impl std::fmt::Display for Describe<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.as_database_error().and_then(sqlx::error::DatabaseError::code) {
            Some(code) => write!(formatter, "SQLite reported code {code}"),
            None => formatter.write_str("the connection failed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a row of so many bytes.
    fn insert(writer: &Writer, bytes: i64) -> impl Future<Output = Result<(), StoreError>> {
        writer.run(bytes, |connection, bytes| {
            Box::pin(async move {
                let insert = sqlx::query("INSERT INTO rows VALUES (zeroblob($1))");
                insert.bind(*bytes).execute(connection).await?;
                Ok(())
            })
        })
    }

    /// What shares a transaction with an operation that finds no room is told the same: SQLite has
    /// undone it too.
    #[tokio::test]
    async fn a_full_disk_is_told_apart_and_work_goes_on_once_there_is_room() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        connection.execute("CREATE TABLE rows (row blob)").await.unwrap();
        connection.execute("PRAGMA max_page_count = 50").await.unwrap();
        let writer = Writer::start(connection);
        let operations = [1_000, 10_000_000, 1_000].map(|bytes| insert(&writer, bytes));
        let outcomes = futures_util::future::join_all(operations).await;
        assert!(matches!(outcomes[1], Err(StoreError::Full(_))), "{outcomes:?}");
        for outcome in outcomes {
            assert!(matches!(outcome, Ok(()) | Err(StoreError::Full(_))), "{outcome:?}");
        }
        insert(&writer, 1_000).await.unwrap();
    }
}
