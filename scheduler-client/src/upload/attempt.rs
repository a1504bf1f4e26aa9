//! How far an upload has come.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What an upload tells while it goes on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// The server takes no more files in this minute, which is waited for.
    Waits,
    /// An upload that was interrupted goes on.
    GoesOn {
        /// How many parts are there.
        there: usize,
        /// How many there are to be.
        parts: usize,
    },
    /// Bytes begin to be sent.
    Begins {
        /// The bytes of the file.
        size_bytes: u64,
        /// Those that are there already.
        there_bytes: u64,
    },
    /// So many more bytes are on their way.
    Sent(u64),
    /// So many bytes that were on their way did not arrive, and are sent again.
    Lost(u64),
    /// Nothing more is sent, whether all has arrived or not.
    Ends,
    /// The upload begins anew when it is interrupted: its place cannot be written.
    NotRemembered(&'a io::Error),
    /// The upload has broken off, and what has arrived is kept for 24 hours: the same upload goes
    /// on with it.
    Kept,
}

/// Who is told how far an upload has come.
#[derive(Clone)]
pub(super) struct Watcher(pub(super) Arc<dyn Fn(Progress<'_>) + Send + Sync>);

impl Watcher {
    pub(super) fn tell(&self, progress: Progress<'_>) {
        (self.0)(progress);
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Watcher")
    }
}

/// The bytes of one attempt to send a part. They count no more when the attempt is dropped before
/// it was kept.
#[derive(Debug)]
pub(super) struct Attempt {
    watcher: Watcher,
    sent_bytes: Arc<AtomicU64>,
    is_kept: bool,
}

impl Attempt {
    /// Begins to send a part.
    pub(super) fn new(watcher: &Watcher) -> Self {
        Self { watcher: watcher.clone(), sent_bytes: Arc::default(), is_kept: false }
    }

    /// Counts bytes; to be called by whoever reads them.
    pub(super) fn counter(&self) -> impl Fn(u64) + Send + Sync + use<> {
        let (watcher, sent_bytes) = (self.watcher.clone(), Arc::clone(&self.sent_bytes));
        move |bytes| {
            sent_bytes.fetch_add(bytes, Ordering::Relaxed);
            watcher.tell(Progress::Sent(bytes));
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
            self.watcher.tell(Progress::Lost(self.sent_bytes()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_that_failed_does_not_count() {
        let there = Arc::new(AtomicU64::new(10));
        let counted = Arc::clone(&there);
        let watcher = Watcher(Arc::new(move |progress| match progress {
            Progress::Sent(bytes) => _ = counted.fetch_add(bytes, Ordering::Relaxed),
            Progress::Lost(bytes) => _ = counted.fetch_sub(bytes, Ordering::Relaxed),
            _ => {}
        }));
        let position = || there.load(Ordering::Relaxed);
        let lost = Attempt::new(&watcher);
        lost.counter()(30);
        assert_eq!((position(), lost.sent_bytes()), (40, 30));
        drop(lost);
        assert_eq!(position(), 10);
        let arrived = Attempt::new(&watcher);
        arrived.counter()(30);
        arrived.keep();
        assert_eq!(position(), 40);
    }
}
