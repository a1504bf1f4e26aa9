//! Webhooks and the events that they receive.

use scheduler_core::webhook::EventKind;
use serde_json::{Value, json};

use crate::openapi::schema::{
    address, count, flag, instant, list, named, named_all, object, one_of, one_of_all, or_null,
    said, text, uuid,
};

pub(super) fn schemas() -> Vec<(String, Value)> {
    named_all([
        ("EventKind", one_of_all(&EventKind::ALL)),
        ("Webhook", webhook(false)),
        ("NewWebhook", webhook(true)),
        ("PublishedEvent", envelope(EventKind::Published, published())),
        ("FailedEvent", envelope(EventKind::Failed, failed())),
    ])
}

fn webhook(is_new: bool) -> Value {
    let mut schema = object([
        ("id", uuid()),
        ("url", address()),
        ("events", list(named("EventKind"))),
        ("createdAt", instant()),
    ]);
    if is_new {
        schema["properties"]["secret"] = said(text(), "The secret that signs; shown this once.");
        if let Some(required) = schema["required"].as_array_mut() {
            required.push(json!("secret"));
        }
    }
    schema
}

fn envelope(kind: EventKind, data: Value) -> Value {
    object([
        (
            "id",
            said(
                uuid(),
                "The same on every redelivery: keep the ids you have handled, and ignore repeats.",
            ),
        ),
        ("event", one_of([kind.as_str()])),
        ("createdAt", instant()),
        ("data", data),
    ])
}

fn published() -> Value {
    object([
        ("postId", uuid()),
        ("targetId", uuid()),
        ("platform", named("Platform")),
        ("remoteId", or_null(text())),
        ("remoteUrl", or_null(text())),
    ])
}

fn failed() -> Value {
    object([
        ("postId", uuid()),
        ("targetId", uuid()),
        ("platform", named("Platform")),
        ("error", said(text(), "Why, for a person.")),
        (
            "permanent",
            said(flag(), "True when trying again cannot succeed without changing something."),
        ),
        ("attempts", count()),
    ])
}
