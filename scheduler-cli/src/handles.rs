//! Handles of files and sockets: how many the process may have, and how many connections of callers
//! that leaves room for beside publishing.

use std::num::NonZeroU32;

use scheduler_http::ConnectionLimits;
use scheduler_worker::WorkerSettings;

/// Handles of the database, of what is listened on, of the log and of the runtime.
///
/// Source: our decision; a server at rest has some 40, and 16 connections to PostgreSQL at most.
const OWN: u32 = 128;

/// Handles that a connection of a caller may take: its own, and that of a file.
const OF_CONNECTION: u32 = 2;

/// Connections that are taken however few handles there are. Source: our decision.
const LEAST: NonZeroU32 = NonZeroU32::new(16).unwrap();

/// As many connections as are wanted and as there are handles for, once what the worker needs is
/// set aside. The process is allowed more handles first, as far as it may be.
pub(crate) fn connections_within(
    wanted: ConnectionLimits,
    worker: &WorkerSettings,
) -> ConnectionLimits {
    let kept = kept_for(worker);
    let needed = kept.saturating_add(wanted.all.get().saturating_mul(OF_CONNECTION));
    let Some(allowed) = allow(needed) else { return wanted };
    let limits = within(wanted, allowed, kept);
    if limits.all < wanted.all {
        tracing::warn!(
            connections = limits.all,
            wanted = wanted.all,
            handles = allowed,
            "there are handles for fewer connections than connections_max; raise the limit of open \
             files (ulimit -n, LimitNOFILE)"
        );
    }
    limits
}

/// A publish, and work on a file, has a connection and a file or two; whatever else has one.
fn kept_for(worker: &WorkerSettings) -> u32 {
    let parts = [
        OWN,
        worker.publishes.saturating_mul(2),
        worker.deliveries,
        worker.fetches.saturating_mul(4),
        worker.examinations.saturating_mul(4),
        worker.erasures,
        worker.readings,
    ];
    parts.into_iter().fold(0, u32::saturating_add)
}

fn within(wanted: ConnectionLimits, allowed: u32, kept: u32) -> ConnectionLimits {
    let room = NonZeroU32::new(allowed.saturating_sub(kept) / OF_CONNECTION);
    let all = room.map_or(LEAST, |room| room.max(LEAST)).min(wanted.all);
    ConnectionLimits { all, per_address: wanted.per_address.min(all) }
}

/// Raises the number of handles that the process may have towards what it needs, and returns it;
/// `None` for no end.
#[cfg(unix)]
fn allow(needed: u32) -> Option<u32> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let current = current?;
    let wanted = maximum.map_or(u64::from(needed), |most| most.min(needed.into()));
    let allowed = if wanted > current {
        let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
        if raised.is_ok() { wanted } else { current }
    } else {
        current
    };
    Some(u32::try_from(allowed).unwrap_or(u32::MAX))
}

#[cfg(not(unix))]
fn allow(_: u32) -> Option<u32> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn publishing_keeps_its_handles() {
        let kept = kept_for(&WorkerSettings::default());
        assert!((450..600).contains(&kept), "{kept}");
        let wanted = ConnectionLimits::default();
        for (allowed, all, per_address) in [
            (20_000, 1_000, 250),
            (1_024, (1_024 - kept) / 2, (1_024 - kept) / 2),
            (kept + 60, 30, 30),
            (64, 16, 16),
        ] {
            let limits = within(wanted, allowed, kept);
            assert_eq!((limits.all.get(), limits.per_address.get()), (all, per_address));
        }
    }
}
