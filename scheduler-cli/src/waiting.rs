//! A sign that something takes its time.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::printer::{Printer, harmless};

/// What takes no longer is not worth a sign.
const MOMENT: Duration = Duration::from_millis(400);

/// Whether nothing that moves is shown.
static IS_STILL: AtomicBool = AtomicBool::new(false);

/// From now on nothing that moves is shown: a program reads what is printed.
pub(crate) fn keep_still() {
    IS_STILL.store(true, Ordering::Relaxed);
}

/// Where what moves is drawn: on standard error, and nowhere when that is no terminal.
pub(crate) fn draw_target() -> ProgressDrawTarget {
    if IS_STILL.load(Ordering::Relaxed) {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    }
}

/// Shows on standard error what is waited for, while `work` goes on: only on a terminal, only
/// where text is printed, and only when it takes longer than a moment.
pub(crate) async fn shown<T>(printer: Printer, what: &str, work: impl Future<Output = T>) -> T {
    let mut work = Box::pin(work);
    if printer.is_json() || !std::io::stderr().is_terminal() {
        return work.await;
    }
    tokio::select! {
        done = &mut work => return done,
        () = tokio::time::sleep(MOMENT) => {}
    }
    let sign = Sign::new(what);
    let done = work.await;
    drop(sign);
    done
}

/// The line that moves; gone when it is dropped.
struct Sign(ProgressBar);

impl Sign {
    fn new(what: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, draw_target());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        bar.set_message(harmless(what).into_owned());
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }
}

impl Drop for Sign {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
