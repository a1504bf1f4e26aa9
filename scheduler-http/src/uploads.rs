//! How many uploads a workspace may begin.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use scheduler_core::ids::WorkspaceId;
use tokio::time::Instant;

use crate::error::ApiError;

/// Uploads that a workspace may begin within any minute, where the operator says nothing.
///
/// Source: interface description, Limits.
const PER_MINUTE: usize = 60;

const MINUTE: Duration = Duration::from_secs(60);

/// Workspaces that are remembered before those that have rested are forgotten.
const REMEMBERED: usize = 4_096;

/// Counts the uploads that every workspace has begun within the last minute.
pub(crate) struct Uploads {
    begun: Mutex<HashMap<WorkspaceId, VecDeque<Instant>>>,
    per_minute: usize,
}

impl Uploads {
    pub(crate) fn new(per_minute: Option<NonZeroU32>) -> Self {
        let per_minute = per_minute.and_then(|count| usize::try_from(count.get()).ok());
        Self { begun: Mutex::default(), per_minute: per_minute.unwrap_or(PER_MINUTE) }
    }

    /// Counts one upload of a workspace.
    ///
    /// # Errors
    /// `rate_limited`, with the whole seconds until the next is taken.
    pub(crate) fn count(&self, workspace: WorkspaceId) -> Result<(), ApiError> {
        let now = Instant::now();
        let is_recent = |at: &Instant| now - *at < MINUTE;
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if begun.len() >= REMEMBERED {
            begun.retain(|_, instants| instants.iter().any(is_recent));
        }
        let instants = begun.entry(workspace).or_default();
        instants.retain(is_recent);
        match instants.front() {
            Some(first) if instants.len() >= self.per_minute => {
                let wait = *first + MINUTE - now;
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
    use tokio::time::advance;
    use uuid::Uuid;

    #[tokio::test(start_paused = true)]
    async fn sixty_within_any_minute() {
        let uploads = Uploads::new(None);
        let pass = |milliseconds| advance(Duration::from_millis(milliseconds));
        let [one, other] = [1, 2].map(|id| WorkspaceId(Uuid::from_u128(id)));
        let taken =
            |workspace, tries| (0..tries).filter(|_| uploads.count(workspace).is_ok()).count();
        assert_eq!(taken(one, 40), 40);
        pass(30_500).await;
        assert_eq!(taken(one, 40), 20, "60 within a minute");
        assert_eq!(taken(other, 61), 60, "another workspace has its own");
        let refused = uploads.count(one).unwrap_err().into_response();
        assert_eq!(refused.headers()["retry-after"], "30", "29.5 s");
        pass(29_499).await;
        assert_eq!(taken(one, 1), 0);
        pass(1).await;
        assert_eq!(taken(one, 60), 40, "those of a minute ago count no more");
        let uploads = Uploads::new(NonZeroU32::new(2));
        let taken = (0..5).filter(|_| uploads.count(one).is_ok()).count();
        assert_eq!(taken, 2, "as the operator says");
    }
}
