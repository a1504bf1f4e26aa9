//! The connections of a store, and what becomes of an operation whose connection breaks.
//!
//! A restart, a failover or a pooler's reload breaks every connection at once, those that wait in
//! the pool as well. After the first fault each of them is tried before it is used. An operation
//! whose transaction cannot have been committed is run again at once; one whose commit got no
//! answer is looked up first (see [`marks`](super::marks)).

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use scheduler_core::ports::StoreError;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _, PgPool, Postgres};
use tokio::time::{sleep, timeout};

use super::marks::Marks;
use crate::error::{Failure, store_error};

/// How long an operation waits for a connection while others use them all.
const CONNECTION_WAIT: Duration = Duration::from_secs(10);

/// How long an idle connection is kept.
const CONNECTION_IDLE: Duration = Duration::from_secs(300);

/// A connection that was idle for longer is tried before it is used: the server may have gone.
const UNTRIED_IDLE: Duration = Duration::from_secs(5);

/// How long a connection that is tried may take to answer. Source: our decision.
const TRY_WAIT: Duration = Duration::from_secs(2);

/// How long a server that takes no connection, or no writes, is asked again before the operation
/// fails.
///
/// Source: our decision; a caller of the API is told to come back, and the engine comes back.
const TIMEOUT: Duration = Duration::from_millis(500);

/// The longest pause between two attempts to reach the server.
const PAUSE_MAX: Duration = Duration::from_millis(100);

/// How long a new connection may take before the server counts as out of reach. Source: our
/// decision.
const CONNECT_WAIT: Duration = Duration::from_secs(3);

/// How often an operation is run that ran into others. Of operations that meet, one wins each time:
/// all the targets of a post may end at once, a hundred where a plan has so many channels.
const CLASHES_MAX: usize = 200;

/// How often an operation is run whose connections break although the server can be reached.
const BREAKS_MAX: usize = 50;

/// What a store needs of its connections.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkSettings {
    /// How many there may be.
    pub(super) connections: u32,
    /// How long it is asked after a fault whether a write was committed.
    pub(super) commit_timeout: Duration,
}

/// The connections of a store.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) pool: PgPool,
    pub(super) marks: Marks,
    pub(super) commit_timeout: Duration,
    faults: Arc<Faults>,
    /// Whether the server could be reached, and when it was asked.
    reached: tokio::sync::Mutex<Option<(Instant, bool)>>,
}

/// When connections were last found to be of no use.
#[derive(Debug, Default)]
struct Faults(Mutex<FaultTimes>);

#[derive(Clone, Copy, Debug, Default)]
struct FaultTimes {
    /// One was broken: what waits in the pool since before may be as well.
    broken: Option<Instant>,
    /// The server took no writes: what was opened before leads to the wrong server.
    read_only: Option<Instant>,
}

impl Faults {
    fn times(&self) -> FaultTimes {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, error: &sqlx::Error) {
        let now = Instant::now();
        let mut times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = times.broken.is_none_or(|at| now - at > Duration::from_secs(1));
        times.broken = Some(now);
        if is_read_only(error) {
            times.read_only = Some(now);
        }
        drop(times);
        if is_new {
            let error = code_of(error).unwrap_or_else(|| "none".to_owned());
            tracing::warn!(
                code = error,
                "a connection to the database broke; operations are run again"
            );
        }
    }
}

/// Why an attempt at an operation did not go through.
pub(super) enum Fault {
    /// There was no connection for it. Wanted since then.
    Connection(sqlx::Error, Instant),
    /// It was undone.
    Undone(Failure),
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        Self::Undone(failure)
    }
}

impl From<sqlx::Error> for Fault {
    fn from(error: sqlx::Error) -> Self {
        Self::Undone(error.into())
    }
}

/// The attempts at an operation.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    clashes: usize,
    breaks: usize,
    /// Since when the server takes no connection or no writes.
    without_server_since: Option<Instant>,
    pause: Duration,
    /// True when the operation is also run again where something that it refers to went away.
    refers: bool,
}

impl Attempts {
    /// Those at an operation that refers to what it has read.
    pub(super) fn of_referring() -> Self {
        Self { refers: true, ..Self::default() }
    }
}

impl Link {
    pub(super) fn new(options: PgConnectOptions, settings: LinkSettings) -> std::io::Result<Self> {
        let faults = Arc::new(Faults::default());
        let of_pool = faults.clone();
        let pool = PgPoolOptions::new()
            .max_connections(settings.connections)
            .acquire_timeout(CONNECTION_WAIT)
            .idle_timeout(CONNECTION_IDLE)
            .test_before_acquire(false)
            .before_acquire(move |connection, about| {
                let faults = of_pool.times();
                Box::pin(async move {
                    let is_before = |at: Option<Instant>, since: Duration| {
                        at.is_some_and(|at| since >= at.elapsed())
                    };
                    if is_before(faults.read_only, about.age) {
                        return Ok(false);
                    }
                    if about.idle_for > UNTRIED_IDLE || is_before(faults.broken, about.idle_for) {
                        return Ok(matches!(
                            timeout(TRY_WAIT, connection.ping()).await,
                            Ok(Ok(()))
                        ));
                    }
                    Ok(true)
                })
            })
            .connect_lazy_with(options);
        Ok(Self {
            pool,
            marks: Marks::new()?,
            commit_timeout: settings.commit_timeout,
            faults,
            reached: tokio::sync::Mutex::default(),
        })
    }

    /// A connection, which has just been made or tried when others were found broken.
    pub(super) async fn connection(&self) -> Result<PoolConnection<Postgres>, Fault> {
        let began = Instant::now();
        let acquired = tokio::select! {
            biased;
            acquired = self.pool.acquire() => acquired,
            () = self.out_of_reach() => Err(sqlx::Error::Io(
                std::io::Error::new(std::io::ErrorKind::NotConnected, "the server cannot be reached"),
            )),
        };
        acquired.map_err(|error| Fault::Connection(error, began))
    }

    /// Ends once the server has been out of reach for [`TIMEOUT`]. The pool by itself would try
    /// for as long as it waits for a connection that others use.
    async fn out_of_reach(&self) {
        let mut failures = 0;
        while failures < 2 {
            sleep(TIMEOUT / 2).await;
            // Rare and large.
            failures = if Box::pin(self.can_be_reached()).await { 0 } else { failures + 1 };
        }
    }

    /// Whether the server takes connections. All who wait share one question.
    async fn can_be_reached(&self) -> bool {
        let mut reached = self.reached.lock().await;
        if let Some((at, outcome)) = *reached
            && at.elapsed() < TIMEOUT / 4
        {
            return outcome;
        }
        let outcome = match timeout(CONNECT_WAIT, self.pool.connect_options().connect()).await {
            Ok(Ok(connection)) => {
                let _ = connection.close().await;
                true
            }
            // All of its connections are in use.
            Ok(Err(error)) => code_of(&error).is_some_and(|code| code.starts_with("53")),
            Err(_) => false,
        };
        *reached = Some((Instant::now(), outcome));
        outcome
    }

    /// Closes a connection that failed, and has those that wait in the pool tried.
    pub(super) fn discard(&self, connection: PoolConnection<Postgres>, error: &sqlx::Error) {
        // Not back to the pool, and without the farewell that a broken one would not hear.
        drop(connection.detach());
        if is_broken(error) {
            self.faults.note(error);
        }
    }

    /// Decides after an attempt that was undone whether there is another, and waits for it.
    ///
    /// # Errors
    /// What the caller is told when there is none.
    pub(super) async fn again(
        &self,
        attempts: &mut Attempts,
        fault: Fault,
    ) -> Result<(), StoreError> {
        let (error, without_server_since) = match fault {
            Fault::Connection(error, began) => {
                if matches!(error, sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed) {
                    return Err(store_error(error));
                }
                // It was there, and somebody ended the connection.
                let was_there = code_of(&error).is_some_and(|code| code == "57P01");
                (error, (!was_there).then_some(began))
            }
            Fault::Undone(Failure::Store(error)) => return Err(error),
            Fault::Undone(Failure::Database(error)) => {
                if is_clash(&error) || (attempts.refers && is_gone(&error)) {
                    attempts.clashes += 1;
                    if attempts.clashes < CLASHES_MAX {
                        return Ok(());
                    }
                }
                if !is_broken(&error) {
                    return Err(store_error(error));
                }
                let since = is_read_only(&error).then(Instant::now);
                (error, since)
            }
        };
        attempts.without_server_since = match (attempts.without_server_since, without_server_since)
        {
            (Some(first), Some(_)) => Some(first),
            (_, since) => since,
        };
        attempts.breaks += 1;
        let has_time_left = match attempts.without_server_since {
            Some(since) => since.elapsed() < TIMEOUT,
            None => attempts.breaks < BREAKS_MAX,
        };
        if !has_time_left {
            return Err(match store_error(error) {
                error @ (StoreError::Unavailable(_) | StoreError::Full(_)) => error,
                other => StoreError::Unavailable(Box::new(other)),
            });
        }
        // The first repetition comes at once.
        if attempts.breaks > 1 {
            attempts.pause = (attempts.pause * 2).clamp(Duration::from_millis(10), PAUSE_MAX);
            sleep(attempts.pause).await;
        }
        Ok(())
    }
}

/// True when two transactions ran into each other and this one was given up.
///
/// Source: <https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html>
fn is_clash(error: &sqlx::Error) -> bool {
    code_of(error).is_some_and(|code| matches!(code.as_ref(), "40001" | "40P01"))
}

/// True when something that was read went away before the statement that refers to it.
fn is_gone(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_foreign_key_violation)
}

/// True when the connection is of no use any more.
///
/// Source: <https://www.postgresql.org/docs/current/errcodes-appendix.html>: class 08 (connection),
/// 57P (the operator ended the connection or the server), 25P03 (idle in a transaction for too
/// long), 25006 (the server takes no writes: it is a standby now).
pub(super) fn is_broken(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::BeginFailed => true,
        error => code_of(error).is_some_and(|code| {
            ["08", "57P", "25P03", "25006"].iter().any(|class| code.starts_with(class))
        }),
    }
}

fn is_read_only(error: &sqlx::Error) -> bool {
    code_of(error).is_some_and(|code| code == "25006")
}

fn code_of(error: &sqlx::Error) -> Option<String> {
    error.as_database_error()?.code().map(std::borrow::Cow::into_owned)
}
