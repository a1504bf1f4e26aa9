//! Programs that people connect by OAuth: by a client that others wrote, and what nobody may do.

mod attacks;
mod by_hand;
pub(super) mod describing;

use http::header::LOCATION;
use reqwest::{Method, StatusCode};
use rmcp::ServiceExt as _;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::auth::{AuthClient, AuthorizationRequest, OAuthState};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};

use crate::support::{client, wait_for};
use by_hand::{AGENT, Person};
use describing::BACK;

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_others_wrote_finds_its_way_and_uses_the_tools() {
    let person = Person::start().await;
    let refused = client().post(person.resource()).json(&json!({})).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    let challenge = refused.headers()["www-authenticate"].to_str().unwrap().to_owned();

    let mut oauth = OAuthState::new(person.resource(), None).await.unwrap();
    let wish = AuthorizationRequest::new(BACK)
        .with_client_metadata_url(person.program.id())
        .with_challenge(challenge);
    oauth.start_authorization(wish).await.unwrap();
    let address = oauth.get_authorization_url().await.unwrap();

    // The browser: first of nobody, then of somebody who is signed in.
    let nobody = crate::support::client_of_forms().get(&address).send().await.unwrap();
    let door = nobody.headers()[LOCATION].to_str().unwrap();
    assert!(door.starts_with("/signin?next=%2Fmcp%2Fauthorize%3F"), "{door}");
    let led = person.open(&address).await;
    assert_eq!(led.status(), StatusCode::SEE_OTHER);
    let led = led.headers()[LOCATION].to_str().unwrap().to_owned();
    let page = person.open(&person.url(&led)).await;
    assert_eq!(page.status(), StatusCode::OK);
    let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    assert_eq!(page.headers()["x-frame-options"], "DENY");
    let page = page.text().await.unwrap();
    assert!(page.contains(&person.program.host()), "who it is");
    assert!(!page.contains("<program>"), "what it calls itself is text");
    assert_eq!(page.matches(r#"name="scope""#).count(), 5, "what an editor may");
    assert_eq!(page.matches(" checked").count(), 4, "what an agent may");

    let (_, wish) = led.split_once('?').unwrap();
    let answer = person.answering(wish, &AGENT).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    oauth.handle_callback_url(answer.headers()[LOCATION].to_str().unwrap()).await.unwrap();
    let manager = oauth.into_authorization_manager().unwrap();
    let held = AuthClient::new(client().clone(), manager);
    let manager = held.auth_manager.clone();
    let config = StreamableHttpClientTransportConfig::with_uri(person.resource());
    let transport = StreamableHttpClientTransport::with_client(held, config);
    let connected = ().serve(transport).await.unwrap();
    let tools = connected.list_all_tools().await.unwrap();
    let has = |name: &str| tools.iter().any(|tool| tool.name == name);
    assert!(has("create_draft") && !has("publish_now"), "what was granted");
    manager.lock().await.refresh_token().await.unwrap();
    assert_eq!(connected.list_all_tools().await.unwrap().len(), tools.len(), "with the next token");
    connected.cancel().await.unwrap();
    assert_eq!(person.program.asked(), 1, "its document is known");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_connected_is_listed_told_in_the_log_and_removed() {
    let person = Person::start().await;
    let tokens = person.connected(&AGENT).await;
    let list = |arguments: &[&str]| person.site.setup.json(&[], arguments);
    let grants = list(&["grants", "list"]);
    let grant = &grants["data"][0];
    assert_eq!(grant["clientId"], json!(person.program.id()));
    assert_eq!(grant["clientName"], "A <program>");
    assert_eq!(grant["scopes"], json!(AGENT));
    let page = person.open(&person.site.at("settings")).await.text().await.unwrap();
    assert!(page.contains("Connected programs") && page.contains(&person.program.host()));

    // What it writes is its own, in the name of whoever has connected it.
    let body = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "create_draft", "arguments": {
            "content": "By a program", "targets": [{"account": "mastodon"}],
            "idempotencyKey": "by a program",
        }},
    });
    let call =
        client().post(person.resource()).bearer_auth(tokens["access_token"].as_str().unwrap());
    let call = call.header("accept", "application/json, text/event-stream").json(&body);
    let said: Value = call.send().await.unwrap().json().await.unwrap();
    assert_eq!(said["result"]["isError"], json!(false), "{said}");
    let log = wait_for("both entries", async || {
        let log = list(&["log"]);
        let of = |name: &str| {
            let entries = log["data"].as_array()?;
            entries.iter().find(|entry| entry["operation"] == name).cloned()
        };
        Some((of("web_connect_program")?, of("create_post")?))
    })
    .await;
    let path = format!("/w/default/programs/{}", person.program.host());
    assert_eq!((&log.0["by"]["kind"], &log.0["path"]), (&json!("session"), &json!(path)));
    assert_eq!(log.1["by"], json!({"kind": "grant", "id": grant["id"], "name": "A <program>"}));

    assert_eq!(person.call(&tokens["access_token"], "list_accounts").await.status(), 200);
    person.site.setup.run(&["grants", "remove", grant["id"].as_str().unwrap()]);
    let after = person.call(&tokens["access_token"], "list_accounts").await;
    assert_eq!(after.status(), StatusCode::UNAUTHORIZED);
    let challenge = after.headers()["www-authenticate"].to_str().unwrap();
    assert!(challenge.starts_with("Bearer error=\"invalid_token\", resource_metadata="));
    let (status, said) = person.with_refresh(tokens["refresh_token"].as_str().unwrap()).await;
    assert_eq!((status, &said["error"]), (400, &json!("invalid_grant")));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_needs_more_asks_its_person_for_more() {
    let person = Person::start().await;
    let tokens = person.connected(&AGENT).await;
    let refused = person.call(&tokens["access_token"], "publish_now").await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    let challenge = refused.headers()["www-authenticate"].to_str().unwrap();
    let want = format!(
        "Bearer error=\"insufficient_scope\", resource_metadata=\"{}\", scope=\"posts:read posts:write posts:publish media:read media:write\"",
        person.url("/.well-known/oauth-protected-resource/mcp")
    );
    assert_eq!(challenge, want);
    let all = [&AGENT[..], &["posts:publish"]].concat();
    let tokens = person.connected(&all).await;
    assert_eq!(tokens["scope"], "posts:read posts:write posts:publish media:read media:write");
    let answered = person.call(&tokens["access_token"], "publish_now").await;
    assert_eq!(answered.status(), StatusCode::OK, "what is missing now are arguments");
}

#[tokio::test(flavor = "multi_thread")]
async fn metadata_stands_under_the_path_of_the_tools_alone() {
    let person = Person::start().await;
    let found = async |path: &str| {
        let answer = client().get(person.url(path)).send().await.unwrap();
        (answer.status().as_u16(), answer.json::<Value>().await.unwrap_or_default())
    };
    let (_, resource) = found("/.well-known/oauth-protected-resource/mcp").await;
    assert_eq!(resource["resource"], json!(person.resource()));
    let (_, server) = found("/.well-known/oauth-authorization-server/mcp").await;
    assert_eq!(server["issuer"], resource["authorization_servers"][0]);
    assert_eq!(server["token_endpoint"], json!(person.url("/mcp/token")));
    for path in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/mcp",
        "/mcp/.well-known/openid-configuration",
        "/mcp/register",
        "/register",
    ] {
        assert_eq!(found(path).await.0, 404, "{path}");
    }
    // The API answers as ever: nothing there asks for OAuth.
    let api = client().get(person.url("/v1/posts")).send().await.unwrap();
    assert_eq!(api.headers()["www-authenticate"], "Bearer");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_offered_where_others_could_read_it() {
    let person = Person::start_with(&[("SCHEDULER_PUBLIC_URL", "http://posts.example")]).await;
    let refused = client().post(person.resource()).json(&json!({})).send().await.unwrap();
    assert_eq!(refused.headers()["www-authenticate"], "Bearer");
    for (method, path) in [
        (Method::GET, "/.well-known/oauth-protected-resource/mcp"),
        (Method::GET, "/.well-known/oauth-authorization-server/mcp"),
        (Method::POST, "/mcp/token"),
        (Method::POST, "/mcp/revoke"),
    ] {
        let answer = client().request(method, person.url(path)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
    }
    let page = person.open(&person.site.at(&format!("programs?{}", person.wish()))).await;
    assert_eq!(page.status(), StatusCode::CONFLICT);
    assert_eq!(person.program.asked(), 0);
}
