//! What became of an event on its way to a webhook, for people.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{DeliveryAttempt, DeliveryStatus, EventKind};
use crate::ids::{DeliveryId, EventId, WebhookId};
use crate::ports::DeliveryRecord;

/// A delivery with its attempts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Delivery"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DeliveryView {
    /// Its id.
    pub id: DeliveryId,
    /// The event; the same on every redelivery.
    pub event_id: EventId,
    /// Its kind.
    pub event: EventKind,
    /// The webhook.
    pub webhook_id: WebhookId,
    /// Where it is sent.
    pub url: String,
    /// How far it has come.
    pub status: DeliveryStatus,
    /// Every attempt, oldest first.
    pub attempts: Vec<AttemptView>,
}

/// An attempt to deliver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Attempt"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AttemptView {
    /// When it was made.
    pub at: DateTime<Utc>,
    /// The status of the answer; `None` where there was none.
    pub status: Option<u16>,
    /// The begin of the answer, or what went wrong.
    pub answer: String,
}

impl From<&DeliveryRecord> for DeliveryView {
    fn from(record: &DeliveryRecord) -> Self {
        Self {
            id: record.delivery.id,
            event_id: record.delivery.event_id,
            event: record.event,
            webhook_id: record.delivery.webhook_id,
            url: record.url.clone(),
            status: record.delivery.status,
            attempts: record.attempts.iter().map(AttemptView::from).collect(),
        }
    }
}

impl From<&DeliveryAttempt> for AttemptView {
    fn from(attempt: &DeliveryAttempt) -> Self {
        Self { at: attempt.at, status: attempt.status, answer: attempt.answer.clone() }
    }
}
