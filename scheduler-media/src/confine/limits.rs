//! Limits that a process has from the kernel.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Bytes of memory that a program may ask for in all. Source: our decision: a film of 8K with all
/// the pictures that it refers to stays below.
pub(crate) const MEMORY_MAX: u64 = 2 * 1024 * 1024 * 1024;

/// Seconds of processor time. Source: our decision: two processors for as long as one run may last.
const CPU_SECONDS_MAX: u64 = 60;

/// Files that are open at once. Source: our decision: libraries, the input, and the three streams.
const OPEN_MAX: u64 = 64;

/// The same for a program that makes a video. Source: our decision: more than one run may last on
/// eight processors.
const CPU_SECONDS_MAKING: u64 = 8 * 3_600;

/// Bytes of a video that is made. Source: our decision: what most networks take, and far more than
/// an hour of one in 1080p has.
pub(crate) const MADE_BYTES_MAX: u64 = 4 * 1024 * 1024 * 1024;

/// Lowers the limits of this process, never above what it may have; one that makes a file may write
/// and takes longer.
///
/// A system that refuses one of these still has the bounds of time and output.
pub(super) fn set(makes_a_file: bool) {
    let (cpu, written) = match makes_a_file {
        true => (CPU_SECONDS_MAKING, MADE_BYTES_MAX),
        // Files alone: what is said goes through a pipe.
        false => (CPU_SECONDS_MAX, 0),
    };
    for (resource, most) in [
        (Resource::Core, 0),
        (Resource::As, MEMORY_MAX),
        (Resource::Cpu, cpu),
        (Resource::Nofile, OPEN_MAX),
        (Resource::Fsize, written),
    ] {
        let most = getrlimit(resource).maximum.map_or(most, |allowed| allowed.min(most));
        let _ = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    }
}
