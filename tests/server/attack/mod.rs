//! Whoever takes more than their share of the built server: with the smallest key, or with none.
//!
//! Memory is asserted. Times are printed, and asserted where `SCHEDULER_ATTACK=long` says that the
//! machine is quiet.

mod bodies;
mod connections;
mod lists;

use std::time::{Duration, Instant};

use crate::support::Service;

const MIB: u64 = 1 << 20;

/// The resident memory of a server since a moment.
struct Memory {
    file: String,
    before: u64,
}

impl Memory {
    /// Begins to watch; the peak before does not count.
    fn watch(service: &Service) -> Self {
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

/// Prints a row of the attacks, and holds the growth of memory against its bound.
fn held(attack: &str, memory: &Memory, bound: u64) {
    let grown = memory.growth();
    let (tenths, bound_mib) = (grown * 10 / MIB, bound / MIB);
    eprintln!(
        "attack: {attack}: memory grew by {}.{} MiB (bound {bound_mib} MiB)",
        tenths / 10,
        tenths % 10
    );
    assert!(grown < bound, "{attack}: {grown} bytes");
}

/// Prints how long others waited at most.
fn waited(attack: &str, longest: Duration, bound: Duration) {
    eprintln!("attack: {attack}: others waited {longest:?} at most (bound {bound:?})");
    if std::env::var("SCHEDULER_ATTACK").is_ok_and(|how| how == "long") {
        assert!(longest < bound, "{attack}: {longest:?}");
    }
}

/// How long the longest of these requests of somebody else takes.
async fn longest<F: Future<Output = ()>>(count: usize, mut request: impl FnMut() -> F) -> Duration {
    let mut longest = Duration::ZERO;
    for _ in 0..count {
        let begun = Instant::now();
        request().await;
        longest = longest.max(begun.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    longest
}
