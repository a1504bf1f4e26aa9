//! The surroundings of a running process: its clock, ids, randomness, and the bell that wakes
//! the worker.

use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, Utc};
use scheduler_core::ports::{Clock, Ids, Random, Wake};
use tokio::sync::Notify;
use uuid::{Builder, Uuid};

/// The system's clock, in whole microseconds. Within the process it never goes backwards: when
/// the system's time is set back, it stands still until that time has caught up.
#[derive(Debug, Default)]
pub struct SystemClock {
    latest_micros: AtomicI64,
}

impl SystemClock {
    /// A clock that has told no time yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { latest_micros: AtomicI64::new(i64::MIN) }
    }

    /// The later of this reading and every reading before.
    fn advance_to(&self, micros: i64) -> i64 {
        self.latest_micros.fetch_max(micros, Ordering::Relaxed).max(micros)
    }
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one system clock")]
    fn now(&self) -> DateTime<Utc> {
        let micros = self.advance_to(Utc::now().timestamp_micros());
        DateTime::from_timestamp_micros(micros).unwrap_or(DateTime::UNIX_EPOCH)
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
pub struct Bell {
    notify: Notify,
}

impl Bell {
    /// A bell that has not rung.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Waits until the bell rings, or returns at once when it has rung since the last wait.
    pub async fn rung(&self) {
        self.notify.notified().await;
    }
}

impl Wake for Bell {
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
    fn the_clock_never_goes_back() {
        let clock = SystemClock::new();
        for (name, reading, want) in
            [("first", 10, 10), ("later", 20, 20), ("set back", 15, 20), ("caught up", 21, 21)]
        {
            assert_eq!(clock.advance_to(reading), want, "{name}");
        }
        let clock = SystemClock::new();
        let mut last = clock.now();
        for _ in 0..1_000 {
            let now = clock.now();
            assert!(now >= last);
            assert_eq!(now.timestamp_subsec_nanos() % 1_000, 0, "whole microseconds");
            last = now;
        }
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
        let bell = Bell::new();
        bell.wake();
        bell.wake();
        bell.rung().await;
        let again = tokio::time::timeout(std::time::Duration::ZERO, bell.rung()).await;
        assert!(again.is_err(), "two rings before a wait are one");
    }

    #[test]
    fn secrets_differ() {
        assert_ne!(OsRandom.bytes(), OsRandom.bytes());
    }
}
