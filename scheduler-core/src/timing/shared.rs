//! The time that all nodes of one store share.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::to_micros;

/// How far the clock of a node may be from that of its store: 2 seconds. A node that differs by
/// more takes no new work until that is mended.
///
/// Source: our decision. A lease of 10 seconds is renewed when 6.7 are left.
pub const CLOCK_DIFFERENCE_MAX: TimeDelta = TimeDelta::seconds(2);

/// The time of a store, carried on by a clock that passes evenly. Claims, leases and everything
/// that is due go by it, whatever the wall clock of the node shows.
///
/// ```
/// use std::time::Duration;
///
/// use chrono::{DateTime, TimeDelta, Utc};
/// use scheduler_core::timing::SharedTime;
///
/// let wall: DateTime<Utc> = "2026-12-01T11:00:00Z".parse()?;
/// let store = wall - TimeDelta::hours(2);
/// let time = SharedTime::new();
/// assert_eq!(time.now(Duration::from_secs(5), wall), wall, "nothing is known of the store");
/// time.hear(Duration::from_secs(5), Duration::from_secs(5), store);
/// assert_eq!(time.now(Duration::from_secs(8), wall), store + TimeDelta::seconds(3));
/// # Ok::<(), chrono::ParseError>(())
/// ```
#[derive(Debug, Default)]
pub struct SharedTime(Mutex<Option<Heard>>);

/// What the store said, and when.
#[derive(Clone, Copy, Debug)]
struct Heard {
    passed: Duration,
    store_time: DateTime<Utc>,
}

impl SharedTime {
    /// The time of a store of which nothing is known yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// The present instant, in whole microseconds; `passed` is what the even clock shows, since
    /// any beginning. Before the store was heard it is the wall clock's.
    #[must_use]
    pub fn now(&self, passed: Duration, wall: DateTime<Utc>) -> DateTime<Utc> {
        let now = self.heard().map_or(wall, |heard| {
            let since = TimeDelta::from_std(passed.saturating_sub(heard.passed));
            heard.store_time + since.unwrap_or_default()
        });
        to_micros(now)
    }

    /// Takes over what the store says that its time is. `asked` and `answered` are what the even
    /// clock showed before it was asked and after it had answered. The time that is shown stays
    /// where it agrees with the answer, as far as how long that took can tell, and does not jump.
    pub fn hear(&self, asked: Duration, answered: Duration, store_time: DateTime<Utc>) {
        let took = TimeDelta::from_std(answered.saturating_sub(asked)).unwrap_or_default();
        let present = self.now(answered, store_time);
        if (store_time..=store_time + took).contains(&present) && self.heard().is_some() {
            return;
        }
        *self.heard() = Some(Heard { passed: answered, store_time });
    }

    fn heard(&self) -> MutexGuard<'_, Option<Heard>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How far a wall clock is ahead of the store's time, when it was read before the store was asked
/// and after it had answered; negative when it is behind. How long the answer took counts for it.
#[must_use]
pub fn clock_difference(
    before: DateTime<Utc>,
    store_time: DateTime<Utc>,
    after: DateTime<Utc>,
) -> TimeDelta {
    if store_time < before {
        before - store_time
    } else if store_time > after {
        after - store_time
    } else {
        TimeDelta::zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
    }

    #[test]
    fn time_passes_evenly_from_what_the_store_said() {
        let time = SharedTime::new();
        let passed = Duration::from_secs;
        assert_eq!(time.now(passed(1), at(500)), at(500), "nothing was heard");
        time.hear(passed(1), passed(1), at(100));
        for (name, passed_seconds, wall, want) in [
            ("at once", 1, 500, 100),
            ("later", 31, 530, 130),
            ("the wall clock was set back", 31, -3_600, 130),
            ("an earlier reading", 0, 500, 100),
        ] {
            assert_eq!(time.now(passed(passed_seconds), at(wall)), at(want), "{name}");
        }
        time.hear(passed(40), passed(40), at(20));
        assert_eq!(time.now(passed(41), at(500)), at(21), "the store's clock was set back");
        time.hear(passed(41), passed(45), at(21));
        assert_eq!(time.now(passed(45), at(500)), at(25), "no jump by a slow answer");
        time.hear(passed(45), passed(46), at(20));
        assert_eq!(time.now(passed(46), at(500)), at(20), "set back further than that");
    }

    #[test]
    fn differences() {
        for (name, before, store, after, want) in [
            ("within the call", 10, 11, 12, 0),
            ("at its beginning", 10, 10, 12, 0),
            ("at its end", 10, 12, 12, 0),
            ("ahead", 10, 7, 12, 3),
            ("behind", 10, 15, 12, -3),
        ] {
            let found = clock_difference(at(before), at(store), at(after));
            assert_eq!(found, TimeDelta::seconds(want), "{name}");
        }
    }
}
