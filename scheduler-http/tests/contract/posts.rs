//! Posts.

use std::sync::Arc;

use chrono::TimeDelta;
use scheduler_core::key::Scope;
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::Clock as _;
use serde_json::{Value, json};

use crate::shapes::{BATCH, MEDIA, POST, POST_PAGE, QUEUED, RETRIED, TAKEN_DOWN};
use crate::table::{BOTH, EITHER, READ, Row, WRITE, row};
use crate::world::{Tenant, World, text};

/// Its endpoints, typed from the interface description and not from the code.
pub(crate) const ROWS: &[Row] = &[
    row("GET", "/posts", READ, &[200, 401, 403], &[], false),
    row("POST", "/posts", EITHER, &[200, 201, 400, 401, 402, 403, 404, 409, 422], &[], true),
    row("POST", "/posts/batch", EITHER, &[200], &[429], true),
    row("POST", "/posts/retry", BOTH, &[200], &[404], true),
    row("POST", "/posts/metrics/refresh", READ, &[200, 401, 429], &[], false),
    row("GET", "/posts/{id}", READ, &[200, 401, 404], &[], false),
    row("PATCH", "/posts/{id}", EITHER, &[200, 400, 401, 402, 403, 404, 409, 422], &[412], true),
    row("DELETE", "/posts/{id}", WRITE, &[204, 401, 404, 409], &[412], false),
    row("POST", "/posts/{id}/retry", BOTH, &[200, 401, 403, 404, 409], &[], false),
    row("POST", "/posts/{id}/take-down", BOTH, &[200], &[404], false),
];

fn draft(content: &str) -> Value {
    json!({"content": content, "saveAsDraft": true, "targets": [{"platform": "bluesky"}]})
}

fn now(content: &str) -> Value {
    json!({"content": content, "publishNow": true, "targets": [{"platform": "bluesky"}]})
}

fn in_days(world: &World, days: i64) -> String {
    (world.clock.now() + TimeDelta::days(days)).to_rfc3339()
}

async fn start(world: &Arc<World>, plan: Plan) -> Tenant {
    let tenant = world.tenant_on(plan).await;
    tenant.connect(Platform::Bluesky, "a").await;
    tenant
}

fn path_of(post: &Value) -> String {
    format!("/posts/{}", text(&post["id"]))
}

async fn created(world: Arc<World>) {
    let tenant = start(&world, Plan::Studio).await;
    let image = tenant.file("image").await;
    let every = json!({
        "content": "Hello 🎉",
        "linkUrl": "https://example.com",
        "mediaIds": [image],
        "altTexts": ["A cake"],
        "scheduledLocal": "2026-12-24T18:00",
        "targets": [{"platform": "bluesky", "options": {"caption": "Hi"}}],
    });
    let post = tenant.new_post(&every).await;
    assert_eq!((&post["status"], &post["approvalState"]), (&json!("scheduled"), &Value::Null));
    tenant.new_post(&draft("x")).await;
    tenant.new_post(&now("x")).await;
    let queued = json!({"content": "x", "queue": true, "targets": [{"platform": "bluesky"}]});
    tenant.new_post(&queued).await;
    let keyed = tenant.with("idempotency-key", "eight characters");
    let first = keyed.post("/posts", &draft("first")).await.ok(201, &POST);
    let again = keyed.post("/posts", &json!({"nonsense": 1})).await.ok(200, &POST);
    assert_eq!(first, again);
}

async fn not_created(world: Arc<World>) {
    let tenant = start(&world, Plan::Studio).await;
    let two = json!({"content": "x", "queue": true, "saveAsDraft": true, "targets": []});
    for (body, field) in [
        (json!({"content": "x", "targets": [{"platform": "bluesky"}]}), "scheduledAt"),
        (two, "targets"),
        (json!({"content": "x", "saveAsDraft": true}), "targets"),
        (json!({"saveAsDraft": true, "targets": [{}]}), "targets[0].platform"),
    ] {
        tenant.post("/posts", &body).await.invalid(field);
    }
    tenant
        .with("idempotency-key", "short")
        .post("/posts", &draft("x"))
        .await
        .invalid("Idempotency-Key");
    let writer = tenant.keyed(&[Scope::PostsWrite]).await;
    writer.post("/posts", &now("x")).await.refused(403, "forbidden");
    writer.post("/posts", &draft("x")).await.ok(201, &POST);
    let unknown = "01936b3c-0000-7000-8000-000000000000";
    let mut missing = draft("x");
    missing["mediaIds"] = json!([unknown]);
    tenant.post("/posts", &missing).await.refused(404, "not_found");
    let mut elsewhere = draft("x");
    elsewhere["targets"] = json!([{"platform": "mastodon"}]);
    tenant.post("/posts", &elsewhere).await.refused(409, "account_not_connected");
    let error =
        tenant.post("/posts", &draft(&"x".repeat(301))).await.refused(422, "validation_failed");
    assert!(!error["issues"].as_array().unwrap().is_empty());

    let small = start(&world, Plan::Free).await;
    small.post("/posts", &now("1")).await.ok(201, &POST);
    small.post("/posts", &now("2")).await.ok(201, &POST);
    let error = small.post("/posts", &now("3")).await.refused(402, "post_limit");
    assert_eq!((&error["limit"], &error["upgradeTo"]), (&json!(2), &json!("pro")));
    small.post("/posts", &draft("3")).await.ok(201, &POST);
    world.scheduler.set_plan(&small.workspace, Plan::Studio).await.unwrap();
    let mut larger = small.clone();
    larger.workspace.plan = Plan::Studio;
    for name in ["second", "third"] {
        larger.connect(Platform::Telegram, name).await;
    }
    let third = larger.connect(Platform::Mastodon, "fourth").await;
    world.scheduler.set_plan(&small.workspace, Plan::Free).await.unwrap();
    world.clock.advance(TimeDelta::seconds(1));
    let mut paused = draft("x");
    paused["targets"] = json!([{"platform": "mastodon", "accountId": third.id}]);
    let error = small.post("/posts", &paused).await.refused(402, "channel_limit");
    assert_eq!((&error["limit"], &error["upgradeTo"]), (&json!(2), &json!("pro")));
}

async fn listed_and_shown(world: Arc<World>) {
    let tenant = start(&world, Plan::Studio).await;
    for content in ["a", "b", "c"] {
        tenant.post("/posts", &now(content)).await.ok(201, &POST);
    }
    world.work().await;
    let page = tenant.get("/posts?limit=2").await.ok(200, &POST_PAGE);
    assert_eq!(page["data"].as_array().unwrap().len(), 2);
    let cursor = text(&page["nextCursor"]);
    let rest = tenant.get(&format!("/posts?limit=2&before={cursor}")).await.ok(200, &POST_PAGE);
    assert_eq!((rest["data"].as_array().unwrap().len(), &rest["nextCursor"]), (1, &Value::Null));
    let done = tenant.get("/posts?status=done&days=1").await.ok(200, &POST_PAGE);
    assert_eq!(done["data"].as_array().unwrap().len(), 3);
    for (query, field) in [
        ("limit=501", "limit"),
        ("limit=0", "limit"),
        ("days=731", "days"),
        ("status=gone", "status"),
        ("before=x", "before"),
        ("from=2026-01-01", "from"),
        ("state=late", "state"),
        ("platform=myspace", "platform"),
        ("accountId=x", "accountId"),
        ("order=oldest", "order"),
        ("q=…", "q"),
    ] {
        let error = tenant.get(&format!("/posts?{query}")).await.refused(400, "invalid_request");
        assert_eq!(error["field"], field, "{error}");
    }
    let found =
        tenant.get("/posts?platform=bluesky&platform=mastodon&q=B&from=2026-01-01T00:00:00Z");
    assert_eq!(found.await.ok(200, &POST_PAGE)["data"].as_array().unwrap().len(), 1);
    let mut shown = tenant.get(&path_of(&page["data"][0])).await.ok(200, &POST);
    assert_eq!(shown["issues"].take(), json!([]), "it has gone out");
    let mut listed = page["data"][0].clone();
    listed["issues"] = Value::Null;
    assert_eq!(shown, listed);
    assert_eq!(shown["targets"][0]["status"], "published");
}

async fn changed(world: Arc<World>) {
    let tenant = start(&world, Plan::Studio).await;
    let post = tenant.new_post(&draft("x")).await;
    let path = path_of(&post);
    let patched = tenant.patch(&path, &json!({"content": "y"})).await.ok(200, &POST);
    assert_eq!((&patched["content"], &patched["status"]), (&json!("y"), &json!("draft")));
    let seen = tenant.with("if-match", "\"1\"");
    let error = seen.patch(&path, &json!({"content": "z"})).await.refused(412, "stale");
    assert_eq!(
        (&error["current"]["content"], &error["current"]["revision"]),
        (&json!("y"), &json!(2))
    );
    seen.delete(&path).await.refused(412, "stale");
    tenant.with("if-match", "3").delete(&path).await.invalid("If-Match");
    let at = in_days(&world, 2);
    let writer = tenant.keyed(&[Scope::PostsWrite]).await;
    writer.patch(&path, &json!({"scheduledAt": at})).await.refused(403, "forbidden");
    let timed = tenant.patch(&path, &json!({"scheduledAt": at})).await.ok(200, &POST);
    assert_eq!(timed["status"], "scheduled");
    tenant.patch(&path, &json!({"scheduledAt": "yesterday"})).await.invalid("scheduledAt");
    let unknown = json!({"mediaIds": ["01936b3c-0000-7000-8000-000000000000"]});
    tenant.patch(&path, &unknown).await.refused(404, "not_found");
    let long = json!({"content": "x".repeat(301)});
    tenant.patch(&path, &long).await.refused(422, "validation_failed");

    let other = tenant.connect(Platform::Mastodon, "b").await;
    let going = tenant.new_post(&now("wait")).await;
    world.work().await;
    let path = path_of(&going);
    let targets = json!({"targets": [{"platform": "mastodon", "accountId": other.id}]});
    tenant.patch(&path, &targets).await.refused(409, "targets_locked");
    tenant.patch(&path, &json!({"content": "y"})).await.refused(409, "already_started");

    let small = start(&world, Plan::Free).await;
    let parked = small.new_post(&draft("3")).await;
    let next = small.new_post(&draft("4")).await;
    for content in ["1", "2"] {
        small.post("/posts", &now(content)).await.ok(201, &POST);
    }
    let error = small.patch(&path_of(&parked), &json!({"publishNow": true})).await;
    let error = error.refused(402, "post_limit");
    assert_eq!((&error["limit"], &error["upgradeTo"]), (&json!(2), &json!("pro")));
    // Two months ahead there is room, and from there back there is none.
    let later = json!({"scheduledAt": in_days(&world, 60)});
    small.patch(&path_of(&parked), &later).await.ok(200, &POST);
    let back = json!({"scheduledAt": in_days(&world, 2)});
    small.patch(&path_of(&parked), &back).await.refused(402, "post_limit");
    small.patch(&path_of(&next), &later).await.ok(200, &POST);
}

async fn deleted(world: Arc<World>) {
    let tenant = start(&world, Plan::Studio).await;
    let post = path_of(&tenant.new_post(&draft("x")).await);
    tenant.delete(&post).await.nothing();
    tenant.delete(&post).await.refused(404, "not_found");
    tenant.get(&post).await.refused(404, "not_found");
    let timed = json!({
        "content": "x",
        "scheduledAt": in_days(&world, 1),
        "targets": [{"platform": "bluesky"}],
    });
    let timed = path_of(&tenant.new_post(&timed).await);
    tenant.delete(&timed).await.nothing();
    assert_eq!(tenant.get(&timed).await.ok(200, &POST)["status"], "canceled");
    let going = path_of(&tenant.new_post(&now("wait")).await);
    world.work().await;
    tenant.delete(&going).await.refused(409, "in_flight");
}

async fn retried(world: Arc<World>) {
    let tenant = start(&world, Plan::Studio).await;
    let failed = path_of(&tenant.new_post(&now("refuse")).await);
    let live = path_of(&tenant.new_post(&now("x")).await);
    let going = path_of(&tenant.new_post(&now("wait")).await);
    world.work().await;
    let shown = tenant.get(&failed).await.ok(200, &POST);
    assert_eq!(shown["targets"][0]["errorCode"], "network_refused");
    assert_eq!(shown["targets"][0]["errorPermanent"], true);
    let again = tenant.post_nothing(&format!("{failed}/retry")).await.ok(200, &POST);
    assert_eq!(again["targets"][0]["status"], "pending");
    tenant.post_nothing(&format!("{live}/retry")).await.refused(409, "nothing_to_retry");
    tenant.post_nothing(&format!("{going}/retry")).await.refused(409, "in_flight");
    for (post, want) in [(&live, "taken_down"), (&going, "going_out"), (&failed, "canceled")] {
        let down = format!("{post}/take-down");
        let report = tenant.post_nothing(&down).await.ok(200, &TAKEN_DOWN);
        assert_eq!(report["results"][0]["outcome"], want, "{report}");
    }
    let image = tenant.file("image").await;
    let mut body = now("refuse");
    body["mediaIds"] = json!([image]);
    let post = path_of(&tenant.new_post(&body).await);
    world.work().await;
    tenant.delete(&format!("/media/{image}")).await.ok(200, &MEDIA);
    tenant.post_nothing(&format!("{post}/retry")).await.refused(409, "media_unusable");
}

async fn many(world: Arc<World>) {
    let tenant = start(&world, Plan::Studio).await;
    let item = |key: &str, post: Value| json!({"key": key, "post": post});
    let posts =
        json!([item("first-key", now("refuse")), item("second-key", draft(&"x".repeat(301)))]);
    let report = tenant.post("/posts/batch", &json!({"posts": posts})).await.ok(200, &BATCH);
    assert_eq!(
        (&report["results"][0]["status"], &report["results"][1]["status"]),
        (&json!(201), &json!(422))
    );
    let check = json!({"posts": [item("third-key", draft("x"))], "checkOnly": true});
    let report = tenant.post("/posts/batch", &check).await.ok(200, &BATCH);
    assert_eq!(report["results"][0], json!({"key": "third-key", "status": 200, "issues": []}));
    tenant.post("/posts/batch", &json!({"posts": []})).await.invalid("posts");
    let writer = tenant.keyed(&[Scope::PostsWrite]).await;
    let going = json!({"posts": [item("fourth-key", now("x"))]});
    writer.post("/posts/batch", &going).await.refused(403, "forbidden");
    world.work().await;
    let retry =
        tenant.post("/posts/retry", &json!({"platform": "bluesky"})).await.ok(200, &RETRIED);
    assert_eq!(retry, json!({"retried": 1, "skipped": 0}));
    tenant.post("/posts/retry", &json!({})).await.invalid("ids");
    let unknown = json!({"ids": ["01936b3c-0000-7000-8000-000000000000"]});
    tenant.post("/posts/retry", &unknown).await.refused(404, "not_found");
    // Bursts of twenty, whatever comes of them.
    for _ in 0..20 {
        tenant.post("/posts/batch", &json!({"posts": posts, "checkOnly": true})).await;
    }
    let again = json!({"posts": posts, "checkOnly": true});
    tenant.post("/posts/batch", &again).await.refused(429, "rate_limited");
}

async fn refreshed(world: Arc<World>) {
    let tenant = start(&world, Plan::Studio).await;
    tenant.sent(Platform::Bluesky, "x").await;
    let queued = tenant.post_nothing("/posts/metrics/refresh").await.ok(200, &QUEUED);
    assert_eq!(queued["queued"], 1);
    tenant.post_nothing("/posts/metrics/refresh").await.refused(429, "rate_limited");
    world.clock.advance(TimeDelta::minutes(10));
    tenant.post_nothing("/posts/metrics/refresh").await.ok(200, &QUEUED);
}

scenarios!(created, not_created, listed_and_shown, changed, deleted, retried, many, refreshed,);
