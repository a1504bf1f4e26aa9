//! What an operator can set of the worker.

use std::time::Duration;

use scheduler_core::platform::Platform;
use scheduler_core::ports::{Place, Places};

/// The limits of a worker. Each number of places is at least 1. A workspace gets another place only
/// while more of its kind are free than it holds, so that one workspace never holds more than half.
///
/// Source of every default: our decision; what one workspace gets of them is what a server of one
/// workspace needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerSettings {
    /// Publishes in flight at the same time, at most.
    pub publishes: u32,
    /// Publishes to one network in flight at the same time, at most.
    pub per_network: u32,
    /// Deliveries in flight at the same time, at most.
    pub deliveries: u32,
    /// Files that are fetched at the same time, at most.
    pub fetches: u32,
    /// Files that are examined at the same time, at most.
    pub examinations: u32,
    /// Files that are given up or erased at the same time, at most.
    pub erasures: u32,
    /// Accounts of which readings are taken at the same time, at most.
    pub readings: u32,
    /// Pieces of work of one lane that are claimed together, at most; at least 1.
    pub per_lane: u32,
    /// How long a stop waits for what is in flight.
    pub stop_within: Duration,
}

impl Default for WorkerSettings {
    fn default() -> Self {
        Self {
            publishes: 128,
            per_network: 32,
            deliveries: 128,
            fetches: 8,
            examinations: 4,
            erasures: 4,
            readings: 8,
            per_lane: 8,
            stop_within: Duration::from_secs(30),
        }
    }
}

impl WorkerSettings {
    pub(crate) fn places(&self) -> Places {
        let others = Places::default()
            .with_publishes(self.publishes)
            .with(Place::Deliver, self.deliveries)
            .with(Place::Fetch, self.fetches)
            .with(Place::Examine, self.examinations)
            .with(Place::Erase, self.erasures)
            .with(Place::Read, self.readings);
        Platform::known().fold(others, |places, platform| {
            places.with(Place::Publish(platform), self.per_network)
        })
    }
}
