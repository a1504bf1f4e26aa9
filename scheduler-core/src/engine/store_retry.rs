//! Waiting for a store that is away for a while, with a result in hand.

use std::pin::pin;

use chrono::TimeDelta;
use futures_util::future::{Either, select};

use crate::app::Scheduler;
use crate::ports::StoreError;

/// How long to wait before a store that is away is asked again, at first and at most.
///
/// Source: our decision. A restart of PostgreSQL takes a fraction of a second, a failover some
/// seconds.
const FIRST_WAIT: TimeDelta = TimeDelta::milliseconds(100);
const LONGEST_WAIT: TimeDelta = TimeDelta::seconds(2);

/// How long one attempt may take before the next is made: 90 seconds. A store that lost the answer
/// to a commit asks for up to a minute what became of it.
///
/// Source: our decision.
const LONGEST_ATTEMPT: TimeDelta = TimeDelta::seconds(90);

impl Scheduler {
    /// Has the store do something, again and again while it is away or has no room: what is in hand
    /// can be known nowhere else. Only for operations that can be repeated, such as those that a
    /// claim's number fences.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] and [`StoreError::Refused`], which no waiting mends.
    pub(crate) async fn with_retry<T, F>(&self, operation: impl Fn() -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        let mut wait = FIRST_WAIT;
        loop {
            let (attempt, limit) = (pin!(operation()), self.ports().tasks.sleep(LONGEST_ATTEMPT));
            match select(attempt, limit).await {
                Either::Left((Err(StoreError::Unavailable(_) | StoreError::Full(_)), _))
                | Either::Right(_) => {}
                Either::Left((result, _)) => return result,
            }
            self.ports().tasks.sleep(wait).await;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    /// The same for what must be stored whatever the fault is, such as a token that its network
    /// gives only once.
    pub(super) async fn until_stored<T, F>(&self, operation: impl Fn() -> F) -> T
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        loop {
            match self.with_retry(&operation).await {
                Ok(done) => return done,
                Err(_) => self.ports().tasks.sleep(LONGEST_WAIT).await,
            }
        }
    }
}
