//! The in-memory store behind a line that breaks, with an eye on every promise of the queue.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use futures_util::future::BoxFuture;
use scheduler_core::ids::{TargetId, WorkId, WorkspaceId};
use scheduler_core::media::{Media, MediaEvent, MediaStatus};
use scheduler_core::memory::MemoryStore;
use scheduler_core::ports::{
    Backlog, Budget, Claim, ClaimRequest, DeliveryContext, FigureQuery, FigureReading, Followers,
    Heartbeat, Line, MediaContext, PublishContext, ReadingContext, ReadingStore, ReadingsTaken,
    Recorded, RefreshOutcome, Spending, StoreError, Stores, WorkAfter, WorkQueue,
};
use scheduler_core::reading::Reading;
use scheduler_core::target::{Target, TargetEvent, TargetStatus};
use scheduler_core::webhook::{Delivery, DeliveryAttempt, Event};

use crate::world::World;

pub(crate) struct FaultyStore {
    pub(crate) world: Arc<World>,
    pub(crate) inner: Arc<MemoryStore>,
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
        Self { world, inner: Arc::default(), watch: Mutex::default() }
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

    /// The store as the program sees it.
    pub(crate) fn stores(self: &Arc<Self>) -> Arc<Stores> {
        let all = Stores::of(self.inner.clone());
        Arc::new(Stores { work: self.clone(), readings: self.clone(), ..all }.over(self.clone()))
    }

    async fn fault(&self) -> Result<(), StoreError> {
        self.world.pause().await;
        if self.world.store_is_away(400) || self.world.fault(60) {
            return Err(unavailable());
        }
        Ok(())
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
            && old != new.status()
        {
            if !is_legal(old, new.status()) {
                self.world.violated(format!(
                    "{:?} moved from {old:?} to {:?}",
                    new.id,
                    new.status()
                ));
            }
            if new.status().has_ended() {
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
impl Line for FaultyStore {
    async fn carry(
        &self,
        operation: &'static str,
        run: BoxFuture<'_, bool>,
    ) -> Result<(), StoreError> {
        if operation == "renew" {
            // It has no fault of its own, and fails while the store is away.
            if self.world.store_is_away(u64::MAX) {
                return Err(unavailable());
            }
            run.await;
            return Ok(());
        }
        self.fault().await?;
        // The operation is done or has failed; its answer may still get lost.
        run.await;
        self.fault().await
    }
}

#[async_trait]
impl WorkQueue for FaultyStore {
    async fn heartbeat(&self, at: DateTime<Utc>) -> Result<Heartbeat, StoreError> {
        self.inner.heartbeat(at).await
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Vec<Claim>, StoreError> {
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
        Ok(claims)
    }

    async fn renew(
        &self,
        claims: &[Claim],
        lease_until: DateTime<Utc>,
    ) -> Result<Vec<WorkId>, StoreError> {
        self.inner.renew(claims, lease_until).await
    }

    async fn release(&self, claim: &Claim, due_at: DateTime<Utc>) -> Result<Recorded, StoreError> {
        self.inner.release(claim, due_at).await
    }

    async fn next_due(&self, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.inner.next_due(now).await
    }

    async fn next_due_after(
        &self,
        now: DateTime<Utc>,
    ) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.inner.next_due_after(now).await
    }

    async fn backlog(&self, now: DateTime<Utc>) -> Result<Vec<Backlog>, StoreError> {
        self.inner.backlog(now).await
    }

    async fn publish_context(&self, claim: &Claim) -> Result<Option<PublishContext>, StoreError> {
        self.inner.publish_context(claim).await
    }

    async fn record_publish(
        &self,
        claim: &Claim,
        target: &Target,
        event: Option<&Event>,
        after: WorkAfter,
        at: DateTime<Utc>,
    ) -> Result<Recorded, StoreError> {
        let old = self.inner.posts().iter().find_map(|post| post.target(target.id).cloned());
        let answer = self.inner.record_publish(claim, target, event, after, at).await;
        if let Ok(Recorded::Stored) = answer {
            self.watch_record(claim, old.map(|old| old.status()), target, event.is_some());
        }
        answer
    }

    async fn media_context(&self, claim: &Claim) -> Result<Option<MediaContext>, StoreError> {
        self.inner.media_context(claim).await
    }

    async fn record_media(
        &self,
        claim: &Claim,
        media: &Media,
        event: Option<&Event>,
    ) -> Result<Recorded, StoreError> {
        let old = self.inner.all_media().into_iter().find(|old| old.id == media.id);
        let answer = self.inner.record_media(claim, media, event).await;
        if let (Ok(Recorded::Stored), Some(old)) = (&answer, old) {
            self.watch_media(claim, &old, media);
        }
        answer
    }

    async fn delivery_context(&self, claim: &Claim) -> Result<Option<DeliveryContext>, StoreError> {
        self.inner.delivery_context(claim).await
    }

    async fn record_delivery(
        &self,
        claim: &Claim,
        delivery: &Delivery,
        attempt: &DeliveryAttempt,
        after: WorkAfter,
    ) -> Result<Recorded, StoreError> {
        self.inner.record_delivery(claim, delivery, attempt, after).await
    }
}

#[async_trait]
impl ReadingStore for FaultyStore {
    async fn reading_context(
        &self,
        claim: &Claim,
        now: DateTime<Utc>,
        limit: u32,
    ) -> Result<Option<ReadingContext>, StoreError> {
        self.inner.reading_context(claim, now, limit).await
    }

    async fn record_readings(
        &self,
        claim: &Claim,
        taken: &ReadingsTaken,
    ) -> Result<Recorded, StoreError> {
        let answer = self.inner.record_readings(claim, taken).await;
        if let Ok(Recorded::Stored) = answer {
            let watch = self.watch.lock().expect("not poisoned");
            if watch.newest_claim.get(&claim.work_id) != Some(&claim.number) {
                self.world.violated(format!("a stale holder recorded readings: {claim:?}"));
            }
        }
        answer
    }

    async fn add_reading(
        &self,
        target: TargetId,
        reading: &Reading,
        superfluous: &[DateTime<Utc>],
    ) -> Result<(), StoreError> {
        self.inner.add_reading(target, reading, superfluous).await
    }

    async fn readings(
        &self,
        target: TargetId,
        since: Option<DateTime<Utc>>,
        limit: u32,
    ) -> Result<Vec<Reading>, StoreError> {
        self.inner.readings(target, since, limit).await
    }

    async fn figure_readings(
        &self,
        workspace: WorkspaceId,
        query: &FigureQuery,
    ) -> Result<Vec<FigureReading>, StoreError> {
        self.inner.figure_readings(workspace, query).await
    }

    async fn refresh_readings(
        &self,
        workspace: WorkspaceId,
        now: DateTime<Utc>,
        published_since: DateTime<Utc>,
        every: TimeDelta,
    ) -> Result<RefreshOutcome, StoreError> {
        self.inner.refresh_readings(workspace, now, published_since, every).await
    }

    async fn followers(
        &self,
        workspace: WorkspaceId,
        from: NaiveDate,
    ) -> Result<Vec<Followers>, StoreError> {
        self.inner.followers(workspace, from).await
    }

    async fn spend(&self, budgets: &[Budget], amount: u32) -> Result<Spending, StoreError> {
        self.inner.spend(budgets, amount).await
    }
}
