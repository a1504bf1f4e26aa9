//! Where webhooks and the deliveries to them are kept.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::{AddOutcome, StoreError};
use crate::idempotency::KeyUse;
use crate::ids::{DeliveryId, WebhookId, WorkspaceId};
use crate::webhook::{Delivery, DeliveryAttempt, DeliveryStatus, EventKind, EventPlace, Webhook};

/// A delivery with what an operator wants to know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryRecord {
    /// The delivery.
    pub delivery: Delivery,
    /// The kind of its event.
    pub event: EventKind,
    /// Where it goes.
    pub url: String,
    /// Every attempt, oldest first.
    pub attempts: Vec<DeliveryAttempt>,
}

/// What became of a delivery that was to be sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedeliverOutcome {
    /// It is due; this is its record.
    Due(DeliveryRecord),
    /// Somebody is sending it at this moment; nothing was changed.
    InFlight,
    /// There is none, or its webhook is gone.
    Missing,
}

/// What became of some of the oldest events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventsRemoved {
    /// How many were removed.
    pub removed: u64,
    /// Where to go on; `None` when there are no more.
    pub next: Option<EventPlace>,
}

/// Webhooks and the deliveries to them.
#[async_trait]
pub trait WebhookStore: Send + Sync {
    /// Stores a new webhook, with the use of its key, if it has one, unless that key has a use or
    /// its workspace has `limit` webhooks or more. Of several callers at once, as many store theirs
    /// as there is room for.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn create_webhook(
        &self,
        _webhook: &Webhook,
        _limit: u32,
        _key_use: Option<&KeyUse>,
    ) -> Result<AddOutcome, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Every webhook of a workspace, oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn webhooks(&self, _workspace: WorkspaceId) -> Result<Vec<Webhook>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Disables a webhook, which new events leave out from then on, or turns it on again; `false`
    /// when there is none. One that is disabled already keeps since when.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn set_webhook_disabled(
        &self,
        _workspace: WorkspaceId,
        _id: WebhookId,
        _at: Option<DateTime<Utc>>,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Removes a webhook with its deliveries and their work; `false` when there is none.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_webhook(
        &self,
        _workspace: WorkspaceId,
        _id: WebhookId,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The delivery with this id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn delivery(&self, _id: DeliveryId) -> Result<Option<DeliveryRecord>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The latest deliveries of a workspace, or those of one status, newest first, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn deliveries(
        &self,
        _workspace: WorkspaceId,
        _status: Option<DeliveryStatus>,
        _limit: u32,
    ) -> Result<Vec<DeliveryRecord>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Makes a delivery pending and its work due at `at`, with no attempt of its budget used up,
    /// whatever became of it before; the log of its attempts goes on. While a lease on its work
    /// runs nothing is changed; a lease that has run out is lost, and its holder can record nothing
    /// more. Of two callers at once, both find it due, and there is one piece of work.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn redeliver(
        &self,
        _workspace: WorkspaceId,
        _id: DeliveryId,
        _at: DateTime<Utc>,
    ) -> Result<RedeliverOutcome, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Removes at most `limit` of the deliveries that ended before this instant, with their
    /// attempts, those that ended first before others, and says how many. Those that another
    /// caller is removing or changing are passed over.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_ended_deliveries(
        &self,
        _before: DateTime<Utc>,
        _limit: u32,
    ) -> Result<u64, StoreError> {
        Ok(0)
    }

    /// Looks at the `limit` oldest events after this place that happened before this instant, and
    /// removes those that no delivery names.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_unnamed_events(
        &self,
        _before: DateTime<Utc>,
        _after: Option<EventPlace>,
        _limit: u32,
    ) -> Result<EventsRemoved, StoreError> {
        Ok(EventsRemoved { removed: 0, next: None })
    }
}
