//! The in-memory store behind a line that breaks, with an eye on every promise of the queue.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::ids::{TargetId, WorkId};
use scheduler_core::media::{Media, MediaEvent, MediaStatus};
use scheduler_core::memory::MemoryStore;
use scheduler_core::ports::{
    Backlog, Claim, ClaimRequest, DeliveryContext, Heartbeat, MediaContext, PublishContext,
    Recorded, StoreError, WorkAfter, WorkQueue,
};
use scheduler_core::target::{Target, TargetEvent, TargetStatus};
use scheduler_core::webhook::{Delivery, DeliveryAttempt, Event};

use crate::world::World;

/// Forwards an act to the store inside, over the line that breaks.
macro_rules! relay {
    ($self:ident.$name:ident($($argument:expr),*)) => {{
        $self.before().await?;
        let answer = $self.inner.$name($($argument),*).await;
        $self.after(answer).await
    }};
}

mod relays;

pub(crate) struct FaultyStore {
    pub(crate) world: Arc<World>,
    pub(crate) inner: MemoryStore,
    watch: Mutex<Watch>,
}

/// What has been seen to be stored.
#[derive(Default)]
struct Watch {
    newest_claim: BTreeMap<WorkId, i64>,
    /// How often each target has ended, which is how many events it must have.
    ends: BTreeMap<TargetId, u32>,
    events: BTreeMap<TargetId, u32>,
}

impl FaultyStore {
    pub(crate) fn new(world: Arc<World>) -> Self {
        Self { world, inner: MemoryStore::new(), watch: Mutex::default() }
    }

    /// Targets that ended another number of times than they have events.
    pub(crate) fn ends_without_their_event(&self) -> Vec<(TargetId, u32, u32)> {
        let watch = self.watch.lock().expect("not poisoned");
        let all: BTreeSet<&TargetId> = watch.ends.keys().chain(watch.events.keys()).collect();
        all.into_iter()
            .map(|id| (*id, count(&watch.ends, id), count(&watch.events, id)))
            .filter(|(_, ends, events)| ends != events)
            .collect()
    }

    async fn before(&self) -> Result<(), StoreError> {
        self.world.pause().await;
        if self.world.store_is_away(400) || self.world.fault(60) {
            return Err(unavailable());
        }
        Ok(())
    }

    /// The act is done; its answer may still get lost.
    async fn after<T>(&self, answer: Result<T, StoreError>) -> Result<T, StoreError> {
        self.world.pause().await;
        if self.world.store_is_away(400) || self.world.fault(60) {
            return Err(unavailable());
        }
        answer
    }

    fn watch_media(&self, claim: &Claim, old: &Media, new: &Media) {
        let watch = self.watch.lock().expect("not poisoned");
        if watch.newest_claim.get(&claim.work_id) != Some(&claim.number) {
            self.world.violated(format!("a stale holder recorded {:?}", new.id));
        }
        if old.version != new.version {
            self.world.violated(format!("{:?} was recorded over a newer one", new.id));
        }
        if !is_legal_for_a_file(old.status, new.status) {
            let (old, new_status) = (old.status, new.status);
            self.world.violated(format!("{:?} moved from {old:?} to {new_status:?}", new.id));
        }
    }

    fn watch_record(&self, claim: &Claim, old: Option<TargetStatus>, new: &Target, event: bool) {
        let mut watch = self.watch.lock().expect("not poisoned");
        let newest = watch.newest_claim.get(&claim.work_id).copied();
        if newest != Some(claim.number) {
            self.world.violated(format!(
                "a stale holder recorded {:?}: claim {} of {newest:?}",
                new.id, claim.number
            ));
        }
        if let Some(old) = old
            && old != new.status
        {
            if !is_legal(old, new.status) {
                self.world.violated(format!("{:?} moved from {old:?} to {:?}", new.id, new.status));
            }
            if new.status.has_ended() {
                *watch.ends.entry(new.id).or_default() += 1;
            }
        }
        if event {
            *watch.events.entry(new.id).or_default() += 1;
        }
    }
}

/// The moves of a file that an engine makes.
fn is_legal_for_a_file(old: MediaStatus, new: MediaStatus) -> bool {
    let after = |event| old.transition(event).ok();
    old == new || MediaEvent::ALL.into_iter().any(|event| after(event) == Some(new))
}

fn count(map: &BTreeMap<TargetId, u32>, id: &TargetId) -> u32 {
    map.get(id).copied().unwrap_or_default()
}

/// One move, or a start and an end that are stored together.
fn is_legal(old: TargetStatus, new: TargetStatus) -> bool {
    let moves = |from: TargetStatus| {
        TargetEvent::ALL.into_iter().filter_map(move |event| from.transition(event).ok())
    };
    moves(old).any(|next| {
        next == new || (next == TargetStatus::Publishing && moves(next).any(|end| end == new))
    })
}

fn unavailable() -> StoreError {
    StoreError::Unavailable("the line broke".into())
}

#[async_trait]
impl WorkQueue for FaultyStore {
    async fn heartbeat(&self, at: DateTime<Utc>) -> Result<Heartbeat, StoreError> {
        self.before().await?;
        let heartbeat = self.inner.heartbeat(at).await;
        self.after(heartbeat).await
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Vec<Claim>, StoreError> {
        self.before().await?;
        let claims = self.inner.claim(request).await?;
        {
            let mut watch = self.watch.lock().expect("not poisoned");
            for claim in &claims {
                let newest = watch.newest_claim.insert(claim.work_id, claim.number);
                if newest.is_some_and(|newest| newest >= claim.number) {
                    self.world.violated(format!("claim {claim:?} is not newer than {newest:?}"));
                }
            }
        }
        self.after(Ok(claims)).await
    }

    async fn renew(
        &self,
        claims: &[Claim],
        lease_until: DateTime<Utc>,
    ) -> Result<Vec<WorkId>, StoreError> {
        // It has no fault of its own, and fails while the store is away.
        if self.world.store_is_away(u64::MAX) {
            return Err(unavailable());
        }
        self.inner.renew(claims, lease_until).await
    }

    async fn release(&self, claim: &Claim, due_at: DateTime<Utc>) -> Result<Recorded, StoreError> {
        relay!(self.release(claim, due_at))
    }

    async fn next_due(&self, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, StoreError> {
        relay!(self.next_due(now))
    }

    async fn next_due_after(
        &self,
        now: DateTime<Utc>,
    ) -> Result<Option<DateTime<Utc>>, StoreError> {
        relay!(self.next_due_after(now))
    }

    async fn backlog(&self, now: DateTime<Utc>) -> Result<Vec<Backlog>, StoreError> {
        relay!(self.backlog(now))
    }

    async fn publish_context(&self, claim: &Claim) -> Result<Option<PublishContext>, StoreError> {
        relay!(self.publish_context(claim))
    }

    async fn record_publish(
        &self,
        claim: &Claim,
        target: &Target,
        event: Option<&Event>,
        after: WorkAfter,
        at: DateTime<Utc>,
    ) -> Result<Recorded, StoreError> {
        self.before().await?;
        let old = self.inner.posts().iter().find_map(|post| post.target(target.id).cloned());
        let answer = self.inner.record_publish(claim, target, event, after, at).await;
        if let Ok(Recorded::Stored) = answer {
            self.watch_record(claim, old.map(|old| old.status), target, event.is_some());
        }
        self.after(answer).await
    }

    async fn media_context(&self, claim: &Claim) -> Result<Option<MediaContext>, StoreError> {
        relay!(self.media_context(claim))
    }

    async fn record_media(&self, claim: &Claim, media: &Media) -> Result<Recorded, StoreError> {
        self.before().await?;
        let old = self.inner.all_media().into_iter().find(|old| old.id == media.id);
        let answer = self.inner.record_media(claim, media).await;
        if let (Ok(Recorded::Stored), Some(old)) = (&answer, old) {
            self.watch_media(claim, &old, media);
        }
        self.after(answer).await
    }

    async fn delivery_context(&self, claim: &Claim) -> Result<Option<DeliveryContext>, StoreError> {
        relay!(self.delivery_context(claim))
    }

    async fn record_delivery(
        &self,
        claim: &Claim,
        delivery: &Delivery,
        attempt: &DeliveryAttempt,
        after: WorkAfter,
    ) -> Result<Recorded, StoreError> {
        relay!(self.record_delivery(claim, delivery, attempt, after))
    }
}
