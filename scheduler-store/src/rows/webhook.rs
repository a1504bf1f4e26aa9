//! Rows of `webhooks`, `events`, `deliveries` and `delivery_attempts`.

use scheduler_core::ids::{DeliveryId, EventId, WebhookId, WorkspaceId};
use scheduler_core::key::WebhookSecret;
use scheduler_core::ports::StoreError;
use scheduler_core::webhook::{Delivery, DeliveryAttempt, DeliveryStatus, Event, Webhook};
use uuid::Uuid;

use super::{find, from_json, narrow, parse, row};
use crate::instant::Instant;
use crate::sealing::{Sealed, Sealer};

row! {
    /// A row of `webhooks`.
    pub(crate) struct WebhookRow by webhook_columns {
        w {
            webhook_id = id: Uuid,
            workspace_id: Uuid,
            url: String,
            events: String,
            secret: Vec<u8>,
            webhook_created_at = created_at: Instant,
            disabled_at: Option<Instant>,
        }
    }
}

impl WebhookRow {
    pub(crate) fn open(self, sealer: &Sealer) -> Result<Webhook, StoreError> {
        let opened = sealer.open(Sealed::WebhookSecret, self.webhook_id, &self.secret);
        let secret = opened.map_or_else(
            |error| {
                tracing::error!(webhook_id = %self.webhook_id, %error, "a webhook's secret is lost");
                WebhookSecret::lost()
            },
            WebhookSecret::from_stored,
        );
        Ok(Webhook {
            id: WebhookId(self.webhook_id),
            workspace_id: WorkspaceId(self.workspace_id),
            url: self.url,
            events: from_json("webhooks.events", &self.events)?,
            secret,
            created_at: self.webhook_created_at.0,
            disabled_at: self.disabled_at.map(|at| at.0),
        })
    }
}

row! {
    /// A row of `deliveries`.
    pub(crate) struct DeliveryRow by delivery_columns {
        d {
            pub(crate) delivery_id = id: Uuid,
            event_id: Uuid,
            status: String,
            attempts: i64,
        }
    }
    with {
        webhook_id: Uuid,
    }
}

impl DeliveryRow {
    pub(crate) fn read(self) -> Result<Delivery, StoreError> {
        Ok(Delivery {
            id: DeliveryId(self.delivery_id),
            event_id: EventId(self.event_id),
            webhook_id: WebhookId(self.webhook_id),
            status: find(
                "deliveries.status",
                DeliveryStatus::ALL,
                |status| status.as_str(),
                &self.status,
            )?,
            attempts: narrow("deliveries.attempts", self.attempts)?,
        })
    }
}

row! {
    /// A row of `deliveries` with the kind of its event and the address of its webhook.
    pub(crate) struct DeliveryAndKindRow {
        ..pub(crate) delivery: DeliveryRow,
        pub(crate) event_kind: String,
        pub(crate) url: String,
    }
}

row! {
    /// A row of `deliveries` with its event and its webhook.
    pub(crate) struct DeliveryContextRow {
        ..pub(crate) delivery: DeliveryRow,
        ..pub(crate) webhook: WebhookRow,
        event_kind: String,
        event_created_at: Instant,
        event_body: String,
    }
}

impl DeliveryContextRow {
    pub(crate) fn open(self, sealer: &Sealer) -> Result<(Delivery, Event, Webhook), StoreError> {
        let delivery = self.delivery.read()?;
        let webhook = self.webhook.open(sealer)?;
        let event = Event {
            id: delivery.event_id,
            workspace_id: webhook.workspace_id,
            kind: parse("events.kind", &self.event_kind)?,
            created_at: self.event_created_at.0,
            body: self.event_body,
        };
        Ok((delivery, event, webhook))
    }
}

row! {
    /// A row of `delivery_attempts`.
    pub(crate) struct AttemptRow {
        pub(crate) delivery_id: Uuid,
        at: Instant,
        status: Option<i64>,
        answer: String,
    }
}

impl AttemptRow {
    pub(crate) fn read(self) -> Result<DeliveryAttempt, StoreError> {
        Ok(DeliveryAttempt {
            at: self.at.0,
            status: self
                .status
                .map(|status| narrow("delivery_attempts.status", status))
                .transpose()?,
            answer: self.answer,
        })
    }
}
