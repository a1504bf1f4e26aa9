//! A webhook with and without its secret, which are one type.

use scheduler_core::webhook::WebhookView;
use serde_json::{Value, json};

use crate::openapi::derived::{Components, written};

/// A webhook that was just created, with its secret.
pub(super) fn new_webhook(components: &mut Components) -> Value {
    let mut own = Components::default();
    written::<WebhookView>(&mut own);
    let mut schema = own.take("Webhook");
    if let Some(required) = schema["required"].as_array_mut() {
        required.push(json!("secret"));
    }
    components.extend(own);
    components.add("NewWebhook", schema)
}

/// A webhook without its secret.
pub(super) fn shown_webhook(components: &mut Components) -> Value {
    written::<WebhookView>(components);
    let mut schema = components.take("Webhook");
    if let Some(properties) = schema["properties"].as_object_mut() {
        properties.remove("secret");
    }
    components.add("Webhook", schema)
}
