//! Webhooks and the events that they receive.

use scheduler_core::webhook::{EventKind, URL_MAX_BYTES};
use serde_json::{Value, json};

use crate::openapi::schema::{
    address, count, data_of, flag, instant, list, named, named_all, object, one_of, one_of_all,
    or_null, said, text, uuid, with,
};

pub(super) fn schemas() -> Vec<(String, Value)> {
    named_all([
        ("EventKind", one_of_all(&EventKind::ALL)),
        ("WebhookInput", input()),
        ("Webhook", webhook(false)),
        ("NewWebhook", webhook(true)),
        ("WebhookList", data_of(named("Webhook"))),
        ("PublishedEvent", envelope(EventKind::Published, published())),
        ("FailedEvent", envelope(EventKind::Failed, failed())),
    ])
}

fn input() -> Value {
    let events = json!({
        "type": ["array", "null"],
        "items": named("EventKind"),
        "minItems": 1,
        "default": EventKind::ALL,
    });
    let url = with(address(), json!({"maxLength": URL_MAX_BYTES}));
    object([
        ("url", said(url, "Where events go: https, and a public address.")),
        ("events?", said(events, "Which kinds; both when left out.")),
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
