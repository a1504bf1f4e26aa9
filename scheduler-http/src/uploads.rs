//! How many uploads a workspace may begin.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ids::WorkspaceId;
use scheduler_core::ports::Clock;

use crate::error::ApiError;

/// Uploads that a workspace may begin within any minute, where the operator says nothing.
///
/// Source: interface description, Limits.
const PER_MINUTE: usize = 60;

const MINUTE: TimeDelta = TimeDelta::minutes(1);

/// Workspaces that are remembered before those that have rested are forgotten.
const REMEMBERED: usize = 4_096;

/// Counts the uploads that every workspace has begun within the last minute.
pub(crate) struct Uploads {
    begun: Mutex<HashMap<WorkspaceId, VecDeque<DateTime<Utc>>>>,
    clock: Arc<dyn Clock>,
    per_minute: usize,
}

impl Uploads {
    pub(crate) fn new(clock: Arc<dyn Clock>, per_minute: Option<NonZeroU32>) -> Self {
        let per_minute = per_minute.and_then(|count| usize::try_from(count.get()).ok());
        Self { begun: Mutex::default(), clock, per_minute: per_minute.unwrap_or(PER_MINUTE) }
    }

    /// Counts one upload of a workspace.
    ///
    /// # Errors
    /// `rate_limited`, with the whole seconds until the next is taken.
    pub(crate) fn count(&self, workspace: WorkspaceId) -> Result<(), ApiError> {
        let now = self.clock.now();
        // After the clock was set back, what lies ahead of it tells nothing.
        let is_recent = |at: &DateTime<Utc>| *at <= now && now - *at < MINUTE;
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if begun.len() >= REMEMBERED {
            begun.retain(|_, instants| instants.iter().any(is_recent));
        }
        let instants = begun.entry(workspace).or_default();
        instants.retain(is_recent);
        match instants.front() {
            Some(first) if instants.len() >= self.per_minute => {
                let wait = (*first + MINUTE - now).to_std().unwrap_or_default();
                Err(ApiError::rate_limited(wait.as_secs() + u64::from(wait.subsec_nanos() > 0)))
            }
            Some(_) | None => {
                instants.push_back(now);
                Ok(())
            }
        }
    }
}

impl fmt::Debug for Uploads {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Uploads").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    struct HandClock(Mutex<DateTime<Utc>>);

    impl Clock for HandClock {
        fn now(&self) -> DateTime<Utc> {
            *self.0.lock().unwrap()
        }
    }

    #[test]
    fn sixty_within_any_minute() {
        let clock = Arc::new(HandClock(Mutex::new("2026-11-21T12:00:00Z".parse().unwrap())));
        let uploads = Uploads::new(clock.clone(), None);
        let pass = |milliseconds| {
            *clock.0.lock().unwrap() += TimeDelta::milliseconds(milliseconds);
        };
        let [one, other] = [1, 2].map(|id| WorkspaceId(Uuid::from_u128(id)));
        let taken =
            |workspace, tries| (0..tries).filter(|_| uploads.count(workspace).is_ok()).count();
        assert_eq!(taken(one, 40), 40);
        pass(30_500);
        assert_eq!(taken(one, 40), 20, "60 within a minute");
        assert_eq!(taken(other, 61), 60, "another workspace has its own");
        let refused = uploads.count(one).unwrap_err().into_response();
        assert_eq!(refused.headers()["retry-after"], "30", "29.5 s");
        pass(29_499);
        assert_eq!(taken(one, 1), 0);
        pass(1);
        assert_eq!(taken(one, 60), 40, "those of a minute ago count no more");
        pass(-3_600_000);
        assert_eq!(taken(one, 61), 60, "a clock that is set back locks nobody out");
        let uploads = Uploads::new(clock.clone(), NonZeroU32::new(2));
        let taken = (0..5).filter(|_| uploads.count(one).is_ok()).count();
        assert_eq!(taken, 2, "as the operator says");
    }
}
