//! Every endpoint without a key, with a key that does not do, from another workspace, and with
//! another method. A row of `ENDPOINTS` without a case here fails.

use http::Method;
use scheduler_core::key::Scope;
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_http::endpoints::{Access, ENDPOINTS, Endpoint};
use serde_json::json;

use crate::support::{Client, World};

/// How one endpoint is called.
pub(crate) struct Case {
    name: &'static str,
    pub(crate) path: String,
    pub(crate) reads_body: bool,
    /// The path names something of a workspace.
    is_owned: bool,
    /// The 403 of a key that has every scope but those that the endpoint needs.
    forbidden: Option<&'static str>,
}

fn cases(post: &str, target: &str, account: &str, webhook: &str, media: &str) -> Vec<Case> {
    let case = |name, path: String, reads_body, is_owned, forbidden| Case {
        name,
        path,
        reads_body,
        is_owned,
        forbidden,
    };
    let writing = Some("This needs a key with the scope posts:write or posts:publish.");
    let write = Some("This needs a key with the scope posts:write.");
    let read = Some("This needs a key with the scope posts:read.");
    let hooks_read = Some("This needs a key with the scope webhooks:read.");
    let hooks_write = Some("This needs a key with the scope webhooks:write.");
    let of_post = format!("/v1/posts/{post}");
    let publish = Some("This needs a key with the scope posts:publish.");
    let of_target = format!("{of_post}/targets/{target}");
    let move_target = format!("{of_target}/account");
    let of_account = format!("/v1/oauth/accounts/{account}");
    let media_read = Some("This needs a key with the scope media:read.");
    let media_write = Some("This needs a key with the scope media:write.");
    let of_media = format!("/v1/media/{media}");
    let of_webhook = format!("/v1/workspace/webhooks/{webhook}");
    vec![
        case("list_platforms", "/v1/platforms".into(), false, false, None),
        case("check_post", "/v1/platforms/validate".into(), true, false, None),
        case("list_posts", "/v1/posts".into(), false, false, read),
        case("create_post", "/v1/posts".into(), true, false, writing),
        case("refresh_metrics", "/v1/posts/metrics/refresh".into(), false, false, read),
        case("show_post", of_post.clone(), false, true, read),
        case("update_post", of_post.clone(), true, true, writing),
        case("delete_post", of_post.clone(), false, true, write),
        case("retry_post", format!("{of_post}/retry"), false, true, write),
        case("read_metrics", format!("{of_target}/metrics"), false, true, read),
        case("list_readings", format!("{of_target}/metrics/history"), false, true, read),
        case("show_insights", format!("{of_target}/insights"), false, true, read),
        case("list_comments", format!("{of_target}/comments"), false, true, read),
        case("act_on_comment", format!("{of_target}/comments/a%2Fb"), true, true, publish),
        case("edit_live_post", format!("{of_target}/remote"), true, true, write),
        case("take_down", format!("{of_target}/remote"), false, true, write),
        case("move_target", move_target, true, true, write),
        case("list_media", "/v1/media".into(), false, false, media_read),
        case("declare_media", "/v1/media".into(), true, false, media_write),
        case("show_media", of_media.clone(), false, true, media_read),
        case("delete_media", of_media.clone(), false, true, media_write),
        case("confirm_upload", format!("{of_media}/uploaded"), false, true, media_write),
        case("complete_upload", format!("{of_media}/complete"), true, true, media_write),
        case("show_thumb", format!("{of_media}/thumb"), false, true, media_read),
        case("list_media_posts", format!("{of_media}/posts"), false, true, media_read),
        case("list_accounts", "/v1/oauth/accounts".into(), false, false, read),
        case("show_audience", "/v1/oauth/audience".into(), false, false, read),
        case("list_boards", format!("{of_account}/boards"), false, true, read),
        case("list_playlists", format!("{of_account}/youtube/playlists"), false, true, read),
        case("create_playlist", format!("{of_account}/youtube/playlists"), true, true, publish),
        case("show_creator", format!("{of_account}/tiktok/creator"), false, true, read),
        case("list_mentions", format!("{of_account}/mentions"), false, true, read),
        case("write_captions", "/v1/ai/captions".into(), true, false, write),
        case("review_target", "/v1/ai/review".into(), true, false, write),
        case("show_review", format!("/v1/ai/review/{target}"), false, true, read),
        case("list_webhooks", "/v1/workspace/webhooks".into(), false, false, hooks_read),
        case("create_webhook", "/v1/workspace/webhooks".into(), true, false, hooks_write),
        case("delete_webhook", of_webhook, false, true, hooks_write),
        case("health", "/healthz".into(), false, false, None),
        case("readiness", "/readyz".into(), false, false, None),
        case("show_metrics", "/metrics".into(), false, false, None),
    ]
}

/// The endpoints with their cases, a server, and the world behind it.
pub(crate) async fn rows() -> (World, Client, Vec<(&'static Endpoint, Case)>) {
    let world = World::new().await;
    let client = world.serve().await;
    let account = world.connect(Platform::Bluesky, "a").await;
    let post = world.post(&account, "x", json!({"saveAsDraft": true})).await;
    let webhook =
        client.post("/v1/workspace/webhooks", &json!({"url": "https://example.com"})).await.json();
    let webhook = webhook["id"].as_str().unwrap();
    let target = post.targets[0].id.to_string();
    let media = world.ready_file().await.to_string();
    let account = account.id.to_string();
    let mut cases = cases(&post.id.to_string(), &target, &account, webhook, &media);
    let mut rows = Vec::new();
    for endpoint in ENDPOINTS {
        let position = cases.iter().position(|case| case.name == endpoint.name);
        let position = position.unwrap_or_else(|| panic!("{} has no case", endpoint.name));
        rows.push((endpoint, cases.swap_remove(position)));
    }
    assert!(cases.is_empty(), "a case of no endpoint");
    (world, client, rows)
}

fn is_keyless(endpoint: &Endpoint) -> bool {
    endpoint.access == Access::Keyless
}

fn scopes_of(access: Access) -> Vec<Scope> {
    match access {
        Access::Keyless | Access::AnyKey => Vec::new(),
        Access::Scope(scope) => vec![scope],
        Access::All(scopes) | Access::AnyOf(scopes) => scopes.to_vec(),
    }
}

#[tokio::test]
async fn without_a_key() {
    let (_world, client, rows) = rows().await;
    let unknown = format!("Bearer sk_{}", "0".repeat(43));
    for (endpoint, case) in &rows {
        for (name, client) in [
            ("no key", client.without("authorization")),
            ("another scheme", client.with("authorization", "Basic c2s6")),
            ("not a key", client.with("authorization", "Bearer nonsense")),
            ("an unknown key", client.with("authorization", &unknown)),
        ] {
            let name = format!("{} with {name}", endpoint.name);
            // Neither the body nor the query is looked at before the key.
            let path = format!("{}?what=1", case.path);
            let path = if is_keyless(endpoint) { &case.path } else { &path };
            let answer = client.send(endpoint.method.clone(), path, "{").await;
            if is_keyless(endpoint) {
                assert_eq!(answer.status, 200, "{name}");
                continue;
            }
            assert_eq!(answer.refusal(), (401, "unauthorized".into(), None), "{name}");
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{name}");
            assert!(answer.header("x-request-id").is_some(), "{name}");
        }
    }
}

#[tokio::test]
async fn with_every_scope_but_the_one_that_is_needed() {
    let (world, client, rows) = rows().await;
    for (endpoint, case) in &rows {
        let needed = scopes_of(endpoint.access);
        assert_eq!(needed.is_empty(), case.forbidden.is_none(), "{}", endpoint.name);
        let Some(message) = case.forbidden else { continue };
        let others: Vec<Scope> = Scope::ALL
            .into_iter()
            .filter(|scope| *scope != Scope::All && !needed.contains(scope))
            .collect();
        let client = client.keyed(&world.key_with(&others).await);
        // A body that cannot be read does not hide it.
        let broken = client.with("content-type", "application/json");
        let answer = broken.send(endpoint.method.clone(), &case.path, "{broken").await;
        assert_eq!(answer.status, 403, "{}", endpoint.name);
        let want = json!({"error": {"code": "forbidden", "message": message}});
        assert_eq!(answer.json(), want, "{}", endpoint.name);
    }
}

#[tokio::test]
async fn a_key_without_any_scope_may_validate() {
    let (world, client, _) = rows().await;
    let client = client.keyed(&world.key_with(&[]).await);
    let body = json!({"content": "x", "targets": [{"platform": "bluesky"}]});
    let answer = client.post("/v1/platforms/validate", &body).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[tokio::test]
async fn from_another_workspace() {
    let (world, client, rows) = rows().await;
    let (workspace, key) = world.other_workspace("other", Plan::Studio).await;
    let account = world.connect_to(&workspace, Platform::Bluesky, "b").await;
    let client = client.keyed(&key);
    for (endpoint, case) in rows.iter().filter(|(_, case)| case.is_owned) {
        let body = match endpoint.name {
            "move_target" => json!({"accountId": account.id}),
            "act_on_comment" => json!({"action": "like"}),
            "edit_live_post" => json!({"content": "x"}),
            "create_playlist" => json!({"title": "x"}),
            "complete_upload" => json!({"parts": [{"partNumber": 1, "etag": "x"}]}),
            _ => json!({}),
        };
        // What it cannot do without is looked at first.
        let query = if endpoint.name == "list_mentions" { "?q=a" } else { "" };
        let path = format!("{}{query}", case.path);
        let answer = client.json(endpoint.method.clone(), &path, &body).await;
        assert_eq!(answer.refusal(), (404, "not_found".into(), None), "{}", endpoint.name);
        let missing = path.replace(&path[10..14], "0000");
        assert_eq!(
            client.json(endpoint.method.clone(), &missing, &body).await.status,
            404,
            "{missing}"
        );
    }
    assert_eq!(world.posts(world.workspace.id).len(), 1, "nothing was touched");
}

#[tokio::test]
async fn with_another_method() {
    let (_world, client, rows) = rows().await;
    for (endpoint, case) in &rows {
        let mut allowed: Vec<&str> = Vec::new();
        for (other, _) in rows.iter().filter(|(other, _)| other.pattern == endpoint.pattern) {
            allowed.push(other.method.as_str());
            if other.method == Method::GET {
                allowed.push("HEAD");
            }
        }
        for method in [Method::PUT, Method::OPTIONS, Method::TRACE] {
            let name = format!("{method} {}", case.path);
            // Not even a key is needed to hear it.
            let client = client.without("authorization").with("origin", "https://example.com");
            let answer = client.send(method, &case.path, "").await;
            assert_eq!(answer.refusal(), (405, "invalid_request".into(), None), "{name}");
            assert_eq!(answer.header("allow"), Some(allowed.join(", ").as_str()), "{name}");
            let cors = answer.headers.keys().find(|name| name.as_str().starts_with("access-"));
            assert_eq!(cors, None, "{name}");
        }
    }
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    let (_world, client, rows) = rows().await;
    for (endpoint, case) in rows.iter().filter(|(row, _)| row.method == Method::GET) {
        let get = client.get(&case.path).await;
        let head = client.send(Method::HEAD, &case.path, "").await;
        assert_eq!((head.status, head.body.len()), (get.status, 0), "{}", endpoint.name);
        assert_eq!(head.header("content-type"), get.header("content-type"), "{}", endpoint.name);
        // Both tell the present.
        if !matches!(endpoint.name, "readiness" | "show_metrics") {
            let length = get.body.len().to_string();
            assert_eq!(head.header("content-length"), Some(length.as_str()), "{}", endpoint.name);
        }
    }
}

#[tokio::test]
async fn unknown_and_repeated_query_parameters_are_named() {
    let (_world, client, rows) = rows().await;
    for (endpoint, case) in rows.iter().filter(|(row, _)| row.pattern.starts_with("/v1")) {
        let path = format!("{}?pagesize=10", case.path);
        let answer = client.send(endpoint.method.clone(), &path, "").await;
        let want = (400, "invalid_request".into(), Some("pagesize".into()));
        assert_eq!(answer.refusal(), want, "{}", endpoint.name);
        for parameter in endpoint.parameters {
            let path = format!("{}?{parameter}=1&{parameter}=1", case.path);
            let answer = client.send(endpoint.method.clone(), &path, "").await;
            let want = (400, "invalid_request".into(), Some((*parameter).into()));
            assert_eq!(answer.refusal(), want, "{} {parameter}", endpoint.name);
        }
    }
}

#[tokio::test]
async fn bodies_must_be_json() {
    let (_world, client, rows) = rows().await;
    for (endpoint, case) in rows.iter().filter(|(_, case)| case.reads_body) {
        let method = || endpoint.method.clone();
        for (name, content_type, body, want) in [
            ("a form", Some("application/x-www-form-urlencoded"), "content=x", 415),
            ("no content type", None, "{}", 415),
            ("broken", Some("application/json"), "{\"", 400),
            ("a list", Some("application/json; charset=utf-8"), "[]", 400),
            ("nothing", Some("application/json"), "", 400),
        ] {
            let client = match content_type {
                Some(content_type) => client.with("content-type", content_type),
                None => client.clone(),
            };
            let answer = client.send(method(), &case.path, body).await;
            let want = (want, "invalid_request".into(), None);
            assert_eq!(answer.refusal(), want, "{} with {name}", endpoint.name);
        }
        let answer = client.json(method(), &case.path, &json!({"nonsense": 1})).await;
        let want = (400, "invalid_request".into(), Some("nonsense".into()));
        assert_eq!(answer.refusal(), want, "{}", endpoint.name);
    }
}
