//! What an operator can set of the worker.

use std::time::Duration;

/// The limits of a worker. Source of every default: our decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerSettings {
    /// Publishes in flight at the same time, at most; at least 1.
    pub publishes: u32,
    /// Deliveries in flight at the same time, at most; at least 1.
    pub deliveries: u32,
    /// Files that are fetched, examined or erased at the same time, at most; at least 1.
    pub media: u32,
    /// Accounts of which readings are taken at the same time, at most; at least 1.
    pub readings: u32,
    /// Publishes to one network in flight at the same time, at most; at least 1.
    pub per_network: u32,
    /// Pieces of work of one lane that are claimed together, at most; at least 1.
    pub per_lane: u32,
    /// How long a stop waits for what is in flight.
    pub stop_within: Duration,
}

impl Default for WorkerSettings {
    fn default() -> Self {
        Self {
            publishes: 64,
            deliveries: 64,
            media: 4,
            readings: 4,
            per_network: 16,
            per_lane: 8,
            stop_within: Duration::from_secs(30),
        }
    }
}
