//! Removing what has ended for long enough: deliveries with their attempts, then the events that no
//! delivery names any more; entries of the audit log. Work needs none of this: it is removed when it ends.

use chrono::TimeDelta;

use crate::app::Scheduler;
use crate::ports::StoreError;
use crate::webhook::kept_since;

/// Rows that are removed, or passed over, in one transaction: a few milliseconds' worth, so that
/// nobody waits long for it.
///
/// Source: our decision.
const PIECE: u32 = 500;

/// How long others have the store for themselves between two pieces.
///
/// Source: our decision; 25 000 rows a second at most.
const PAUSE: TimeDelta = TimeDelta::milliseconds(20);

/// How much history was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HistoryRemoved {
    /// Deliveries, with all of their attempts.
    pub deliveries: u64,
    /// Events.
    pub events: u64,
    /// Entries of the audit log.
    pub audit: u64,
}

impl Scheduler {
    /// Removes deliveries that ended before [`Settings::history_kept`](crate::app::Settings), and
    /// events that happened before and that no delivery names, and entries of the audit log that
    /// were made before: in small pieces, with pauses
    /// between them. Deliveries that are still tried stay, and their events with them. Whoever
    /// runs an engine calls this from time to time; several may at once.
    ///
    /// # Errors
    /// [`StoreError`]; what was removed before stays removed.
    pub async fn remove_history(&self) -> Result<HistoryRemoved, StoreError> {
        let before = kept_since(self.ports().clock.now(), self.settings().history_kept);
        let store = &self.ports().store;
        let mut removed = HistoryRemoved::default();
        loop {
            let deliveries = store.remove_ended_deliveries(before, PIECE).await?;
            removed.deliveries += deliveries;
            if deliveries < PIECE.into() {
                break;
            }
            self.ports().tasks.sleep(PAUSE).await;
        }
        let mut after = None;
        loop {
            let piece = store.remove_unnamed_events(before, after, PIECE).await?;
            removed.events += piece.removed;
            after = piece.next;
            if after.is_none() {
                break;
            }
            self.ports().tasks.sleep(PAUSE).await;
        }
        loop {
            let entries = store.remove_audit(before, PIECE).await?;
            removed.audit += entries;
            if entries < PIECE.into() {
                return Ok(removed);
            }
            self.ports().tasks.sleep(PAUSE).await;
        }
    }
}
