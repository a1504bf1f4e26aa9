//! The queue of due work.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{MemoryStore, Tables};
use crate::account::Account;
use crate::ids::{DeliveryId, MediaId, WebhookId, WorkId, WorkspaceId};
use crate::media::Media;
use crate::platform::Platform;
use crate::ports::{
    BACKLOG_MAX, Backlog, Claim, ClaimRequest, DeliveryContext, Heartbeat, MediaContext, Place,
    Places, PublishContext, Recorded, StoreError, StoredCredentials, WorkAfter, WorkKind,
    WorkQueue,
};
use crate::post::PostStatus;
use crate::target::{Target, TargetStatus};
use crate::webhook::{Delivery, DeliveryAttempt, Event};

/// Lanes of one webhook, so that one slow answer does not hold up all its events.
const LANES_OF_A_WEBHOOK: u8 = 8;

/// Every piece of work, and the number of the next.
#[derive(Debug, Default)]
pub(super) struct Queue {
    rows: BTreeMap<WorkId, Row>,
    last_id: u128,
}

#[derive(Debug)]
struct Row {
    kind: WorkKind,
    subject: Uuid,
    workspace_id: WorkspaceId,
    platform: Option<Platform>,
    lane: String,
    /// When it is due: its place in its lane.
    due_at: DateTime<Utc>,
    /// The same, but the end of the lease while somebody holds it.
    claimable_at: DateTime<Utc>,
    is_leased: bool,
    number: i64,
}

/// The due work of one lane, by the time it is due.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Lane(Vec<(DateTime<Utc>, WorkId)>);

impl Queue {
    pub(super) fn add_publish(
        &mut self,
        workspace_id: WorkspaceId,
        target: &Target,
        due_at: DateTime<Utc>,
    ) {
        self.add(Row {
            kind: WorkKind::Publish,
            subject: target.id.0,
            workspace_id,
            platform: Some(target.platform),
            lane: target.account_id.to_string(),
            due_at,
            claimable_at: due_at,
            is_leased: false,
            number: 0,
        });
    }

    pub(super) fn add_delivery(
        &mut self,
        workspace_id: WorkspaceId,
        delivery: DeliveryId,
        webhook: WebhookId,
        due_at: DateTime<Utc>,
    ) {
        let lane = delivery.0.as_bytes()[15] % LANES_OF_A_WEBHOOK;
        self.add(Row {
            kind: WorkKind::Deliver,
            subject: delivery.0,
            workspace_id,
            platform: None,
            lane: format!("{webhook}/{lane}"),
            due_at,
            claimable_at: due_at,
            is_leased: false,
            number: 0,
        });
    }

    pub(super) fn add_media(&mut self, media: &Media, due_at: DateTime<Utc>) {
        self.add(Row {
            kind: WorkKind::of_file(media.status),
            subject: media.id.0,
            workspace_id: media.workspace_id,
            platform: None,
            lane: media.id.to_string(),
            due_at,
            claimable_at: due_at,
            is_leased: false,
            number: 0,
        });
    }

    pub(super) fn add_reading(&mut self, account: &Account, due_at: DateTime<Utc>) {
        self.add(Row {
            kind: WorkKind::Read,
            subject: account.id.0,
            workspace_id: account.workspace_id,
            platform: Some(account.platform),
            lane: format!("read/{}", account.id),
            due_at,
            claimable_at: due_at,
            is_leased: false,
            number: 0,
        });
    }

    /// Makes work due at `due_at` unless it is due earlier. Who holds it decides when it is due
    /// next.
    pub(super) fn hasten(&mut self, kind: WorkKind, subject: Uuid, due_at: DateTime<Utc>) {
        let rows = self.rows.values_mut().filter(|row| row.kind == kind && row.subject == subject);
        for row in rows.filter(|row| !row.is_leased && row.due_at > due_at) {
            row.due_at = due_at;
            row.claimable_at = due_at;
        }
    }

    /// Whether a lease on the work of a subject runs at `now`.
    pub(super) fn is_leased(&self, kind: WorkKind, subject: Uuid, now: DateTime<Utc>) -> bool {
        self.rows.values().any(|row| {
            row.kind == kind && row.subject == subject && row.is_leased && row.claimable_at > now
        })
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
        for row in self.rows.values_mut() {
            if row.kind != WorkKind::Publish || has_begun(row.subject) {
                row.due_at -= by;
                row.claimable_at -= by;
            } else if row.is_leased && row.due_at > now {
                row.is_leased = false;
                row.claimable_at = row.due_at;
            } else if row.is_leased {
                row.claimable_at -= by;
            }
        }
    }

    pub(super) fn remove(&mut self, kind: WorkKind, subject: Uuid) {
        self.rows.retain(|_, row| row.kind != kind || row.subject != subject);
    }

    /// When work of some kinds is due that nobody holds.
    pub(super) fn next_due(
        &self,
        now: DateTime<Utc>,
        is_meant: impl Fn(WorkKind) -> bool,
    ) -> Option<DateTime<Utc>> {
        let rows = self.rows.values().filter(|row| is_meant(row.kind));
        let open = rows.filter(|row| !row.is_leased || row.claimable_at <= now);
        open.map(|row| row.claimable_at).min()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (WorkKind, DateTime<Utc>)> {
        self.rows.values().map(|row| (row.kind, row.claimable_at))
    }

    fn add(&mut self, row: Row) {
        self.last_id += 1;
        self.rows.insert(WorkId(Uuid::from_u128(self.last_id)), row);
    }

    pub(super) fn is_held(&mut self, claim: &Claim) -> bool {
        self.held(claim).is_some()
    }

    fn held(&mut self, claim: &Claim) -> Option<&mut Row> {
        let row = self.rows.get_mut(&claim.work_id)?;
        (row.is_leased && row.number == claim.number).then_some(row)
    }

    /// Decides the fate of work; [`Recorded::Lost`] when the claim is not the current one.
    pub(super) fn settle(&mut self, claim: &Claim, after: WorkAfter) -> Recorded {
        let Some(row) = self.held(claim) else { return Recorded::Lost };
        match after {
            WorkAfter::Held(until) => row.claimable_at = until,
            WorkAfter::DueAt(due_at) => {
                row.due_at = due_at;
                row.claimable_at = due_at;
                row.is_leased = false;
            }
            WorkAfter::Done => {
                self.rows.remove(&claim.work_id);
            }
        }
        Recorded::Stored
    }

    fn claim(&mut self, request: &ClaimRequest) -> Vec<Claim> {
        let now = request.now;
        let held: BTreeSet<&str> = self
            .rows
            .values()
            .filter(|row| row.is_leased && row.claimable_at > now)
            .map(|row| row.lane.as_str())
            .collect();
        let is_open = |row: &Row| {
            row.claimable_at <= now && row.due_at <= now && !held.contains(row.lane.as_str())
        };
        let mut lanes: BTreeMap<String, Lane> = BTreeMap::new();
        for (id, row) in self.rows.iter().filter(|(_, row)| is_open(row)) {
            lanes.entry(row.lane.clone()).or_default().0.push((row.due_at, *id));
        }
        let per_lane = usize::try_from(request.per_lane).unwrap_or(usize::MAX);
        let mut by_workspace: BTreeMap<(WorkspaceId, Option<Place>), Vec<Lane>> = BTreeMap::new();
        for mut lane in lanes.into_values() {
            lane.0.sort_unstable();
            lane.0.truncate(per_lane);
            if let Some(row) = lane.0.first().and_then(|(_, id)| self.rows.get(id)) {
                let place = Place::of(row.kind, row.platform);
                by_workspace.entry((row.workspace_id, place)).or_default().push(lane);
            }
        }
        let mut turns: Vec<(usize, Lane)> = Vec::new();
        for mut lanes in by_workspace.into_values() {
            lanes.sort_unstable();
            turns.extend(lanes.into_iter().enumerate());
        }
        turns.sort_unstable();
        let mut places = request.places.clone();
        turns.retain(|(_, lane)| self.finds_place(lane, &mut places));
        turns.truncate(usize::try_from(request.lanes).unwrap_or(usize::MAX));
        let ids: Vec<WorkId> =
            turns.into_iter().flat_map(|(_, lane)| lane.0).map(|(_, id)| id).collect();
        ids.into_iter().filter_map(|id| self.lease(id, request.lease_until)).collect()
    }

    fn finds_place(&self, lane: &Lane, places: &mut Places) -> bool {
        let first = lane.0.first().and_then(|(_, id)| self.rows.get(id));
        let place = first.and_then(|row| Some((row, Place::of(row.kind, row.platform)?)));
        place.is_some_and(|(row, place)| places.claim(place, row.workspace_id))
    }

    fn lease(&mut self, id: WorkId, until: DateTime<Utc>) -> Option<Claim> {
        let row = self.rows.get_mut(&id)?;
        row.number += 1;
        row.is_leased = true;
        row.claimable_at = until;
        Some(Claim {
            work_id: id,
            kind: row.kind,
            subject: row.subject,
            number: row.number,
            workspace_id: row.workspace_id,
            platform: row.platform,
            lane: row.lane.clone(),
            due_at: row.due_at,
        })
    }
}

impl Tables {
    fn store_target(&mut self, target: &Target, at: DateTime<Utc>) {
        let post = self
            .posts
            .values_mut()
            .find(|post| post.targets.iter().any(|other| other.id == target.id));
        let Some(post) = post else { return };
        let Some(slot) = post.targets.iter_mut().find(|other| other.id == target.id) else {
            return;
        };
        let has_moved = slot.status != target.status;
        let (reading, options) = (slot.reading.take(), std::mem::take(&mut slot.options));
        *slot = Target { reading, options, ..target.clone() };
        if has_moved {
            post.updated_at = at;
            post.version += 1;
            if !matches!(post.status, PostStatus::Draft | PostStatus::Canceled) {
                post.status = PostStatus::of_targets(&post.targets);
            }
            let post_id = post.id;
            if target.status == TargetStatus::Published {
                self.plan_readings(post_id, target);
            }
        }
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
            match tables.queue.held(claim) {
                Some(row) => row.claimable_at = row.claimable_at.max(lease_until),
                None => lost.push(claim.work_id),
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
        let instants = tables.queue.rows.values().map(|row| row.claimable_at);
        Ok(instants.filter(|at| *at > now).min())
    }

    async fn backlog(&self, now: DateTime<Utc>) -> Result<Vec<Backlog>, StoreError> {
        let tables = self.tables();
        let due = tables.queue.rows.values().filter(|row| row.claimable_at <= now);
        let mut due: Vec<(DateTime<Utc>, WorkKind)> =
            due.map(|row| (row.claimable_at, row.kind)).collect();
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
        let post = tables
            .posts
            .values()
            .find(|post| post.targets.iter().any(|target| target.id.0 == claim.subject));
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
        let mut tables = self.tables();
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
        let mut tables = self.tables();
        if tables.queue.held(claim).is_none() {
            return Ok(None);
        }
        let found = tables.media.get(&MediaId(claim.subject)).and_then(|media| {
            let plan = tables.workspaces.get(&media.workspace_id)?.plan;
            Some(MediaContext { media: media.clone(), plan })
        });
        Ok(found)
    }

    async fn record_media(&self, claim: &Claim, media: &Media) -> Result<Recorded, StoreError> {
        let mut tables = self.tables();
        let after = media.due_at.map_or(WorkAfter::Done, WorkAfter::DueAt);
        if tables.queue.settle(claim, after) == Recorded::Lost {
            return Ok(Recorded::Lost);
        }
        if let Some(row) = tables.queue.rows.get_mut(&claim.work_id) {
            row.kind = WorkKind::of_file(media.status);
        }
        tables.media.insert(media.id, Media { version: media.version + 1, ..media.clone() });
        Ok(Recorded::Stored)
    }
}
