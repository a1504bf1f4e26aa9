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

/// How long to wait after the first, second, … failed attempt. An operator can replace it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// Of a publish.
    pub publish: [TimeDelta; PUBLISH_ATTEMPTS as usize - 1],
    /// Of a delivery.
    pub delivery: [TimeDelta; DELIVERY_RETRIES as usize],
}

impl Default for Waits {
    /// 1, 5, 15, 60 and 180 minutes for a publish; 30 seconds, 2 and 10 minutes, 1 and 6 hours
    /// for a delivery. Source: our decision; the interface description leaves the gaps open.
    fn default() -> Self {
        Self {
            publish: [1, 5, 15, 60, 180].map(TimeDelta::minutes),
            delivery: [30, 120, 600, 3_600, 21_600].map(TimeDelta::seconds),
        }
    }
}

impl Waits {
    /// Returns the wait after the `failed`-th failed attempt of a publish, counted from 1.
    ///
    /// `None` means that trying has stopped: after [`PUBLISH_ATTEMPTS`].
    /// ```
    /// use chrono::TimeDelta;
    /// use scheduler_core::retry::{Jitter, Waits};
    /// let waits = Waits::default();
    /// assert_eq!(waits.after_publish(1, Jitter::NONE), Some(TimeDelta::minutes(1)));
    /// assert_eq!(waits.after_publish(6, Jitter::NONE), None);
    /// ```
    #[must_use]
    pub fn after_publish(&self, failed: u32, jitter: Jitter) -> Option<TimeDelta> {
        nth(&self.publish, failed).map(|wait| jitter.apply(wait))
    }

    /// Returns the wait after the `failed`-th failed attempt of a delivery, counted from 1.
    ///
    /// `None` means that trying has stopped: after the first attempt and [`DELIVERY_RETRIES`]
    /// more.
    ///
    /// ```
    /// use chrono::TimeDelta;
    /// use scheduler_core::retry::{Jitter, Waits};
    /// let waits = Waits::default();
    /// assert_eq!(waits.after_delivery(1, Jitter::NONE), Some(TimeDelta::seconds(30)));
    /// assert_eq!(waits.after_delivery(6, Jitter::NONE), None);
    /// ```
    #[must_use]
    pub fn after_delivery(&self, failed: u32, jitter: Jitter) -> Option<TimeDelta> {
        nth(&self.delivery, failed).map(|wait| jitter.apply(wait))
    }
}

/// The wait for a rate limit that names none.
const RATE_LIMIT_WAIT: TimeDelta = TimeDelta::minutes(1);

/// A random part of a wait, so that what failed together does not come back together.
///
/// ```
/// use chrono::TimeDelta;
/// use scheduler_core::retry::Jitter;
/// let wait = Jitter::from_random(0).apply(TimeDelta::minutes(10));
/// assert_eq!(wait, TimeDelta::minutes(9));
/// ```
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

/// Returns the wait that a rate limit asks for, or one minute where it names none; at most
/// [`RATE_LIMIT_WAIT_MAX`] and at least one second.
///
/// ```
/// use chrono::TimeDelta;
/// use scheduler_core::retry::rate_limit_wait;
/// assert_eq!(rate_limit_wait(None), TimeDelta::minutes(1));
/// assert_eq!(rate_limit_wait(Some(TimeDelta::days(3))), TimeDelta::hours(24));
/// ```
#[must_use]
pub fn rate_limit_wait(asked: Option<TimeDelta>) -> TimeDelta {
    asked.unwrap_or(RATE_LIMIT_WAIT).clamp(TimeDelta::seconds(1), RATE_LIMIT_WAIT_MAX)
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
        let waits = Waits::default();
        let minutes =
            |failed| waits.after_publish(failed, Jitter::NONE).map(|wait| wait.num_minutes());
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 6, 7].map(minutes),
            [None, Some(1), Some(5), Some(15), Some(60), Some(180), None, None]
        );
        let seconds =
            |failed| waits.after_delivery(failed, Jitter::NONE).map(|wait| wait.num_seconds());
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
