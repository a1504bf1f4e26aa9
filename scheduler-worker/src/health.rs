//! Whether the store can be written to, and how far its clock is from that of this machine.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::TimeDelta;
use scheduler_core::ports::{Store, StoreError};
use scheduler_core::timing::{CLOCK_DIFFERENCE_MAX, clock_difference};
use tokio::time::{Instant, timeout};

use crate::chain;
use crate::system::SystemClock;

/// How often a running process asks: every 2 seconds. Source: our decision.
const EVERY: Duration = Duration::from_secs(2);

/// How long an answer is taken as true where nobody asks regularly. Source: our decision.
const KEPT: Duration = Duration::from_secs(5);

/// How long the store may take to answer. Source: our decision.
const PATIENCE: Duration = Duration::from_secs(5);

/// What keeps a process from working.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// There is no room to write.
    StoreFull,
    /// The store does not answer, or takes no writes.
    StoreUnavailable,
    /// The clock of this machine is ahead of the store's by so much, or behind it when negative:
    /// more than [`CLOCK_DIFFERENCE_MAX`].
    ClockDiffers(TimeDelta),
}

/// What is known of the store and of the clocks. Clones share it.
///
/// Each heartbeat writes to the store, and sets the [`SystemClock`] to the store's time.
#[derive(Clone)]
pub struct Health(Arc<Inner>);

struct Inner {
    store: Arc<dyn Store>,
    clock: Arc<SystemClock>,
    /// Held by the one that asks.
    asking: tokio::sync::Mutex<()>,
    seen: Mutex<Seen>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    asked_at: Option<Instant>,
    trouble: Option<Trouble>,
}

impl std::fmt::Debug for Health {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Health").field(&self.trouble()).finish()
    }
}

impl Health {
    /// Of this store, by this clock. Nothing was asked yet, which counts as no trouble.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, clock: Arc<SystemClock>) -> Self {
        let (asking, seen) = (tokio::sync::Mutex::default(), Mutex::default());
        Self(Arc::new(Inner { store, clock, asking, seen }))
    }

    /// What the last heartbeat has found; `None` when all is well.
    #[must_use]
    pub fn trouble(&self) -> Option<Trouble> {
        self.seen().trouble
    }

    /// True while nothing may be published: the clocks differ.
    #[must_use]
    pub fn holds(&self) -> bool {
        matches!(self.trouble(), Some(Trouble::ClockDiffers(_)))
    }

    /// Asks every two seconds until `shutdown` is ready.
    pub async fn watch(&self, shutdown: impl Future<Output = ()>) {
        let mut shutdown = std::pin::pin!(shutdown);
        loop {
            tokio::select! {
                () = &mut shutdown => return,
                () = tokio::time::sleep(EVERY) => self.ask().await,
            }
        }
    }

    /// Asks unless somebody has done so within the last 5 seconds.
    pub async fn ask_if_stale(&self) {
        let _asking = self.0.asking.lock().await;
        if self.seen().asked_at.is_none_or(|at| at.elapsed() >= KEPT) {
            self.heartbeat().await;
        }
    }

    /// Asks now.
    pub async fn ask(&self) {
        let _asking = self.0.asking.lock().await;
        self.heartbeat().await;
    }

    async fn heartbeat(&self) {
        let clock = &self.0.clock;
        let before = clock.wall();
        let trouble = match timeout(PATIENCE, self.0.store.heartbeat(before)).await {
            Ok(Ok(heartbeat)) => {
                let difference = clock_difference(before, heartbeat.store_time, clock.wall());
                clock.hear(heartbeat.store_time);
                if let Some(set_back) = heartbeat.set_back {
                    let seconds = set_back.num_seconds();
                    tracing::warn!(seconds, "the clock was set back; waits move back with it");
                }
                let differs = difference.abs() > CLOCK_DIFFERENCE_MAX;
                differs.then_some(Trouble::ClockDiffers(difference))
            }
            Ok(Err(error)) => {
                tracing::warn!(error = chain(&error), "nothing can be written to the database");
                Some(match error {
                    StoreError::Full(_) => Trouble::StoreFull,
                    StoreError::Unavailable(_)
                    | StoreError::Corrupt { .. }
                    | StoreError::Refused(_) => Trouble::StoreUnavailable,
                })
            }
            Err(_) => {
                tracing::warn!("the database does not answer in time");
                Some(Trouble::StoreUnavailable)
            }
        };
        let before =
            std::mem::replace(&mut *self.seen(), Seen { asked_at: Some(Instant::now()), trouble });
        match (before.trouble, trouble) {
            (_, Some(Trouble::ClockDiffers(difference))) => tracing::error!(
                ahead_ms = difference.num_milliseconds(),
                "the clock of this machine differs from the database's; nothing is published until it is set right"
            ),
            (Some(Trouble::ClockDiffers(_)), _) => {
                tracing::info!("the clock of this machine agrees with the database's again");
            }
            _ => {}
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
