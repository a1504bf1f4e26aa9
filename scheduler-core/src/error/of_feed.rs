//! Why a feed is not polled at once.

use chrono::{DateTime, TimeDelta, Utc};

/// Why a feed cannot be polled at once, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FeedRefusal {
    /// It is being polled, or was a moment ago.
    #[error(
        "The feed is being polled, or was within the last minute. It can be asked for again from {} on, at the latest.",
        time(*until, *now)
    )]
    Rests {
        /// When it may be polled again, at the latest.
        until: DateTime<Utc>,
        /// When it was asked for.
        now: DateTime<Utc>,
    },
}

impl FeedRefusal {
    /// How long to wait.
    pub(super) fn retry_after(self) -> TimeDelta {
        let Self::Rests { until, now } = self;
        until - now
    }
}

/// A time as people read it, with its day where that is another.
fn time(until: DateTime<Utc>, now: DateTime<Utc>) -> String {
    let is_today = until.date_naive() == now.date_naive();
    until.format(if is_today { "%H:%M:%S UTC" } else { "%F %T UTC" }).to_string()
}
