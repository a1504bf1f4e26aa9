//! What stands around answers: compression, what is left of a limit, and who may read them in a
//! browser.

use std::io::Read as _;
use std::num::NonZeroU32;

use http::Method;
use scheduler_core::platform::Platform;
use scheduler_http::{RateLimit, ServerSettings};
use serde_json::json;

use crate::support::World;

#[tokio::test]
async fn answers_are_compressed_as_the_caller_takes_it() {
    let world = World::new().await;
    let account = world.connect(Platform::Bluesky, "a").await;
    for _ in 0..5 {
        world.post(&account, "x", json!({"saveAsDraft": true})).await;
    }
    let client = world.serve().await;
    let plain = client.get("/v1/posts").await;
    assert_eq!(plain.header("content-encoding"), None);
    assert!(plain.body.len() > 2_000);
    for (accepted, want) in [
        ("gzip", Some("gzip")),
        ("zstd", Some("zstd")),
        ("zstd;q=0, gzip;q=0.5", Some("gzip")),
        ("br", None),
        ("identity", None),
    ] {
        let client = client.with("accept-encoding", accepted);
        let answer = client.get_elsewhere("/v1/posts").await;
        assert_eq!(answer.header("content-encoding"), want, "{accepted}");
        let mut body = Vec::new();
        match want {
            Some("gzip") => {
                flate2::read::GzDecoder::new(&*answer.body).read_to_end(&mut body).unwrap();
            }
            Some(_) => body = zstd::decode_all(&*answer.body).unwrap(),
            None => body = answer.body.to_vec(),
        }
        assert_eq!(body, plain.body, "{accepted}");
        let is_smaller = answer.body.len() < plain.body.len() / 2;
        assert_eq!(is_smaller, want.is_some(), "{accepted}");
    }
    let client = client.with("accept-encoding", "gzip");
    for (path, want) in [
        ("/docs", Some("gzip")),
        ("/v1/openapi.json", Some("gzip")),
        ("/healthz", None),
        ("/connect/bluesky", None),
    ] {
        let answer = client.get_elsewhere(path).await;
        assert_eq!(answer.header("content-encoding"), want, "{path}: {}", answer.body.len());
    }
}

/// Pages that are sent in pieces.
#[tokio::test]
async fn large_pages_are_compressed_whole() {
    let world = World::new().await;
    let account = world.connect(Platform::Bluesky, "a").await;
    for _ in 0..4 {
        let options = json!({"caption": "x", "other": "y".repeat(60_000)});
        let target = json!({"platform": "bluesky", "accountId": account.id, "options": options});
        let post = json!({"content": "x", "saveAsDraft": true, "targets": [target]});
        let input = serde_json::from_value(post).unwrap();
        world.scheduler.create_post(&world.caller().await, input, None).await.unwrap();
    }
    let client = world.serve().await;
    let plain = client.get("/v1/posts").await;
    assert!(plain.body.len() > 200_000, "{}", plain.body.len());
    let gzip = client.with("accept-encoding", "gzip").get_elsewhere("/v1/posts").await;
    let mut body = Vec::new();
    flate2::read::GzDecoder::new(&*gzip.body).read_to_end(&mut body).unwrap();
    assert_eq!(body, plain.body);
    let zstd = client.with("accept-encoding", "zstd").get_elsewhere("/v1/posts").await;
    assert_eq!(zstd::decode_all(&*zstd.body).unwrap(), plain.body);
}

#[tokio::test]
async fn what_is_left_of_the_limit_is_told() {
    let world = World::new().await;
    let limit =
        RateLimit { per_minute: NonZeroU32::new(30).unwrap(), burst: NonZeroU32::new(2).unwrap() };
    let client = world.serve_with(limit, None).await;
    for (status, want) in [
        (200, "\"requests\";r=1;t=2"),
        (400, "\"requests\";r=0;t=4"),
        (429, "\"requests\";r=0;t=4"),
    ] {
        let path = if status == 400 { "/v1/posts?x=1" } else { "/v1/posts" };
        let answer = client.get(path).await;
        assert_eq!(answer.status, status);
        assert_eq!(answer.header("ratelimit"), Some(want), "{status}");
        assert_eq!(answer.header("ratelimit-policy"), Some("\"requests\";q=2;w=4"), "{status}");
    }
    let keyless = client.get("/v1/platforms").await;
    assert_eq!(keyless.header("ratelimit"), None);
}

#[tokio::test]
async fn pages_of_named_origins_may_read_answers() {
    let world = World::new().await;
    let allowed_origins = vec!["https://app.example".parse().unwrap()];
    let settings = ServerSettings { allowed_origins, ..ServerSettings::default() };
    let open = world.serve_set(settings).await;
    let closed = world.serve().await;
    for (name, client, origin, want, preflight_status) in [
        ("a named one", &open, "https://app.example", Some("https://app.example"), 200),
        ("another", &open, "https://other.example", None, 200),
        ("none is named", &closed, "https://app.example", None, 405),
    ] {
        let page = client.with("origin", origin);
        let answer = page.get("/v1/posts").await;
        assert_eq!(answer.header("access-control-allow-origin"), want, "{name}");
        let exposed = answer.header("access-control-expose-headers").unwrap_or_default();
        assert_eq!(exposed.contains("etag"), preflight_status == 200, "{name}");
        let asked = page
            .with("access-control-request-method", "PATCH")
            .with("access-control-request-headers", "authorization,if-match");
        let preflight =
            asked.without("authorization").send_elsewhere(Method::OPTIONS, "/v1/posts").await;
        assert_eq!(preflight.header("access-control-allow-origin"), want, "{name}");
        assert_eq!(preflight.status, preflight_status, "{name}");
        // What clients of the Model Context Protocol send.
        let allowed = preflight.header("access-control-allow-headers").unwrap_or_default();
        for header in ["mcp-protocol-version", "mcp-method", "mcp-name"] {
            assert_eq!(allowed.contains(header), preflight_status == 200, "{name}: {header}");
        }
    }
}

#[tokio::test]
async fn accounts_come_in_pages_to_whoever_asks_for_pages() {
    let world = World::new().await;
    for name in ["a", "b", "c"] {
        world.connect(Platform::Bluesky, name).await;
    }
    let client = world.serve().await;
    let whole = client.get("/v1/oauth/accounts").await.json();
    assert_eq!(whole["data"].as_array().unwrap().len(), 3);
    assert!(whole.get("nextCursor").is_none(), "{whole}");
    let first = client.get("/v1/oauth/accounts?limit=2").await.json();
    assert_eq!(first["data"], json!(whole["data"].as_array().unwrap()[..2]));
    let next = first["nextCursor"].as_str().unwrap();
    let second = client.get(&format!("/v1/oauth/accounts?limit=2&before={next}")).await.json();
    assert_eq!(second, json!({"data": [whole["data"][2]]}));
    for (query, field) in [("limit=0", "limit"), ("before=x", "before")] {
        let refusal = client.get(&format!("/v1/oauth/accounts?{query}")).await.refusal();
        assert_eq!(refusal, (400, "invalid_request".into(), Some(field.into())), "{query}");
    }
}
