//! The surroundings of a running process: its clock, ids, randomness, and the notifier that wakes
//! the worker.

use std::time::Duration;

use chrono::{DateTime, Utc};
use scheduler_core::ports::{Clock, Ids, Random, Wake};
use scheduler_core::timing::SharedTime;
use tokio::sync::Notify;
use uuid::{Builder, Uuid};

/// The time of the store, once [`Health`](crate::Health) has asked for it, carried on by the
/// system's monotonic clock; until then the system's wall clock. In whole microseconds.
///
/// On Linux the time for which the machine was suspended counts, so that leases that ended
/// meanwhile are known to have ended.
#[derive(Debug)]
pub struct SystemClock {
    even: EvenClock,
    shared: SharedTime,
}

/// A clock that nobody sets: how much time has passed since any beginning.
#[cfg(target_os = "linux")]
#[derive(Debug)]
struct EvenClock;

#[cfg(target_os = "linux")]
impl EvenClock {
    const fn new() -> Self {
        Self
    }

    fn passed(&self) -> Duration {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
        Duration::try_from(time).unwrap_or_default()
    }
}

#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
struct EvenClock(std::time::Instant);

#[cfg(not(target_os = "linux"))]
impl EvenClock {
    fn new() -> Self {
        Self(std::time::Instant::now())
    }

    fn passed(&self) -> Duration {
        self.0.elapsed()
    }
}

impl SystemClock {
    /// A clock that knows of no store yet.
    #[must_use]
    pub fn new() -> Self {
        Self { even: EvenClock::new(), shared: SharedTime::new() }
    }

    /// What the wall clock of this machine shows.
    #[expect(clippy::disallowed_methods, reason = "this is the one system clock")]
    #[must_use]
    pub fn wall(&self) -> DateTime<Utc> {
        Utc::now()
    }

    /// How much time has passed, by a clock that nobody sets.
    pub(crate) fn passed(&self) -> Duration {
        self.even.passed()
    }

    /// Goes by this time of the store from now on, for which it was asked at `asked`.
    pub(crate) fn hear(&self, asked: Duration, store_time: DateTime<Utc>) {
        self.shared.hear(asked, self.passed(), store_time);
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        self.shared.now(self.passed(), self.wall())
    }
}

/// Makes UUID v7 whose order follows their instant to the microsecond.
///
/// The 12 bits after the milliseconds hold the microseconds of the millisecond and 2 random
/// bits, the 62 bits at the end are random. Source: RFC 9562, section 6.2, method 3.
#[derive(Clone, Copy, Debug, Default)]
pub struct UuidV7;

impl Ids for UuidV7 {
    fn next(&self, at: DateTime<Utc>) -> Uuid {
        let micros = u64::try_from(at.timestamp_micros()).unwrap_or_default();
        let mut tail = [0_u8; 10];
        fill(&mut tail);
        let within_milli = u16::try_from(micros % 1_000).unwrap_or_default();
        let [high, low] = (within_milli << 2 | u16::from(tail[1] & 0b11)).to_be_bytes();
        tail[0] = high;
        tail[1] = low;
        Builder::from_unix_timestamp_millis(micros / 1_000, &tail).into_uuid()
    }
}

/// The randomness of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsRandom;

impl Random for OsRandom {
    fn bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        fill(&mut bytes);
        bytes
    }
}

/// Fills bytes with the operating system's randomness.
///
/// # Panics
/// When the operating system gives none: a made-up secret would be worse than an answer of 500.
#[expect(clippy::expect_used, reason = "without randomness nothing safe can be done")]
fn fill(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("the operating system gives random bytes");
}

/// Wakes the worker of this process. Rings that come before it listens are not lost, and any
/// number of them wake it once.
#[derive(Debug, Default)]
pub struct Notifier {
    notify: Notify,
}

impl Notifier {
    /// A notifier that nobody has notified.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Waits until it is notified, or returns at once when it has rung since the last wait.
    pub async fn notified(&self) {
        self.notify.notified().await;
    }
}

impl Wake for Notifier {
    fn wake(&self) {
        self.notify.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;
    use std::collections::BTreeSet;

    #[test]
    fn the_clock_goes_by_the_store_once_it_was_heard() {
        let clock = SystemClock::new();
        let near = |found: DateTime<Utc>, want: DateTime<Utc>| {
            (found - want).abs() < TimeDelta::minutes(1)
        };
        assert!(near(clock.now(), clock.wall()));
        let store = clock.wall() - TimeDelta::hours(2);
        clock.hear(clock.passed(), store);
        assert!(
            clock.now() >= scheduler_core::timing::to_micros(store) && near(clock.now(), store)
        );
        assert_eq!(clock.now().timestamp_subsec_nanos() % 1_000, 0, "whole microseconds");
    }

    #[test]
    fn ids_sort_by_their_instant_and_differ() {
        let at: DateTime<Utc> = "2026-11-21T12:00:00.000999Z".parse().unwrap();
        let mut before = UuidV7.next(at - TimeDelta::microseconds(1));
        for step in 0..2_000 {
            let id = UuidV7.next(at + TimeDelta::microseconds(step));
            assert!(id > before, "step {step}");
            assert_eq!(id.get_version_num(), 7);
            before = id;
        }
        let same: BTreeSet<Uuid> = (0..1_000).map(|_| UuidV7.next(at)).collect();
        assert_eq!(same.len(), 1_000);
    }

    #[tokio::test]
    async fn rings_before_a_wait_count_once() {
        let notifier = Notifier::new();
        notifier.wake();
        notifier.wake();
        notifier.notified().await;
        let again = tokio::time::timeout(std::time::Duration::ZERO, notifier.notified()).await;
        assert!(again.is_err(), "two notifications before a wait are one");
    }

    #[test]
    fn secrets_differ() {
        assert_ne!(OsRandom.bytes(), OsRandom.bytes());
    }
}
