//! Removing what has ended for long enough: deliveries with their attempts, then the events that no
//! delivery names any more; entries of the audit log; what was granted to programs and has expired.
//! Work needs none of this: it is removed when it ends.

use chrono::TimeDelta;

use crate::app::Scheduler;
use crate::ports::StoreError;
use crate::webhook::kept_since;

/// Rows that are removed, or passed over, in one transaction: a few milliseconds' worth, so that
/// nobody waits long for it.
///
/// Source: our decision.
const PIECE: u32 = 500;

/// Grants that are removed in one transaction, each with as many tokens as two pieces have rows.
///
/// Source: our decision.
const GRANTS_AT_ONCE: u32 = 10;

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
    /// What was granted to programs, with all of its tokens.
    pub grants: u64,
}

impl Scheduler {
    /// Removes deliveries that ended before [`Settings::history_kept`](crate::app::Settings), and
    /// events that happened before and that no delivery names, and entries of the audit log that
    /// were made before; and grants of programs that have expired by now: in small pieces, with pauses between them. Deliveries that are still tried
    /// stay, and their events with them. Whoever runs an engine calls this from time to time;
    /// several may at once.
    ///
    /// # Errors
    /// [`StoreError`]; what was removed before stays removed.
    pub async fn remove_history(&self) -> Result<HistoryRemoved, StoreError> {
        let before = kept_since(self.ports().clock.now(), self.settings().history_kept);
        let store = &self.ports().store;
        let is_more = |removed: u64| (removed >= u64::from(PIECE)).then_some(());
        let deliveries = self.in_pieces(|_| async move {
            let removed = store.remove_ended_deliveries(before, PIECE).await?;
            Ok((removed, is_more(removed)))
        });
        let deliveries = deliveries.await?;
        let events = self.in_pieces(|after| async move {
            let piece = store.remove_unnamed_events(before, after, PIECE).await?;
            Ok((piece.removed, piece.next))
        });
        let events = events.await?;
        let audit = self.in_pieces(|_| async move {
            let removed = store.remove_audit(before, PIECE).await?;
            Ok((removed, is_more(removed)))
        });
        let audit = audit.await?;
        let now = self.ports().clock.now();
        let grants = self.in_pieces(|_: Option<()>| async move {
            let removed = store.remove_expired_grants(now, GRANTS_AT_ONCE).await?;
            Ok((removed, (removed >= u64::from(GRANTS_AT_ONCE)).then_some(())))
        });
        Ok(HistoryRemoved { deliveries, events, audit, grants: grants.await? })
    }

    /// Removes piece after piece, with pauses between them; how much. A piece is told where the one
    /// before has ended, and tells where the next begins.
    async fn in_pieces<Place, F>(
        &self,
        remove: impl Fn(Option<Place>) -> F,
    ) -> Result<u64, StoreError>
    where
        F: Future<Output = Result<(u64, Option<Place>), StoreError>>,
    {
        let (mut all, mut after) = (0, None);
        loop {
            let (removed, next) = remove(after).await?;
            all += removed;
            if next.is_none() {
                return Ok(all);
            }
            after = next;
            self.ports().tasks.sleep(PAUSE).await;
        }
    }
}
