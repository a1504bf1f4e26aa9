//! Work of which something cannot be read, such as with another key than the one that sealed it: an
//! operator may still find the key, and nothing is wrong with the work.

use chrono::TimeDelta;

use crate::app::Scheduler;
use crate::ports::{Claim, Recorded, StoreError};

/// How long such work is left alone.
///
/// Source: our decision.
const AGAIN: TimeDelta = TimeDelta::minutes(5);

impl Scheduler {
    /// Gives work back whose rows cannot be read.
    ///
    /// # Errors
    /// That of the reading.
    pub(super) async fn readable<T>(
        &self,
        claim: &Claim,
        read: Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if let Err(StoreError::Corrupt { .. }) = read {
            self.leave_unreadable(claim).await?;
        }
        read
    }

    /// Gives work back of which something cannot be read.
    ///
    /// # Errors
    /// [`StoreError`]
    pub(super) async fn leave_unreadable(&self, claim: &Claim) -> Result<Recorded, StoreError> {
        let due_at = self.ports().clock.now() + AGAIN;
        self.ports().store.release(claim, due_at).await
    }
}
