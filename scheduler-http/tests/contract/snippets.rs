//! What a workspace keeps to write with; an addition to the contract.

use std::sync::Arc;

use http::Method;
use serde_json::{Value, json};

use crate::shapes::{SNIPPET, SNIPPETS};
use crate::table::{READ, Row, WRITE, row};
use crate::world::{Reply, Tenant, World};

pub(crate) const ROWS: &[Row] = &[
    row("GET", "/snippets", READ, &[200, 401, 403], &[], false),
    row("PUT", "/snippets/{name}", WRITE, &[200, 400, 401, 403], &[], true),
    row("DELETE", "/snippets/{name}", WRITE, &[204, 401, 403, 404], &[], false),
];

async fn put(tenant: &Tenant, path: &str, body: &Value) -> Reply {
    tenant.json(Method::PUT, path, body).await
}

async fn saved_listed_and_removed(world: Arc<World>) {
    let tenant = world.tenant().await;
    let saved = put(&tenant, "/snippets/tags", &json!({"text": "#bread"})).await.ok(200, &SNIPPET);
    assert_eq!(saved["name"], "tags");
    put(&tenant, "/snippets/end", &json!({"text": "See you"})).await.ok(200, &SNIPPET);
    put(&tenant, "/snippets/tags", &json!({"text": "#cake"})).await.ok(200, &SNIPPET);
    let listed = tenant.get("/snippets").await.ok(200, &SNIPPETS);
    let texts: Vec<_> =
        listed["data"].as_array().unwrap().iter().map(|snippet| snippet["text"].clone()).collect();
    assert_eq!(texts, ["See you", "#cake"], "by their names");
    for (body, field) in [
        (json!({}), "text"),
        (json!({"text": "a", "post": {}}), "text"),
        (json!({"text": " "}), "text"),
        (json!({"text": "a".repeat(64_001)}), "text"),
        (json!({"post": {"queue": true}}), "post.queue"),
        (json!({"post": {"mediaIds": []}}), "post.mediaIds"),
        (json!({"post": {"content": "a".repeat(64_001)}}), "post.content"),
        (json!({"post": {"targets": [{"platform": "bluesky", "mediaIds": []}]}}), "post.targets"),
    ] {
        put(&tenant, "/snippets/tags", &body).await.invalid(field);
    }
    put(&tenant, "/snippets/Tags", &json!({"text": "a"})).await.invalid("name");
    tenant.delete("/snippets/tags").await.nothing();
    tenant.delete("/snippets/tags").await.refused(404, "not_found");
    for index in 1..200 {
        let path = format!("/snippets/n{index}");
        put(&tenant, &path, &json!({"text": "a"})).await.ok(200, &SNIPPET);
    }
    put(&tenant, "/snippets/one-more", &json!({"text": "a"})).await.invalid("name");
    put(&tenant, "/snippets/end", &json!({"text": "Bye"})).await.ok(200, &SNIPPET);
}

scenarios!(saved_listed_and_removed);
