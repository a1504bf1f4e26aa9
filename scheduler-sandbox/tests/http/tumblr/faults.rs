//! Faults in this network's own words, and operations.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, code, said};
use crate::support::{World, send};

fn fault(operation: &str, kind: &str) -> Value {
    json!({"platform": "tumblr", "operation": operation, "kind": kind})
}

#[tokio::test]
async fn an_error_is_answered_and_nothing_done() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for (kind, status, want) in
        [("error500", 500, 0), ("rate_limited", 429, 0), ("permanent", 400, 8001)]
    {
        world.arm(fault("publish", kind)).await;
        let got = ana.post(&world, &said("published", "hi")).await;
        assert_eq!((got.status, code(&got)), (status, want), "{kind}");
        let remaining = got.header("x-ratelimit-perhour-remaining");
        assert_eq!(remaining, (kind == "rate_limited").then_some("0"), "{kind}");
    }
    assert_eq!(world.posts("tumblr").await, Vec::<Value>::new());
    ana.say(&world, "hi").await;
    let got = ana.get(&world, "/user/info").await;
    assert_eq!(got.header("x-ratelimit-perhour-remaining"), Some("1000"));
    assert_eq!(got.header("x-ratelimit-perday-limit"), Some("5000"));
}

#[tokio::test]
async fn an_expired_token_is_told() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    world.arm(fault("publish", "expired_token")).await;
    for attempt in ["the fault", "and after it"] {
        let got = ana.post(&world, &said("published", "hi")).await;
        assert_eq!((got.status, code(&got)), (401, 1016), "{attempt}");
    }
    ben.say(&world, "another account is spared").await;
}

#[tokio::test]
async fn each_operation_is_told_from_the_others() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let reblog = json!({ "content": [], "parent_post_id": "1" });
    for (name, method, path, body, want) in [
        ("post", Method::POST, "/blog/ana/posts", said("published", "x"), "publish"),
        ("of no state", Method::POST, "/blog/ana/posts", json!({}), "publish"),
        ("publish a draft", Method::PUT, "/blog/ana/posts/1", said("published", "x"), "publish"),
        ("draft", Method::POST, "/blog/ana/posts", said("draft", "x"), "upload"),
        ("posts", Method::GET, "/blog/ana/posts?npf=true", json!({}), "poll"),
        ("drafts", Method::GET, "/blog/ana/posts/draft", json!({}), "poll"),
        ("a post", Method::GET, "/blog/ana/posts/1", json!({}), "poll"),
        ("reblog", Method::POST, "/blog/ana/posts", reblog, "comment"),
        ("like", Method::POST, "/user/like", json!({}), "comment"),
        ("notes", Method::GET, "/blog/ana/notes?id=1", json!({}), "metrics"),
        ("followers", Method::GET, "/blog/ana/followers", json!({}), "metrics"),
        ("token", Method::POST, "/oauth2/token", json!({}), "token"),
        ("user", Method::GET, "/user/info", json!({}), "other"),
        ("limits", Method::GET, "/user/limits", json!({}), "other"),
        ("delete", Method::POST, "/blog/ana/post/delete", json!({}), "other"),
    ] {
        if want != "other" {
            world.arm(fault(want, "error500")).await;
        }
        let got = send(ana.request(&world, method, path).json(&body)).await;
        assert_eq!(world.requests().await.last().unwrap()["operation"], want, "{name}");
        assert_eq!(got.status == 500, want != "other", "{name}: {got:?}");
    }
}

#[tokio::test]
async fn each_operation_has_a_refusal_of_its_own() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for (operation, method, path, body, status, want) in [
        ("upload", Method::POST, "/blog/ana/posts", said("draft", "x"), 400, 8005),
        ("poll", Method::GET, "/blog/ana/posts", json!({}), 400, 0),
        ("comment", Method::POST, "/user/like", json!({}), 400, 8001),
        ("metrics", Method::GET, "/blog/ana/notes", json!({}), 403, 0),
    ] {
        world.arm(fault(operation, "permanent")).await;
        let got = send(ana.request(&world, method, path).json(&body)).await;
        assert_eq!((got.status, code(&got)), (status, want), "{operation}");
    }
    world.arm(fault("token", "permanent")).await;
    let got = send(ana.request(&world, Method::POST, "/oauth2/token")).await;
    assert_eq!((got.status, got.text_of("error").as_str()), (401, "invalid_grant"));
}
