//! Webhooks: who is told of what, the events, and their deliveries.

mod data;
mod delivery;
mod delivery_view;
mod event;
mod history;
mod receive;
#[cfg(feature = "engine")]
mod request;
mod test_event;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::ids::{WebhookId, WorkspaceId};
use crate::key::WebhookSecret;

pub use data::{
    AccountData, ApprovalData, CommentData, FailedData, FeedData, MediaData, PublishedData,
    ScheduledData,
};
pub use delivery::{ANSWER_KEPT_BYTES, Delivery, DeliveryAttempt, DeliveryStatus, UnknownStatus};
pub use delivery_view::{AttemptView, DeliveryView};
pub use event::{Envelope, Event, EventKind, UnknownEvent};
pub use history::{EventPlace, HISTORY_KEPT, kept_since};
pub use receive::{Name, Payload, ReceiveError, Received, receive};
pub use test_event::{TEST_EVENT, WebhookTest};
#[cfg(feature = "engine")]
pub(crate) use {request::signed, test_event::test_body};

/// Webhooks that a workspace may have: every event goes to each of them.
///
/// Source: our decision; the interface description names no figure.
pub const WEBHOOKS_MAX: u32 = 50;

/// Bytes of a webhook's address.
///
/// Source: our decision; the interface description names no figure.
pub const URL_MAX_BYTES: usize = 2_048;

/// A subscription to events.
#[derive(Clone, Debug)]
pub struct Webhook {
    /// Its id.
    pub id: WebhookId,
    /// The workspace whose events it receives.
    pub workspace_id: WorkspaceId,
    /// Where events are sent.
    pub url: String,
    /// Which kinds, each once.
    pub events: Vec<EventKind>,
    /// The secret that signs them.
    pub secret: WebhookSecret,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// Since when nothing is sent to it, because its receiver has answered 410.
    pub disabled_at: Option<DateTime<Utc>>,
}

/// A webhook as callers see it.
///
/// Source: interface description, Webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Webhook"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WebhookView {
    /// Its id.
    pub id: WebhookId,
    /// Where events are sent.
    #[cfg_attr(feature = "schema", schemars(url))]
    pub url: String,
    /// The kinds of events that it receives, each once.
    pub events: Vec<EventKind>,
    /// The secret that signs; only in the answer to its creation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// Since when nothing is sent to it, because its receiver has answered 410; a test that is
    /// acknowledged turns it on again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled_at: Option<DateTime<Utc>>,
}

impl From<&Webhook> for WebhookView {
    /// Without the secret.
    fn from(webhook: &Webhook) -> Self {
        Self {
            id: webhook.id,
            url: webhook.url.clone(),
            events: webhook.events.clone(),
            secret: None,
            created_at: webhook.created_at,
            disabled_at: webhook.disabled_at,
        }
    }
}
