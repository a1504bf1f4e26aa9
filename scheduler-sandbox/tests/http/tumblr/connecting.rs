//! The page, tokens, and what they open.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, code, said};
use crate::support::{Got, World, send};

const REDIRECT: &str = "https://app.example/back";

async fn form(world: &World, path: &str, fields: &[(&str, &str)]) -> Got {
    let request = world.request(Method::POST, &format!("/tumblr{path}"));
    send(request.header("user-agent", "test").form(fields)).await
}

/// Lets an application in and returns where the browser is sent.
async fn allow(world: &World, user: &str, scope: &str) -> String {
    let fields = [
        ("response_type", "code"),
        ("client_id", "app"),
        ("redirect_uri", REDIRECT),
        ("state", "s&1"),
        ("scope", scope),
        ("user", user),
        ("decision", "allow"),
    ];
    let got = form(world, "/oauth2/authorize", &fields).await;
    assert_eq!(got.status, 302, "{got:?}");
    got.header("location").unwrap().to_owned()
}

async fn exchange(world: &World, location: &str, client_id: &str, redirect: &str) -> Got {
    let code = location.split("code=").nth(1).unwrap().split('&').next().unwrap();
    let fields = [
        ("grant_type", "authorization_code"),
        ("code", code),
        ("client_id", client_id),
        ("client_secret", "secret"),
        ("redirect_uri", redirect),
    ];
    form(world, "/v2/oauth2/token", &fields).await
}

async fn refresh(world: &World, token: &str) -> Got {
    let fields = [
        ("grant_type", "refresh_token"),
        ("refresh_token", token),
        ("client_id", "app"),
        ("client_secret", "secret"),
    ];
    form(world, "/v2/oauth2/token", &fields).await
}

#[tokio::test]
async fn a_code_becomes_tokens_that_may_do_what_was_allowed() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let query = [
        ("response_type", "code"),
        ("client_id", "app"),
        ("redirect_uri", REDIRECT),
        ("scope", "basic write offline_access"),
        ("state", "\"><script>"),
    ];
    let page = send(world.request(Method::GET, "/tumblr/oauth2/authorize").query(&query)).await;
    assert!(page.text.contains("<button") && page.text.contains("ana, ana-notes"), "{page:?}");
    assert!(!page.text.contains("<script"), "what was sent is escaped: {page:?}");

    let location = allow(&world, &ana.blog, "basic offline_access").await;
    assert!(location.starts_with(REDIRECT) && location.ends_with("&state=s%261"), "{location}");
    let token = exchange(&world, &location, "app", REDIRECT).await;
    assert_eq!(token.body["expires_in"], 2_520);
    assert_eq!(token.body["scope"], "basic offline_access");
    assert_eq!(token.body["token_type"], "bearer");
    let again = exchange(&world, &location, "app", REDIRECT).await;
    assert_eq!((again.status, again.text_of("error").as_str()), (401, "invalid_grant"));

    let ours = Actor { token: token.text_of("access_token"), ..Actor::new(&world, "ben").await };
    let info = ours.get(&world, "/user/info").await;
    let blogs = &info.body["response"]["user"]["blogs"];
    assert_eq!(blogs[0]["uuid"], ana.uuid.as_str());
    assert_eq!(
        (&blogs[0]["primary"], &blogs[0]["followers"], &blogs[1]["name"]),
        (&json!(true), &json!(128), &json!("ana-notes"))
    );
    let reading = Actor { blog: ana.blog.clone(), ..ours };
    let refused = reading.post(&world, &said("published", "x")).await;
    assert_eq!(refused.status, 403, "write was not allowed");

    let location = allow(&world, "new", "basic write").await;
    let token = exchange(&world, &location, "app", REDIRECT).await;
    assert_eq!(token.body["refresh_token"], Value::Null, "offline_access was not allowed");
}

#[tokio::test]
async fn what_does_not_fit_is_refused() {
    let world = World::default().await;
    for (name, client, redirect, error) in [
        ("another application", "other", REDIRECT, "invalid_grant"),
        ("another address", "app", "https://evil.example", "invalid_grant"),
        ("no application", "", REDIRECT, "invalid_client"),
    ] {
        let location = allow(&world, "new", "basic").await;
        let got = exchange(&world, &location, client, redirect).await;
        assert_eq!((got.status, got.text_of("error").as_str()), (401, error), "{name}");
    }
    for (name, member, value, want) in [
        ("a scope", "scope", "everything", "error=invalid_scope"),
        ("a kind", "response_type", "token", "error=unsupported_response_type"),
        ("a refusal", "decision", "deny", "error=access_denied"),
    ] {
        let mut fields = json!({
            "response_type": "code", "client_id": "app", "redirect_uri": REDIRECT,
            "state": "s", "scope": "basic",
        });
        fields[member] = json!(value);
        let request = world.request(Method::POST, "/tumblr/oauth2/authorize").form(&fields);
        let got = send(request).await;
        let location = got.header("location").unwrap();
        assert!(location.contains(want) && location.ends_with("state=s"), "{name}: {location}");
    }
    let stateless = [("client_id", "app"), ("redirect_uri", REDIRECT), ("scope", "basic")];
    assert_eq!(form(&world, "/oauth2/authorize", &stateless).await.status, 400);
}

#[tokio::test]
async fn a_refresh_token_is_good_for_one_use() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let first = refresh(&world, &ana.refresh_token).await;
    assert_eq!(first.status, 200);
    let renewed = Actor { token: first.text_of("access_token"), ..Actor::new(&world, "ben").await };
    let info = renewed.get(&world, "/user/info").await;
    assert_eq!(info.body["response"]["user"]["name"], "ana");
    let used = refresh(&world, &ana.refresh_token).await;
    assert_eq!((used.status, used.text_of("error").as_str()), (401, "invalid_grant"));
    let second = refresh(&world, &first.text_of("refresh_token")).await;
    assert_eq!(second.status, 200);
    let everything = serde_json::to_string(&world.requests().await).unwrap();
    for secret in [&ana.refresh_token, &first.text_of("refresh_token"), &renewed.token] {
        assert!(!everything.contains(secret.as_str()), "a secret is shown");
    }
}

#[tokio::test]
async fn a_blog_has_three_names() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for name in ["ana", "ana.tumblr.com", ana.uuid.as_str()] {
        let info = ana.get(&world, &format!("/blog/{name}/info")).await;
        assert_eq!(info.body["response"]["blog"]["uuid"], ana.uuid.as_str(), "{name}");
        let picture = ana.get(&world, &format!("/blog/{name}/avatar/128")).await;
        assert_eq!(picture.status, 302, "{name}");
    }
    let nobody = ana.get(&world, "/blog/nobody/info").await;
    assert_eq!((nobody.status, nobody.body["meta"]["status"].as_u64()), (404, Some(404)));
    let by_key = world.request(Method::GET, "/tumblr/v2/blog/ana/info?api_key=key");
    assert_eq!(send(by_key.header("user-agent", "test")).await.status, 200);
    let without = world.request(Method::GET, "/tumblr/v2/blog/ana/info");
    let without = send(without.header("user-agent", "test")).await;
    assert_eq!((without.status, code(&without)), (401, 1016));
    let nameless = world.request(Method::GET, "/tumblr/v2/user/info").bearer_auth(&ana.token);
    assert_eq!(send(nameless).await.status, 403, "every call says what it comes from");
    let followers = ana.read(&world, "followers?limit=1").await;
    assert_eq!(followers.body["response"]["total_users"], 128);
    let taken = json!({"platform": "tumblr", "name": "ana"});
    assert_eq!(world.post("/_sandbox/accounts", &taken).await.status, 400);
}
