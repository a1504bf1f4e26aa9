//! Refusals as callers read them, word for word.

use std::convert::Infallible;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use futures_util::stream;
use http::Method;
use http_body_util::StreamBody;
use hyper::body::Frame;
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use serde_json::json;

use crate::support::World;

#[tokio::test]
async fn paths_that_do_not_exist() {
    let world = World::new().await;
    let client = world.serve().await.without("authorization");
    for path in [
        "/v1",
        "/posts",
        "/v1/nothing",
        "/v2/posts",
        "/v1/posts/",
        "/v1/posts//",
        "/v1/posts/?limit=1",
        "/v1/posts/0190a0a0-0000-7000-8000-000000000000/",
        "/v1/posts/0190a0a0-0000-7000-8000-000000000000/retry/",
        "/v1/platforms/",
        "/v1/workspace/webhooks/",
        "/healthz/",
    ] {
        for method in
            [Method::GET, Method::POST, Method::PATCH, Method::DELETE, Method::PUT, Method::OPTIONS]
        {
            let answer = client.send(method.clone(), path, "").await;
            assert_eq!(answer.status, 404, "{method} {path}");
            assert_eq!(
                answer.text(),
                r#"{"error":{"code":"not_found","message":"There is nothing at this path."}}"#,
                "{method} {path}"
            );
            assert_eq!(answer.header("content-type"), Some("application/json"));
        }
        assert_eq!(client.send(Method::HEAD, path, "").await.status, 404, "HEAD {path}");
    }
    for path in [
        "/v1/posts/not-a-uuid",
        "/v1/posts/not-a-uuid/retry",
        "/v1/posts/0190a0a0-0000-7000-8000-000000000000/targets/7/account",
        "/v1/workspace/webhooks/1",
    ] {
        for method in [Method::GET, Method::POST, Method::PUT] {
            let answer = client.send(method.clone(), path, "").await;
            assert_eq!(
                (answer.status.as_u16(), answer.text().as_str()),
                (
                    404,
                    r#"{"error":{"code":"not_found","message":"There is nothing at this path: an id in it has another form. Ids are UUIDs, as the server has given them."}}"#
                ),
                "{method} {path}"
            );
        }
    }
}

#[tokio::test]
async fn bodies_of_refusals() {
    let world = World::new().await;
    let account = world.connect(Platform::Bluesky, "a").await;
    let client = world.serve().await;
    let draft = world.post(&account, "x", json!({"saveAsDraft": true})).await.id;
    let target = |extra: serde_json::Value| {
        let mut target = json!({"platform": "bluesky"});
        target.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        json!({"content": "x", "saveAsDraft": true, "targets": [{"platform": "bluesky"}, target]})
    };
    let hook = "/v1/workspace/webhooks";
    for (name, method, path, body, want) in [
        (
            "no such post",
            Method::GET,
            "/v1/posts/0190a0a0-0000-7000-8000-000000000000",
            json!({}),
            r#"404 {"error":{"code":"not_found","message":"There is no such post in this workspace."}}"#,
        ),
        (
            "a wrong type",
            Method::POST,
            "/v1/posts",
            json!({"targets": [{"platform": 5}]}),
            r#"400 {"error":{"code":"invalid_request","message":"This is not a known value; one of `youtube`, `tiktok`, `instagram`, `facebook`, `threads`, `twitter`, `linkedin`, `pinterest`, `bluesky`, `mastodon`, `telegram`, `discord`, `tumblr` is expected.","field":"targets[0].platform"}}"#,
        ),
        (
            "wrong options",
            Method::POST,
            "/v1/posts",
            target(json!({"options": []})),
            r#"400 {"error":{"code":"invalid_request","message":"This is a list; an object is expected.","field":"targets[1].options"}}"#,
        ),
        (
            "an unknown field",
            Method::POST,
            "/v1/posts",
            target(json!({"foo": 1})),
            r#"400 {"error":{"code":"invalid_request","message":"\"foo\" is not a field here; known: one of `platform`, `accountId`, `options`, `mediaIds`, `files`.","field":"targets[1].foo"}}"#,
        ),
        (
            "a missing field",
            Method::POST,
            "/v1/posts",
            json!({"targets": [{}]}),
            r#"400 {"error":{"code":"invalid_request","message":"platform is required.","field":"targets[0].platform"}}"#,
        ),
        (
            "an account twice",
            Method::POST,
            "/v1/posts",
            target(json!({})),
            r#"400 {"error":{"code":"invalid_request","message":"The post goes to bluesky @a twice.","field":"targets[1].accountId"}}"#,
        ),
        (
            "not connected",
            Method::POST,
            "/v1/posts",
            json!({"content": "x", "saveAsDraft": true, "targets": [{"platform": "mastodon"}]}),
            r#"409 {"error":{"code":"account_not_connected","message":"No mastodon account is connected."}}"#,
        ),
        (
            "nothing to retry",
            Method::POST,
            &format!("/v1/posts/{draft}/retry"),
            json!({}),
            r#"409 {"error":{"code":"nothing_to_retry","message":"No target of this post has failed."}}"#,
        ),
        (
            "an unknown event",
            Method::POST,
            hook,
            json!({"url": "https://example.com", "events": ["post.published", "post.seen"]}),
            r#"400 {"error":{"code":"invalid_request","message":"This is not a known value; one of `post.published`, `post.failed`, `post.scheduled`, `post.approval_decided`, `account.needs_reconnect`, `account.token_expiring`, `media.ready`, `media.failed`, `comment.received`, `feed.failing` is expected.","field":"events[1]"}}"#,
        ),
        (
            "an address that is not public",
            Method::POST,
            hook,
            json!({"url": "http://example.com"}),
            r#"400 {"error":{"code":"invalid_request","message":"The address must be https and public.","field":"url"}}"#,
        ),
        (
            "a list out of bounds",
            Method::GET,
            "/v1/posts?limit=501",
            json!({}),
            r#"400 {"error":{"code":"invalid_request","message":"limit is a whole number from 1 to 500.","field":"limit"}}"#,
        ),
        (
            "an account that is not named",
            Method::PATCH,
            &format!("/v1/posts/{draft}/targets/{draft}/account"),
            json!({}),
            r#"400 {"error":{"code":"invalid_request","message":"accountId is required.","field":"accountId"}}"#,
        ),
    ] {
        let answer = client.json(method, path, &body).await;
        assert_eq!(format!("{} {}", answer.status.as_u16(), answer.text()), want, "{name}");
    }
}

#[tokio::test]
async fn a_plan_refusal_carries_its_limit() {
    let world = World::new().await;
    let client = world.serve().await;
    let (_, key) = world.other_workspace("small", Plan::Free).await;
    let body = json!({"url": "https://example.com"});
    let answer = client.keyed(&key).post("/v1/workspace/webhooks", &body).await;
    assert_eq!(answer.status, 402);
    let error = &answer.json()["error"];
    assert_eq!((&error["code"], &error["upgradeTo"]), (&json!("api_not_on_plan"), &json!("pro")));
}

#[tokio::test]
async fn bodies_that_are_too_large() {
    let world = World::new().await;
    let client = world.serve().await.with("content-type", "application/json");
    let want = r#"{"error":{"code":"payload_too_large","message":"The body is larger than 1048576 bytes."}}"#;

    let declared = format!("{{\"content\":\"{}\"}}", "x".repeat(1 << 20));
    let answer = client.send(Method::POST, "/v1/posts", &declared).await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (413, want), "declared");

    let chunk = || Ok::<_, Infallible>(Frame::data(Bytes::from(vec![b' '; 64 << 10])));
    let chunks = |count: usize| StreamBody::new(stream::iter((0..count).map(move |_| chunk())));
    let answer = client.send_body(Method::POST, "/v1/posts", chunks(40)).await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (413, want), "chunked");
    // Exactly the limit is read, and found to be nothing.
    let answer = client.send_body(Method::POST, "/v1/posts", chunks(16)).await;
    assert_eq!(answer.refusal(), (400, "invalid_request".into(), None), "at the limit");
}

#[tokio::test]
async fn our_own_faults_say_nothing_of_the_inside() {
    let world = World::new().await;
    let client = world.serve().await;
    let want = r#"{"error":{"code":"internal","message":"Something went wrong on our side; the x-request-id of this answer finds it in the log."}}"#;
    for (fault, status, code, retry_after) in [
        (&world.store.is_broken, 503, "unavailable", Some("5")),
        (&world.store.is_full, 507, "storage_full", None),
        (&world.store.refuses, 500, "internal", None),
    ] {
        fault.store(true, Ordering::SeqCst);
        for path in ["/v1/posts", "/v1/oauth/accounts"] {
            let answer = client.with("x-request-id", "mine-1").get(path).await;
            assert_eq!(answer.refusal(), (status, code.into(), None), "{path}");
            assert!(!answer.text().contains("hunter2"), "{path}: {}", answer.text());
            assert_eq!(answer.header("retry-after"), retry_after, "{path}");
            assert_eq!(answer.header("x-request-id"), Some("mine-1"));
        }
        fault.store(false, Ordering::SeqCst);
    }
    let body = json!({"url": "https://panic.example.com"});
    let answer = client.post("/v1/workspace/webhooks", &body).await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (500, want), "a panic");
    assert!(answer.header("x-request-id").is_some());
    assert_eq!(client.get("/v1/posts").await.status, 200, "the server goes on");
}
