//! Telling a write that was committed from one that was undone, where the answer was lost.
//!
//! Each transaction that writes first stores its number in a row of `last_writes` that no other
//! transaction uses meanwhile. Whether it was committed can be read there afterwards, also after a
//! crash or a failover, since the row is written by the transaction itself. (The number that
//! PostgreSQL gives a transaction would not do: what was not yet on disk or on the standby is
//! given again, and `pg_xact_status` then tells of another transaction.)

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use scheduler_core::ports::StoreError;

use super::link::{Fault, Link, is_broken};
use crate::error::{Failure, store_error};

/// Locks the row, and so waits for a transaction that is still under way. It is a write as well:
/// its answer says that what it has read is as durable as itself.
const LOOK_UP: &str = "INSERT INTO last_writes (node, slot, number, written_at) \
    VALUES ($1, $2, 0, now()) \
    ON CONFLICT (node, slot) DO UPDATE SET written_at = excluded.written_at RETURNING number";

/// The rows that this store uses for its writes.
#[derive(Debug)]
pub(super) struct Marks {
    /// Names this store among all that write to the database.
    node: String,
    /// Those that are in use.
    used: Arc<Mutex<BTreeSet<i64>>>,
    last_number: AtomicI64,
}

/// The row and the number of one write. The row is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Mark {
    node: String,
    slot: i64,
    number: i64,
    used: Arc<Mutex<BTreeSet<i64>>>,
}

impl Marks {
    pub(super) fn new() -> std::io::Result<Self> {
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(std::io::Error::other)?;
        Ok(Self { node: hex::encode(random), used: Arc::default(), last_number: AtomicI64::new(0) })
    }

    /// A mark for one attempt at a write.
    pub(super) fn take(&self) -> Mark {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = (0..).find(|slot| !used.contains(slot)).unwrap_or_default();
        used.insert(slot);
        Mark {
            node: self.node.clone(),
            slot,
            number: self.last_number.fetch_add(1, Ordering::Relaxed) + 1,
            used: self.used.clone(),
        }
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.slot);
    }
}

impl Mark {
    /// Begins a transaction and stores its number, in one trip to the server.
    pub(super) fn begin(&self) -> String {
        // All three are our own: hexadecimal digits and two numbers.
        let Self { node, slot, number, .. } = self;
        format!(
            "BEGIN; INSERT INTO last_writes (node, slot, number, written_at) \
             VALUES ('{node}', {slot}, {number}, now()) ON CONFLICT (node, slot) \
             DO UPDATE SET number = excluded.number, written_at = excluded.written_at"
        )
    }

    /// Whether the transaction of this mark was committed. Asks until the timeout of the link.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the database cannot be asked in that time.
    pub(super) async fn was_committed(&self, link: &Link) -> Result<bool, StoreError> {
        let since = Instant::now();
        loop {
            let fault = match self.look_up(link).await {
                Ok(number) => return Ok(number == self.number),
                Err(fault) => fault,
            };
            let error = match fault {
                Fault::Connection(error, _) | Fault::Undone(Failure::Database(error)) => error,
                Fault::Undone(Failure::Store(error)) => return Err(error),
            };
            let is_closed = matches!(error, sqlx::Error::PoolClosed);
            if is_closed || since.elapsed() >= link.commit_timeout {
                return Err(match store_error(error) {
                    error @ StoreError::Unavailable(_) => error,
                    other => StoreError::Unavailable(Box::new(other)),
                });
            }
            tokio::time::sleep(LOOK_UP_PAUSE).await;
        }
    }

    async fn look_up(&self, link: &Link) -> Result<i64, Fault> {
        let mut connection = link.connection().await?;
        let number = sqlx::query_scalar(LOOK_UP).bind(&self.node).bind(self.slot);
        match number.fetch_one(&mut *connection).await {
            Ok(number) => Ok(number),
            Err(error) => {
                if is_broken(&error) {
                    link.discard(connection, &error);
                }
                Err(error.into())
            }
        }
    }
}

/// The pause before a commit is looked up again.
const LOOK_UP_PAUSE: std::time::Duration = std::time::Duration::from_millis(50);

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use scheduler_core::ids::AccountId;
    use scheduler_core::ports::AccountStore as _;
    use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
    use tokio::time::timeout;
    use uuid::Uuid;

    use crate::postgres::PostgresStore;
    use crate::sealing::{Sealer, SealingKey};
    use crate::testing::{Durability, TestPostgres};

    /// Also of one that is still under way: who asks waits for its end.
    #[tokio::test]
    async fn a_commit_is_told_from_what_was_undone() {
        let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
        let sealer = Sealer::new(&SealingKey::from_bytes([1; 32]));
        let store = PostgresStore::open(postgres.url(), sealer).await.unwrap();
        let link = store.link.clone();
        for is_committed in [false, true, true, false] {
            let mark = link.marks.take();
            let mut connection = link.pool.acquire().await.unwrap();
            let begun = connection.begin_with(AssertSqlSafe(mark.begin())).await.unwrap();
            let end = async {
                tokio::task::yield_now().await;
                if is_committed { begun.commit().await } else { begun.rollback().await }
            };
            let (found, ended) = tokio::join!(mark.was_committed(&link), end);
            ended.unwrap();
            assert_eq!(found.unwrap(), is_committed);
        }
        store.close().await;
    }

    /// One whose caller gives up while its transaction begins, as when a lease is lost.
    #[tokio::test]
    async fn a_write_that_is_cut_off_leaves_no_transaction_behind() {
        let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
        let sealer = Sealer::new(&SealingKey::from_bytes([1; 32]));
        let store = PostgresStore::open(postgres.url(), sealer).await.unwrap();
        let mut other = PgConnection::connect(postgres.url()).await.unwrap();
        let mut holding = other.begin().await.unwrap();
        sqlx::query("LOCK TABLE last_writes").execute(&mut *holding).await.unwrap();
        let write = store.mark_needs_reconnect(AccountId(Uuid::nil()), 1, None);
        timeout(Duration::from_millis(300), write).await.expect_err("it waits for the lock");
        holding.rollback().await.unwrap();

        let states = "SELECT state FROM pg_stat_activity, pg_sleep(0.02) \
            WHERE datname = current_database() AND pid <> pg_backend_pid() \
            AND backend_type = 'client backend'";
        // The server ends the statement first, and reads then that the transaction is undone.
        let ended = async {
            loop {
                let states: Vec<Option<String>> =
                    sqlx::query_scalar(states).fetch_all(&mut other).await.unwrap();
                if states.iter().flatten().all(|state| state == "idle") {
                    break;
                }
            }
        };
        timeout(Duration::from_secs(20), ended).await.expect("the transaction ends");
        store.close().await;
    }
}
