//! Where webhooks and the deliveries to them are kept.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::StoreError;
use crate::idempotency::KeyUse;
use crate::ids::{DeliveryId, WebhookId, WorkspaceId};
use crate::webhook::{Delivery, DeliveryAttempt, DeliveryStatus, EventKind, Webhook};

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

/// Webhooks and the deliveries to them.
#[async_trait]
pub trait WebhookStore: Send + Sync {
    /// Stores a new webhook, with the use of its key, if it has one. Where that key has a use
    /// already, this is answered, and nothing is stored.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn create_webhook(
        &self,
        webhook: &Webhook,
        key_use: Option<&KeyUse>,
    ) -> Result<Option<KeyUse>, StoreError>;

    /// Every webhook of a workspace, oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn webhooks(&self, workspace: WorkspaceId) -> Result<Vec<Webhook>, StoreError>;

    /// Removes a webhook with its deliveries and their work; `false` when there is none.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_webhook(
        &self,
        workspace: WorkspaceId,
        id: WebhookId,
    ) -> Result<bool, StoreError>;

    /// The delivery with this id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn delivery(&self, id: DeliveryId) -> Result<Option<DeliveryRecord>, StoreError>;

    /// The latest deliveries of a workspace, or those of one status, newest first, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn deliveries(
        &self,
        workspace: WorkspaceId,
        status: Option<DeliveryStatus>,
        limit: u32,
    ) -> Result<Vec<DeliveryRecord>, StoreError>;

    /// Makes a delivery pending and its work due at `at`, with no attempt of its budget used up,
    /// whatever became of it before; the log of its attempts goes on. While a lease on its work
    /// runs nothing is changed; a lease that has run out is lost, and its holder can record nothing
    /// more. Of two callers at once, both find it due, and there is one piece of work.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn redeliver(
        &self,
        workspace: WorkspaceId,
        id: DeliveryId,
        at: DateTime<Utc>,
    ) -> Result<RedeliverOutcome, StoreError>;
}
