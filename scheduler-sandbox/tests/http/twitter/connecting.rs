//! The page, tokens, and what they open.

use reqwest::Method;
use serde_json::json;

use super::{Actor, id_of};
use crate::support::{Got, World, send};

const REDIRECT: &str = "https://app.example/back";
/// Source: RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

fn asked<'a>(scope: &'a str, state: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("response_type", "code"),
        ("client_id", "app"),
        ("redirect_uri", REDIRECT),
        ("scope", scope),
        ("state", state),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ]
}

/// Lets an application in and returns where the browser is sent.
async fn allow(world: &World, user: &str, scope: &str) -> String {
    let mut fields = asked(scope, "s&1");
    fields.extend([("user", user), ("decision", "allow")]);
    let path = "/twitter/i/oauth2/authorize";
    let got = send(world.request(Method::POST, path).form(&fields)).await;
    assert_eq!(got.status, 302, "{got:?}");
    got.header("location").unwrap().to_owned()
}

fn code(location: &str) -> String {
    location.split("code=").nth(1).unwrap().to_owned()
}

async fn exchange(world: &World, secret: Option<&str>, fields: &[(&str, &str)]) -> Got {
    let request = world.request(Method::POST, "/twitter/2/oauth2/token").form(fields);
    let request = match secret {
        Some(secret) => request.basic_auth("app", Some(secret)),
        None => request,
    };
    send(request).await
}

#[tokio::test]
async fn a_code_becomes_tokens_that_may_do_what_was_allowed() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let path = "/twitter/i/oauth2/authorize";
    let query = asked("tweet.read users.read", "\"><script>");
    let page = send(world.request(Method::GET, path).query(&query)).await;
    assert!(page.text.contains("<button") && page.text.contains(">@ana<"), "{page:?}");
    assert!(!page.text.contains("<script"), "what was sent is escaped: {page:?}");

    let location = allow(&world, &ana.id, "tweet.read users.read offline.access").await;
    assert!(location.starts_with(&format!("{REDIRECT}?state=s%261&code=")), "{location}");
    let code = code(&location);
    let fields = [
        ("grant_type", "authorization_code"),
        ("code", &code),
        ("redirect_uri", REDIRECT),
        ("code_verifier", VERIFIER),
    ];
    let token = exchange(&world, Some("secret"), &fields).await;
    assert_eq!(token.status, 200, "{token:?}");
    assert_eq!(token.body["expires_in"], 7_200);
    assert_eq!(token.body["scope"], "tweet.read users.read offline.access");
    assert!(token.body["refresh_token"].is_string());
    let again = exchange(&world, Some("secret"), &fields).await;
    assert_eq!((again.status, again.text_of("error").as_str()), (400, "invalid_request"));

    let ours = Actor { token: token.text_of("access_token"), ..Actor::new(&world, "Ben").await };
    let me = ours.get(&world, "/2/users/me?user.fields=public_metrics,profile_image_url").await;
    assert_eq!(me.body["data"]["username"], "ana");
    assert_eq!(me.body["data"]["public_metrics"]["followers_count"], 96);
    let refused = ours.publish(&world, &json!({ "text": "x" })).await;
    assert_eq!(refused.status, 403, "tweet.write was not allowed");
}

#[tokio::test]
async fn a_public_application_names_itself_in_the_form() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let code = code(&allow(&world, &ana.id, "tweet.read").await);
    let mut fields = vec![
        ("grant_type", "authorization_code"),
        ("code", &code),
        ("redirect_uri", REDIRECT),
        ("code_verifier", VERIFIER),
    ];
    let nameless = exchange(&world, None, &fields).await;
    assert_eq!(nameless.status, 401);
    assert_eq!(nameless.text_of("error"), "unauthorized_client");
    fields.push(("client_id", "app"));
    assert_eq!(exchange(&world, None, &fields).await.status, 200);
}

#[tokio::test]
async fn every_way_a_token_is_not_given() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    for (name, secret, redirect, verifier, status, error) in [
        ("another address", "s", "https://evil.example", VERIFIER, 400, "invalid_request"),
        ("another verifier", "s", REDIRECT, "x", 400, "invalid_request"),
        ("no secret", "", REDIRECT, VERIFIER, 401, "unauthorized_client"),
    ] {
        let code = code(&allow(&world, &ana.id, "tweet.read").await);
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", &code),
            ("redirect_uri", redirect),
            ("code_verifier", verifier),
        ];
        let got = exchange(&world, Some(secret), &fields).await;
        assert_eq!((got.status, got.text_of("error").as_str()), (status, error), "{name}");
    }
    let path = "/twitter/i/oauth2/authorize";
    for (name, member, value) in [
        ("a permission", "scope", "everything"),
        ("a kind", "response_type", "token"),
        ("no challenge", "code_challenge", ""),
        ("no state", "state", ""),
    ] {
        let mut fields = asked("tweet.read", "s");
        for field in fields.iter_mut().filter(|(known, _)| *known == member) {
            field.1 = value;
        }
        let got = send(world.request(Method::POST, path).form(&fields)).await;
        assert_eq!(got.status, 400, "{name}: {got:?}");
    }
    let mut fields = asked("tweet.read", "s");
    fields.push(("decision", "cancel"));
    let got = send(world.request(Method::POST, path).form(&fields)).await;
    assert_eq!(
        got.header("location"),
        Some("https://app.example/back?error=access_denied&state=s")
    );
}

#[tokio::test]
async fn a_refresh_token_is_good_for_one_use() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let refresh = async |token: &str| {
        let fields = [("grant_type", "refresh_token"), ("refresh_token", token)];
        exchange(&world, Some("secret"), &fields).await
    };
    let first = refresh(&ana.refresh_token).await;
    assert_eq!(first.status, 200, "{first:?}");
    assert_ne!(first.text_of("refresh_token"), ana.refresh_token);
    let spent = refresh(&ana.refresh_token).await;
    assert_eq!(spent.status, 400);
    assert_eq!(spent.text_of("error_description"), "Value passed for the token was invalid.");
    let renewed = Actor { token: first.text_of("access_token"), ..Actor::new(&world, "Ben").await };
    assert_eq!(renewed.get(&world, "/2/users/me").await.body["data"]["username"], "ana");
    let second = refresh(&first.text_of("refresh_token")).await;
    assert_eq!(second.status, 200);

    let revoke = world.request(Method::POST, "/twitter/2/oauth2/revoke");
    let revoke = revoke.basic_auth("app", Some("secret")).form(&[("token", &ana.token)]);
    assert_eq!(send(revoke).await.body["revoked"], true);
    assert_eq!(ana.get(&world, "/2/users/me").await.status, 401);
    let everything = serde_json::to_string(&world.requests().await).unwrap();
    for secret in [&ana.token, &ana.refresh_token] {
        assert!(!everything.contains(secret.as_str()), "a secret is shown");
    }
}

#[tokio::test]
async fn names_of_accounts() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana Bell").await;
    assert_eq!(ana.username, "ana_bell");
    for name in ["ana-bell", "much too long a name", "é", ""] {
        let body = json!({ "platform": "twitter", "name": name });
        assert_eq!(world.post("/_sandbox/accounts", &body).await.status, 400, "{name}");
    }
    let one = world.post("/_sandbox/accounts", &json!({ "platform": "twitter" })).await;
    assert_eq!(one.body["username"], "sandbox_2");
    assert_eq!(one.body["scope"], "tweet.read tweet.write users.read offline.access media.write");
    let posted = ana.publish(&world, &json!({ "text": "hi" })).await;
    let page = world.get(&format!("/twitter/ana_bell/status/{}", id_of(&posted))).await;
    assert_eq!(page.status, 302);
}
