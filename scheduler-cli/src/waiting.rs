//! Waiting: how long until the next look, and signs that something takes its time.

use std::io::IsTerminal as _;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::printer::{Printer, escape_control};

/// What takes no longer is not worth a sign.
const MOMENT: Duration = Duration::from_millis(400);

/// How often a sign turns.
const TURN: Duration = Duration::from_millis(100);

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
    let sign = Bar::new(None, "{spinner} {prefix} ({elapsed})", what);
    let done = work.await;
    drop(sign);
    done
}

/// What moves on standard error; gone when it is dropped. Nothing is shown where that is no
/// terminal.
#[derive(Debug)]
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// A bar of so many steps, or a sign that turns where no length is known, by a template of
    /// [`ProgressStyle`].
    pub(crate) fn new(length: Option<u64>, template: &str, prefix: &str) -> Self {
        Self(moving(length, template, prefix))
    }
}

/// The same for whoever has it stay, or says when it ends.
pub(crate) fn moving(length: Option<u64>, template: &str, prefix: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length, draw_target());
    let bar = bar.with_prefix(escape_control(prefix).into_owned());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    if length.is_none() {
        bar.enable_steady_tick(TURN);
    }
    bar
}

impl Deref for Bar {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.0
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
