//! Webhooks and the deliveries to them.

use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::{DeliveryRow, MemoryStore, Tables};
use crate::effects::{NewWork, subscribers};
use crate::idempotency::KeyUse;
use crate::ids::{DeliveryId, EventId, WebhookId, WorkspaceId};
use crate::ports::{
    AddOutcome, DeliveryRecord, EventsRemoved, RedeliverOutcome, StoreError, WebhookStore, WorkKind,
};
use crate::post::Post;
use crate::webhook::{Delivery, DeliveryStatus, Event, EventPlace, Webhook};

impl Tables {
    /// Stores what happened, to be told at once.
    pub(super) fn add_events(&mut self, event: Option<&Event>) {
        if let Some(event) = event {
            self.add_event(event, event.created_at);
        }
    }

    /// Stores that a post was given a time, where a webhook subscribes to that.
    pub(super) fn tell_scheduled(&mut self, before: Option<&Post>, post: &Post) {
        if let Some(event) = Event::scheduled(before, post)
            && !self.subscribers(&event).is_empty()
        {
            self.add_event(&event, event.created_at);
        }
    }

    /// The webhooks that an event is delivered to.
    fn subscribers(&self, event: &Event) -> Vec<WebhookId> {
        let theirs = self.webhooks.values().filter(|webhook| {
            webhook.workspace_id == event.workspace_id && webhook.disabled_at.is_none()
        });
        subscribers(event, theirs.map(|webhook| (webhook.id, webhook.events.as_slice())))
    }

    /// Stores an event, with a delivery and its work for every webhook that subscribes to it;
    /// nothing when it is stored already.
    pub(super) fn add_event(&mut self, event: &Event, at: DateTime<Utc>) {
        if self.events.contains_key(&event.id) {
            return;
        }
        for webhook_id in self.subscribers(event) {
            // Any id will do here, as long as it is unique: event and webhook make it so.
            let id = DeliveryId(uuid::Uuid::from_u128(
                event.id.0.as_u128() ^ webhook_id.0.as_u128().rotate_left(64),
            ));
            let delivery = Delivery {
                id,
                event_id: event.id,
                webhook_id,
                status: DeliveryStatus::Pending,
                attempts: 0,
            };
            self.deliveries.insert(id, DeliveryRow { delivery, attempts: Vec::new() });
            self.queue.add(NewWork::of_delivery(event.workspace_id, webhook_id, id, at));
        }
        self.events.insert(event.id, event.clone());
    }

    fn record(&self, row: &DeliveryRow) -> Option<DeliveryRecord> {
        let event = self.events.get(&row.delivery.event_id)?;
        Some(DeliveryRecord {
            delivery: row.delivery.clone(),
            event: event.kind,
            url: self.webhooks.get(&row.delivery.webhook_id)?.url.clone(),
            attempts: row.attempts.clone(),
        })
    }
}

#[async_trait]
impl WebhookStore for MemoryStore {
    async fn create_webhook(
        &self,
        webhook: &Webhook,
        limit: u32,
        key_use: Option<&KeyUse>,
    ) -> Result<AddOutcome, StoreError> {
        let mut tables = self.tables();
        if let Some(earlier) = key_use.and_then(|key_use| tables.begin_key_use(key_use)) {
            return Ok(AddOutcome::Existing(earlier));
        }
        let of_workspace =
            tables.webhooks.values().filter(|other| other.workspace_id == webhook.workspace_id);
        if of_workspace.count() >= usize::try_from(limit).unwrap_or(usize::MAX) {
            tables.forget_keys_of(webhook.id.0);
            return Ok(AddOutcome::LimitReached);
        }
        tables.webhooks.insert(webhook.id, webhook.clone());
        Ok(AddOutcome::Stored)
    }

    async fn webhooks(&self, workspace: WorkspaceId) -> Result<Vec<Webhook>, StoreError> {
        let tables = self.tables();
        let mut webhooks: Vec<Webhook> = tables
            .webhooks
            .values()
            .filter(|webhook| webhook.workspace_id == workspace)
            .cloned()
            .collect();
        webhooks.sort_by_key(|webhook| (webhook.created_at, webhook.id));
        Ok(webhooks)
    }

    async fn set_webhook_disabled(
        &self,
        workspace: WorkspaceId,
        id: WebhookId,
        at: Option<DateTime<Utc>>,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let webhook = tables.webhooks.get_mut(&id);
        let Some(webhook) = webhook.filter(|webhook| webhook.workspace_id == workspace) else {
            return Ok(false);
        };
        webhook.disabled_at = at.map(|at| webhook.disabled_at.unwrap_or(at));
        Ok(true)
    }

    async fn remove_webhook(
        &self,
        workspace: WorkspaceId,
        id: WebhookId,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let is_theirs =
            tables.webhooks.get(&id).is_some_and(|webhook| webhook.workspace_id == workspace);
        if !is_theirs {
            return Ok(false);
        }
        tables.webhooks.remove(&id);
        tables.forget_keys_of(id.0);
        let deliveries: Vec<DeliveryId> = tables
            .deliveries
            .values()
            .filter(|row| row.delivery.webhook_id == id)
            .map(|row| row.delivery.id)
            .collect();
        for delivery in deliveries {
            tables.deliveries.remove(&delivery);
            tables.queue.remove(WorkKind::Deliver, delivery.0);
        }
        Ok(true)
    }

    async fn delivery(&self, id: DeliveryId) -> Result<Option<DeliveryRecord>, StoreError> {
        let tables = self.tables();
        Ok(tables.deliveries.get(&id).and_then(|row| tables.record(row)))
    }

    async fn deliveries(
        &self,
        workspace: WorkspaceId,
        status: Option<DeliveryStatus>,
        limit: u32,
    ) -> Result<Vec<DeliveryRecord>, StoreError> {
        let tables = self.tables();
        let mut rows: Vec<(DateTime<Utc>, &DeliveryRow)> = tables
            .deliveries
            .values()
            .filter(|row| status.is_none_or(|status| row.delivery.status == status))
            .filter_map(|row| {
                let event = tables.events.get(&row.delivery.event_id)?;
                (event.workspace_id == workspace).then_some((event.created_at, row))
            })
            .collect();
        rows.sort_by_key(|(at, row)| std::cmp::Reverse((*at, row.delivery.id)));
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(rows.into_iter().take(limit).filter_map(|(_, row)| tables.record(row)).collect())
    }

    async fn redeliver(
        &self,
        workspace: WorkspaceId,
        id: DeliveryId,
        at: DateTime<Utc>,
    ) -> Result<RedeliverOutcome, StoreError> {
        let mut tables = self.tables();
        let webhook_id = tables.deliveries.get(&id).map(|row| row.delivery.webhook_id);
        let is_theirs = |id: &WebhookId| {
            tables.webhooks.get(id).is_some_and(|webhook| webhook.workspace_id == workspace)
        };
        let Some(webhook_id) = webhook_id.filter(is_theirs) else {
            return Ok(RedeliverOutcome::Missing);
        };
        if tables.queue.is_leased(WorkKind::Deliver, id.0, at) {
            return Ok(RedeliverOutcome::InFlight);
        }
        // Work that is added is new work: an earlier claim on it is lost.
        tables.queue.remove(WorkKind::Deliver, id.0);
        tables.queue.add(NewWork::of_delivery(workspace, webhook_id, id, at));
        let Some(row) = tables.deliveries.get_mut(&id) else {
            return Ok(RedeliverOutcome::Missing);
        };
        row.delivery.status = DeliveryStatus::Pending;
        row.delivery.attempts = 0;
        let record = tables.deliveries.get(&id).and_then(|row| tables.record(row));
        Ok(record.map_or(RedeliverOutcome::Missing, RedeliverOutcome::Due))
    }

    async fn remove_ended_deliveries(
        &self,
        before: DateTime<Utc>,
        limit: u32,
    ) -> Result<u64, StoreError> {
        let mut tables = self.tables();
        let ended_at = |row: &DeliveryRow| row.delivery.ended_at(row.attempts.last()?);
        let mut ended: Vec<(DateTime<Utc>, DeliveryId)> = tables
            .deliveries
            .values()
            .filter_map(|row| Some((ended_at(row)?, row.delivery.id)))
            .filter(|(at, _)| *at < before)
            .collect();
        ended.sort_unstable();
        ended.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        for (_, id) in &ended {
            tables.deliveries.remove(id);
        }
        Ok(ended.len() as u64)
    }

    async fn remove_unnamed_events(
        &self,
        before: DateTime<Utc>,
        after: Option<EventPlace>,
        limit: u32,
    ) -> Result<EventsRemoved, StoreError> {
        let mut tables = self.tables();
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut old: Vec<EventPlace> = tables
            .events
            .values()
            .map(|event| (event.created_at, event.id))
            .filter(|place| place.0 < before && after.is_none_or(|after| *place > after))
            .collect();
        old.sort_unstable();
        old.truncate(limit);
        let next = old.last().copied().filter(|_| old.len() == limit);
        let named: BTreeSet<EventId> =
            tables.deliveries.values().map(|row| row.delivery.event_id).collect();
        old.retain(|(_, id)| !named.contains(id));
        for (_, id) in &old {
            tables.events.remove(id);
        }
        Ok(EventsRemoved { removed: old.len() as u64, next })
    }
}
