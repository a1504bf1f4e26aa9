//! An event that is sent for a test alone.

use serde::{Deserialize, Serialize};

/// The name of the event that tests a webhook. Nobody subscribes to it.
pub const TEST_EVENT: &str = "webhook.test";

/// What a receiver made of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WebhookTest {
    /// The HTTP status that the receiver answered with; `null` when no answer came.
    pub status: Option<u16>,
    /// How long that took, in milliseconds.
    pub ms: u64,
    /// The first [`ANSWER_KEPT_BYTES`](super::ANSWER_KEPT_BYTES) of its answer, or why there is
    /// none, in words.
    pub answer: String,
}

impl WebhookTest {
    /// Whether the receiver has acknowledged it.
    #[must_use]
    pub fn is_acknowledged(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }
}

/// The body of a test.
#[cfg(feature = "engine")]
pub(crate) fn test_body(
    id: crate::ids::EventId,
    webhook: crate::ids::WebhookId,
    at: chrono::DateTime<chrono::Utc>,
) -> String {
    let envelope = super::Envelope {
        id,
        event: super::Name::Other(TEST_EVENT.to_owned()),
        created_at: at,
        data: serde_json::json!({ "webhookId": webhook }),
    };
    // Plain strings always become JSON.
    serde_json::to_string(&envelope).unwrap_or_default()
}
