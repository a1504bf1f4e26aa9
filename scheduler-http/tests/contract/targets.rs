//! What can be done with a target once it is live, and before.

use std::sync::Arc;

use chrono::TimeDelta;
use http::Method;
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use serde_json::{Value, json};

use crate::fakes::COMMENT_ID;
use crate::shapes::{COMMENT, COMMENTS, FIGURES, HISTORY, Shape, TARGET};
use crate::table::{BOTH, PUBLISH, READ, Row, WRITE, row};
use crate::world::{Tenant, World, target_path, text};

/// Its endpoints, typed from the interface description and not from the code.
pub(crate) const ROWS: &[Row] = &[
    row("POST", "/posts/{id}/targets/{targetId}/metrics", READ, &[200, 401, 404, 409], &[], false),
    row(
        "GET",
        "/posts/{id}/targets/{targetId}/metrics/history",
        READ,
        &[200, 401, 404],
        &[],
        false,
    ),
    row("GET", "/posts/{id}/targets/{targetId}/insights", READ, &[200, 401, 404], &[409], false),
    row("GET", "/posts/{id}/targets/{targetId}/comments", READ, &[200, 401, 404], &[409], false),
    row(
        "POST",
        "/posts/{id}/targets/{targetId}/comments/{commentId}",
        PUBLISH,
        &[200, 400, 401, 403, 404, 409],
        &[],
        true,
    ),
    row(
        "PATCH",
        "/posts/{id}/targets/{targetId}/remote",
        BOTH,
        &[200, 401, 403, 404, 409],
        &[422],
        true,
    ),
    row(
        "DELETE",
        "/posts/{id}/targets/{targetId}/remote",
        BOTH,
        &[200, 401, 403, 404, 409],
        &[],
        false,
    ),
    row(
        "PATCH",
        "/posts/{id}/targets/{targetId}/account",
        WRITE,
        &[200, 400, 401, 404, 409],
        &[402],
        true,
    ),
];

/// A workspace with an account of Mastodon, which offers nearly everything, and of Bluesky.
async fn start(world: &Arc<World>) -> Tenant {
    let tenant = world.tenant().await;
    for platform in [Platform::Mastodon, Platform::Bluesky] {
        tenant.connect(platform, "a").await;
    }
    tenant
}

async fn draft(tenant: &Tenant) -> String {
    target_path(&tenant.post_to(Platform::Mastodon, "x", json!({"saveAsDraft": true})).await)
}

/// The segment of a path that an id becomes.
fn segment(id: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
    id.bytes()
        .map(|byte| match plain(&byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}

fn reconnect() -> NetworkError {
    NetworkError::new(NetworkErrorKind::Reconnect, "The token was revoked.")
}

async fn figures(world: Arc<World>) {
    let tenant = start(&world).await;
    let live = tenant.sent(Platform::Mastodon, "x").await;
    let none = tenant.get(&format!("{live}/metrics/history")).await.ok(200, &HISTORY);
    assert_eq!(none, json!({"data": []}));
    let first = tenant.post_nothing(&format!("{live}/metrics")).await.ok(200, &FIGURES);
    assert_eq!((&first["likes"], &first["views"]), (&json!(7), &json!(100)));
    assert!(Shape::Instant.faults(&first["fetchedAt"], "fetchedAt").is_empty(), "{first}");
    world.clock.advance(TimeDelta::hours(2));
    let second = tenant.post_nothing(&format!("{live}/metrics")).await.ok(200, &FIGURES);
    let history = tenant.get(&format!("{live}/metrics/history")).await.ok(200, &HISTORY);
    assert_eq!(history["data"], json!([first, second]), "oldest first");
    let since = text(&second["fetchedAt"]);
    let late = tenant.get(&format!("{live}/metrics/history?since={since}")).await;
    assert_eq!(late.ok(200, &HISTORY)["data"], json!([second]));
    tenant.get(&format!("{live}/metrics/history?since=lately")).await.invalid("since");
    let post = live.split("/targets/").next().unwrap();
    let shown = tenant.get(post).await.ok(200, &crate::shapes::POST);
    assert_eq!(shown["targets"][0]["metrics"], second, "the post shows the latest");

    let parked = draft(&tenant).await;
    tenant.post_nothing(&format!("{parked}/metrics")).await.refused(409, "not_published");
    let history = tenant.get(&format!("{parked}/metrics/history")).await.ok(200, &HISTORY);
    assert_eq!(history, json!({"data": []}));
    // What a network has answered is kept for a minute.
    world.clock.advance(TimeDelta::minutes(2));
    let wait = NetworkErrorKind::RateLimited { wait: Some(TimeDelta::seconds(90)) };
    world.will_fail(NetworkError::new(wait, "Slow down."));
    tenant.post_nothing(&format!("{live}/metrics")).await.refused(429, "rate_limited");
    world.will_fail(NetworkError::new(NetworkErrorKind::Temporary, "It is down."));
    tenant.post_nothing(&format!("{live}/metrics")).await.refused(409, "network_error");
    world.will_fail(reconnect());
    tenant.post_nothing(&format!("{live}/metrics")).await.refused(409, "account_not_connected");
    tenant.post_nothing(&format!("{live}/metrics")).await.refused(409, "account_not_connected");
}

async fn insights(world: Arc<World>) {
    let tenant = start(&world).await;
    let live = tenant.sent(Platform::Mastodon, "x").await;
    let none = tenant.get(&format!("{live}/insights")).await.ok(200, &Shape::Free);
    assert_eq!(none, json!({"supported": false}));
    tenant.connect(Platform::Youtube, "a").await;
    let video = tenant.file("video").await;
    let body = json!({
        "content": "A film",
        "mediaIds": [video],
        "publishNow": true,
        "targets": [{"platform": "youtube", "options": {"title": "A film"}}],
    });
    let path = target_path(&tenant.new_post(&body).await);
    tenant.get(&format!("{path}/insights")).await.refused(409, "not_published");
    world.work().await;
    let told = tenant.get(&format!("{path}/insights")).await.ok(200, &Shape::Free);
    assert_eq!(told["supported"], true);
    assert_eq!(told["retention"][0]["watchRatio"], 1.0, "{told}");
    assert_eq!(told["trafficSources"][0]["views"], 5, "{told}");
}

async fn comments(world: Arc<World>) {
    let tenant = start(&world).await;
    let live = tenant.sent(Platform::Mastodon, "x").await;
    let read = tenant.get(&format!("{live}/comments")).await.ok(200, &COMMENTS);
    let comment = &read["data"][0];
    assert_eq!((&comment["id"], &read["supported"]), (&json!(COMMENT_ID), &json!(true)));
    assert_eq!(comment["author"], "Ann 👩‍👩‍👧 100%/2");
    let page = |query: String| format!("{live}/comments?{query}");
    let first = tenant.get(&page("limit=1".to_owned())).await.ok(200, &COMMENTS);
    assert_eq!(first["data"], json!([comment]));
    let behind = page(format!("before={}", segment(COMMENT_ID)));
    let rest = tenant.get(&behind).await.ok(200, &COMMENTS);
    assert!(!rest["data"].as_array().unwrap().contains(comment), "{rest}");
    for field in ["limit", "before"] {
        tenant.get(&page(format!("{field}=0"))).await.invalid(field);
    }
    let one = format!("{live}/comments/{}", segment(COMMENT_ID));
    let said = "100% yes / 👍🏽 %2F é";
    let made = tenant.post(&one, &json!({"action": "reply", "text": said})).await.ok(200, &COMMENT);
    assert_eq!((&made["text"], &made["own"]), (&json!(said), &json!(true)));
    for action in ["edit", "like", "unlike", "unhide", "delete"] {
        let text = (action == "edit").then_some(said);
        let mut body = json!({"action": action});
        if let Some(text) = text {
            body["text"] = json!(text);
        }
        tenant.post(&one, &body).await.ok(200, &Shape::Free);
    }
    for (body, field) in [
        (json!({}), "action"),
        (json!({"action": "praise"}), "action"),
        (json!({"action": "reply"}), "text"),
        (json!({"action": "edit", "text": " "}), "text"),
    ] {
        tenant.post(&one, &body).await.invalid(field);
    }
    tenant.post(&one, &json!({"action": "hide"})).await.refused(409, "network_refused");
    world.will_fail(NetworkError::not_found("There is no such comment."));
    tenant.post(&one, &json!({"action": "like"})).await.refused(404, "not_found");
    world.will_fail(NetworkError::new(NetworkErrorKind::InDoubt, "The connection broke."));
    let reply = json!({"action": "reply", "text": "x"});
    let keyed = tenant.with("idempotency-key", "eight characters");
    world.will_fail(NetworkError::new(NetworkErrorKind::InDoubt, "The connection broke."));
    for _ in 0..2 {
        keyed.post(&one, &reply).await.refused(409, "in_doubt");
    }
    let keyed = tenant.with("idempotency-key", "another key");
    let first = keyed.post(&one, &reply).await.ok(200, &COMMENT);
    assert_eq!(keyed.post(&one, &reply).await.ok(200, &COMMENT), first);

    let parked = draft(&tenant).await;
    tenant.get(&format!("{parked}/comments")).await.refused(409, "not_published");
    tenant.post(&format!("{parked}/comments/1"), &reply).await.refused(409, "not_published");
    tenant.connect(Platform::Telegram, "a").await;
    let silent = tenant.sent(Platform::Telegram, "x").await;
    let none = tenant.get(&format!("{silent}/comments")).await.ok(200, &COMMENTS);
    assert_eq!((&none["supported"], &none["data"]), (&json!(false), &json!([])));
    tenant.post(&format!("{silent}/comments/1"), &reply).await.refused(409, "unsupported");
}

async fn edited(world: Arc<World>) {
    let tenant = start(&world).await;
    let live = tenant.sent(Platform::Mastodon, "x").await;
    let remote = format!("{live}/remote");
    let edited = tenant.patch(&remote, &json!({"content": "50% off / 🎉"})).await.ok(200, &TARGET);
    assert_eq!((&edited["status"], &edited["canEditRemote"]), (&json!("published"), &json!(true)));
    tenant.patch(&remote, &json!({})).await.refused(400, "invalid_request");
    tenant.patch(&remote, &json!({"title": "x"})).await.invalid("title");
    let long = json!({"content": "x".repeat(501)});
    let error = tenant.patch(&remote, &long).await.refused(422, "validation_failed");
    assert_eq!(error["issues"][0]["platform"], "mastodon");
    let other = tenant.sent(Platform::Bluesky, "x").await;
    let new = json!({"content": "y"});
    tenant.patch(&format!("{other}/remote"), &new).await.refused(409, "unsupported");
    let parked = draft(&tenant).await;
    tenant.patch(&format!("{parked}/remote"), &new).await.refused(409, "not_published");
}

async fn taken_down(world: Arc<World>) {
    let tenant = start(&world).await;
    let live = format!("{}/remote", tenant.sent(Platform::Mastodon, "x").await);
    let down = tenant.delete(&live).await.ok(200, &TARGET);
    assert_eq!((&down["status"], &down["canDeleteRemote"]), (&json!("skipped"), &json!(false)));
    assert!(down["remoteId"].is_string(), "the record is kept");
    tenant.delete(&live).await.refused(409, "not_published");
    tenant.connect(Platform::Tiktok, "a").await;
    let image = tenant.file("image").await;
    let body = json!({
        "content": "x",
        "mediaIds": [image],
        "publishNow": true,
        "targets": [{"platform": "tiktok", "options": {"privacy": "SELF_ONLY"}}],
    });
    let path = target_path(&tenant.new_post(&body).await);
    world.work().await;
    tenant.delete(&format!("{path}/remote")).await.refused(409, "unsupported");
}

/// A post through one of several accounts of Mastodon; the path of its target.
async fn from(tenant: &Tenant, account: &Value, content: &str, timing: Value) -> String {
    let targets = json!([{"platform": "mastodon", "accountId": account}]);
    let mut body = json!({"content": content, "targets": targets});
    body.as_object_mut().unwrap().extend(timing.as_object().unwrap().clone());
    target_path(&tenant.new_post(&body).await)
}

async fn moved(world: Arc<World>) {
    let tenant = start(&world).await;
    let other = tenant.connect(Platform::Mastodon, "b").await;
    let accounts = tenant.get("/oauth/accounts").await.ok(200, &crate::shapes::ACCOUNTS);
    let first = accounts["data"][0]["id"].clone();
    let to = json!({"accountId": other.id});
    let parked =
        format!("{}/account", from(&tenant, &first, "x", json!({"saveAsDraft": true})).await);
    let moved = tenant.patch(&parked, &to).await.ok(200, &TARGET);
    assert_eq!(moved["accountId"], json!(other.id));
    tenant.patch(&parked, &json!({})).await.invalid("accountId");
    let bluesky = accounts["data"][1]["id"].clone();
    tenant.patch(&parked, &json!({"accountId": bluesky})).await.invalid("accountId");
    let unknown = json!({"accountId": "01936b3c-0000-7000-8000-000000000000"});
    tenant.patch(&parked, &unknown).await.refused(404, "not_found");
    let live = format!("{}/account", from(&tenant, &first, "x", json!({"publishNow": true})).await);
    world.work().await;
    tenant.patch(&live, &to).await.refused(409, "already_started");

    let youtube = tenant.connect(Platform::Youtube, "a").await;
    let second = tenant.connect(Platform::Youtube, "b").await;
    let video = tenant.file("video").await;
    let body = json!({
        "content": "later",
        "mediaIds": [video],
        "publishNow": true,
        "targets": [{
            "platform": "youtube", "accountId": youtube.id, "options": {"title": "A film"},
        }],
    });
    let begun = format!("{}/account", target_path(&tenant.new_post(&body).await));
    world.work().await;
    let to_second = json!({"accountId": second.id});
    tenant.patch(&begun, &to_second).await.refused(409, "video_on_youtube");

    let last = tenant.connect(Platform::Mastodon, "c").await;
    world.scheduler.set_plan(&tenant.workspace, Plan::Free).await.unwrap();
    world.clock.advance(TimeDelta::seconds(1));
    let beyond = json!({"accountId": last.id});
    let error = tenant.patch(&parked, &beyond).await.refused(402, "channel_limit");
    assert_eq!((&error["limit"], &error["upgradeTo"]), (&json!(2), &json!("pro")));
    world.scheduler.disconnect_account(&last).await.unwrap();
    tenant.json(Method::PATCH, &parked, &beyond).await.refused(409, "account_not_connected");
}

scenarios!(figures, insights, comments, edited, taken_down, moved);
