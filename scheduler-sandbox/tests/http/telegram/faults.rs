//! Faults in this network's own words, operations, quotas.

use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::{Actor, refusal};
use crate::support::World;

fn fault(operation: &str, kind: &str) -> Value {
    json!({"platform": "telegram", "operation": operation, "kind": kind})
}

#[tokio::test]
async fn an_error_is_answered_and_nothing_done() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    for (kind, status, description) in [
        ("error500", 500, "Internal Server Error: restart"),
        ("rate_limited", 429, "Too Many Requests: retry after 12"),
        ("permanent", 400, "Bad Request: message is too long"),
    ] {
        let mut fault = fault("publish", kind);
        fault["retryAfterSeconds"] = json!(12);
        world.arm(fault).await;
        let got = acme.say(&world, "hi").await;
        assert_eq!(refusal(&got), (status, description.to_owned()), "{kind}");
        if kind == "rate_limited" {
            assert_eq!(got.header("retry-after"), Some("12"));
            assert_eq!(got.body["parameters"]["retry_after"], 12);
        }
    }
    assert_eq!(world.posts("telegram").await, Vec::<Value>::new());
    assert_eq!(acme.say(&world, "hi").await.status, 200);
}

#[tokio::test]
async fn a_token_that_was_revoked_stays_so() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    let other = Actor::new(&world, "other").await;
    world.arm(fault("publish", "expired_token")).await;
    for attempt in ["the fault", "and after it"] {
        let got = acme.say(&world, "hi").await;
        assert_eq!(refusal(&got), (401, "Unauthorized".to_owned()), "{attempt}");
    }
    assert_eq!(other.say(&world, "hi").await.status, 200, "another bot is spared");
}

#[tokio::test]
async fn each_operation_is_told_from_the_others_and_has_a_refusal_of_its_own() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    for (method, want, refused) in [
        ("sendMessage", "publish", 400),
        ("sendPhoto", "publish", 400),
        ("sendAnimation", "publish", 400),
        ("sendVideo", "publish", 400),
        ("sendMediaGroup", "publish", 400),
        ("getChatMemberCount", "metrics", 400),
        ("getMe", "token", 401),
        ("editMessageText", "other", 400),
        ("deleteMessage", "other", 400),
        ("getChat", "other", 400),
        ("getUpdates", "other", 400),
    ] {
        let named = if want == "other" { "any" } else { want };
        world.arm(fault(named, "permanent")).await;
        let got = acme.call(&world, method, json!({})).await;
        assert_eq!(world.requests().await.last().unwrap()["operation"], want, "{method}");
        assert_eq!(got.status, refused, "{method}: {got:?}");
    }
}

#[tokio::test]
async fn quotas_are_counted_only_when_asked_for() {
    for (quotas, want) in [(true, 429), (false, 200)] {
        let world = World::start(Options { quotas, ..Options::default() }).await;
        let acme = Actor::new(&world, "acme").await;
        for number in 0..20 {
            assert_eq!(acme.say(&world, &number.to_string()).await.status, 200, "{quotas}");
        }
        let last = acme.say(&world, "last").await;
        assert_eq!(last.status, want, "{quotas}");
        if quotas {
            let wait = last.body["parameters"]["retry_after"].as_i64().unwrap();
            assert!((1..=61).contains(&wait), "{wait}");
        }
    }
}

#[tokio::test]
async fn a_reset_forgets_posts_and_keeps_accounts() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    let first = acme.say(&world, "hi").await.body["result"]["message_id"].as_i64();
    world.post("/_sandbox/reset", &json!({})).await;
    assert_eq!(world.posts("telegram").await, Vec::<Value>::new());
    let second = acme.say(&world, "hi").await.body["result"]["message_id"].as_i64();
    assert!(second > first, "no id is given out twice");
    world.post("/_sandbox/reset", &json!({"accounts": true})).await;
    assert_eq!(acme.say(&world, "hi").await.status, 401);
}
