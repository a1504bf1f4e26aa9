//! Faults in this network's own words, and operations.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, code, mp4, put, video};
use crate::support::{World, send};

fn fault(operation: &str, kind: &str) -> Value {
    json!({"platform": "tiktok", "operation": operation, "kind": kind})
}

#[tokio::test]
async fn an_error_is_answered_and_nothing_done() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for (kind, status, want) in [
        ("error500", 500, "internal_error"),
        ("rate_limited", 429, "rate_limit_exceeded"),
        ("permanent", 400, "invalid_params"),
    ] {
        world.arm(fault("upload", kind)).await;
        let got = ana.post(&world, "post/publish/video/init/", &video("x", "SELF_ONLY")).await;
        assert_eq!((got.status, code(&got)), (status, want), "{kind}");
        assert_eq!(got.header("retry-after"), None, "this network has none");
    }
    let init = ana.post(&world, "post/publish/video/init/", &video("x", "SELF_ONLY")).await;
    let url = &init.body["data"]["upload_url"];
    for (kind, status) in [("error500", 500), ("rate_limited", 429), ("permanent", 400)] {
        world.arm(fault("publish", kind)).await;
        let got = put(&world, url, "bytes 0-99/100", mp4()).await;
        assert_eq!(got.status, status, "{kind}");
    }
    assert_eq!(world.posts("tiktok").await, Vec::<Value>::new());
    assert_eq!(put(&world, url, "bytes 0-99/100", mp4()).await.status, 201);
    assert_eq!(world.posts("tiktok").await.len(), 1);
    let id = init.body["data"]["publish_id"].as_str().unwrap();
    world.arm(fault("poll", "permanent")).await;
    for attempt in ["the fault", "and after it"] {
        let got = ana.status(&world, id).await;
        if attempt == "the fault" {
            assert_eq!(got.body["data"]["status"], "FAILED", "{attempt}");
        }
    }
    assert_eq!(world.posts("tiktok").await, Vec::<Value>::new(), "it has failed for good");
}

#[tokio::test]
async fn an_expired_token_is_told() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    world.arm(fault("upload", "expired_token")).await;
    for attempt in ["the fault", "and after it"] {
        let got = ana.post(&world, "post/publish/video/init/", &video("x", "SELF_ONLY")).await;
        assert_eq!((got.status, code(&got)), (401, "access_token_invalid"), "{attempt}");
    }
    ben.publish(&world, "another account is spared", "SELF_ONLY").await;
    world.arm(fault("token", "expired_token")).await;
    let fields = [
        ("grant_type", "refresh_token"),
        ("refresh_token", &ben.refresh_token),
        ("client_key", "app"),
        ("client_secret", "s"),
    ];
    let got = send(world.request(Method::POST, "/tiktok/v2/oauth/token/").form(&fields)).await;
    assert_eq!(got.text_of("error"), "invalid_grant");
}

#[tokio::test]
async fn each_operation_is_told_from_the_others() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for (name, method, path, range, want) in [
        ("photos", Method::POST, "v2/post/publish/content/init/", "", "publish"),
        ("the last bytes", Method::PUT, "video/?upload_id=x", "bytes 5-9/10", "publish"),
        ("some bytes", Method::PUT, "video/?upload_id=x", "bytes 0-4/10", "upload"),
        ("announce", Method::POST, "v2/post/publish/video/init/", "", "upload"),
        ("announce a draft", Method::POST, "v2/post/publish/inbox/video/init/", "", "upload"),
        ("status", Method::POST, "v2/post/publish/status/fetch/", "", "poll"),
        ("figures", Method::POST, "v2/video/query/", "", "metrics"),
        ("followers", Method::GET, "v2/user/info/?fields=open_id,follower_count", "", "metrics"),
        ("token", Method::POST, "v2/oauth/token/", "", "token"),
        ("user", Method::GET, "v2/user/info/?fields=open_id", "", "other"),
        ("list", Method::POST, "v2/video/list/", "", "other"),
        ("creator", Method::POST, "v2/post/publish/creator_info/query/", "", "other"),
    ] {
        if want != "other" {
            world.arm(fault(want, "error500")).await;
        }
        let request = world.request(method, &format!("/tiktok/{path}")).bearer_auth(&ana.token);
        let got = send(request.header("content-range", range).json(&json!({}))).await;
        assert_eq!(world.requests().await.last().unwrap()["operation"], want, "{name}");
        assert_eq!(got.status == 500, want != "other", "{name}: {got:?}");
    }
}

#[tokio::test]
async fn each_operation_has_a_refusal_of_its_own() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for (operation, path, status, want) in [
        ("publish", "post/publish/content/init/", 400, "invalid_params"),
        ("metrics", "video/query/", 401, "scope_not_authorized"),
    ] {
        world.arm(fault(operation, "permanent")).await;
        let got = ana.post(&world, path, &json!({})).await;
        assert_eq!((got.status, code(&got)), (status, want), "{operation}");
    }
    world.arm(fault("token", "permanent")).await;
    let got = ana.post(&world, "oauth/token/", &json!({})).await;
    assert_eq!((got.status, got.text_of("error").as_str()), (200, "invalid_grant"));
}
