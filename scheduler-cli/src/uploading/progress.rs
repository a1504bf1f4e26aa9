//! How far an upload has come, on a terminal.

use std::sync::{Mutex, PoisonError};

use scheduler_client::upload::Progress;

use crate::printer::Printer;
use crate::waiting::Bar;

/// A bar of the bytes of a file, some of which are there already.
fn bar_of_bytes(name: &str, size_bytes: u64, there_bytes: u64) -> Bar {
    let template =
        "{prefix} [{wide_bar}] {bytes}/{total_bytes}, {bytes_per_sec}, {eta_precise} left";
    let bar = Bar::new(Some(size_bytes), template, name);
    bar.set_position(there_bytes);
    // What is there already says nothing about the speed of what follows.
    bar.reset_eta();
    bar
}

/// Tells a person how the upload of a file called so goes on.
pub(super) fn told(printer: Printer, name: String) -> impl Fn(Progress<'_>) + Send + Sync {
    let (bar, waits) = (Mutex::new(None::<Bar>), WaitsOnce::new(printer));
    move |progress| {
        let mut bar = bar.lock().unwrap_or_else(PoisonError::into_inner);
        match progress {
            Progress::Waits => waits.tell(),
            Progress::GoesOn { there, parts } => {
                printer.message(&format!("{name}: going on, {there} of {parts} parts are there"));
            }
            Progress::Begins { size_bytes, there_bytes } => {
                *bar = Some(bar_of_bytes(&name, size_bytes, there_bytes));
            }
            Progress::Sent(bytes) => bar.iter().for_each(|bar| bar.inc(bytes)),
            Progress::Lost(bytes) => bar.iter().for_each(|bar| bar.dec(bytes)),
            Progress::Ends => *bar = None,
            Progress::NotRemembered(error) => printer.warning(&format!(
                "this upload begins anew when it is interrupted: {error}; see --state"
            )),
            Progress::Kept => printer
                .message("what has arrived is kept for 24 hours: the same command goes on with it"),
            _ => {}
        }
    }
}

/// Says once that the server wants to be waited for.
pub(super) struct WaitsOnce {
    printer: Printer,
    is_told: std::sync::atomic::AtomicBool,
}

impl WaitsOnce {
    pub(super) fn new(printer: Printer) -> Self {
        Self { printer, is_told: std::sync::atomic::AtomicBool::new(false) }
    }

    pub(super) fn tell(&self) {
        if !self.is_told.swap(true, std::sync::atomic::Ordering::Relaxed) {
            self.printer.message("waiting: the server takes no more files in this minute");
        }
    }
}
