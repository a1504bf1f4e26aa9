//! How far an upload has come, on a terminal.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::printer::harmless;
use crate::waiting::draw_target;

/// The bar of one file. It shows nothing where standard error is no terminal, and goes when it is
/// dropped.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
}

/// The bytes of one attempt to send a part. They count no more when the attempt is dropped before
/// it was kept.
#[derive(Debug)]
pub(super) struct Attempt {
    bar: ProgressBar,
    sent_bytes: Arc<AtomicU64>,
    is_kept: bool,
}

impl Progress {
    /// A bar of bytes, some of which are there already.
    pub(super) fn of_bytes(name: &str, size_bytes: u64, there_bytes: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(size_bytes), draw_target());
        let template =
            "{prefix} [{wide_bar}] {bytes}/{total_bytes}, {bytes_per_sec}, {eta_precise} left";
        let bar = styled(bar, template, name).with_position(there_bytes);
        // What is there already says nothing about the speed of what follows.
        bar.reset_eta();
        Self { bar }
    }

    /// A sign that something goes on elsewhere.
    pub(super) fn of_waiting(name: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, draw_target());
        let bar = styled(bar, "{spinner} {prefix}: {msg}", name);
        bar.enable_steady_tick(Duration::from_millis(100));
        Self { bar }
    }

    /// Shows what is going on.
    pub(super) fn say(&self, what: &'static str) {
        self.bar.set_message(what);
    }

    /// Begins to send a part.
    pub(super) fn attempt(&self) -> Attempt {
        Attempt { bar: self.bar.clone(), sent_bytes: Arc::default(), is_kept: false }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Attempt {
    /// Counts bytes; to be called by whoever reads them.
    pub(super) fn counter(&self) -> impl Fn(u64) + Send + Sync + use<> {
        let (bar, sent_bytes) = (self.bar.clone(), Arc::clone(&self.sent_bytes));
        move |bytes| {
            sent_bytes.fetch_add(bytes, Ordering::Relaxed);
            bar.inc(bytes);
        }
    }

    /// How many bytes were counted.
    pub(super) fn sent_bytes(&self) -> u64 {
        self.sent_bytes.load(Ordering::Relaxed)
    }

    /// The part has arrived.
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

fn styled(bar: ProgressBar, template: &str, name: &str) -> ProgressBar {
    let bar = bar.with_prefix(harmless(name).into_owned());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_that_failed_does_not_count() {
        let progress = Progress::of_bytes("clip.mp4", 100, 10);
        let lost = progress.attempt();
        lost.counter()(30);
        assert_eq!((progress.bar.position(), lost.sent_bytes()), (40, 30));
        drop(lost);
        assert_eq!(progress.bar.position(), 10);
        let arrived = progress.attempt();
        arrived.counter()(30);
        arrived.keep();
        assert_eq!(progress.bar.position(), 40);
    }
}
