//! The queue of due work.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{MemoryStore, Tables};
use crate::effects::{DueLane, NewWork, after_file, after_target, first_reading, in_turn};
use crate::ids::{DeliveryId, MediaId, PostId, TargetId, WorkId};
use crate::media::Media;
use crate::ports::{
    BACKLOG_MAX, Backlog, Claim, ClaimRequest, DeliveryContext, Heartbeat, MediaContext, Place,
    PublishContext, Recorded, StoreError, StoredCredentials, WorkAfter, WorkKind, WorkQueue,
};
use crate::post::Post;
use crate::target::Target;
use crate::webhook::{Delivery, DeliveryAttempt, Event};

/// Every piece of work, and the number of the next.
#[derive(Debug, Default)]
pub(super) struct Queue {
    rows: BTreeMap<WorkId, Row>,
    /// Every row, by when it can be claimed.
    by_due: BTreeSet<(DateTime<Utc>, WorkId)>,
    /// The rows that somebody has claimed.
    leased: BTreeSet<WorkId>,
    last_id: u128,
}

#[derive(Debug)]
struct Row {
    /// Its due time is its place in its lane.
    work: NewWork,
    /// The same time, but the end of the lease while somebody holds it.
    claimable_at: DateTime<Utc>,
    is_leased: bool,
    number: i64,
}

impl Row {
    fn is_of(&self, kind: WorkKind, subject: Uuid) -> bool {
        self.work.kind == kind && self.work.subject == subject
    }
}

impl Queue {
    pub(super) fn add(&mut self, work: NewWork) {
        self.last_id += 1;
        let id = WorkId(Uuid::from_u128(self.last_id));
        let row = Row { claimable_at: work.due_at, work, is_leased: false, number: 0 };
        self.by_due.insert((row.claimable_at, id));
        self.rows.insert(id, row);
    }

    /// Changes a row, and keeps the order of all.
    fn change(&mut self, id: WorkId, change: impl FnOnce(&mut Row)) {
        let Some(row) = self.rows.get_mut(&id) else { return };
        self.by_due.remove(&(row.claimable_at, id));
        change(row);
        self.by_due.insert((row.claimable_at, id));
        if row.is_leased {
            self.leased.insert(id);
        } else {
            self.leased.remove(&id);
        }
    }

    fn take(&mut self, id: WorkId) {
        if let Some(row) = self.rows.remove(&id) {
            self.by_due.remove(&(row.claimable_at, id));
            self.leased.remove(&id);
        }
    }

    /// The rows that are wanted.
    fn ids(&self, is_wanted: impl Fn(&Row) -> bool) -> Vec<WorkId> {
        self.rows.iter().filter(|(_, row)| is_wanted(row)).map(|(id, _)| *id).collect()
    }

    /// Makes work due at `due_at` unless it is due earlier. Who holds it decides when it is due
    /// next.
    pub(super) fn bring_forward(&mut self, kind: WorkKind, subject: Uuid, due_at: DateTime<Utc>) {
        let is_later = |row: &Row| !row.is_leased && row.work.due_at > due_at;
        for id in self.ids(|row| row.is_of(kind, subject) && is_later(row)) {
            self.change(id, |row| {
                row.work.due_at = due_at;
                row.claimable_at = due_at;
            });
        }
    }

    /// Whether a lease on the work of a subject runs at `now`.
    pub(super) fn is_leased(&self, kind: WorkKind, subject: Uuid, now: DateTime<Utc>) -> bool {
        self.rows
            .values()
            .any(|row| row.is_of(kind, subject) && row.is_leased && row.claimable_at > now)
    }

    /// Moves leases and waits back, now that it is `now`. Of publishes only those that have begun
    /// wait. The others are due when they are scheduled; one that is held and is not due any more
    /// is given back.
    pub(super) fn move_back(
        &mut self,
        now: DateTime<Utc>,
        by: TimeDelta,
        has_begun: impl Fn(Uuid) -> bool,
    ) {
        for id in self.ids(|_| true) {
            self.change(id, |row| {
                if row.work.kind != WorkKind::Publish || has_begun(row.work.subject) {
                    row.work.due_at -= by;
                    row.claimable_at -= by;
                } else if row.is_leased && row.work.due_at > now {
                    row.is_leased = false;
                    row.claimable_at = row.work.due_at;
                } else if row.is_leased {
                    row.claimable_at -= by;
                }
            });
        }
    }

    pub(super) fn remove(&mut self, kind: WorkKind, subject: Uuid) {
        for id in self.ids(|row| row.is_of(kind, subject)) {
            self.take(id);
        }
    }

    /// When work of some kinds is due that nobody holds.
    pub(super) fn next_due(
        &self,
        now: DateTime<Utc>,
        is_meant: impl Fn(WorkKind) -> bool,
    ) -> Option<DateTime<Utc>> {
        let is_open = |row: &Row| !row.is_leased || row.claimable_at <= now;
        let mut rows = self.by_due.iter().filter_map(|(_, id)| self.rows.get(id));
        rows.find(|row| is_meant(row.work.kind) && is_open(row)).map(|row| row.claimable_at)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (WorkKind, DateTime<Utc>)> {
        self.rows.values().map(|row| (row.work.kind, row.claimable_at))
    }

    pub(super) fn is_held(&self, claim: &Claim) -> bool {
        self.held(claim).is_some()
    }

    fn held(&self, claim: &Claim) -> Option<&Row> {
        let row = self.rows.get(&claim.work_id)?;
        (row.is_leased && row.number == claim.number).then_some(row)
    }

    /// Decides the fate of work; [`Recorded::Lost`] when the claim is not the current one.
    pub(super) fn settle(&mut self, claim: &Claim, after: WorkAfter) -> Recorded {
        if self.held(claim).is_none() {
            return Recorded::Lost;
        }
        match after {
            WorkAfter::Held(until) => self.change(claim.work_id, |row| row.claimable_at = until),
            WorkAfter::DueAt(due_at) => self.change(claim.work_id, |row| {
                row.work.due_at = due_at;
                row.claimable_at = due_at;
                row.is_leased = false;
            }),
            WorkAfter::Done => self.take(claim.work_id),
        }
        Recorded::Stored
    }

    fn claim(&mut self, request: &ClaimRequest) -> Vec<Claim> {
        let now = request.now;
        let leased = self.leased.iter().filter_map(|id| self.rows.get(id));
        let held = leased.filter(|row| row.claimable_at > now);
        let held: BTreeSet<&str> = held.map(|row| row.work.lane.as_str()).collect();
        let mut lanes: BTreeMap<String, Vec<(DateTime<Utc>, WorkId)>> = BTreeMap::new();
        for (_, id) in self.by_due.range(..=last_at(now)) {
            let Some(row) = self.rows.get(id) else { continue };
            let lane = &row.work.lane;
            if row.work.due_at <= now && !held.contains(lane.as_str()) {
                lanes.entry(lane.clone()).or_default().push((row.work.due_at, *id));
            }
        }
        for lane in lanes.values_mut() {
            lane.sort_unstable();
            lane.truncate(usize::try_from(request.per_lane).unwrap_or(usize::MAX));
        }
        let due = lanes.iter().filter_map(|(name, lane)| {
            let (due_at, id) = *lane.first()?;
            let NewWork { kind, platform, workspace_id, .. } = self.rows.get(&id)?.work;
            let place = Place::of(kind, platform)?;
            Some(DueLane { workspace_id, name: name.clone(), place, due_at, work_id: id.0 })
        });
        let turns = in_turn(due.collect(), request);
        let ids: Vec<WorkId> = turns
            .iter()
            .filter_map(|name| lanes.remove(name))
            .flat_map(|lane| lane.into_iter().map(|(_, id)| id))
            .collect();
        ids.into_iter().filter_map(|id| self.lease(id, request.lease_until)).collect()
    }

    fn lease(&mut self, id: WorkId, until: DateTime<Utc>) -> Option<Claim> {
        self.change(id, |row| {
            row.number += 1;
            row.is_leased = true;
            row.claimable_at = until;
        });
        let row = self.rows.get(&id)?;
        Some(Claim {
            work_id: id,
            kind: row.work.kind,
            subject: row.work.subject,
            number: row.number,
            workspace_id: row.work.workspace_id,
            platform: row.work.platform,
            lane: row.work.lane.clone(),
            due_at: row.work.due_at,
        })
    }
}

/// The last place in the order of what can be claimed at an instant.
const fn last_at(at: DateTime<Utc>) -> (DateTime<Utc>, WorkId) {
    (at, WorkId(Uuid::max()))
}

impl Tables {
    /// The post that a target belongs to. It is looked for once; a target stays with its post.
    fn post_of(&mut self, target: TargetId) -> Option<PostId> {
        let has_it = |post: &Post| post.target(target).is_some();
        let known = self.posts_of_targets.get(&target).copied();
        if let Some(known) = known.filter(|id| self.posts.get(id).is_some_and(has_it)) {
            return Some(known);
        }
        let found = self.posts.values().find(|post| has_it(post))?.id;
        self.posts_of_targets.insert(target, found);
        Some(found)
    }

    fn store_target(&mut self, target: &Target, at: DateTime<Utc>) {
        let stored = self.post_of(target.id).and_then(|id| self.posts.get(&id));
        let Some(stored) = stored else { return };
        let (first, post) = (first_reading(stored, target), after_target(stored, target, at));
        if let Some(due_at) = first {
            self.plan_readings(post.id, target, due_at);
        }
        self.posts.insert(post.id, post);
    }
}

#[async_trait]
impl WorkQueue for MemoryStore {
    async fn heartbeat(&self, at: DateTime<Utc>) -> Result<Heartbeat, StoreError> {
        Ok(self.tables().heartbeat(at))
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Vec<Claim>, StoreError> {
        Ok(self.tables().queue.claim(request))
    }

    async fn renew(
        &self,
        claims: &[Claim],
        lease_until: DateTime<Utc>,
    ) -> Result<Vec<WorkId>, StoreError> {
        let mut tables = self.tables();
        let mut lost = Vec::new();
        for claim in claims {
            if tables.queue.held(claim).is_none() {
                lost.push(claim.work_id);
            } else {
                tables.queue.change(claim.work_id, |row| {
                    row.claimable_at = row.claimable_at.max(lease_until);
                });
            }
        }
        Ok(lost)
    }

    async fn release(&self, claim: &Claim, due_at: DateTime<Utc>) -> Result<Recorded, StoreError> {
        Ok(self.tables().queue.settle(claim, WorkAfter::DueAt(due_at)))
    }

    async fn next_due(&self, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, StoreError> {
        Ok(self.tables().queue.next_due(now, |_| true))
    }

    async fn next_due_after(
        &self,
        now: DateTime<Utc>,
    ) -> Result<Option<DateTime<Utc>>, StoreError> {
        let tables = self.tables();
        let after = (Bound::Excluded(last_at(now)), Bound::Unbounded);
        Ok(tables.queue.by_due.range(after).next().map(|(at, _)| *at))
    }

    async fn backlog(&self, now: DateTime<Utc>) -> Result<Vec<Backlog>, StoreError> {
        let tables = self.tables();
        let due = tables.queue.rows.values().filter(|row| row.claimable_at <= now);
        let mut due: Vec<(DateTime<Utc>, WorkKind)> =
            due.map(|row| (row.claimable_at, row.work.kind)).collect();
        due.sort_unstable();
        let mut backlog: BTreeMap<WorkKind, Backlog> = BTreeMap::new();
        for (at, kind) in due.into_iter().take(BACKLOG_MAX as usize) {
            let of_kind = backlog.entry(kind).or_insert(Backlog { kind, count: 0, oldest: at });
            of_kind.count += 1;
        }
        Ok(backlog.into_values().collect())
    }

    async fn publish_context(&self, claim: &Claim) -> Result<Option<PublishContext>, StoreError> {
        let mut tables = self.tables();
        if tables.queue.held(claim).is_none() {
            return Ok(None);
        }
        let post = tables.post_of(TargetId(claim.subject));
        let post = post.and_then(|id| tables.posts.get(&id));
        let found = post.and_then(|post| {
            let target = post.targets.iter().find(|target| target.id.0 == claim.subject)?;
            let row = tables.accounts.get(&target.account_id)?;
            let credentials = row
                .credentials
                .clone()
                .map(|credentials| StoredCredentials { credentials, version: row.version });
            Some(PublishContext {
                post: post.clone(),
                target_id: target.id,
                account: row.account.clone(),
                credentials,
                second_pair: tables
                    .workspaces
                    .get(&post.workspace_id)
                    .is_some_and(|workspace| workspace.second_pair),
            })
        });
        Ok(found)
    }

    async fn record_publish(
        &self,
        claim: &Claim,
        target: &Target,
        event: Option<&Event>,
        after: WorkAfter,
        at: DateTime<Utc>,
    ) -> Result<Recorded, StoreError> {
        let mut tables = self.tables();
        if tables.queue.settle(claim, after) == Recorded::Lost {
            return Ok(Recorded::Lost);
        }
        tables.store_target(target, at);
        if let Some(event) = event {
            tables.add_event(event, at);
        }
        Ok(Recorded::Stored)
    }

    async fn delivery_context(&self, claim: &Claim) -> Result<Option<DeliveryContext>, StoreError> {
        let tables = self.tables();
        if tables.queue.held(claim).is_none() {
            return Ok(None);
        }
        let found = tables.deliveries.get(&DeliveryId(claim.subject)).and_then(|row| {
            Some(DeliveryContext {
                delivery: row.delivery.clone(),
                event: tables.events.get(&row.delivery.event_id)?.clone(),
                webhook: tables.webhooks.get(&row.delivery.webhook_id)?.clone(),
            })
        });
        Ok(found)
    }

    async fn record_delivery(
        &self,
        claim: &Claim,
        delivery: &Delivery,
        attempt: &DeliveryAttempt,
        after: WorkAfter,
    ) -> Result<Recorded, StoreError> {
        let mut tables = self.tables();
        if tables.queue.settle(claim, after) == Recorded::Lost {
            return Ok(Recorded::Lost);
        }
        if let Some(row) = tables.deliveries.get_mut(&delivery.id) {
            row.delivery = delivery.clone();
            row.attempts.push(attempt.clone());
        }
        Ok(Recorded::Stored)
    }

    async fn media_context(&self, claim: &Claim) -> Result<Option<MediaContext>, StoreError> {
        let tables = self.tables();
        if tables.queue.held(claim).is_none() {
            return Ok(None);
        }
        let found = tables.media.get(&MediaId(claim.subject)).and_then(|media| {
            let plan = tables.workspaces.get(&media.workspace_id)?.plan;
            Some(MediaContext { media: media.clone(), plan })
        });
        Ok(found)
    }

    async fn record_media(
        &self,
        claim: &Claim,
        media: &Media,
        event: Option<&Event>,
    ) -> Result<Recorded, StoreError> {
        let mut tables = self.tables();
        if tables.queue.settle(claim, after_file(media)) == Recorded::Lost {
            return Ok(Recorded::Lost);
        }
        if let Some(row) = tables.queue.rows.get_mut(&claim.work_id) {
            row.work.kind = WorkKind::of_file(media.status);
        }
        tables.media.insert(media.id, Media { version: media.version + 1, ..media.clone() });
        tables.add_events(event);
        Ok(Recorded::Stored)
    }
}
