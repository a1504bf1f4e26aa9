//! Counting calls in fixed windows, for the rate limits of the networks.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};

/// Counters among which those that have ended are never looked for.
const UNSWEPT: usize = 50_000;

/// A limit of a network: so many points in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Limit {
    pub(crate) name: &'static str,
    pub(crate) points: u32,
    pub(crate) window_seconds: i64,
}

/// Where a caller stands within a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) limit: Limit,
    /// Points that are left in the window.
    pub(crate) remaining: u32,
    /// When the window ends.
    pub(crate) resets_at: DateTime<Utc>,
    /// Whether the points asked for were more than were left; none are taken then.
    pub(crate) is_exceeded: bool,
}

#[derive(Debug)]
struct Window {
    started_at: DateTime<Utc>,
    used: u32,
    length: TimeDelta,
}

/// The counters of a network, by limit and caller.
#[derive(Debug, Default)]
pub(crate) struct Quotas {
    windows: HashMap<(Limit, String), Window>,
    /// Number of counters above which those that have ended are swept.
    sweep_above: usize,
}

impl Quotas {
    /// Takes points from a caller's window, or says that there are not enough left.
    pub(crate) fn take(
        &mut self,
        limit: Limit,
        caller: &str,
        points: u32,
        now: DateTime<Utc>,
    ) -> Standing {
        if self.windows.len() > self.sweep_above.max(UNSWEPT) {
            self.windows.retain(|_, window| now < window.started_at + window.length);
            self.sweep_above = 2 * self.windows.len();
        }
        let length = TimeDelta::seconds(limit.window_seconds);
        let window = self.windows.entry((limit, caller.to_owned())).or_insert(Window {
            started_at: now,
            used: 0,
            length,
        });
        if now >= window.started_at + length {
            window.started_at = now;
            window.used = 0;
        }
        let is_exceeded = window.used.saturating_add(points) > limit.points;
        if !is_exceeded {
            window.used += points;
        }
        Standing {
            limit,
            remaining: limit.points.saturating_sub(window.used),
            resets_at: window.started_at + length,
            is_exceeded,
        }
    }

    /// Forgets every counter.
    pub(crate) fn clear(&mut self) {
        self.windows.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_gives_its_points_once_and_again_after_its_end() {
        let limit = Limit { name: "calls", points: 3, window_seconds: 10 };
        let start = DateTime::UNIX_EPOCH;
        let mut quotas = Quotas::default();
        for (name, second, caller, points, remaining, is_exceeded) in [
            ("first", 0, "a", 2, 1, false),
            ("more than is left takes nothing", 1, "a", 2, 1, true),
            ("the last point", 2, "a", 1, 0, false),
            ("none left", 9, "a", 1, 0, true),
            ("another caller has a window of its own", 9, "b", 1, 2, false),
            ("the window has ended", 10, "a", 1, 2, false),
        ] {
            let now = start + TimeDelta::seconds(second);
            let standing = quotas.take(limit, caller, points, now);
            assert_eq!(
                (standing.remaining, standing.is_exceeded),
                (remaining, is_exceeded),
                "{name}"
            );
        }
    }
}
