//! Webhooks.

use std::sync::Arc;

use scheduler_core::plan::Plan;
use serde_json::json;

use crate::shapes::{NEW_WEBHOOK, WEBHOOK, WEBHOOK_TEST, WEBHOOKS};
use crate::table::{Row, row};
use crate::world::{World, text};

/// Its endpoints, typed from the interface description and not from the code.
pub(crate) const ROWS: &[Row] = &[
    row("GET", "/workspace/webhooks", "webhooks:read", &[200, 401, 403], &[], false),
    row("POST", "/workspace/webhooks", "webhooks:write", &[201, 400, 401, 402, 403], &[200], true),
    row("DELETE", "/workspace/webhooks/{id}", "webhooks:write", &[204, 401, 403, 404], &[], false),
    row(
        "POST",
        "/workspace/webhooks/{id}/test",
        "webhooks:write",
        &[200, 401, 403, 404],
        &[],
        false,
    ),
];

async fn created_listed_and_removed(world: Arc<World>) {
    let tenant = world.tenant().await;
    let both = json!({"url": "https://receiver.example/a?b=%2F"});
    let created = tenant.post("/workspace/webhooks", &both).await.ok(201, &NEW_WEBHOOK);
    assert_eq!(created["events"], json!(["post.published", "post.failed"]));
    let one = json!({"url": "https://receiver.example", "events": ["post.failed"]});
    tenant.post("/workspace/webhooks", &one).await.ok(201, &NEW_WEBHOOK);
    let listed = tenant.get("/workspace/webhooks").await.ok(200, &WEBHOOKS);
    assert_eq!(listed["data"].as_array().unwrap().len(), 2);
    for (body, field) in [
        (json!({}), "url"),
        (json!({"url": "http://localhost"}), "url"),
        (json!({"url": "https://receiver.example", "events": []}), "events"),
        (json!({"url": "https://receiver.example", "events": ["post.liked"]}), "events[0]"),
    ] {
        tenant.post("/workspace/webhooks", &body).await.invalid(field);
    }
    let keyed = tenant.with("idempotency-key", "eight characters");
    let mut first = keyed.post("/workspace/webhooks", &both).await.ok(201, &NEW_WEBHOOK);
    first.as_object_mut().unwrap().remove("secret");
    let again = keyed.post("/workspace/webhooks", &json!({})).await.ok(200, &WEBHOOK);
    assert_eq!(again, first);
    let long = format!("https://receiver.example/{}", "a".repeat(2_048));
    tenant.post("/workspace/webhooks", &json!({"url": long})).await.invalid("url");
    let held = tenant.get("/workspace/webhooks").await.ok(200, &WEBHOOKS);
    for _ in held["data"].as_array().map_or(0, Vec::len)..50 {
        tenant.post("/workspace/webhooks", &one).await.ok(201, &NEW_WEBHOOK);
    }
    tenant.post("/workspace/webhooks", &one).await.invalid("url");
    let path = format!("/workspace/webhooks/{}", text(&created["id"]));
    let test = format!("{path}/test");
    tenant.post_nothing(&test).await.ok(200, &WEBHOOK_TEST);
    tenant.delete(&path).await.nothing();
    tenant.post_nothing(&test).await.refused(404, "not_found");
    tenant.delete(&path).await.refused(404, "not_found");

    let small = world.tenant_on(Plan::Free).await;
    let error = small.post("/workspace/webhooks", &one).await.refused(402, "api_not_on_plan");
    assert_eq!((&error["limit"], &error["upgradeTo"]), (&json!(0), &json!("pro")));
    // The key was made on a larger plan and keeps working.
    small.get("/workspace/webhooks").await.ok(200, &WEBHOOKS);
}

scenarios!(created_listed_and_removed);
