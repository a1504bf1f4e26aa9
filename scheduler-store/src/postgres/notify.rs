//! Waking the engines of other nodes.
//!
//! The call goes out after the commit, by itself: a transaction that notifies holds a lock of the
//! whole server until it is on disk, so calls from within the operations would make them queue up.
//! One that is lost with its node costs a second, after which every node looks by itself.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use scheduler_core::ports::StoreError;
use sqlx::PgPool;
use sqlx::postgres::PgListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::database::OpenError;
use crate::error::store_error;

const CHANNEL: &str = "scheduler_work";
const NOTIFY: &str = "SELECT pg_notify('scheduler_work', $1)";

/// The least time between two calls; what is stored meanwhile shares the next.
///
/// Source: our decision; small beside the second after which nodes look by themselves.
const CALL_GAP: Duration = Duration::from_millis(5);

/// The wait before the connection is tried again.
const RETRY_GAP: Duration = Duration::from_secs(1);

/// Calls the other nodes, and hears them.
#[derive(Debug)]
pub(super) struct Notifier {
    /// How this node signs its calls, so that it does not wake itself.
    node: String,
    is_rung: Arc<Notify>,
    /// The caller and the listeners; they end with the store.
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl Notifier {
    pub(super) fn start(pool: PgPool) -> Result<Self, OpenError> {
        let mut random = [0; 8];
        getrandom::fill(&mut random)
            .map_err(|error| OpenError::Unavailable(StoreError::Unavailable(Box::new(error))))?;
        let node = hex::encode(random);
        let is_rung = Arc::new(Notify::new());
        let caller = tokio::spawn(call(pool, node.clone(), is_rung.clone()));
        Ok(Self { node, is_rung, tasks: Mutex::new(vec![caller]) })
    }

    /// Calls the other nodes soon. Costs next to nothing.
    pub(super) fn notify(&self) {
        self.is_rung.notify_one();
    }

    pub(super) fn listen(&self, pool: PgPool, on_wake: impl Fn() + Send + 'static) {
        self.keep(tokio::spawn(hear(pool, self.node.clone(), on_wake)));
    }

    /// Keeps a task until the node stops.
    pub(super) fn keep(&self, task: JoinHandle<()>) {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).push(task);
    }

    pub(super) fn stop(&self) {
        for task in self.tasks.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            task.abort();
        }
    }
}

impl Drop for Notifier {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn call(pool: PgPool, node: String, is_rung: Arc<Notify>) {
    loop {
        is_rung.notified().await;
        match sqlx::query(NOTIFY).bind(&node).execute(&pool).await {
            Ok(_) => tokio::time::sleep(CALL_GAP).await,
            Err(sqlx::Error::PoolClosed) => return,
            Err(error) => {
                tracing::warn!(error = %store_error(error), "other nodes could not be woken");
                tokio::time::sleep(RETRY_GAP).await;
            }
        }
    }
}

async fn hear(pool: PgPool, node: String, mut on_wake: impl FnMut() + Send + 'static) {
    loop {
        match hear_until_broken(&pool, &node, &mut on_wake).await {
            sqlx::Error::PoolClosed => return,
            error => {
                tracing::warn!(error = %store_error(error), "other nodes cannot be heard");
                tokio::time::sleep(RETRY_GAP).await;
            }
        }
    }
}

async fn hear_until_broken(
    pool: &PgPool,
    node: &str,
    on_wake: &mut (impl FnMut() + Send),
) -> sqlx::Error {
    let mut listener = match PgListener::connect_with(pool).await {
        Ok(listener) => listener,
        Err(error) => return error,
    };
    if let Err(error) = listener.listen(CHANNEL).await {
        return error;
    }
    // Something may have been called before this connection was there.
    on_wake();
    loop {
        match listener.try_recv().await {
            Ok(Some(call)) if call.payload() == node => {}
            // `None` is a connection that was lost and made anew.
            Ok(Some(_) | None) => on_wake(),
            Err(error) => return error,
        }
    }
}
