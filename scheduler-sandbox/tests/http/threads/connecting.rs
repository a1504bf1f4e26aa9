//! The page on which a person lets an app in, and tokens.

use reqwest::Method;
use serde_json::Value;

use super::{Actor, code};
use crate::support::{Got, World, send};

const PAGE: &str = "/threads/oauth/authorize?client_id=app&redirect_uri=https%3A%2F%2Fp.example%2Fback&scope=threads_basic%2Cthreads_delete&response_type=code&state=s";

/// Decides on the page; where the browser is sent.
async fn decide(world: &World, decision: &str) -> String {
    let form = [("decision", decision), ("account", "new")];
    let got = send(world.request(Method::POST, PAGE).form(&form)).await;
    got.header("location").unwrap_or_else(|| panic!("{got:?}")).to_owned()
}

async fn exchange(world: &World, form: &[(&str, &str)]) -> Got {
    send(world.request(Method::POST, "/threads/oauth/access_token").form(form)).await
}

#[tokio::test]
async fn a_code_becomes_a_token_once() {
    let world = World::default().await;
    let page = world.get(PAGE).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("threads_delete"), "{}", page.text);
    let target = decide(&world, "allow").await;
    let rest = target.strip_prefix("https://p.example/back?code=").unwrap();
    let (code_given, rest) = rest.split_once('&').unwrap();
    assert_eq!(rest, "state=s#_");
    let form = [
        ("client_id", "app"),
        ("client_secret", "secret"),
        ("grant_type", "authorization_code"),
        ("redirect_uri", "https://p.example/back"),
        ("code", code_given),
    ];
    let short = exchange(&world, &form).await;
    assert!(short.body["user_id"].is_u64(), "{short:?}");
    assert_eq!(exchange(&world, &form).await.status, 400, "once");
    let token = short.text_of("access_token");
    let path = format!(
        "/threads/access_token?grant_type=th_exchange_token&client_secret=secret&access_token={token}"
    );
    let long = world.get(&path).await;
    assert_eq!(long.body["expires_in"], 5_184_000);

    let app =
        [("client_id", "app"), ("client_secret", "secret"), ("grant_type", "client_credentials")];
    let app = exchange(&world, &app).await.text_of("access_token");
    let path = format!("/threads/v1.0/debug_token?input_token={}", long.text_of("access_token"));
    let facts = send(world.request(Method::GET, &path).bearer_auth(app)).await;
    let scopes = &facts.body["data"]["scopes"];
    assert_eq!(scopes, &serde_json::json!(["threads_basic", "threads_delete"]));

    let actor = Actor { id: "me".to_owned(), token: long.text_of("access_token") };
    let me = actor.get(&world, "/me?fields=username").await;
    assert_eq!(me.text_of("username"), "sandbox_1");
    let refused = actor.make(&world, &[("media_type", "TEXT"), ("text", "x")]).await;
    assert_eq!(code(&refused).0, 10, "the scope was not asked for");
}

#[tokio::test]
async fn what_does_not_fit_is_refused() {
    let world = World::default().await;
    assert!(decide(&world, "deny").await.contains("error=access_denied"));
    for (name, missing) in [
        ("client", "client_id=app&"),
        ("scope", "threads_basic%2C"),
        ("type", "response_type=code&"),
    ] {
        assert_eq!(world.get(&PAGE.replace(missing, "")).await.status, 400, "{name}");
    }
    let target = decide(&world, "allow").await;
    let code_given = target.split(['=', '&']).nth(1).unwrap();
    let form = [
        ("client_id", "app"),
        ("client_secret", "secret"),
        ("grant_type", "authorization_code"),
        ("redirect_uri", "https://p.example/other"),
        ("code", code_given),
    ];
    let got = exchange(&world, &form).await;
    assert_eq!((got.status, got.text_of("error_type").as_str()), (400, "OAuthException"));
    for (name, token, want) in [("none", None, 2500), ("wrong", Some("x"), 190)] {
        let mut request = world.request(Method::GET, "/threads/v1.0/me");
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        assert_eq!(code(&send(request).await).0, want, "{name}");
    }
    let logged = world.requests().await;
    let logged = Value::Array(logged).to_string();
    assert!(!logged.contains(code_given), "codes are not shown");
}
