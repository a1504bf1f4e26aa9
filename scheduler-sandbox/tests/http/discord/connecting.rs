//! Letting the application in.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::Method;
use serde_json::{Value, json};

use super::{call, text};
use crate::support::{Got, World, send};

const CLIENT: (&str, &str) = ("1000000000000000001", "sandbox-client-secret");
const BACK: &str = "https://s.example/callback";

async fn exchange(world: &World, client: (&str, &str), code: &str, redirect_uri: &str) -> Got {
    let form =
        [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect_uri)];
    let basic = format!("Basic {}", STANDARD.encode(format!("{}:{}", client.0, client.1)));
    let request = call(world, Method::POST, "/discord/api/oauth2/token");
    send(request.header("authorization", basic).form(&form)).await
}

/// Presses a button; where the browser is sent.
async fn decide(world: &World, decision: &str) -> String {
    let form = [("redirect_uri", BACK), ("state", "s t"), ("decision", decision)];
    let got = send(world.request(Method::POST, "/discord/oauth2/authorize").form(&form)).await;
    assert_eq!(got.status, 302);
    got.header("location").unwrap().to_owned()
}

async fn code(world: &World) -> String {
    let location = decide(world, "allow").await;
    let query = location.strip_prefix("https://s.example/callback?code=").unwrap();
    let (code, state) = query.split_once('&').unwrap();
    assert_eq!(state, "state=s+t");
    code.to_owned()
}

#[tokio::test]
async fn a_code_is_worth_one_webhook() {
    let world = World::default().await;
    let query = format!(
        "?response_type=code&client_id={}&scope=webhook.incoming&state=s&redirect_uri={BACK}",
        CLIENT.0
    );
    let page = world.get(&format!("/discord/oauth2/authorize{query}")).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("<button"), "{}", page.text);
    let first = code(&world).await;
    let granted = exchange(&world, CLIENT, &first, BACK).await;
    assert_eq!((granted.status, &granted.body["expires_in"]), (200, &json!(604_800)));
    let url = granted.body["webhook"]["url"].as_str().unwrap();
    let path = format!("{}?wait=true", url.strip_prefix(world.sandbox.url()).unwrap());
    let said = send(call(&world, Method::POST, &path).json(&text("Hello"))).await;
    assert_eq!(said.status, 200);

    let other = code(&world).await;
    for (name, client, code, back, want) in [
        ("used", CLIENT, first.as_str(), BACK, "invalid_grant"),
        ("unknown", CLIENT, "x", BACK, "invalid_grant"),
        ("another secret", (CLIENT.0, "x"), other.as_str(), BACK, "invalid_client"),
        ("another address", CLIENT, other.as_str(), "https://b.example", "invalid_grant"),
    ] {
        let refused = exchange(&world, client, code, back).await;
        assert_eq!(refused.text_of("error"), want, "{name}");
    }
}

#[tokio::test]
async fn what_the_page_refuses() {
    let world = World::default().await;
    assert!(
        decide(&world, "deny").await.starts_with("https://s.example/callback?error=access_denied")
    );
    let client = CLIENT.0;
    for query in [
        "?client_id=1&response_type=code&scope=webhook.incoming&redirect_uri=x".to_owned(),
        format!("?client_id={client}&response_type=token&scope=webhook.incoming&redirect_uri=x"),
        format!("?client_id={client}&response_type=code&scope=identify&redirect_uri=x"),
        format!("?client_id={client}&response_type=code&scope=webhook.incoming"),
        format!("?client_id={client}&scope=bot&permissions=1"),
    ] {
        assert_eq!(world.get(&format!("/discord/oauth2/authorize{query}")).await.status, 400);
    }
}

#[tokio::test]
async fn accounts_by_name() {
    let world = World::default().await;
    let unnamed = world.post("/_sandbox/accounts", &json!({ "platform": "discord" })).await;
    assert_eq!((unnamed.status, unnamed.text_of("name").as_str()), (201, "Sandbox 1"));
    for name in ["", "my discord", "Clyde", &"x".repeat(81)] {
        let body = json!({ "platform": "discord", "name": name });
        assert_eq!(world.post("/_sandbox/accounts", &body).await.status, 400, "{name}");
    }
    let posts = world.posts("discord").await;
    assert_eq!(posts, Vec::<Value>::new());
}
