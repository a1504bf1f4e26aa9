//! The page, tokens, and what they open.

use reqwest::Method;
use serde_json::{Value, json};

use super::Actor;
use crate::support::{Got, World, send};

const REDIRECT: &str = "https://app.example/back";
const EVERYTHING: &str = "boards:read,boards:write,pins:read,pins:write,user_accounts:read";

/// Lets an application in and returns where the browser is sent.
async fn allow(world: &World, user: &str, client_id: &str, scope: &str) -> String {
    let fields = [
        ("response_type", "code"),
        ("client_id", client_id),
        ("redirect_uri", REDIRECT),
        ("state", "s&1"),
        ("scope", scope),
        ("user", user),
        ("decision", "allow"),
    ];
    let got = send(world.request(Method::POST, "/pinterest/oauth/").form(&fields)).await;
    assert_eq!(got.status, 302, "{got:?}");
    got.header("location").unwrap().to_owned()
}

async fn token(world: &World, client_id: &str, fields: &[(&str, &str)]) -> Got {
    let request = world.request(Method::POST, "/pinterest/v5/oauth/token").form(fields);
    send(request.basic_auth(client_id, Some("secret"))).await
}

async fn exchange(world: &World, location: &str, client_id: &str, redirect: &str) -> Got {
    let code = location.split("code=").nth(1).unwrap().split('&').next().unwrap();
    let fields = [
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", redirect),
        ("continuous_refresh", "true"),
    ];
    token(world, client_id, &fields).await
}

/// An actor whose token an application was given.
async fn let_in(world: &World, ana: &Actor, client_id: &str, scope: &str) -> Actor {
    let location = allow(world, &ana.user, client_id, scope).await;
    let got = exchange(world, &location, client_id, REDIRECT).await;
    assert_eq!(got.status, 200, "{got:?}");
    Actor {
        user: ana.user.clone(),
        board: ana.board.clone(),
        token: got.text_of("access_token"),
        refresh_token: got.text_of("refresh_token"),
    }
}

#[tokio::test]
async fn a_code_becomes_tokens_once() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let query = [
        ("response_type", "code"),
        ("client_id", "app"),
        ("redirect_uri", REDIRECT),
        ("scope", EVERYTHING),
        ("state", "\"><script>"),
    ];
    let page = world.request(Method::GET, "/pinterest/oauth/").query(&query);
    let page = send(page).await;
    assert!(page.text.contains("<button") && page.text.contains(">Ana<"), "{page:?}");
    assert!(!page.text.contains("<script"), "what was sent is escaped: {page:?}");

    let location = allow(&world, &ana.user, "app", EVERYTHING).await;
    assert!(location.starts_with(REDIRECT) && location.ends_with("&state=s%261"), "{location}");
    let got = exchange(&world, &location, "app", REDIRECT).await;
    assert_eq!(got.body["expires_in"], 2_592_000);
    assert_eq!(got.body["refresh_token_expires_in"], 5_184_000);
    assert_eq!(got.body["token_type"], "bearer");
    assert_eq!(got.body["scope"], EVERYTHING.replace(',', " "));
    assert_eq!(exchange(&world, &location, "app", REDIRECT).await.status, 400);
    let ours = Actor { token: got.text_of("access_token"), ..Actor::new(&world, "Ben").await };
    assert_eq!(ours.get(&world, "/user_account").await.body["username"], "ana");
}

#[tokio::test]
async fn every_way_a_token_is_not_given() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    for (name, client, redirect, status) in [
        ("another application", "other", REDIRECT, 400),
        ("another address", "app", "https://evil.example", 400),
        ("no application", "", REDIRECT, 401),
    ] {
        let location = allow(&world, &ana.user, "app", EVERYTHING).await;
        let got = exchange(&world, &location, client, redirect).await;
        assert_eq!(got.status, status, "{name}");
    }
    for (name, member, value, status) in [
        ("a permission", "scope", "everything", 400),
        ("no permission", "scope", "", 400),
        ("a kind", "response_type", "token", 400),
        ("a refusal", "decision", "cancel", 302),
    ] {
        let mut fields = json!({
            "response_type": "code", "client_id": "app", "redirect_uri": REDIRECT,
            "state": "s", "scope": EVERYTHING,
        });
        fields[member] = json!(value);
        let got = send(world.request(Method::POST, "/pinterest/oauth/").form(&fields)).await;
        assert_eq!(got.status, status, "{name}");
        if status == 302 {
            assert!(got.header("location").unwrap().contains("error=access_denied"), "{got:?}");
        }
    }
}

#[tokio::test]
async fn a_refresh_replaces_both_tokens() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ours = let_in(&world, &ana, "app", EVERYTHING).await;
    let refresh = async |client: &str, refresh_token: &str| {
        let fields = [("grant_type", "refresh_token"), ("refresh_token", refresh_token)];
        token(&world, client, &fields).await
    };
    let got = refresh("app", &ours.refresh_token).await;
    assert_eq!(got.status, 200, "{got:?}");
    assert_ne!(got.text_of("refresh_token"), ours.refresh_token);
    assert_eq!(refresh("app", &ours.refresh_token).await.status, 400, "it was used");
    assert_eq!(refresh("other", &got.text_of("refresh_token")).await.status, 400);
    assert_eq!(refresh("any", &ana.refresh_token).await.status, 200, "the control's");
    assert_eq!(token(&world, "app", &[("grant_type", "x")]).await.status, 400);
}

#[tokio::test]
async fn permissions_and_the_access_of_an_application_count() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let reader = let_in(&world, &ana, "app", "boards:read,pins:read").await;
    for (name, path) in [("account", "/user_account")] {
        let got = reader.get(&world, path).await;
        assert_eq!((got.status, &got.body["code"]), (403, &json!(3)), "{name}");
    }
    for (path, body) in [("/pins", ana.pin("x")), ("/media", json!({ "media_type": "video" }))] {
        let got = reader.post(&world, path, &body).await;
        assert_eq!((got.status, &got.body["code"]), (403, &json!(3)), "{path}");
    }
    let trial = let_in(&world, &ana, "trial-app", EVERYTHING).await;
    let got = trial.post(&world, "/pins", &ana.pin("x")).await;
    assert_eq!((got.status, &got.body["code"]), (403, &json!(29)));
    assert!(got.text.contains("Trial access"), "{got:?}");
    let secrets = let_in(&world, &ana, "app", "boards:read,boards:read_secret").await;
    let boards = secrets.get(&world, "/boards").await;
    assert_eq!(boards.body["items"].as_array().unwrap().len(), 2);
    assert_eq!(world.posts("pinterest").await, Vec::<Value>::new());
}
