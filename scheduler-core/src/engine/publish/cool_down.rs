//! The cool-down of posts that come again, right before they go out.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};

use crate::app::Scheduler;
use crate::ports::{PublishContext, StoreError};
use crate::post::Post;
use crate::recurrence::{EntryUse, TextUse, UseOutcome, cooled_down_at, forbids_from};
use crate::target::{Failure, FailureCode, Stage, Target, TargetStatus, WaitReason};

/// How long until it is looked again whether another target that uses the same entry has ended.
///
/// Source: our decision.
const LOOK_AGAIN: TimeDelta = TimeDelta::minutes(15);

impl Scheduler {
    /// Counts a publish that begins as the use of its entry, over all nodes: whatever has moved its
    /// time since it was planned – a person, a retry, a server that was down – no two uses are
    /// nearer than the cool-down. Gives the target as it waits where it is not over; `None` where
    /// it may go out.
    ///
    /// A publish that has begun counts also when it fails, for a part of it may be live.
    pub(super) async fn cooling_down(
        &self,
        context: &PublishContext,
        target: &Target,
    ) -> Result<Option<Target>, StoreError> {
        let (post, account, store) = (&context.post, &context.account, &self.ports().store);
        let now = self.ports().clock.now();
        let Some(used) = use_of(post, target, now) else { return Ok(None) };
        if target.status() != TargetStatus::Pending {
            return Ok(None);
        }
        let Some((recurrence, _)) = store.recurrence(post.workspace_id, used.recurrence_id).await?
        else {
            return Ok(None);
        };
        let workspace = store.workspace(post.workspace_id).await?;
        let zone = account.zone(workspace.and_then(|workspace| workspace.timezone));
        let days = recurrence.terms.cool_down_days;
        let forbidden_from = (days > 0).then(|| forbids_from(zone, days, now));
        let (due_at, message) = match store
            .use_entry(post.workspace_id, &used, forbidden_from)
            .await?
        {
            UseOutcome::Stored => return Ok(None),
            UseOutcome::UsedAt(at) => {
                let until = cooled_down_at(zone, days, at).max(now + LOOK_AGAIN);
                let message = format!(
                    "{} was published on this account on {}, and its cool-down is {days} days; it waits until {}.",
                    recurrence.name,
                    zone.local(at).date(),
                    until.to_rfc3339_opts(SecondsFormat::Secs, true),
                );
                (until, message)
            }
            UseOutcome::UnderWay => {
                let message = format!(
                    "Another post of {} is on its way to this account; it waits until that has ended.",
                    recurrence.name,
                );
                (now + LOOK_AGAIN, message)
            }
        };
        let failure = Failure { message, code: FailureCode::RateLimited, permanent: false };
        Ok(Some(waiting(target.clone(), due_at, failure)))
    }

    /// Notes when a target went live whose entry has a cool-down, before that is stored: a process
    /// that dies in between leaves a use too many and none too few.
    pub(super) async fn note_use(
        &self,
        post: &Post,
        target: &Target,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        if let Some(used) = use_of(post, target, at) {
            let store = &self.ports().store;
            self.with_retry(|| store.use_entry(post.workspace_id, &used, None)).await?;
        }
        Ok(())
    }
}

/// The use that the publication of a target is; `None` of a post that stands alone.
fn use_of(post: &Post, target: &Target, at: DateTime<Utc>) -> Option<EntryUse> {
    let of = post.occurrence.as_ref()?;
    Some(EntryUse {
        recurrence_id: of.recurrence_id,
        entry_id: of.entry_id,
        account_id: target.account_id,
        target_id: target.id,
        used_at: at,
        texts: vec![TextUse { text: of.text.clone(), at }],
    })
}

fn waiting(mut target: Target, due_at: DateTime<Utc>, failure: Failure) -> Target {
    if let Stage::Waiting(waiting) = &mut target.stage {
        waiting.due_at = due_at;
        waiting.reason = WaitReason::Retry(failure);
    }
    target
}
