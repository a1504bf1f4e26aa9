//! The page, tokens, and what they open.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, about, reason};
use crate::support::{Got, World, send};

const REDIRECT: &str = "https://app.example/back";
// Source: RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const UPLOAD: &str = "https://www.googleapis.com/auth/youtube.upload";
const READING: &str = "https://www.googleapis.com/auth/youtube.readonly";

async fn form(world: &World, path: &str, fields: &[(&str, &str)]) -> Got {
    send(world.request(Method::POST, &format!("/youtube{path}")).form(fields)).await
}

/// Lets an application in with these permissions and returns where the browser is sent.
async fn allow(world: &World, channel: &str, scope: &str, more: &[(&str, &str)]) -> String {
    let mut fields = vec![
        ("response_type", "code"),
        ("client_id", "app"),
        ("redirect_uri", REDIRECT),
        ("state", "s&1"),
        ("scope", scope),
        ("access_type", "offline"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("channel", channel),
        ("decision", "allow"),
    ];
    fields.extend(more);
    let got = form(world, "/o/oauth2/v2/auth", &fields).await;
    assert_eq!(got.status, 302, "{got:?}");
    got.header("location").unwrap().to_owned()
}

async fn exchange(
    world: &World,
    location: &str,
    client_id: &str,
    redirect: &str,
    verifier: &str,
) -> Got {
    let code = location.split("code=").nth(1).unwrap().split('&').next().unwrap();
    let fields = [
        ("grant_type", "authorization_code"),
        ("code", code),
        ("client_id", client_id),
        ("client_secret", "secret"),
        ("redirect_uri", redirect),
        ("code_verifier", verifier),
    ];
    form(world, "/token", &fields).await
}

#[tokio::test]
async fn a_code_becomes_a_token_that_may_do_what_was_allowed() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let query = [
        ("response_type", "code"),
        ("client_id", "app"),
        ("redirect_uri", REDIRECT),
        ("scope", UPLOAD),
        ("state", "\"><script>"),
    ];
    let page = send(world.request(Method::GET, "/youtube/o/oauth2/v2/auth").query(&query)).await;
    assert!(page.text.contains("<button") && page.text.contains(">Ana<"), "{page:?}");
    assert!(!page.text.contains("<script"), "what was sent is escaped: {page:?}");

    let both = format!("{UPLOAD} {READING}");
    let location = allow(&world, &ana.channel, &both, &[("granted", UPLOAD)]).await;
    assert!(location.starts_with(&format!("{REDIRECT}?state=s%261&")), "{location}");
    let token = exchange(&world, &location, "app", REDIRECT, VERIFIER).await;
    assert_eq!((&token.body["expires_in"], &token.body["scope"]), (&json!(3599), &json!(UPLOAD)));
    let again = exchange(&world, &location, "app", REDIRECT, VERIFIER).await;
    assert_eq!((again.status, again.text_of("error").as_str()), (400, "invalid_grant"));
    let alone = Actor { token: token.text_of("access_token"), ..Actor::new(&world, "Ben").await };
    assert_eq!(alone.open(&world, &about("T"), 5).await.status, 200);
    for path in [
        "/youtube/v3/channels?part=snippet&mine=true",
        "/youtube/v3/playlists?part=snippet&mine=true",
        "/youtube/v3/commentThreads?part=snippet&videoId=x",
        "/v2/reports?ids=channel==MINE",
    ] {
        let got = alone.get(&world, path).await;
        assert_eq!((got.status, reason(&got)), (403, "insufficientPermissions"), "{path}");
    }
}

#[tokio::test]
async fn every_way_a_token_is_not_given() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    for (name, client, redirect, verifier, status, error) in [
        ("another application", "other", REDIRECT, VERIFIER, 400, "invalid_grant"),
        ("another address", "app", "https://evil.example", VERIFIER, 400, "invalid_grant"),
        ("no proof", "app", REDIRECT, "x", 400, "invalid_grant"),
        ("no application", "", REDIRECT, VERIFIER, 401, "invalid_client"),
    ] {
        let location = allow(&world, &ana.channel, UPLOAD, &[]).await;
        let got = exchange(&world, &location, client, redirect, verifier).await;
        assert_eq!((got.status, got.text_of("error").as_str()), (status, error), "{name}");
    }
    for (name, member, value, status) in [
        ("a permission", "scope", "https://www.googleapis.com/auth/drive", 400),
        ("a kind", "response_type", "token", 400),
        ("a challenge", "code_challenge_method", "plain", 400),
        ("a refusal", "decision", "cancel", 302),
    ] {
        let mut fields = json!({
            "response_type": "code", "client_id": "app", "redirect_uri": REDIRECT,
            "state": "s", "scope": UPLOAD, "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
        });
        fields[member] = json!(value);
        let path = "/youtube/o/oauth2/v2/auth";
        let got = send(world.request(Method::POST, path).form(&fields)).await;
        assert_eq!(got.status, status, "{name}: {got:?}");
        if status == 302 {
            assert!(got.header("location").unwrap().contains("error=access_denied"));
        }
    }
}

#[tokio::test]
async fn a_refresh_gives_another_access_token_and_says_no_refresh_token() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let refresh = async |token: &str| {
        let fields = [
            ("grant_type", "refresh_token"),
            ("refresh_token", token),
            ("client_id", "app"),
            ("client_secret", "secret"),
        ];
        form(&world, "/token", &fields).await
    };
    let first = refresh(&ana.refresh_token).await;
    assert_eq!(first.body["refresh_token"], Value::Null);
    let renewed = Actor { token: first.text_of("access_token"), ..Actor::new(&world, "Ben").await };
    let channel = renewed.get(&world, "/youtube/v3/channels?part=snippet&mine=true").await;
    assert_eq!(channel.body["items"][0]["snippet"]["title"], "Ana");
    let unknown = refresh("x").await;
    assert_eq!((unknown.status, unknown.text_of("error").as_str()), (400, "invalid_grant"));

    let revoke = format!("/revoke?token={}", ana.refresh_token);
    assert_eq!(form(&world, &revoke, &[]).await.status, 200);
    assert_eq!(form(&world, &revoke, &[]).await.text_of("error"), "invalid_token");
    let ended = renewed.get(&world, "/youtube/v3/channels?part=snippet&mine=true").await;
    assert_eq!((ended.status, reason(&ended)), (401, "authError"));
    let everything = serde_json::to_string(&world.requests().await).unwrap();
    for secret in [&ana.token, &ana.refresh_token] {
        assert!(!everything.contains(secret.as_str()), "a secret is shown");
    }
}
