//! Faults in this network's own words, operations, quotas.

use reqwest::Method;
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::{Actor, about, mp4, piece, reason};
use crate::support::{World, send};

fn fault(operation: &str, kind: &str) -> Value {
    json!({"platform": "youtube", "operation": operation, "kind": kind})
}

#[tokio::test]
async fn an_error_is_answered_and_nothing_done() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let opened = ana.open(&world, &about("T"), mp4().len()).await;
    for (kind, status, want) in [
        ("error500", 500, "backendError"),
        ("rate_limited", 403, "rateLimitExceeded"),
        ("permanent", 400, "invalidVideoMetadata"),
    ] {
        world.arm(fault("publish", kind)).await;
        let got = piece(&world, &opened, None, mp4()).await;
        assert_eq!((got.status, reason(&got)), (status, want), "{kind}");
        assert_eq!(got.header("retry-after"), None, "this network has none");
    }
    assert_eq!(world.posts("youtube").await, Vec::<Value>::new());
    assert_eq!(piece(&world, &opened, None, mp4()).await.status, 200);
}

#[tokio::test]
async fn an_expired_token_is_told() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    world.arm(fault("upload", "expired_token")).await;
    for attempt in ["the fault", "and after it"] {
        let got = ana.open(&world, &about("T"), 5).await;
        assert_eq!((got.status, reason(&got)), (401, "authError"), "{attempt}");
    }
    ben.publish(&world, "another account is spared").await;
}

#[tokio::test]
async fn each_operation_is_told_from_the_others() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let videos = "/upload/youtube/v3/videos?upload_id=x";
    for (name, method, path, range, want) in [
        ("open", Method::POST, videos, None, "upload"),
        ("last piece", Method::PUT, videos, Some("bytes 5-9/10"), "publish"),
        ("whole", Method::PUT, videos, None, "publish"),
        ("a piece", Method::PUT, videos, Some("bytes 5-8/10"), "upload"),
        ("a question", Method::PUT, videos, Some("bytes */10"), "upload"),
        ("thumbnail", Method::POST, "/upload/youtube/v3/thumbnails/set", None, "upload"),
        ("captions", Method::POST, "/upload/youtube/v3/captions", None, "upload"),
        (
            "state",
            Method::GET,
            "/youtube/v3/videos?part=status,processingDetails&id=x",
            None,
            "poll",
        ),
        ("figures", Method::GET, "/youtube/v3/videos?part=statistics&id=x", None, "metrics"),
        ("followers", Method::GET, "/youtube/v3/channels?part=statistics", None, "metrics"),
        ("report", Method::GET, "/v2/reports", None, "metrics"),
        ("threads", Method::GET, "/youtube/v3/commentThreads", None, "comment"),
        ("reply", Method::POST, "/youtube/v3/comments", None, "comment"),
        ("hide", Method::POST, "/youtube/v3/comments/setModerationStatus", None, "comment"),
        ("token", Method::POST, "/token", None, "token"),
        ("snippet", Method::GET, "/youtube/v3/videos?part=snippet&id=x", None, "other"),
        ("delete", Method::DELETE, "/youtube/v3/videos?id=x", None, "other"),
        ("playlist", Method::POST, "/youtube/v3/playlistItems", None, "other"),
    ] {
        if want != "other" {
            world.arm(fault(want, "error500")).await;
        }
        let request = ana.request(&world, method, path).json(&json!({}));
        let got = send(match range {
            Some(range) => request.header("content-range", range),
            None => request,
        })
        .await;
        assert_eq!(world.requests().await.last().unwrap()["operation"], want, "{name}");
        assert_eq!(got.status == 500, want != "other", "{name}: {got:?}");
    }
}

#[tokio::test]
async fn each_operation_has_a_refusal_of_its_own() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let videos = "/upload/youtube/v3/videos?upload_id=x";
    for (name, operation, method, path, range, status, want) in [
        ("open", "upload", Method::POST, "/upload/youtube/v3/videos", None, 400, "invalidTitle"),
        ("in the middle", "upload", Method::PUT, videos, Some("bytes */10"), 410, ""),
        (
            "thumbnail",
            "upload",
            Method::POST,
            "/upload/youtube/v3/thumbnails/set",
            None,
            403,
            "forbidden",
        ),
        (
            "captions",
            "upload",
            Method::POST,
            "/upload/youtube/v3/captions",
            None,
            400,
            "invalidMetadata",
        ),
        (
            "comments",
            "comment",
            Method::GET,
            "/youtube/v3/commentThreads",
            None,
            403,
            "commentsDisabled",
        ),
        ("report", "metrics", Method::GET, "/v2/reports", None, 403, "insufficientPermissions"),
        ("token", "token", Method::POST, "/token", None, 400, ""),
    ] {
        world.arm(fault(operation, "permanent")).await;
        let request = ana.request(&world, method, path);
        let got = send(match range {
            Some(range) => request.header("content-range", range),
            None => request,
        })
        .await;
        assert_eq!((got.status, reason(&got)), (status, want), "{name}: {got:?}");
    }
    world.arm(fault("poll", "permanent")).await;
    let path = "/youtube/v3/videos?part=status,processingDetails&id=x";
    let got = ana.get(&world, path).await;
    let status = &got.body["items"][0]["status"];
    assert_eq!(*status, json!({ "uploadStatus": "rejected", "rejectionReason": "length" }));
    world.arm(fault("upload", "rate_limited")).await;
    assert_eq!(reason(&ana.open(&world, &about("T"), 5).await), "quotaExceeded");
}

#[tokio::test]
async fn quotas_are_counted_only_when_asked_for() {
    for (quotas, want) in [(true, 429), (false, 200)] {
        let world = World::start(Options { quotas, ..Options::default() }).await;
        let ana = Actor::new(&world, "Ana").await;
        for _ in 0..100 {
            assert_eq!(ana.open(&world, &about("T"), 5).await.status, 200);
        }
        let last = ana.open(&world, &about("T"), 5).await;
        assert_eq!(last.status, want, "{quotas}: {last:?}");
        let rest = ana.get(&world, "/youtube/v3/channels?part=snippet&mine=true").await;
        assert_eq!(rest.status, 200, "other calls have units of their own");
    }
}
