//! Faults in this network's own words, and operations.

use reqwest::Method;
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::Actor;
use crate::support::World;

fn fault(operation: &str, kind: &str) -> Value {
    json!({"platform": "pinterest", "operation": operation, "kind": kind, "retryAfterSeconds": 7})
}

#[tokio::test]
async fn an_error_is_answered_and_nothing_done() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    for (kind, status, code) in
        [("error500", 500, 500), ("rate_limited", 429, 8), ("permanent", 404, 40)]
    {
        world.arm(fault("publish", kind)).await;
        let got = ana.post(&world, "/pins", &ana.pin("x")).await;
        assert_eq!((got.status, &got.body["code"]), (status, &json!(code)), "{kind}");
        let limit = (kind == "rate_limited").then_some("7");
        assert_eq!(got.header("retry-after"), limit);
        assert_eq!(got.header("x-ratelimit-reset"), limit);
    }
    assert_eq!(world.posts("pinterest").await, Vec::<Value>::new());
    ana.publish(&world, "x").await;
}

#[tokio::test]
async fn an_expired_token_is_told() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    world.arm(fault("publish", "expired_token")).await;
    for attempt in ["the fault", "and after it"] {
        let got = ana.post(&world, "/pins", &ana.pin("x")).await;
        assert_eq!((got.status, &got.body["code"]), (401, &json!(2)), "{attempt}");
    }
    ben.publish(&world, "another account is spared").await;
}

#[tokio::test]
async fn each_operation_is_told_from_the_others_and_refused_in_its_own_words() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    for (name, method, path, want, refused) in [
        ("pin", Method::POST, "/v5/pins", "publish", 404),
        ("register", Method::POST, "/v5/media", "upload", 400),
        ("bytes", Method::POST, "/media-upload/", "upload", 400),
        ("state", Method::GET, "/v5/media/1", "poll", 403),
        ("analytics", Method::GET, "/v5/pins/1/analytics", "metrics", 403),
        ("lifetime", Method::GET, "/v5/pins/1?pin_metrics=true", "metrics", 403),
        ("token", Method::POST, "/v5/oauth/token", "token", 400),
        ("list", Method::GET, "/v5/pins", "other", 0),
        ("one", Method::GET, "/v5/pins/1", "other", 0),
        ("delete", Method::DELETE, "/v5/pins/1", "other", 0),
        ("boards", Method::GET, "/v5/boards", "other", 0),
        ("account", Method::GET, "/v5/user_account", "other", 0),
    ] {
        for (kind, status) in [("error500", 500), ("permanent", refused)] {
            if want != "other" {
                world.arm(fault(want, kind)).await;
            }
            let request = world.request(method.clone(), &format!("/pinterest{path}"));
            let got = crate::support::send(request.bearer_auth(&ana.token)).await;
            assert_eq!(world.requests().await.last().unwrap()["operation"], want, "{name}");
            if want != "other" {
                assert_eq!(got.status, status, "{name}, {kind}: {got:?}");
            }
        }
    }
    world.arm(fault("upload", "rate_limited")).await;
    let got = world.post("/pinterest/media-upload/", &Value::Null).await;
    assert_eq!((got.status, got.text.contains("SlowDown")), (503, true));
}

#[tokio::test]
async fn quotas_are_counted_only_when_asked_for() {
    for (quotas, want) in [(true, 429), (false, 201)] {
        let world = World::start(Options { quotas, ..Options::default() }).await;
        let ana = Actor::new(&world, "Ana").await;
        for number in 0..100 {
            ana.publish(&world, &number.to_string()).await;
        }
        let last = ana.post(&world, "/pins", &ana.pin("the last")).await;
        assert_eq!(last.status, want, "{quotas}");
        if quotas {
            let seconds: u32 = last.header("x-ratelimit-reset").unwrap().parse().unwrap();
            assert!((1..=60).contains(&seconds));
        }
        Actor::new(&world, "Ben").await.publish(&world, "another user's calls go on").await;
    }
}

#[tokio::test]
async fn nothing_that_lets_in_is_in_the_log() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    ana.publish(&world, "x").await;
    let log = json!(world.requests().await).to_string();
    assert!(!log.contains(&ana.token), "a token is shown");
}
