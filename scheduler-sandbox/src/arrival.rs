//! Bodies on their way in: counted as they come, also those that never end, and as slow as the
//! starter of the sandbox wants them.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

/// A body that arrives.
#[derive(Debug)]
pub(crate) struct Arrival<'a> {
    /// What counts the bytes of its network.
    counter: Option<&'a AtomicU64>,
    bytes_per_second: Option<NonZeroU64>,
    begun: Instant,
    bytes: u64,
}

impl<'a> Arrival<'a> {
    /// Begins with a body that is counted, and comes no faster than this.
    pub(crate) fn new(counter: &'a AtomicU64, bytes_per_second: Option<NonZeroU64>) -> Self {
        Self { counter: Some(counter), bytes_per_second, begun: Instant::now(), bytes: 0 }
    }

    /// Begins with a body that belongs to no network.
    pub(crate) fn uncounted() -> Self {
        Self { counter: None, bytes_per_second: None, begun: Instant::now(), bytes: 0 }
    }

    /// Takes the next bytes, and waits until more may come.
    pub(crate) async fn take(&mut self, bytes: u64) {
        self.bytes += bytes;
        if let Some(counter) = self.counter {
            counter.fetch_add(bytes, Ordering::Relaxed);
        }
        if let Some(rate) = self.bytes_per_second {
            let due = Duration::from_secs_f64(self.bytes as f64 / rate.get() as f64);
            tokio::time::sleep_until(self.begun + due).await;
        }
    }
}
