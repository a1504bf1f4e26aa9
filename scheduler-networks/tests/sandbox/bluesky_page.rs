//! Bluesky, for accounts that are connected on the page of their server.

use std::time::Duration;

use chrono::TimeDelta;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{AuthorizeInput, Connected, NetworkError, NetworkErrorKind as Kind};
use scheduler_sandbox::Options;
use serde_json::json;
use url::Url;

use crate::support::{World, input, png, present};

const PUBLIC: &str = "https://scheduler.example/connect/bluesky/callback";
const HERE: &str = "http://127.0.0.1:8080/connect/bluesky/callback";
const VERIFIER: &str = "a-verifier-of-43-characters-or-more-as-it-is";

fn browser() -> reqwest::Client {
    let stay = reqwest::redirect::Policy::none();
    reqwest::Client::builder().redirect(stay).build().unwrap()
}

/// What a person decides on the page: where the browser is sent back to.
async fn decide(world: &World, redirect_uri: &str, decision: &str) -> Url {
    let handle = world.connected.username.clone().unwrap();
    let asked = AuthorizeInput {
        values: input(&json!({ "identifier": handle })),
        redirect_uri: redirect_uri.to_owned(),
        state: "state".to_owned(),
        code_verifier: VERIFIER.to_owned().into(),
    };
    let page = Url::parse(&world.network.authorize(&asked).await.unwrap().url).unwrap();
    let shown = browser().get(page.clone()).send().await.unwrap();
    assert!(shown.status().is_success());
    let mut form: Vec<(String, String)> = page.query_pairs().into_owned().collect();
    form.push(("account".to_owned(), world.connected.network_id.clone()));
    form.push(("decision".to_owned(), decision.to_owned()));
    let back = browser().post(page).form(&form).send().await.unwrap();
    Url::parse(back.headers()["location"].to_str().unwrap()).unwrap()
}

/// Opens the account with what came back.
async fn open(world: &World, redirect_uri: &str, back: &Url) -> Result<Connected, NetworkError> {
    let value = |name: &str| {
        let found = back.query_pairs().find(|(known, _)| known == name);
        found.map(|(_, value)| value.into_owned()).unwrap_or_default()
    };
    let issuer = format!("{}/bluesky", world.sandbox.url());
    let given = json!({
        "code": value("code"),
        "iss": value("iss"),
        "redirectUri": redirect_uri,
        "codeVerifier": VERIFIER,
        "issuer": issuer,
        "tokenEndpoint": format!("{issuer}/oauth/token"),
    });
    Ok(world.network.connect(&input(&given)).await?.remove(0))
}

async fn on_page(options: Options, redirect_uri: &str) -> World {
    let mut world = World::with(Platform::Bluesky, options).await;
    let back = decide(&world, redirect_uri, "accept").await;
    assert!(back.as_str().starts_with(redirect_uri), "{back}");
    world.connected = open(&world, redirect_uri, &back).await.unwrap();
    world
}

#[tokio::test]
async fn an_account_is_connected_on_the_page_and_posts_with_files() {
    for redirect_uri in [PUBLIC, HERE] {
        let world = on_page(Options::default(), redirect_uri).await;
        assert!(world.connected.username.as_deref().is_some_and(|name| name.ends_with(".test")));
        assert!(world.connected.credentials.expires_at.unwrap() > present());
        let options = json!({ "replyControl": "nobody", "quoting": "nobody" });
        let mut job = world.job(1, "Hello", &options);
        job.files = vec![world.file(1, "image/png", &png(1))];
        let (remote, failures) = world.publish(job).await;
        assert!(remote.is_ok(), "{remote:?}");
        assert_eq!(failures, []);
        assert_eq!(world.texts().await, ["Hello"]);
    }
}

#[tokio::test]
async fn who_says_no_connects_nothing() {
    let world = World::new(Platform::Bluesky).await;
    let back = decide(&world, HERE, "deny").await;
    assert!(back.query().unwrap().contains("error=access_denied"), "{back}");
}

#[tokio::test]
async fn a_code_is_good_for_one_exchange() {
    let world = World::new(Platform::Bluesky).await;
    let back = decide(&world, HERE, "accept").await;
    open(&world, HERE, &back).await.unwrap();
    let error = open(&world, HERE, &back).await.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
    assert!(error.message.contains("Invalid code"), "{error}");
}

#[tokio::test]
async fn access_that_has_run_out_is_exchanged_once() {
    let hour = Duration::from_secs(3_600);
    let options = Options { access_token_lifetime: hour, ..Options::default() };
    let mut world = on_page(options, PUBLIC).await;
    let before = world.connected.credentials.clone();
    assert!(before.expires_at.unwrap() < present() + TimeDelta::minutes(61));
    let account = world.job(1, "", &json!({})).account;
    let after = world.network.refresh(&account, &before).await.unwrap();
    world.connected.credentials = after;
    let (remote, failures) = world.publish(world.job(2, "Again", &json!({}))).await;
    assert!(remote.is_ok() && failures.is_empty(), "{remote:?} {failures:?}");

    // Whoever uses it again ends it for all, as somebody who has stolen it would.
    let error = world.network.refresh(&account, &before).await.unwrap_err();
    assert_eq!(error.kind, Kind::Reconnect, "{error}");
    let after = &world.connected.credentials;
    assert_eq!(world.network.refresh(&account, after).await.unwrap_err().kind, Kind::Reconnect);
}

#[tokio::test]
async fn an_access_token_that_has_run_out_asks_for_an_exchange() {
    let world = on_page(Options::default(), HERE).await;
    world.fault(json!({ "operation": "publish", "kind": "expired_token" })).await;
    let (remote, failures) = world.publish(world.job(1, "Hello", &json!({}))).await;
    assert_eq!(failures.first(), Some(&Kind::TokenExpired), "{remote:?} {failures:?}");
}

/// What the server of the fixtures says of itself, at the sandbox's address.
#[tokio::test]
async fn the_imitation_says_of_itself_what_the_server_says() {
    let world = World::new(Platform::Bluesky).await;
    let base = format!("{}/bluesky", world.sandbox.url());
    for (path, fixture) in [
        (
            "oauth-protected-resource",
            include_str!("../../src/bluesky/fixtures/oauth_resource.json"),
        ),
        (
            "oauth-authorization-server",
            include_str!("../../src/bluesky/fixtures/oauth_server.json"),
        ),
    ] {
        let said = browser().get(format!("{base}/.well-known/{path}")).send().await.unwrap();
        let said: serde_json::Value = said.json().await.unwrap();
        let fixture = fixture.replace("https://pds.example.com", &base);
        let want: serde_json::Value = serde_json::from_str(&fixture).unwrap();
        assert_eq!(said, want, "{path}");
    }
}

/// The errors of the fixtures that a call without a grant can meet, in the words of the server.
#[tokio::test]
async fn the_imitation_refuses_in_the_words_of_the_server() {
    let world = World::new(Platform::Bluesky).await;
    let call = format!("{}/bluesky/oauth/token", world.sandbox.url());
    let errors = include_str!("../../src/bluesky/fixtures/oauth_errors.json");
    let errors: Vec<serde_json::Value> = serde_json::from_str(errors).unwrap();
    let refused =
        browser().post(call).form(&[("grant_type", "refresh_token")]).send().await.unwrap();
    let status = refused.status().as_u16();
    assert!(refused.headers().contains_key("dpop-nonce"));
    let mut said: serde_json::Value = refused.json().await.unwrap();
    said["status"] = status.into();
    assert!(errors.contains(&said), "{said}");
}
