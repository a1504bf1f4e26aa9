//! How many requests a key may make.

use std::fmt;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::Arc;

use governor::clock::Clock as GovernorClock;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use scheduler_core::ports::Clock;

use crate::error::ApiError;

/// Subjects whose use is remembered before those that have rested are forgotten.
const REMEMBERED: usize = 4_096;

/// The limit on the requests of one key.
///
/// Source of the default: our decision, 600 a minute with bursts of 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// Requests a minute in the long run.
    pub per_minute: NonZeroU32,
    /// Requests at once after a rest.
    pub burst: NonZeroU32,
}

impl Default for RateLimit {
    fn default() -> Self {
        const PER_MINUTE: NonZeroU32 = NonZeroU32::new(600).unwrap();
        const BURST: NonZeroU32 = NonZeroU32::new(100).unwrap();
        Self { per_minute: PER_MINUTE, burst: BURST }
    }
}

/// Counts what each subject does, such as the requests of every key.
pub(crate) struct Limits<K: Clone + Hash + Eq> {
    limiter: RateLimiter<K, DashMapStateStore<K>, PortClock, NoOpMiddleware<Nanos>>,
    clock: PortClock,
}

impl<K: Clone + Hash + Eq> Limits<K> {
    pub(crate) fn new(limit: RateLimit, clock: Arc<dyn Clock>) -> Self {
        let clock = PortClock(clock);
        let quota = Quota::per_minute(limit.per_minute).allow_burst(limit.burst);
        Self { limiter: RateLimiter::dashmap_with_clock(quota, clock.clone()), clock }
    }

    /// Counts one deed of a subject.
    ///
    /// # Errors
    /// `rate_limited`, with the whole seconds until the next request is taken.
    pub(crate) fn count(&self, subject: K) -> Result<(), ApiError> {
        self.limiter.check_key(&subject).map_err(|refused| {
            let wait = refused.wait_time_from(self.clock.now());
            ApiError::rate_limited(wait.as_secs() + u64::from(wait.subsec_nanos() > 0))
        })
    }

    /// Forgets subjects that have rested, once many are remembered.
    pub(crate) fn tidy(&self) {
        if self.limiter.len() > REMEMBERED {
            self.limiter.retain_recent();
        }
    }
}

impl<K: Clone + Hash + Eq> fmt::Debug for Limits<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Limits").finish_non_exhaustive()
    }
}

/// The clock of the ports as the limiter reads it.
#[derive(Clone)]
struct PortClock(Arc<dyn Clock>);

impl GovernorClock for PortClock {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        let nanos = self.0.now().timestamp_nanos_opt().unwrap_or_default();
        Nanos::from(u64::try_from(nanos).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{DateTime, TimeDelta, Utc};
    use scheduler_core::ids::KeyId;
    use std::sync::Mutex;
    use uuid::Uuid;

    struct HandClock(Mutex<DateTime<Utc>>);

    impl Clock for HandClock {
        fn now(&self) -> DateTime<Utc> {
            *self.0.lock().unwrap()
        }
    }

    #[test]
    fn a_burst_then_a_steady_rate_each_key_for_itself() {
        let clock = Arc::new(HandClock(Mutex::new("2026-11-21T12:00:00Z".parse().unwrap())));
        let limits = Limits::new(RateLimit::default(), clock.clone());
        let (one, other) = (KeyId(Uuid::from_u128(1)), KeyId(Uuid::from_u128(2)));
        let taken = |key| (0..200).filter(|_| limits.count(key).is_ok()).count();
        assert_eq!(taken(one), 100, "the burst");
        assert_eq!(taken(one), 0, "used up");
        assert_eq!(taken(other), 100, "another key has its own");
        *clock.0.lock().unwrap() += TimeDelta::seconds(1);
        assert_eq!(taken(one), 10, "600 a minute");
        *clock.0.lock().unwrap() += TimeDelta::minutes(10);
        assert_eq!(taken(one), 100, "a rest gives the burst back, no more");
    }

    #[test]
    fn the_wait_is_rounded_up_to_whole_seconds() {
        let clock = Arc::new(HandClock(Mutex::new("2026-11-21T12:00:00Z".parse().unwrap())));
        let slow = RateLimit {
            per_minute: NonZeroU32::new(40).unwrap(),
            burst: NonZeroU32::new(1).unwrap(),
        };
        let limits = Limits::new(slow, clock);
        let key = KeyId(Uuid::from_u128(1));
        assert!(limits.count(key).is_ok());
        let refused = limits.count(key).unwrap_err().into_response();
        assert_eq!(refused.headers()["retry-after"], "2", "1.5 s");
    }
}
