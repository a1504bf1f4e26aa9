//! Every kind of fault, as a client meets it.

use std::time::{Duration, Instant};

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::bluesky::{Actor, POST, post, procedure, rkey};
use crate::support::{Got, World, send};

const REFRESH: &str = "com.atproto.server.refreshSession";

fn fault(operation: &str, kind: &str) -> Value {
    json!({"platform": "bluesky", "operation": operation, "kind": kind})
}

fn put(world: &World, ana: &Actor) -> RequestBuilder {
    let body = ana.write(POST, &rkey(0), &post("hi"));
    let path = "/bluesky/xrpc/com.atproto.repo.putRecord";
    world.request(Method::POST, path).bearer_auth(&ana.access).json(&body)
}

async fn publish(world: &World, ana: &Actor) -> Got {
    send(put(world, ana)).await
}

#[tokio::test]
async fn an_error_is_answered_and_nothing_done() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for (kind, status, error) in [
        ("error500", 500, "InternalServerError"),
        ("rate_limited", 429, "RateLimitExceeded"),
        ("permanent", 400, "InvalidRequest"),
    ] {
        world.arm(fault("publish", kind)).await;
        let got = publish(&world, &ana).await;
        assert_eq!((got.status, got.text_of("error").as_str()), (status, error), "{kind}");
        assert_eq!(world.posts("bluesky").await, Vec::<Value>::new(), "{kind}");
    }
    assert_eq!(publish(&world, &ana).await.status, 200, "each was used up");
}

#[tokio::test]
async fn a_rate_limit_says_when_to_come_back() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for (name, seconds, want) in [("default", None, 2..=3), ("chosen", Some(30), 30..=31)] {
        let mut armed = fault("any", "rate_limited");
        armed["retryAfterSeconds"] = json!(seconds);
        world.arm(armed).await;
        let got = publish(&world, &ana).await;
        let wait: i64 = got.header("retry-after").unwrap().parse().unwrap();
        assert!(want.contains(&wait), "{name}: {wait}");
        assert_eq!(got.header("ratelimit-remaining"), Some("0"), "{name}");
        assert!(got.header("ratelimit-reset").unwrap().parse::<i64>().unwrap() > 1_700_000_000);
    }
}

#[tokio::test]
async fn a_connection_closed_before_has_done_nothing_and_after_has_done_it() {
    for (kind, posted) in [("reset_before", 0), ("reset_after", 1)] {
        let world = World::default().await;
        let ana = Actor::new(&world, "ana").await;
        world.arm(fault("publish", kind)).await;
        let error = put(&world, &ana).send().await.unwrap_err();
        assert!(!error.is_timeout() && !error.is_connect(), "{kind}: {error:?}");
        assert_eq!(world.posts("bluesky").await.len(), posted, "{kind}");
        let puts =
            world.requests().await.into_iter().filter(|request| request["operation"] == "publish");
        assert_eq!(
            puts.map(|request| request["fault"].clone()).collect::<Vec<_>>(),
            [kind],
            "the client sent once"
        );
        assert_eq!(publish(&world, &ana).await.status, 200, "{kind}: and then it works");
        assert_eq!(world.posts("bluesky").await.len(), 1, "{kind}");
    }
}

#[tokio::test]
async fn a_timeout_holds_the_connection_and_does_nothing() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    world.arm(fault("publish", "timeout")).await;
    let time_limit = Duration::from_millis(200);
    let error = put(&world, &ana).timeout(time_limit).send().await.unwrap_err();
    assert!(error.is_timeout(), "{error:?}");

    let mut short = fault("publish", "timeout");
    short["afterMs"] = json!(20);
    world.arm(short).await;
    let error = put(&world, &ana).send().await.unwrap_err();
    assert!(!error.is_timeout(), "the connection closes at the end: {error:?}");
    assert_eq!(world.posts("bluesky").await, Vec::<Value>::new());

    world.arm(fault("publish", "timeout")).await;
    let held = tokio::spawn(put(&world, &ana).send());
    while world.requests().await.iter().filter(|request| request["fault"] == "timeout").count() < 3
    {
    }
    let started = Instant::now();
    world.sandbox.stop().await;
    assert!(started.elapsed() < Duration::from_secs(30), "a held request does not hold the stop");
    assert!(held.await.unwrap().is_err());
}

#[tokio::test]
async fn a_slow_answer_comes_after_its_wait() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let mut slow = fault("publish", "slow");
    slow["afterMs"] = json!(150);
    world.arm(slow).await;
    let started = Instant::now();
    assert_eq!(publish(&world, &ana).await.status, 200);
    assert!(started.elapsed() >= Duration::from_millis(150));
    assert_eq!(world.posts("bluesky").await.len(), 1);
}

#[tokio::test]
async fn a_slow_request_is_done_although_the_client_has_left() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let mut slow = fault("publish", "slow");
    slow["afterMs"] = json!(200);
    world.arm(slow).await;
    let time_limit = Duration::from_millis(50);
    let error = put(&world, &ana).timeout(time_limit).send().await.unwrap_err();
    assert!(error.is_timeout(), "{error:?}");
    let started = Instant::now();
    while world.posts("bluesky").await.is_empty() {
        assert!(started.elapsed() < Duration::from_secs(10), "the post never appeared");
    }
}

#[tokio::test]
async fn an_expired_token_stays_expired_until_it_is_refreshed() {
    let world = World::default().await;
    let mut ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    world.arm(fault("publish", "expired_token")).await;
    for attempt in ["the fault", "and after it"] {
        let got = publish(&world, &ana).await;
        assert_eq!(
            (got.status, got.text_of("error").as_str(), got.text_of("message").as_str()),
            (400, "ExpiredToken", "Token has expired"),
            "{attempt}"
        );
    }
    assert_eq!(publish(&world, &ben).await.status, 200, "another account is spared");
    let fresh = procedure(&world, REFRESH, Some(&ana.refresh), &json!({})).await;
    ana.access = fresh.text_of("accessJwt");
    assert_eq!(publish(&world, &ana).await.status, 200);

    world.arm(fault("token", "expired_token")).await;
    let revoked = procedure(&world, REFRESH, Some(&fresh.text_of("refreshJwt")), &json!({})).await;
    assert_eq!(
        (revoked.status, revoked.text_of("message").as_str()),
        (400, "Token has been revoked")
    );
}

#[tokio::test]
async fn each_operation_is_told_from_the_others() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let root = ben.put(&world, &rkey(0), &post("root")).await;
    let subject = json!({"uri": root.body["uri"], "cid": root.body["cid"]});
    let mut own_thread = post("x");
    let own =
        json!({"uri": format!("at://{}/{POST}/{}", ana.did, rkey(0)), "cid": "bafyreiaaaaaaa"});
    own_thread["reply"] = json!({"root": own, "parent": own});
    let mut comment = post("x");
    comment["reply"] = json!({"root": subject, "parent": subject});
    let write = |record: &Value| ana.write(POST, &rkey(1), record);
    let like = json!({"repo": ana.did, "collection": "app.bsky.feed.like", "record": {}});
    for (name, method, path, body, want) in [
        ("post", Method::POST, "com.atproto.repo.putRecord", write(&post("x")), "publish"),
        (
            "created post",
            Method::POST,
            "com.atproto.repo.createRecord",
            write(&post("x")),
            "publish",
        ),
        (
            "part of a thread",
            Method::POST,
            "com.atproto.repo.putRecord",
            write(&own_thread),
            "publish",
        ),
        (
            "reply to another",
            Method::POST,
            "com.atproto.repo.putRecord",
            write(&comment),
            "comment",
        ),
        ("like", Method::POST, "com.atproto.repo.createRecord", like, "comment"),
        ("thread", Method::GET, "app.bsky.feed.getPostThread", json!({}), "comment"),
        ("blob", Method::POST, "com.atproto.repo.uploadBlob", json!({}), "upload"),
        ("figures", Method::GET, "app.bsky.feed.getPosts", json!({}), "metrics"),
        ("followers", Method::GET, "app.bsky.actor.getProfile", json!({}), "metrics"),
        ("log-in", Method::POST, "com.atproto.server.createSession", json!({}), "token"),
        ("look-up", Method::GET, "com.atproto.repo.getRecord", json!({}), "other"),
    ] {
        let path = format!("/bluesky/xrpc/{path}");
        if want != "other" {
            world.arm(fault(want, "error500")).await;
        }
        let got = send(world.request(method, &path).bearer_auth(&ana.access).json(&body)).await;
        assert_eq!(world.requests().await.last().unwrap()["operation"], want, "{name}");
        assert_eq!(got.status == 500, want != "other", "{name}: {got:?}");
    }
}

#[tokio::test]
async fn disarmed_faults_hit_nobody() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    world
        .arm(json!({"platform": "any", "operation": "publish", "kind": "error500", "times": 5}))
        .await;
    assert_eq!(publish(&world, &ana).await.status, 500);
    let armed = world.get("/_sandbox/faults").await.body;
    let left = json!({"platform": "any", "operation": "publish", "kind": "error500", "skip": 0, "times": 4});
    assert_eq!(armed, json!({"data": [left]}));
    let gone = world.request(Method::DELETE, "/_sandbox/faults").send().await.unwrap();
    assert_eq!(gone.status(), 204);
    assert_eq!(world.get("/_sandbox/faults").await.body, json!({"data": []}));
    assert_eq!(publish(&world, &ana).await.status, 200);
}
