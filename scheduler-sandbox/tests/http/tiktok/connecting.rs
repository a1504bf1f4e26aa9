//! The page, tokens, and what they open.

use reqwest::Method;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::{Actor, code, video};
use crate::support::{Got, World, send};

const REDIRECT: &str = "https://app.example/back";

async fn form(world: &World, path: &str, fields: &[(&str, &str)]) -> Got {
    send(world.request(Method::POST, &format!("/tiktok/v2/{path}")).form(fields)).await
}

/// Lets an application in and returns the code.
async fn allow(world: &World, open_id: &str, redirect: &str, more: &[(&str, &str)]) -> String {
    let mut fields = vec![
        ("response_type", "code"),
        ("client_key", "app"),
        ("redirect_uri", redirect),
        ("state", "s&1"),
        ("scope", "user.info.basic,user.info.profile,video.publish"),
        ("account", open_id),
        ("decision", "allow"),
    ];
    fields.extend(more);
    let got = form(world, "auth/authorize/", &fields).await;
    let location = got.header("location").unwrap_or_else(|| panic!("{got:?}"));
    assert!(location.starts_with(redirect) && location.ends_with("&state=s%261"), "{location}");
    let (_, query) = location.split_once('?').unwrap();
    let pairs: Vec<(String, String)> = serde_urlencoded_pairs(query);
    pairs.into_iter().find(|(name, _)| name == "code").unwrap().1
}

fn serde_urlencoded_pairs(query: &str) -> Vec<(String, String)> {
    let url = reqwest::Url::parse(&format!("http://x/?{query}")).unwrap();
    url.query_pairs().into_owned().collect()
}

async fn exchange(world: &World, code: &str, redirect: &str, verifier: &str) -> Got {
    let fields = [
        ("grant_type", "authorization_code"),
        ("code", code),
        ("client_key", "app"),
        ("client_secret", "secret"),
        ("redirect_uri", redirect),
        ("code_verifier", verifier),
    ];
    form(world, "oauth/token/", &fields).await
}

#[tokio::test]
async fn a_code_becomes_tokens_that_may_do_what_was_allowed() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let query = [
        ("response_type", "code"),
        ("client_key", "app"),
        ("redirect_uri", REDIRECT),
        ("scope", "user.info.basic"),
        ("state", "\"><script>"),
    ];
    let page = send(world.request(Method::GET, "/tiktok/v2/auth/authorize/").query(&query)).await;
    assert!(page.text.contains("<button") && page.text.contains(">ana<"), "{page:?}");
    assert!(!page.text.contains("<script"), "what was sent is escaped: {page:?}");

    let given = allow(&world, &ana.open_id, REDIRECT, &[("allowed", "user.info.basic")]).await;
    assert!(given.contains('*'), "as the network's own: {given}");
    let token = exchange(&world, &given, REDIRECT, "").await;
    assert_eq!(token.body["scope"], "user.info.basic");
    assert_eq!(token.body["open_id"], json!(ana.open_id));
    assert_eq!(token.body["refresh_expires_in"], 15_552_000);
    let again = exchange(&world, &given, REDIRECT, "").await;
    assert_eq!((again.status, again.text_of("error").as_str()), (200, "invalid_grant"));

    let ours = Actor { token: token.text_of("access_token"), ..Actor::new(&world, "ben").await };
    let user = ours.get(&world, "user/info/?fields=open_id,display_name").await;
    assert_eq!(user.body["data"]["user"], json!({ "open_id": ana.open_id, "display_name": "ana" }));
    for path in ["user/info/?fields=username", "user/info/?fields=follower_count"] {
        let got = ours.get(&world, path).await;
        assert_eq!((got.status, code(&got)), (401, "scope_not_authorized"), "{path}");
    }
    let got = ours.post(&world, "post/publish/video/init/", &video("x", "SELF_ONLY")).await;
    assert_eq!(code(&got), "scope_not_authorized");
    let all = ana.get(&world, "user/info/?fields=username,follower_count,video_count").await;
    assert_eq!(
        all.body["data"]["user"],
        json!({ "username": "ana", "follower_count": 96, "video_count": 0 })
    );
}

#[tokio::test]
async fn an_application_on_the_persons_computer_proves_itself_in_hexadecimal_digits() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let local = "http://127.0.0.1:9/back";
    let digest = Sha256::digest(b"verifier");
    let challenge = digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let proof = [("code_challenge", challenge.as_str()), ("code_challenge_method", "S256")];
    for (verifier, want) in [("other", "invalid_grant"), ("verifier", "")] {
        let given = allow(&world, &ana.open_id, local, &proof).await;
        let token = exchange(&world, &given, local, verifier).await;
        assert_eq!(token.text_of("error"), want, "{verifier}");
    }
    let fields = [
        ("response_type", "code"),
        ("client_key", "app"),
        ("redirect_uri", local),
        ("state", "s"),
        ("scope", "user.info.basic"),
    ];
    assert_eq!(form(&world, "auth/authorize/", &fields).await.status, 400, "without one");
}

#[tokio::test]
async fn every_way_a_token_is_not_given() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let given = allow(&world, &ana.open_id, REDIRECT, &[]).await;
    let other = exchange(&world, &given, "https://evil.example", "").await;
    assert_eq!(other.text_of("error"), "invalid_grant");
    let none = form(&world, "oauth/token/", &[("grant_type", "refresh_token")]).await;
    assert_eq!((none.status, none.text_of("error").as_str()), (401, "invalid_client"));
    let app = [("client_key", "app"), ("client_secret", "s"), ("grant_type", "x")];
    let kind = form(&world, "oauth/token/", &app).await;
    assert_eq!((kind.status, kind.text_of("error").as_str()), (400, "unsupported_grant_type"));
    let json = world.post("/tiktok/v2/oauth/token/", &json!({})).await;
    assert_eq!(json.text_of("error"), "invalid_request");
    let fields = [
        ("response_type", "code"),
        ("client_key", "app"),
        ("redirect_uri", REDIRECT),
        ("state", "s"),
        ("scope", "user.info.basic"),
        ("decision", "cancel"),
    ];
    let refused = form(&world, "auth/authorize/", &fields).await;
    assert!(refused.header("location").unwrap().contains("error=access_denied"), "{refused:?}");
}

#[tokio::test]
async fn a_refresh_gives_another_refresh_token_and_the_old_one_is_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let refresh = async |token: &str| {
        let fields = [
            ("grant_type", "refresh_token"),
            ("refresh_token", token),
            ("client_key", "app"),
            ("client_secret", "secret"),
        ];
        form(&world, "oauth/token/", &fields).await
    };
    let first = refresh(&ana.refresh_token).await;
    let second = first.text_of("refresh_token");
    assert_ne!(second, ana.refresh_token);
    let old = refresh(&ana.refresh_token).await;
    assert_eq!((old.status, old.text_of("error").as_str()), (200, "invalid_grant"));
    assert_eq!(refresh(&second).await.text_of("token_type"), "Bearer");
    let revoke = [("client_key", "app"), ("client_secret", "s"), ("token", &ana.token)];
    assert_eq!(form(&world, "oauth/revoke/", &revoke).await.status, 200);
    let revoked = ana.get(&world, "user/info/?fields=open_id").await;
    assert_eq!((revoked.status, code(&revoked)), (401, "access_token_invalid"));
    let everything = serde_json::to_string(&world.requests().await).unwrap();
    for secret in [&ana.token, &ana.refresh_token, &second] {
        assert!(!everything.contains(secret.as_str()), "a secret is shown");
    }
}
