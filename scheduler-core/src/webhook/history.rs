//! How long events and their deliveries are kept.

use chrono::{DateTime, TimeDelta, Utc};

use super::{Delivery, DeliveryAttempt, DeliveryStatus};
use crate::ids::EventId;

/// How long events and deliveries are kept after their end, unless the operator sets another time:
/// 90 days.
///
/// Source: our decision; the interface description names no figure.
pub const HISTORY_KEPT: TimeDelta = TimeDelta::days(90);

impl Delivery {
    /// When it ended, if this attempt ended it; from then on its age counts. One that is waiting
    /// for another attempt has no age.
    #[must_use]
    pub fn ended_at(&self, last: &DeliveryAttempt) -> Option<DateTime<Utc>> {
        match self.status {
            DeliveryStatus::Pending => None,
            DeliveryStatus::Delivered | DeliveryStatus::Failed => Some(last.at),
        }
    }
}

/// The instant before which what has ended is removed.
///
/// ```
/// use chrono::{DateTime, Utc};
/// use scheduler_core::webhook::{HISTORY_KEPT, kept_since};
/// let now: DateTime<Utc> = "2026-12-01T09:00:00Z".parse()?;
/// assert_eq!(kept_since(now, HISTORY_KEPT).to_rfc3339(), "2026-09-02T09:00:00+00:00");
/// # Ok::<(), chrono::ParseError>(())
/// ```
#[must_use]
pub fn kept_since(now: DateTime<Utc>, kept: TimeDelta) -> DateTime<Utc> {
    now.checked_sub_signed(kept).unwrap_or(DateTime::UNIX_EPOCH)
}

/// The place of an event among all, by age.
pub type EventPlace = (DateTime<Utc>, EventId);
