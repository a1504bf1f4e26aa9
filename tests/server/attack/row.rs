//! A row of the table of attacks, and its figures.
#![expect(clippy::print_stdout, reason = "scripts/attack.sh reads the figures")]

use std::fmt::Display;
use std::time::Duration;

use serde_json::json;

use super::{MIB, is_long};
use crate::support::{Backend, Service};

/// A row: an attack on a server with one database.
pub(super) struct Row {
    attack: &'static str,
    database: &'static str,
}

impl Row {
    /// A row by the name that it has in `docs/security.md`.
    pub(super) fn new(attack: &'static str, backend: &Backend) -> Self {
        Self { attack, database: backend.name() }
    }

    /// Prints a figure as a line for `scripts/attack.sh`: an object of JSON behind `attack: `.
    fn print(&self, what: &str, figure: impl Display, bound: impl Display, holds: bool) {
        let figure = format!("{what}: {figure}");
        let row = json!({
            "attack": self.attack,
            "database": self.database,
            "figure": figure,
            "bound": bound.to_string(),
            "holds": holds,
        });
        println!("attack: {row}");
    }

    /// Holds a figure against its bound, which is told in words.
    pub(super) fn holds(
        &self,
        what: &str,
        figure: impl Display + Copy,
        bound: impl Display,
        holds: bool,
    ) {
        self.print(what, figure, bound, holds);
        assert!(holds, "{}, {}: {what}: {figure}", self.attack, self.database);
    }

    /// Holds a count, or a number of bytes, against the most that it may be.
    pub(super) fn at_most(&self, what: &str, figure: u64, most: u64) {
        self.holds(what, figure, format_args!("at most {most}"), figure <= most);
    }

    /// Holds the growth of a server's memory against its bound.
    pub(super) fn memory(&self, memory: &Memory, bound: u64) {
        let grown = memory.growth();
        let tenths = grown * 10 / MIB;
        let figure = format!("{}.{} MiB", tenths / 10, tenths % 10);
        let bound_mib = format_args!("less than {} MiB", bound / MIB);
        self.holds("memory grew by", figure.as_str(), bound_mib, grown < bound);
    }

    /// Prints a time, and in the long form holds it against its bound.
    pub(super) fn within(&self, what: &str, time: Duration, bound: Duration) {
        let (figure, holds) = (format!("{} ms", time.as_millis()), time < bound);
        let bound = format!("less than {} ms", bound.as_millis());
        self.print(what, &figure, bound, holds);
        assert!(holds || !is_long(), "{}, {}: {what}: {figure}", self.attack, self.database);
    }
}

/// The resident memory of a server since a moment.
pub(super) struct Memory {
    file: String,
    before: u64,
}

impl Memory {
    /// Begins to watch; the peak before does not count.
    pub(super) fn watch(service: &Service) -> Self {
        let process = format!("/proc/{}", service.id());
        std::fs::write(format!("{process}/clear_refs"), "5").expect("the process is ours");
        let file = format!("{process}/status");
        Self { before: read(&file, "VmRSS:"), file }
    }

    /// By how many bytes it has grown at most.
    fn growth(&self) -> u64 {
        read(&self.file, "VmHWM:").saturating_sub(self.before)
    }
}

fn read(file: &str, name: &str) -> u64 {
    let text = std::fs::read_to_string(file).expect("the server runs");
    let line = text.lines().find_map(|line| line.strip_prefix(name)).expect("a known field");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") << 10
}
