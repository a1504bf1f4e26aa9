//! How far an upload has come, on a terminal.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::ProgressBar;

use crate::waiting::Bar;

/// The bytes of one attempt to send a part. They count no more when the attempt is dropped before
/// it was kept.
#[derive(Debug)]
pub(super) struct Attempt {
    bar: ProgressBar,
    sent_bytes: Arc<AtomicU64>,
    is_kept: bool,
}

/// A bar of the bytes of a file, some of which are there already.
pub(super) fn bar_of_bytes(name: &str, size_bytes: u64, there_bytes: u64) -> Bar {
    let template =
        "{prefix} [{wide_bar}] {bytes}/{total_bytes}, {bytes_per_sec}, {eta_precise} left";
    let bar = Bar::new(Some(size_bytes), template, name);
    bar.set_position(there_bytes);
    // What is there already says nothing about the speed of what follows.
    bar.reset_eta();
    bar
}

impl Attempt {
    /// Begins to send a part.
    pub(super) fn new(bar: &Bar) -> Self {
        Self { bar: ProgressBar::clone(bar), sent_bytes: Arc::default(), is_kept: false }
    }

    /// Counts bytes; to be called by whoever reads them.
    pub(super) fn counter(&self) -> impl Fn(u64) + Send + Sync + use<> {
        let (bar, sent_bytes) = (self.bar.clone(), Arc::clone(&self.sent_bytes));
        move |bytes| {
            sent_bytes.fetch_add(bytes, Ordering::Relaxed);
            bar.inc(bytes);
        }
    }

    pub(super) fn sent_bytes(&self) -> u64 {
        self.sent_bytes.load(Ordering::Relaxed)
    }

    pub(super) fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        if !self.is_kept {
            self.bar.dec(self.sent_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_that_failed_does_not_count() {
        let bar = bar_of_bytes("clip.mp4", 100, 10);
        let lost = Attempt::new(&bar);
        lost.counter()(30);
        assert_eq!((bar.position(), lost.sent_bytes()), (40, 30));
        drop(lost);
        assert_eq!(bar.position(), 10);
        let arrived = Attempt::new(&bar);
        arrived.counter()(30);
        arrived.keep();
        assert_eq!(bar.position(), 40);
    }
}
