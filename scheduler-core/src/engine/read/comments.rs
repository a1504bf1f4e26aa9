//! Reading what others have written under posts whose networks count more or fewer comments than
//! when they were read last.

use chrono::TimeDelta;

use super::Offer;
use crate::app::Scheduler;
use crate::engine::NetworkCallError;
use crate::ids::TargetId;
use crate::inbox::ReceivedComment;
use crate::platform::Metric;
use crate::ports::{
    DueReading, LivePost, ReadingContext, ReadingsTaken, StoreError, TakenComments, TakenReading,
};
use crate::webhook::Event;

/// Posts of one run whose comments are read, a call for each.
///
/// Source: our decision.
const POSTS_AT_ONCE: usize = 10;

/// When the others of them are looked at again.
///
/// Source: our decision.
const OTHERS_AFTER: TimeDelta = TimeDelta::minutes(10);

/// A post whose comments are to be read.
pub(super) struct Changed<'a> {
    due: &'a DueReading,
    live: &'a LivePost,
    seen: u64,
}

/// The post, where its network counts another number of comments than when they were read last.
pub(super) fn changed<'a>(
    due: &'a DueReading,
    live: &'a LivePost,
    taken: &TakenReading,
) -> Option<Changed<'a>> {
    let figures = &taken.reading.as_ref()?.figures;
    let counted = figures.0.get(&Metric::Comments)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
    let seen = *counted as u64;
    (seen != due.comments_seen.unwrap_or_default()).then_some(Changed { due, live, seen })
}

impl Scheduler {
    /// Reads the comments of posts. Those that cannot be read now are read when their figures are
    /// read next; those for which there is no room in this run soon.
    pub(super) async fn take_comments(
        &self,
        context: &ReadingContext,
        offer: &Offer,
        mut posts: Vec<Changed<'_>>,
        taken: &mut ReadingsTaken,
    ) -> Result<(), StoreError> {
        if !offer.sheet.can_read_comments {
            return Ok(());
        }
        let account = &context.account;
        let others = posts.split_off(posts.len().min(POSTS_AT_ONCE));
        let soon = self.ports().clock.now() + OTHERS_AFTER;
        let is_other = |id: TargetId| others.iter().any(|post| post.due.target_id == id);
        for reading in taken.readings.iter_mut().filter(|reading| is_other(reading.target_id)) {
            reading.next_due_at = Some(reading.next_due_at.map_or(soon, |next| next.min(soon)));
        }
        for Changed { due, live, seen } in posts {
            let asked = self
                .ask(account, |after, access| async move { after.comments(&access, live).await });
            let found = match asked.await {
                Ok(found) => found.map(|found| found.comments).unwrap_or_default(),
                Err(NetworkCallError::Store(error)) => return Err(error),
                Err(NetworkCallError::Network(_)) => break,
            };
            let now = self.ports().clock.now();
            let received = found
                .into_iter()
                .filter_map(|comment| ReceivedComment::of(account, due.post_id, live, comment, now))
                .map(|comment| {
                    let event = Event::comment_received(&comment, now);
                    (comment, event)
                });
            let target_id = due.target_id;
            taken.comments.push(TakenComments { target_id, seen, received: received.collect() });
        }
        Ok(())
    }
}
