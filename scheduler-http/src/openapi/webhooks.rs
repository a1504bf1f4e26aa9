//! Webhooks.

use scheduler_core::error::ErrorCode as Code;
use serde_json::json;

use super::examples::webhook;
use super::operation::{Answer, Content, Operation, example};
use super::schema::{named, with};
use crate::endpoints::{CREATE_WEBHOOK, DELETE_WEBHOOK, LIST_WEBHOOKS};

pub(super) fn operations() -> Vec<Operation> {
    vec![list(), create(), delete()]
}

fn list() -> Operation {
    Operation::new(&LIST_WEBHOOKS, "List webhooks", "Without their secrets, oldest first.").answers(
        200,
        "The webhooks.",
        named("WebhookList"),
        json!({"data": [webhook()]}),
    )
}

fn create() -> Operation {
    let created =
        with(webhook(), json!({"secret": "whsec_example0example0example0example0example0exam"}));
    Operation::new(
        &CREATE_WEBHOOK,
        "Create a webhook",
        "The answer holds the secret that signs every delivery; it is shown this once, not to a repeat under the same `Idempotency-Key` either: delete a webhook whose secret was lost, and create another under another key. The address must be https and public, and is looked at again at every delivery.",
    )
    .reads_any(
        named("WebhookInput"),
        vec![
            example("both", "Both events", json!({"url": "https://bakery.example/hooks/scheduler"})),
            example(
                "failures",
                "Only failures",
                json!({"url": "https://bakery.example/hooks/failures", "events": ["post.failed"]}),
            ),
        ],
    )
    .answers(201, "The webhook, with its secret.", named("NewWebhook"), created)
    .answers(
        200,
        "The webhook that was created before with this `Idempotency-Key`, without its secret.",
        named("Webhook"),
        webhook(),
    )
    .refuses(&[Code::ApiNotOnPlan])
}

fn delete() -> Operation {
    Operation::new(
        &DELETE_WEBHOOK,
        "Delete a webhook",
        "What was not delivered to it yet is given up.",
    )
    .answers_with(Answer {
        status: 204,
        description: "Done.",
        content: Content::Nothing,
        headers: Vec::new(),
    })
    .refuses(&[Code::NotFound])
}
