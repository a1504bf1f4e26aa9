//! Everything else that the core works with, in memory: for tests and examples.

use std::fmt;
use std::future::poll_fn;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use uuid::{Builder, Uuid};

use super::{MemoryFiles, MemoryStore};
use crate::app::Ports;
use crate::ports::{
    After, Clock, EventSender, Ids, Networks, NoAssistant, NoMail, NoMedia, Random, Request,
    Response, SendError, Task, Tasks, Wake,
};
use crate::timing::to_micros;

/// A clock that stands still until it is moved.
///
/// ```
/// use chrono::TimeDelta;
/// use scheduler_core::memory::ManualClock;
/// use scheduler_core::ports::Clock as _;
///
/// let clock = ManualClock::at("2026-12-01T09:00:00Z".parse()?);
/// clock.advance(TimeDelta::hours(2));
/// assert_eq!(clock.now().to_rfc3339(), "2026-12-01T11:00:00+00:00");
/// # Ok::<(), chrono::ParseError>(())
/// ```
#[derive(Debug)]
pub struct ManualClock(Mutex<DateTime<Utc>>);

impl ManualClock {
    /// A clock that shows this instant, in whole microseconds.
    #[must_use]
    pub fn at(instant: DateTime<Utc>) -> Self {
        Self(Mutex::new(to_micros(instant)))
    }

    /// Moves it.
    pub fn advance(&self, by: TimeDelta) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *now = to_micros(*now + by);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ids that are counted: the same in each run, and unique within the process alone.
#[derive(Debug, Default)]
pub struct CountedIds(AtomicU64);

impl Ids for CountedIds {
    fn next(&self, at: DateTime<Utc>) -> Uuid {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        let mut counted = [0; 10];
        counted[2..].copy_from_slice(&number.to_be_bytes());
        let millis = u64::try_from(at.timestamp_millis()).unwrap_or_default();
        Builder::from_unix_timestamp_millis(millis, &counted).into_uuid()
    }
}

/// Bytes that are counted instead of random. Anybody can guess the keys and secrets that are made
/// of them: for tests and examples, and for nothing else.
#[derive(Debug, Default)]
pub struct DeterministicRandom(AtomicU64);

impl Random for DeterministicRandom {
    fn bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&self.0.fetch_add(1, Ordering::Relaxed).to_le_bytes());
        bytes
    }
}

/// Wakes nobody: for an engine that is asked to run, and for one that looks by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWake;

impl Wake for NoWake {
    fn wake(&self) {}
}

/// Waits by a clock, for tests that move it, and runs no task by itself: a task goes on as long
/// as somebody waits for what it makes.
#[derive(Clone)]
pub struct ClockTasks(Arc<dyn Clock>);

impl ClockTasks {
    /// Waits by this clock.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self(clock)
    }
}

impl fmt::Debug for ClockTasks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ClockTasks").finish()
    }
}

impl Tasks for ClockTasks {
    fn spawn(&self, _: Task) {}

    fn sleep(&self, time: TimeDelta) -> Task {
        let clock = Arc::clone(&self.0);
        let until = clock.now() + time;
        Box::pin(poll_fn(move |context| {
            if clock.now() >= until {
                return Poll::Ready(());
            }
            // Nobody tells when the clock is moved.
            context.waker().wake_by_ref();
            Poll::Pending
        }))
    }
}

/// Sends no events, and refuses every address that they could go to.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSender;

#[async_trait]
impl EventSender for NoSender {
    async fn send(&self, _: &Request) -> Result<Response, SendError> {
        Err(SendError::Refused("no events are sent here".to_owned()))
    }

    fn check_address(&self, _: &str) -> Result<(), String> {
        Err("No events are sent here.".to_owned())
    }
}

/// Ports that are whole in memory: nothing is kept, nothing leaves, no network is built in, and
/// **secrets can be guessed**, and a task ends with whoever waits for it. For tests and examples;
/// an app replaces what it has.
///
/// ```
/// use std::sync::Arc;
///
/// use scheduler_core::app::{Scheduler, Settings};
/// use scheduler_core::memory::{ManualClock, MemoryNetwork, test_ports};
/// use scheduler_core::platform::Platform;
/// use scheduler_core::ports::Networks;
///
/// let clock = Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse()?));
/// let mut ports = test_ports(clock);
/// ports.networks = Networks::default().with(Platform::Mastodon, Arc::new(MemoryNetwork::new()));
/// let scheduler = Scheduler::new(ports, Settings::default());
/// # let _ = scheduler;
/// # Ok::<(), chrono::ParseError>(())
/// ```
#[must_use]
pub fn test_ports(clock: Arc<dyn Clock>) -> Ports {
    Ports {
        store: Arc::new(MemoryStore::new()),
        networks: Networks::default(),
        after: After::default(),
        assistant: Arc::new(NoAssistant),
        sender: Arc::new(NoSender),
        mail: Arc::new(NoMail),
        files: Arc::new(MemoryFiles::new()),
        fetcher: Arc::new(NoMedia),
        examiner: Arc::new(NoMedia),
        ids: Arc::new(CountedIds::default()),
        random: Arc::new(DeterministicRandom::default()),
        wake: Arc::new(NoWake),
        tasks: Arc::new(ClockTasks::new(clock.clone())),
        clock,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_are_unique_and_sort_by_time() {
        let ids = CountedIds::default();
        let instants = (0..1_000).map(|seconds| DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds));
        let made: Vec<Uuid> = instants.map(|at| ids.next(at)).collect();
        assert!(made.is_sorted());
        assert!(made.iter().all(|id| id.get_version_num() == 7));
        let of_one_instant: BTreeSet<Uuid> =
            (0..1_000).map(|_| ids.next(DateTime::UNIX_EPOCH)).collect();
        assert_eq!(of_one_instant.len(), 1_000);
    }

    #[test]
    fn no_two_secrets_are_the_same() {
        let random = DeterministicRandom::default();
        assert_ne!(random.bytes(), random.bytes());
    }
}
