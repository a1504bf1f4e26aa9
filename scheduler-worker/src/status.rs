//! What others may know of a running worker.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, Utc};

const NEVER: i64 = i64::MIN;

/// When a worker's loop has last ticked. Clones tell of the same worker.
#[derive(Clone, Debug)]
pub struct WorkerStatus {
    last_turn_micros: Arc<AtomicI64>,
}

impl Default for WorkerStatus {
    fn default() -> Self {
        Self { last_turn_micros: Arc::new(AtomicI64::new(NEVER)) }
    }
}

impl WorkerStatus {
    /// When the loop has last ticked; `None` before it was started.
    #[must_use]
    pub fn last_turn(&self) -> Option<DateTime<Utc>> {
        match self.last_turn_micros.load(Ordering::Relaxed) {
            NEVER => None,
            micros => DateTime::from_timestamp_micros(micros),
        }
    }

    pub(crate) fn ticked(&self, at: DateTime<Utc>) {
        self.last_turn_micros.store(at.timestamp_micros(), Ordering::Relaxed);
    }
}
