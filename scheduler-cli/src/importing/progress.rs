//! How far an import has come, on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar of lines. It shows nothing where standard error is no terminal, and goes when it is
/// dropped.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar of so many lines.
    pub(super) fn new(what: &'static str, lines: usize, is_shown: bool) -> Self {
        let target =
            if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(lines as u64), target).with_prefix(what);
        let template = "{prefix} [{wide_bar}] {pos}/{len} lines, {per_sec}, {eta_precise} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar }
    }

    /// One more line is done.
    pub(super) fn step(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
