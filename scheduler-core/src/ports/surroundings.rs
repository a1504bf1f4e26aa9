//! Time, ids, randomness, and the bell that wakes the engine.

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Tells the time.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Clock: Send + Sync {
    /// The present instant, in whole microseconds.
    fn now(&self) -> DateTime<Utc>;
}

/// Makes ids.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Ids: Send + Sync {
    /// A new id, unique over all nodes, that sorts by `at` (UUID v7).
    fn next(&self, at: DateTime<Utc>) -> Uuid;
}

/// Gives random bytes fit for secrets.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Random: Send + Sync {
    /// 32 random bytes.
    fn bytes(&self) -> [u8; 32];
}

/// Wakes the engine because work has become due.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Wake: Send + Sync {
    /// Wakes the engine of this node; called after the work is stored. Costs next to nothing.
    fn wake(&self);
}
