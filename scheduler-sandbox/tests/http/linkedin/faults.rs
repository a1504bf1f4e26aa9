//! Faults in this network's own words, operations, quotas.

use reqwest::Method;
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::{Actor, code, post};
use crate::support::{World, send};

fn fault(operation: &str, kind: &str) -> Value {
    json!({"platform": "linkedin", "operation": operation, "kind": kind})
}

#[tokio::test]
async fn an_error_is_answered_and_nothing_done() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    for (kind, status, want) in [
        ("error500", 500, "INTERNAL_SERVER_ERROR"),
        ("rate_limited", 429, "TOO_MANY_REQUESTS"),
        ("permanent", 400, "FIELD_LENGTH_TOO_LONG"),
    ] {
        world.arm(fault("publish", kind)).await;
        let got = ana.publish(&world, &post(&ana.member, "hi")).await;
        assert_eq!((got.status, code(&got)), (status, want), "{kind}");
        assert_eq!(got.header("retry-after"), None, "this network has none");
    }
    assert_eq!(world.posts("linkedin").await, Vec::<Value>::new());
    ana.say(&world, "hi").await;
}

#[tokio::test]
async fn an_expired_token_is_told() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    world.arm(fault("publish", "expired_token")).await;
    for attempt in ["the fault", "and after it"] {
        let got = ana.publish(&world, &post(&ana.member, "hi")).await;
        assert_eq!((got.status, code(&got)), (401, "EXPIRED_ACCESS_TOKEN"), "{attempt}");
        assert_eq!(got.body["serviceErrorCode"], 65602);
    }
    ben.say(&world, "another account is spared").await;
}

#[tokio::test]
async fn each_operation_is_told_from_the_others() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    for (name, method, path, want) in [
        ("post", Method::POST, "/rest/posts", "publish"),
        ("announce", Method::POST, "/rest/images?action=initializeUpload", "upload"),
        ("finalize", Method::POST, "/rest/videos?action=finalizeUpload", "upload"),
        ("bytes", Method::PUT, "/dms-uploads/x", "upload"),
        ("a piece", Method::PUT, "/dms-uploads/x/1", "upload"),
        ("state", Method::GET, "/rest/videos/urn%3Ali%3Avideo%3A1", "poll"),
        ("comment", Method::POST, "/rest/socialActions/x/comments", "comment"),
        ("older", Method::POST, "/v2/socialActions/x/comments", "comment"),
        ("comments", Method::GET, "/rest/socialActions/x/comments", "comment"),
        ("like", Method::POST, "/rest/reactions?actor=x", "comment"),
        ("statistics", Method::GET, "/rest/organizationalEntityShareStatistics", "metrics"),
        ("analytics", Method::GET, "/rest/memberCreatorPostAnalytics", "metrics"),
        ("metadata", Method::GET, "/rest/socialMetadata/x", "metrics"),
        ("followers", Method::GET, "/rest/networkSizes/x", "metrics"),
        ("token", Method::POST, "/oauth/v2/accessToken", "token"),
        ("finder", Method::GET, "/rest/posts?q=author", "other"),
        ("delete", Method::DELETE, "/rest/posts/x", "other"),
    ] {
        if want != "other" {
            world.arm(fault(want, "error500")).await;
        }
        let got = send(ana.request(&world, method, path).json(&json!({}))).await;
        assert_eq!(world.requests().await.last().unwrap()["operation"], want, "{name}");
        assert_eq!(got.status == 500, want != "other", "{name}: {got:?}");
    }
}

#[tokio::test]
async fn each_operation_has_a_refusal_of_its_own() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    for (operation, method, path, status) in [
        ("upload", Method::POST, "/rest/images?action=initializeUpload", 415),
        ("poll", Method::GET, "/rest/images/x", 400),
        ("comment", Method::GET, "/rest/socialActions/x/comments", 400),
        ("metrics", Method::GET, "/rest/socialMetadata/x", 403),
        ("token", Method::POST, "/oauth/v2/accessToken", 400),
    ] {
        world.arm(fault(operation, "permanent")).await;
        let got = send(ana.request(&world, method, path)).await;
        assert_eq!(got.status, status, "{operation}: {got:?}");
    }
}

#[tokio::test]
async fn quotas_are_counted_only_when_asked_for() {
    for (quotas, want) in [(true, 429), (false, 201)] {
        let world = World::start(Options { quotas, ..Options::default() }).await;
        let ana = Actor::new(&world, "Ana").await;
        for number in 0..150 {
            ana.say(&world, &number.to_string()).await;
        }
        let last = ana.publish(&world, &post(&ana.member, "the last")).await;
        assert_eq!(last.status, want, "{quotas}");
        let ben = Actor::new(&world, "Ben").await;
        ben.say(&world, "another member's calls go on").await;
    }
}
