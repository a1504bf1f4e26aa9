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

impl Trouble {
    const fn of(error: &StoreError) -> Self {
        match error {
            StoreError::Full(_) => Self::StoreFull,
            StoreError::Unavailable(_) | StoreError::Corrupt { .. } | StoreError::Refused(_) => {
                Self::StoreUnavailable
            }
        }
    }

    fn of_clocks(difference: TimeDelta) -> Option<Self> {
        (difference.abs() > CLOCK_DIFFERENCE_MAX).then_some(Self::ClockDiffers(difference))
    }
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
                Trouble::of_clocks(difference)
            }
            Ok(Err(error)) => {
                tracing::warn!(error = chain(&error), "nothing can be written to the database");
                Some(Trouble::of(&error))
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

#[cfg(test)]
mod tests {
    use scheduler_core::memory::MemoryStore;

    use super::*;

    #[test]
    fn a_clock_may_differ_by_two_seconds() {
        for (milliseconds, is_trouble) in
            [(0, false), (2_000, false), (2_001, true), (-2_000, false), (-2_001, true)]
        {
            let difference = TimeDelta::milliseconds(milliseconds);
            let want = is_trouble.then_some(Trouble::ClockDiffers(difference));
            assert_eq!(Trouble::of_clocks(difference), want, "{milliseconds} ms");
        }
    }

    #[test]
    fn publishing_is_held_by_a_wrong_clock_alone() {
        let health = Health::new(Arc::new(MemoryStore::new()), Arc::new(SystemClock::new()));
        let full = StoreError::Full("no room".into());
        let gone = StoreError::Unavailable("gone".into());
        for (name, trouble, holds) in [
            ("nothing", None, false),
            ("no room", Some(Trouble::of(&full)), false),
            ("no answer", Some(Trouble::of(&gone)), false),
            ("a clock", Trouble::of_clocks(TimeDelta::seconds(-3)), true),
        ] {
            health.seen().trouble = trouble;
            assert_eq!((health.trouble(), health.holds()), (trouble, holds), "{name}");
        }
        assert_eq!(Trouble::of(&full), Trouble::StoreFull);
        assert_eq!(Trouble::of(&gone), Trouble::StoreUnavailable);
    }

    #[tokio::test]
    async fn an_answer_of_the_store_ends_the_trouble_and_is_kept_for_a_while() {
        let health = Health::new(Arc::new(MemoryStore::new()), Arc::new(SystemClock::new()));
        health.seen().trouble = Some(Trouble::StoreUnavailable);
        health.ask_if_stale().await;
        assert_eq!(health.trouble(), None);
        let asked_at = health.seen().asked_at;
        health.ask_if_stale().await;
        assert_eq!(health.seen().asked_at, asked_at, "not asked again at once");
        health.ask().await;
        assert!(health.seen().asked_at > asked_at);
    }
}
