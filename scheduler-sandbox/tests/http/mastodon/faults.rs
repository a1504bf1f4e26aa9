//! Faults in this network's own words, operations, quotas.

use reqwest::Method;
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::Actor;
use crate::support::{World, png, send};

fn fault(operation: &str, kind: &str) -> Value {
    json!({"platform": "mastodon", "operation": operation, "kind": kind})
}

#[tokio::test]
async fn an_error_is_answered_and_nothing_done() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for (kind, status, error) in [
        ("error500", 500, ""),
        ("rate_limited", 429, "Too many requests"),
        ("permanent", 422, "Validation failed: Text character limit of 500 exceeded"),
    ] {
        world.arm(fault("publish", kind)).await;
        let got = ana.publish_with_key(&world, "k", &json!({"status": "hi"})).await;
        assert_eq!((got.status, got.text_of("error").as_str()), (status, error), "{kind}");
        if kind == "rate_limited" {
            assert_eq!(got.header("x-ratelimit-remaining"), Some("0"));
            assert!(got.header("x-ratelimit-reset").is_some());
            assert_eq!(got.header("retry-after"), None, "this network has none");
        }
    }
    assert_eq!(world.posts("mastodon").await, Vec::<Value>::new());
    assert_eq!(ana.publish_with_key(&world, "k", &json!({"status": "hi"})).await.status, 200);
}

#[tokio::test]
async fn an_expired_token_needs_a_new_connection() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    world.arm(fault("publish", "expired_token")).await;
    for attempt in ["the fault", "and after it"] {
        let got = ana.say(&world, "hi").await;
        assert_eq!(
            (got.status, got.text_of("error").as_str()),
            (401, "The access token was revoked"),
            "{attempt}"
        );
    }
    assert_eq!(ben.say(&world, "hi").await.status, 200, "another account is spared");
}

#[tokio::test]
async fn each_operation_is_told_from_the_others() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let own = ana.say(&world, "own").await.body["id"].clone();
    let foreign = ben.say(&world, "foreign").await.body["id"].clone();
    let statuses = "/api/v1/statuses";
    for (name, method, path, body, want) in [
        ("status", Method::POST, statuses, json!({"status": "x"}), "publish"),
        (
            "part of a thread",
            Method::POST,
            statuses,
            json!({"status": "x", "in_reply_to_id": own}),
            "publish",
        ),
        (
            "reply to another",
            Method::POST,
            statuses,
            json!({"status": "x", "in_reply_to_id": foreign}),
            "comment",
        ),
        ("context", Method::GET, "/api/v1/statuses/1/context", json!({}), "comment"),
        ("like", Method::POST, "/api/v1/statuses/1/favourite", json!({}), "comment"),
        ("upload", Method::POST, "/api/v2/media", json!({}), "upload"),
        ("poll", Method::GET, "/api/v1/media/1", json!({}), "poll"),
        ("figures", Method::GET, "/api/v1/statuses/1", json!({}), "metrics"),
        ("followers", Method::GET, "/api/v1/accounts/verify_credentials", json!({}), "metrics"),
        ("token", Method::POST, "/oauth/token", json!({}), "token"),
        ("edit", Method::PUT, "/api/v1/statuses/1", json!({}), "other"),
        ("delete", Method::DELETE, "/api/v1/statuses/1", json!({}), "other"),
    ] {
        if want != "other" {
            world.arm(fault(want, "error500")).await;
        }
        let got = ana.call(&world, method, path, &body).await;
        assert_eq!(world.requests().await.last().unwrap()["operation"], want, "{name}");
        assert_eq!(got.status == 500, want != "other", "{name}: {got:?}");
    }
}

#[tokio::test]
async fn each_operation_has_a_refusal_of_its_own() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for (operation, method, path, status) in [
        ("upload", Method::POST, "/api/v2/media", 422),
        ("poll", Method::GET, "/api/v1/media/1", 422),
        ("metrics", Method::GET, "/api/v1/statuses/1", 403),
        ("token", Method::POST, "/oauth/token", 400),
    ] {
        world.arm(fault(operation, "permanent")).await;
        let got = send(ana.request(&world, method, path)).await;
        assert_eq!(got.status, status, "{operation}: {got:?}");
    }
}

#[tokio::test]
async fn quotas_are_counted_only_when_asked_for() {
    for (quotas, want) in [(true, 429), (false, 200)] {
        let world = World::start(Options { quotas, ..Options::default() }).await;
        let ana = Actor::new(&world, "ana").await;
        for seed in 0..30 {
            assert_eq!(ana.upload(&world, "image/png", png(seed)).await.status, 200, "{quotas}");
        }
        let last = ana.upload(&world, "image/png", png(30)).await;
        assert_eq!(last.status, want, "{quotas}");
        if quotas {
            assert_eq!(
                (last.header("x-ratelimit-limit"), last.header("x-ratelimit-remaining")),
                (Some("30"), Some("0"))
            );
            let other = ana.say(&world, "other calls go on").await;
            assert_eq!((other.status, other.header("x-ratelimit-remaining")), (200, Some("268")));
        }
    }
}
