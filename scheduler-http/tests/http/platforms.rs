//! The networks over HTTP.

use http::Method;
use scheduler_core::platform::Platform;
use serde_json::json;

use crate::support::World;

#[tokio::test]
async fn the_sheets_are_public_and_cached() {
    let world = World::new().await;
    let client = world.serve().await.without("authorization");
    let answer = client.get("/v1/platforms").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("cache-control"), Some("public, max-age=300"));
    let sheets = answer.json();
    assert_eq!(sheets["data"].as_object().unwrap().len(), Platform::ALL.len());
    assert_eq!(sheets["data"]["bluesky"]["charLimit"], 300);

    let etag = answer.header("etag").unwrap();
    assert!(etag.starts_with('"'), "strong");
    let same = client.with("if-none-match", etag).get("/v1/platforms").await;
    assert_eq!((same.status.as_u16(), same.body.len()), (304, 0));
    assert_eq!(same.header("etag"), Some(etag));
    assert_eq!(same.header("cache-control"), Some("public, max-age=300"));
    let head = client.with("if-none-match", etag).send(Method::HEAD, "/v1/platforms", "").await;
    assert_eq!((head.status.as_u16(), head.header("content-length")), (304, None));
    assert_eq!(head.header("etag"), Some(etag));
    let head = client.send(Method::HEAD, "/v1/platforms", "").await;
    let length = answer.body.len().to_string();
    assert_eq!((head.status.as_u16(), head.header("content-length")), (200, Some(&*length)));
    let other = client.with("if-none-match", "\"other\"").get("/v1/platforms").await;
    assert_eq!((other.status.as_u16(), other.body), (200, answer.body));
}

#[tokio::test]
async fn a_dry_run_creates_nothing() {
    let world = World::new().await;
    world.connect(Platform::Bluesky, "a").await;
    let client = world.serve().await;
    let body = json!({"content": "x", "targets": [{"platform": "bluesky"}]});
    let answer = client.post("/v1/platforms/validate", &body).await;
    assert_eq!(answer.status, 200);
    let report = answer.json();
    assert_eq!((&report["ok"], &report["issues"]), (&json!(true), &json!([])));
    assert_eq!(world.posts(world.workspace.id).len(), 0);
}
