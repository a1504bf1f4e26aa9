//! The delivery of one event to one webhook.

use std::str::FromStr;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::ids::{DeliveryId, EventId, WebhookId};

/// Bytes of a receiver's answer that are kept.
///
/// Source: our decision; the interface description names no figure.
pub const ANSWER_KEPT_BYTES: usize = 1_024;

/// How far a delivery has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStatus {
    /// Not acknowledged yet; will be tried.
    Pending,
    /// Acknowledged with a 2xx.
    Delivered,
    /// Trying has stopped.
    Failed,
}

impl DeliveryStatus {
    /// Every status. Tables in tests run over it.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Delivered, Self::Failed];

    /// The name in storage and output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }
}

impl FromStr for DeliveryStatus {
    type Err = UnknownStatus;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let status = Self::ALL.into_iter().find(|status| status.as_str() == text);
        status.ok_or_else(|| UnknownStatus(text.to_owned()))
    }
}

/// The text is not the name of a status.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a status of deliveries; those are pending, delivered and failed")]
pub struct UnknownStatus(pub String);

/// One event on its way to one webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Its id.
    pub id: DeliveryId,
    /// What is delivered.
    pub event_id: EventId,
    /// The webhook that receives it.
    pub webhook_id: WebhookId,
    /// How far it has come.
    pub status: DeliveryStatus,
    /// How often it was tried since it first became due, or since somebody last asked for it
    /// anew: what is used up of its budget.
    pub attempts: u32,
}

/// One try of a delivery, kept for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryAttempt {
    /// When it was sent.
    pub at: DateTime<Utc>,
    /// The receiver's status, when it answered.
    pub status: Option<u16>,
    /// The first [`ANSWER_KEPT_BYTES`] of its answer, or why there is none.
    pub answer: String,
}
