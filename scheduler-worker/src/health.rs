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
const TIMEOUT: Duration = Duration::from_secs(5);

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
            StoreError::Unavailable(_)
            | StoreError::Corrupt { .. }
            | StoreError::Unsupported
            | StoreError::Refused(_) => Self::StoreUnavailable,
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
    /// What keeps the store from being written to.
    store: Option<Trouble>,
    /// How the clocks differ, as of the latest answer.
    clocks: Option<Trouble>,
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
        let seen = self.seen();
        seen.store.or(seen.clocks)
    }

    /// True while no new work may be taken: the clocks differed when the store last answered.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.seen().clocks.is_some()
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
        let (asked, before) = (clock.passed(), clock.wall());
        let answer = timeout(TIMEOUT, self.0.store.heartbeat(before)).await;
        let earlier = *self.seen();
        let mut seen = Seen { asked_at: Some(Instant::now()), ..earlier };
        match answer {
            Ok(Ok(heartbeat)) => {
                let difference = clock_difference(before, heartbeat.store_time, clock.wall());
                clock.hear(asked, heartbeat.store_time);
                if let Some(set_back) = heartbeat.set_back {
                    let seconds = set_back.num_seconds();
                    tracing::warn!(seconds, "the clock was set back; waits move back with it");
                }
                (seen.store, seen.clocks) = (None, Trouble::of_clocks(difference));
            }
            Ok(Err(error)) => {
                tracing::warn!(error = chain(&error), "the database cannot be written to");
                seen.store = Some(Trouble::of(&error));
            }
            Err(_) => {
                tracing::warn!("the database does not answer in time");
                seen.store = Some(Trouble::StoreUnavailable);
            }
        }
        match (earlier.clocks, seen.clocks) {
            (None, Some(Trouble::ClockDiffers(difference))) => tracing::error!(
                ahead_ms = difference.num_milliseconds(),
                "the clock of this machine differs from the database's; no new work is taken until it is set right"
            ),
            (Some(_), None) => {
                tracing::info!("the clock of this machine agrees with the database's again");
            }
            _ => {}
        }
        *self.seen() = seen;
    }

    /// Has the clocks differ until the store is asked.
    #[cfg(test)]
    pub(crate) fn differs_by(&self, difference: TimeDelta) {
        self.seen().clocks = Trouble::of_clocks(difference);
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
    fn work_is_held_by_a_wrong_clock_until_the_store_tells_otherwise() {
        let health = Health::new(Arc::new(MemoryStore::new()), Arc::new(SystemClock::new()));
        let full = Some(Trouble::of(&StoreError::Full("no room".into())));
        let gone = Some(Trouble::of(&StoreError::Unavailable("gone".into())));
        let clock = Trouble::of_clocks(TimeDelta::seconds(-3));
        assert_eq!((full, gone), (Some(Trouble::StoreFull), Some(Trouble::StoreUnavailable)));
        for (name, store, clocks, trouble, holds) in [
            ("nothing", None, None, None, false),
            ("no room", full, None, full, false),
            ("no answer", gone, None, gone, false),
            ("a clock", None, clock, clock, true),
            ("a clock, and no answer since", gone, clock, gone, true),
        ] {
            *health.seen() = Seen { asked_at: None, store, clocks };
            assert_eq!((health.trouble(), health.holds()), (trouble, holds), "{name}");
        }
    }

    #[tokio::test]
    async fn an_answer_of_the_store_ends_the_trouble_and_is_kept_for_a_while() {
        let health = Health::new(Arc::new(MemoryStore::new()), Arc::new(SystemClock::new()));
        health.seen().store = Some(Trouble::StoreUnavailable);
        health.seen().clocks = Trouble::of_clocks(TimeDelta::seconds(9));
        health.ask_if_stale().await;
        assert_eq!((health.trouble(), health.holds()), (None, false));
        let asked_at = health.seen().asked_at;
        health.ask_if_stale().await;
        assert_eq!(health.seen().asked_at, asked_at, "not asked again at once");
        health.ask().await;
        assert!(health.seen().asked_at > asked_at);
    }
}
