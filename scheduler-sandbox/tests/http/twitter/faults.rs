//! Faults in this network's own words, operations, quotas.

use reqwest::Method;
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::{Actor, answer, kind};
use crate::support::{World, send};

fn fault(operation: &str, kind: &str) -> Value {
    json!({"platform": "twitter", "operation": operation, "kind": kind, "retryAfterSeconds": 7})
}

#[tokio::test]
async fn an_error_is_answered_and_nothing_done() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    for (kind, status, title) in [
        ("error500", 500, "Internal Server Error"),
        ("rate_limited", 429, "Too Many Requests"),
        ("permanent", 403, "Forbidden"),
    ] {
        world.arm(fault("publish", kind)).await;
        let got = ana.publish(&world, &json!({ "text": "hi" })).await;
        assert_eq!((got.status, got.text_of("title").as_str()), (status, title), "{kind}");
        let reset: Option<i64> = got.header("x-rate-limit-reset").map(|text| text.parse().unwrap());
        assert_eq!(reset.is_some(), status == 429, "{kind}");
    }
    assert_eq!(world.posts("twitter").await, Vec::<Value>::new());
    ana.say(&world, "hi").await;
}

#[tokio::test]
async fn an_expired_token_is_told() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    world.arm(fault("publish", "expired_token")).await;
    for attempt in ["the fault", "and after it"] {
        let got = ana.publish(&world, &json!({ "text": "hi" })).await;
        assert_eq!((got.status, got.text_of("title").as_str()), (401, "Unauthorized"), "{attempt}");
    }
    ben.say(&world, "another account is spared").await;

    world.arm(fault("token", "expired_token")).await;
    let fields = [("grant_type", "refresh_token"), ("refresh_token", &ana.refresh_token)];
    let request = world.request(Method::POST, "/twitter/2/oauth2/token");
    let got = send(request.basic_auth("app", Some("secret")).form(&fields)).await;
    assert_eq!((got.status, got.text_of("error").as_str()), (400, "invalid_request"));
}

#[tokio::test]
async fn each_operation_is_told_from_the_others() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    let of_ben = ben.say(&world, "Hi @ana").await;
    let own = ana.say(&world, "one").await;
    for (name, method, path, body, want) in [
        ("post", Method::POST, "/2/tweets", json!({ "text": "x" }), "publish"),
        ("part", Method::POST, "/2/tweets", answer(&own, "two"), "publish"),
        ("answer", Method::POST, "/2/tweets", answer(&of_ben, "Hi"), "comment"),
        ("figures", Method::GET, "/2/tweets?ids=1", json!({}), "metrics"),
        (
            "followers",
            Method::GET,
            "/2/users/me?user.fields=name,public_metrics",
            json!({}),
            "metrics",
        ),
        ("token", Method::POST, "/2/oauth2/token", json!({}), "token"),
        ("identity", Method::GET, "/2/users/me", json!({}), "other"),
        ("list", Method::GET, "/2/users/1/tweets", json!({}), "other"),
        ("delete", Method::DELETE, "/2/tweets/1", json!({}), "other"),
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
    let ana = Actor::new(&world, "Ana").await;
    for (operation, method, path, status, want) in [
        ("publish", Method::POST, "/2/tweets", 403, "about:blank"),
        ("metrics", Method::GET, "/2/tweets?ids=1", 402, "credits"),
        ("token", Method::POST, "/2/oauth2/token", 400, ""),
        ("any", Method::DELETE, "/2/tweets/1", 403, "about:blank"),
    ] {
        world.arm(fault(operation, "permanent")).await;
        let got = send(ana.request(&world, method, path)).await;
        assert_eq!((got.status, kind(&got)), (status, want), "{operation}: {got:?}");
    }
}

#[tokio::test]
async fn limits_are_told_always_and_kept_only_when_asked_for() {
    for (quotas, want) in [(true, 429), (false, 201)] {
        let world = World::start(Options { quotas, ..Options::default() }).await;
        let ana = Actor::new(&world, "Ana").await;
        for number in 0..100 {
            ana.say(&world, &number.to_string()).await;
        }
        let last = ana.publish(&world, &json!({ "text": "the last" })).await;
        assert_eq!(last.status, want, "{quotas}");
        assert_eq!(last.header("x-rate-limit-limit"), Some("100"));
        let remaining = if quotas { "0" } else { "99" };
        assert_eq!(last.header("x-rate-limit-remaining"), Some(remaining));
        let ben = Actor::new(&world, "Ben").await;
        ben.say(&world, "another account's posts go on").await;
    }
}

#[tokio::test]
async fn an_application_without_credits_does_nothing_more() {
    let world = World::start(Options { quotas: true, ..Options::default() }).await;
    let mut last = None;
    for name in ["Ana", "Ben"] {
        let actor = Actor::new(&world, name).await;
        for number in 0..65 {
            let text = json!({ "text": format!("https://{name}.example.com/{number}") });
            last = Some(actor.publish(&world, &text).await);
        }
    }
    let last = last.unwrap();
    assert_eq!((last.status, kind(&last)), (402, "credits"), "{last:?}");
    assert_eq!(world.posts("twitter").await.len(), 125);
}
