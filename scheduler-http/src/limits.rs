//! How many requests a key may make.

use std::fmt;
use std::hash::Hash;
use std::num::NonZeroU32;

use governor::clock::Clock as GovernorClock;
use governor::middleware::StateInformationMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use tokio::time::Instant;

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
    limiter: RateLimiter<K, DashMapStateStore<K>, EvenClock, StateInformationMiddleware>,
    clock: EvenClock,
    limit: RateLimit,
}

impl<K: Clone + Hash + Eq> Limits<K> {
    pub(crate) fn new(limit: RateLimit) -> Self {
        let clock = EvenClock(Instant::now());
        let quota = Quota::per_minute(limit.per_minute).allow_burst(limit.burst);
        let limiter = RateLimiter::dashmap_with_clock(quota, clock).with_middleware();
        Self { limiter, clock, limit }
    }

    /// Counts one deed of a subject; tells how many more it may do at once.
    ///
    /// # Errors
    /// `rate_limited`, with the whole seconds until the next request is taken.
    pub(crate) fn count(&self, subject: K) -> Result<Budget, ApiError> {
        let checked = self.limiter.check_key(&subject).map_err(|refused| {
            let wait = refused.wait_time_from(self.clock.now());
            ApiError::rate_limited(wait.as_secs() + u64::from(wait.subsec_nanos() > 0))
        });
        let left = checked?.remaining_burst_capacity();
        Ok(Budget { limit: self.limit, left })
    }

    /// What a subject has that is refused.
    pub(crate) const fn used_up(&self) -> Budget {
        Budget { limit: self.limit, left: 0 }
    }

    /// Forgets subjects that have rested, once many are remembered.
    pub(crate) fn tidy(&self) {
        if self.limiter.len() > REMEMBERED {
            self.limiter.retain_recent();
        }
    }
}

/// How many requests a key may still make at once, and of how many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    limit: RateLimit,
    left: u32,
}

impl Budget {
    /// Whole seconds in which so many requests come back.
    fn seconds_for(self, requests: u32) -> u64 {
        (u64::from(requests) * 60).div_ceil(u64::from(self.limit.per_minute.get()))
    }

    /// The value of `RateLimit-Policy`: the burst, and the seconds in which it comes back whole.
    ///
    /// Source: <https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10>, as is
    /// [`Budget::state`].
    pub(crate) fn policy(self) -> String {
        let burst = self.limit.burst.get();
        format!("\"requests\";q={burst};w={}", self.seconds_for(burst))
    }

    /// The value of `RateLimit`: requests that are left, and the seconds until all are back.
    pub(crate) fn state(self) -> String {
        let used = self.limit.burst.get().saturating_sub(self.left);
        format!("\"requests\";r={};t={}", self.left, self.seconds_for(used))
    }
}

impl<K: Clone + Hash + Eq> fmt::Debug for Limits<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Limits").finish_non_exhaustive()
    }
}

/// Time that passes evenly, whatever becomes of the wall clock.
#[derive(Clone, Copy)]
struct EvenClock(Instant);

impl GovernorClock for EvenClock {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        Nanos::from(u64::try_from(self.0.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scheduler_core::ids::KeyId;
    use std::time::Duration;
    use tokio::time::advance;
    use uuid::Uuid;

    #[tokio::test(start_paused = true)]
    async fn a_burst_then_a_steady_rate_each_key_for_itself() {
        let limits = Limits::new(RateLimit::default());
        let (one, other) = (KeyId(Uuid::from_u128(1)), KeyId(Uuid::from_u128(2)));
        let taken = |key| (0..200).filter(|_| limits.count(key).is_ok()).count();
        assert_eq!(taken(one), 100, "the burst");
        assert_eq!(taken(one), 0, "used up");
        assert_eq!(taken(other), 100, "another key has its own");
        advance(Duration::from_secs(1)).await;
        assert_eq!(taken(one), 10, "600 a minute");
        advance(Duration::from_secs(600)).await;
        assert_eq!(taken(one), 100, "a rest gives the burst back, no more");
    }

    #[tokio::test(start_paused = true)]
    async fn the_wait_is_rounded_up_to_whole_seconds() {
        let slow = RateLimit {
            per_minute: NonZeroU32::new(40).unwrap(),
            burst: NonZeroU32::new(1).unwrap(),
        };
        let limits = Limits::new(slow);
        let key = KeyId(Uuid::from_u128(1));
        assert!(limits.count(key).is_ok());
        let refused = limits.count(key).unwrap_err().into_response();
        assert_eq!(refused.headers()["retry-after"], "2", "1.5 s");
    }
}
