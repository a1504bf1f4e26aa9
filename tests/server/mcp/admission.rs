//! Who is let in: by host, by origin, by key, by the limit of requests.

use reqwest::{Method, StatusCode};
use serde_json::json;

use super::client::{calling, request};
use crate::support::{Setup, client};

#[tokio::test(flavor = "multi_thread")]
async fn hosts_and_origins_as_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let variables = [
        ("SCHEDULER_PUBLIC_URL", "https://posts.example"),
        ("SCHEDULER_ALLOWED_ORIGINS", "https://tools.example"),
    ];
    let service = Setup::new(folder.path(), "").serve_with(&variables);
    let key = service.first_key.clone();
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for (host, origin, want) in [
        (None, None, 200),
        (Some("localhost:1"), None, 200),
        (Some("[::1]"), None, 200),
        (Some("posts.example"), None, 200),
        (Some("posts.example:8443"), None, 200),
        (Some("evil.example"), None, 421),
        (Some("posts.example.evil.example"), None, 421),
        (Some("192.0.2.1"), None, 421),
        (Some("posts.example"), Some("https://posts.example"), 200),
        (Some("posts.example"), Some("https://tools.example"), 200),
        (None, Some("https://evil.example"), 403),
        (Some("posts.example"), Some("http://posts.example.evil.example"), 403),
        (None, Some("null"), 403),
        (Some("evil.example"), Some("http://evil.example"), 421),
    ] {
        let mut sent = request(&service, key.as_deref(), &body);
        if let Some(host) = host {
            sent = sent.header("host", host);
        }
        if let Some(origin) = origin {
            sent = sent.header("origin", origin);
        }
        let answer = sent.send().await.unwrap();
        assert_eq!(answer.status().as_u16(), want, "{host:?} {origin:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_key_and_beyond_its_limit_nobody_is_let_in() {
    let folder = tempfile::tempdir().unwrap();
    let variables = [("SCHEDULER_RATE_LIMIT_PER_MINUTE", "1"), ("SCHEDULER_RATE_LIMIT_BURST", "6")];
    let service = Setup::new(folder.path(), "").serve_with(&variables);
    let listing = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for (key, want) in [
        (None, "Bearer resource_metadata="),
        (Some("sk_unknown"), "Bearer error=\"invalid_token\""),
    ] {
        let answer = request(&service, key, &listing).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
        let challenge = answer.headers()["www-authenticate"].to_str().unwrap();
        assert!(challenge.starts_with(want), "{challenge}");
    }
    let key = service.first_key.clone();
    // One for the request, two for what the tool asks: its accounts, and their queue.
    let call = calling("list_accounts", &json!({}));
    for want in [200, 200, 429] {
        let answer = request(&service, key.as_deref(), &call).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), want);
    }
    for method in [Method::GET, Method::DELETE] {
        let answer = client().request(method, format!("{}/mcp", service.url)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(answer.headers()["allow"], "POST");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_message_is_refused_as_the_api_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), "").serve();
    let key = service.first_key.clone().unwrap();
    let listing = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#;
    for (name, accept, body, status, said) in [
        ("both types", Some("application/json, text/event-stream"), listing, 200, ""),
        ("anything", Some("*/*"), listing, 200, ""),
        ("what the client says by itself", None, listing, 200, ""),
        ("one type", Some("application/json"), listing, 406, "Send Accept: application/json, "),
        ("a list", Some("*/*"), "[]", 400, "The body is a list; send a JSON object."),
        ("nothing", Some("*/*"), "", 400, "The body is empty; send a JSON object."),
        ("broken", Some("*/*"), "{\"a\":", 400, "it ends too early at line 1, column 5."),
        ("no message", Some("*/*"), "{\"a\": 1}", 400, "send one of JSON-RPC 2.0"),
    ] {
        let mut sent = client().post(format!("{}/mcp", service.url)).bearer_auth(&key);
        if let Some(accept) = accept {
            sent = sent.header("accept", accept);
        }
        let sent = sent.header("content-type", "application/json").body(body);
        let answer = sent.send().await.unwrap();
        assert_eq!(answer.status().as_u16(), status, "{name}");
        let answered: serde_json::Value = answer.json().await.unwrap();
        let error = &answered["error"];
        let want = (status != 200).then_some("invalid_request");
        assert_eq!(error["code"].as_str(), want, "{name}: {answered}");
        assert!(error["message"].as_str().unwrap_or_default().contains(said), "{name}: {answered}");
    }
}
