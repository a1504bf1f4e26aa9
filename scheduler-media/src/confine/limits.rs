//! Limits that a process has from the kernel.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Bytes of memory that a program may ask for in all. Source: our decision: a film of 8K with all
/// the pictures that it refers to stays below.
pub(crate) const MEMORY_MAX: u64 = 2 * 1024 * 1024 * 1024;

/// Seconds of processor time. Source: our decision: two processors for as long as one run may last.
const CPU_SECONDS_MAX: u64 = 60;

/// Files that are open at once. Source: our decision: libraries, the input, and the three streams.
const OPEN_MAX: u64 = 64;

/// Lowers the limits of this process, never above what it may have.
///
/// A system that refuses one of these still has the bounds of time and output.
pub(super) fn set() {
    for (resource, most) in [
        (Resource::Core, 0),
        (Resource::As, MEMORY_MAX),
        (Resource::Cpu, CPU_SECONDS_MAX),
        (Resource::Nofile, OPEN_MAX),
        // Files alone: what is said goes through a pipe.
        (Resource::Fsize, 0),
    ] {
        let most = getrlimit(resource).maximum.map_or(most, |allowed| allowed.min(most));
        let _ = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    }
}
