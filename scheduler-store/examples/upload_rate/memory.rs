//! The resident memory of this process, where the system tells it.

/// Bytes that are resident now.
pub(crate) fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// The most bytes that have been resident since [`forget_peak`].
pub(crate) fn peak() -> Option<u64> {
    status("VmHWM:")
}

/// Begins to look for the peak anew.
pub(crate) fn forget_peak() {
    // Where it cannot be forgotten, the growth is shown too large, never too small.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

fn status(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib * 1024)
}
