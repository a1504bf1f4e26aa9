//! How long to wait before trying again, and when to stop.

use chrono::TimeDelta;

/// Attempts of one publish before trying stops.
///
/// Source: our decision; the interface description names no figure.
pub const PUBLISH_ATTEMPTS: u32 = 6;

/// Rate-limit waits of one publish that use up no attempt.
pub const FREE_RATE_LIMITS: u32 = 10;

/// The longest wait that a network's rate limit is granted.
pub const RATE_LIMIT_WAIT_MAX: TimeDelta = TimeDelta::hours(24);

/// Retries of a webhook delivery before trying stops.
///
/// Source: interface description, Events.
pub const DELIVERY_RETRIES: u32 = 5;

/// Waits after the first, second, … failed attempt of a publish.
const PUBLISH_WAITS: [TimeDelta; 5] = [
    TimeDelta::minutes(1),
    TimeDelta::minutes(5),
    TimeDelta::minutes(15),
    TimeDelta::minutes(60),
    TimeDelta::minutes(180),
];

/// Waits after the first, second, … failed attempt of a delivery.
const DELIVERY_WAITS: [TimeDelta; 5] = [
    TimeDelta::seconds(30),
    TimeDelta::minutes(2),
    TimeDelta::minutes(10),
    TimeDelta::hours(1),
    TimeDelta::hours(6),
];

/// A random part of a wait, so that what failed together does not come back together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jitter(u32);

impl Jitter {
    /// Adds nothing and takes nothing away.
    pub const NONE: Self = Self(100_000);

    /// Spreads evenly over 90 % to 110 % of a wait.
    #[must_use]
    pub const fn from_random(random: u32) -> Self {
        Self(90_000 + random % 20_001)
    }

    /// The wait, changed by at most 10 % either way.
    #[must_use]
    pub fn apply(self, wait: TimeDelta) -> TimeDelta {
        let micros = wait.num_microseconds().unwrap_or(i64::MAX / 200_000);
        TimeDelta::microseconds(micros / 100_000 * i64::from(self.0))
    }
}

/// Returns the wait after the `failed`-th failed attempt of a publish, counted from 1.
///
/// `None` means that trying has stopped: after [`PUBLISH_ATTEMPTS`].
/// ```
/// use chrono::TimeDelta;
/// use scheduler_core::retry::{Jitter, publish_wait};
/// assert_eq!(publish_wait(1, Jitter::NONE), Some(TimeDelta::minutes(1)));
/// assert_eq!(publish_wait(6, Jitter::NONE), None);
/// ```
#[must_use]
pub fn publish_wait(failed: u32, jitter: Jitter) -> Option<TimeDelta> {
    nth(&PUBLISH_WAITS, failed).map(|wait| jitter.apply(wait))
}

/// Returns the wait after the `failed`-th failed attempt of a delivery, counted from 1.
///
/// `None` means that trying has stopped: after the first attempt and [`DELIVERY_RETRIES`] more.
#[must_use]
pub fn delivery_wait(failed: u32, jitter: Jitter) -> Option<TimeDelta> {
    nth(&DELIVERY_WAITS, failed).map(|wait| jitter.apply(wait))
}

/// Returns the wait that a rate limit asks for, or one minute where it names none; at most
/// [`RATE_LIMIT_WAIT_MAX`] and at least one second.
#[must_use]
pub fn rate_limit_wait(asked: Option<TimeDelta>) -> TimeDelta {
    asked.unwrap_or(PUBLISH_WAITS[0]).clamp(TimeDelta::seconds(1), RATE_LIMIT_WAIT_MAX)
}

fn nth(waits: &[TimeDelta], failed: u32) -> Option<TimeDelta> {
    let index = usize::try_from(failed.checked_sub(1)?).ok()?;
    waits.get(index).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_step() {
        let minutes = |failed| publish_wait(failed, Jitter::NONE).map(|wait| wait.num_minutes());
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 6, 7].map(minutes),
            [None, Some(1), Some(5), Some(15), Some(60), Some(180), None, None]
        );
        let seconds = |failed| delivery_wait(failed, Jitter::NONE).map(|wait| wait.num_seconds());
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 6].map(seconds),
            [None, Some(30), Some(120), Some(600), Some(3_600), Some(21_600), None]
        );
    }

    #[test]
    fn rate_limits() {
        for (name, asked, want) in [
            ("none named", None, 60),
            ("as asked", Some(2), 2),
            ("never at once", Some(0), 1),
            ("a clock that is off", Some(-30), 1),
            ("a day at most", Some(400_000), 86_400),
        ] {
            let wait = rate_limit_wait(asked.map(TimeDelta::seconds));
            assert_eq!(wait.num_seconds(), want, "{name}");
        }
    }

    proptest! {
        #[test]
        fn jitter_stays_within_a_tenth(random in any::<u32>(), seconds in 1_i64..100_000) {
            let wait = TimeDelta::seconds(seconds);
            let got = Jitter::from_random(random).apply(wait);
            prop_assert!(got >= wait * 9 / 10 && got <= wait * 11 / 10, "{got}");
        }
    }

    #[test]
    fn jitter_reaches_both_ends() {
        let wait = TimeDelta::minutes(10);
        assert_eq!(Jitter::from_random(0).apply(wait), TimeDelta::minutes(9));
        assert_eq!(Jitter::from_random(20_000).apply(wait), TimeDelta::minutes(11));
    }
}
