//! The assistant.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::AssistantError;
use serde_json::{Value, json};

use crate::shapes::{CAPTIONS, Shape};
use crate::table::{READ, Row, WRITE, row};
use crate::world::{Tenant, World};

/// Its endpoints, typed from the interface description and not from the code.
pub(crate) const ROWS: &[Row] = &[
    row("POST", "/ai/captions", WRITE, &[200, 400, 401, 402, 422, 429, 503], &[], true),
    row("POST", "/ai/review", WRITE, &[200, 400, 401, 402, 404, 429, 503], &[409], true),
    row("GET", "/ai/review/{targetId}", READ, &[200, 401, 404], &[], false),
];

fn wanted() -> Value {
    json!({"content": "We bake cakes. 🍰", "platforms": ["bluesky", "mastodon"]})
}

fn captions() -> Result<String, AssistantError> {
    Ok(json!({"bluesky": "Cakes! 🍰", "mastodon": "We bake cakes."}).to_string())
}

fn review() -> Result<String, AssistantError> {
    Ok(json!({
        "summary": "A good text.",
        "strengths": ["It is short."],
        "suggestions": ["Ask a question."],
        "score": 7,
    })
    .to_string())
}

async fn live(tenant: &Tenant) -> String {
    tenant.connect(Platform::Bluesky, "a").await;
    let path = tenant.sent(Platform::Bluesky, "We bake cakes.").await;
    path.rsplit('/').next().unwrap().to_owned()
}

async fn captions_of_a_text(world: Arc<World>) {
    let tenant = world.tenant_on(Plan::Pro).await;
    world.assistant.will(captions());
    let written = tenant.post("/ai/captions", &wanted()).await.ok(200, &CAPTIONS);
    let want = json!({"bluesky": "Cakes! 🍰", "mastodon": "We bake cakes."});
    assert_eq!(written["captions"], want);
    for (body, field) in [
        (json!({"platforms": ["bluesky"]}), "content"),
        (json!({"content": " ", "platforms": ["bluesky"]}), "content"),
        (json!({"content": "x"}), "platforms"),
        (json!({"content": "x", "platforms": []}), "platforms"),
        (json!({"content": "x", "platforms": ["orkut"]}), "platforms[0]"),
    ] {
        tenant.post("/ai/captions", &body).await.invalid(field);
    }
    world.assistant.will(Err(AssistantError::Declined(None)));
    tenant.post("/ai/captions", &wanted()).await.refused(422, "ai_declined");
    world.assistant.will(Err(AssistantError::Unavailable("it is slow".to_owned())));
    tenant.post("/ai/captions", &wanted()).await.refused(503, "ai_unavailable");
    world.assistant.is_missing.store(true, Ordering::SeqCst);
    tenant.post("/ai/captions", &wanted()).await.refused(503, "ai_unavailable");
    world.assistant.is_missing.store(false, Ordering::SeqCst);
    // What failed has cost nothing: the plan's second and last call is there.
    world.assistant.will(captions());
    tenant.post("/ai/captions", &wanted()).await.ok(200, &CAPTIONS);
    let error = tenant.post("/ai/captions", &wanted()).await.refused(402, "ai_limit");
    assert_eq!((&error["limit"], &error["upgradeTo"]), (&json!(2), &json!("studio")));
    let small = world.tenant_on(Plan::Free).await;
    let error = small.post("/ai/captions", &wanted()).await.refused(402, "ai_not_in_plan");
    assert_eq!((&error["limit"], &error["upgradeTo"]), (&json!(0), &json!("pro")));
}

async fn reviews(world: Arc<World>) {
    let tenant = world.tenant_on(Plan::Pro).await;
    let target = live(&tenant).await;
    let stored = format!("/ai/review/{target}");
    let body = json!({"targetId": target});
    assert_eq!(tenant.get(&stored).await.ok(200, &Shape::OrNull(&Shape::Free)), Value::Null);
    tenant.post("/ai/review", &json!({})).await.invalid("targetId");
    world.assistant.is_missing.store(true, Ordering::SeqCst);
    tenant.post("/ai/review", &body).await.refused(503, "ai_unavailable");
    world.assistant.is_missing.store(false, Ordering::SeqCst);
    world.assistant.will(review());
    let first = tenant.post("/ai/review", &body).await.ok(200, &Shape::Free);
    assert_eq!((&first["score"], &first["targetId"]), (&json!(7), &json!(target)));
    assert_eq!(tenant.post("/ai/review", &body).await.ok(200, &Shape::Free), first, "stored");
    assert_eq!(tenant.get(&stored).await.ok(200, &Shape::Free), first);
    let anew = json!({"targetId": target, "refresh": true});
    world.assistant.will(review());
    tenant.post("/ai/review", &anew).await.ok(200, &Shape::Free);
    let error = tenant.post("/ai/review", &anew).await.refused(402, "ai_limit");
    assert_eq!((&error["limit"], &error["upgradeTo"]), (&json!(2), &json!("studio")));
    assert_eq!(tenant.get(&stored).await.ok(200, &Shape::Free)["targetId"], json!(target));

    let draft = json!({"saveAsDraft": true});
    let parked = tenant.post_to(Platform::Bluesky, "x", draft).await;
    let parked = json!({"targetId": parked["targets"][0]["id"]});
    tenant.post("/ai/review", &parked).await.refused(409, "not_published");
    let small = world.tenant_on(Plan::Free).await;
    let body = json!({"targetId": live(&small).await});
    small.post("/ai/review", &body).await.refused(402, "ai_not_in_plan");
}

scenarios!(captions_of_a_text, reviews);
