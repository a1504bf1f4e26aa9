//! Logging in, tokens and identities.

use std::time::Duration;

use reqwest::Method;
use scheduler_sandbox::Options;
use serde_json::json;

use super::{Actor, post, procedure, query, rkey};
use crate::support::{World, send};

const CREATE: &str = "com.atproto.server.createSession";
const REFRESH: &str = "com.atproto.server.refreshSession";

#[tokio::test]
async fn an_app_password_opens_a_session_that_names_the_server() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let base = format!("{}/bluesky", world.sandbox.url());
    for (name, identifier) in [("handle", &ana.handle), ("identifier", &ana.did)] {
        let login = json!({"identifier": identifier, "password": ana.app_password});
        let session = procedure(&world, CREATE, None, &login).await;
        assert_eq!(session.status, 200, "{name}: {session:?}");
        assert_eq!(session.text_of("did"), ana.did);
        let service = &session.body["didDoc"]["service"][0];
        assert_eq!(
            (&service["id"], &service["serviceEndpoint"]),
            (&json!("#atproto_pds"), &json!(base))
        );
        assert_eq!(session.body["didDoc"]["alsoKnownAs"][0], format!("at://{}", ana.handle));
        assert_eq!(session.text_of("accessJwt").split('.').count(), 3);
    }
    let document = world.get(&format!("/bluesky/{}", ana.did)).await;
    assert_eq!(document.body["id"], ana.did);
    let resolved =
        query(&world, "com.atproto.identity.resolveHandle", &[("handle", &ana.handle)]).await;
    assert_eq!(resolved.text_of("did"), ana.did);
    let unknown =
        query(&world, "com.atproto.identity.resolveHandle", &[("handle", "no.test")]).await;
    assert_eq!((unknown.status, unknown.text_of("error")), (400, "HandleNotFound".to_owned()));
    for handle in ["-x.test", "jane-.com", "a..com", "nodots", "a.1"] {
        let got = query(&world, "com.atproto.identity.resolveHandle", &[("handle", handle)]).await;
        assert_eq!((got.status, got.text_of("error")), (400, "InvalidRequest".to_owned()));
    }
    let session = world.request(Method::GET, "/bluesky/xrpc/com.atproto.server.getSession");
    let session = send(session.bearer_auth(&ana.access)).await;
    assert_eq!(
        (session.text_of("handle"), session.body["active"].clone()),
        (ana.handle, json!(true))
    );
}

#[tokio::test]
async fn wrong_words_are_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for (name, identifier, password) in [
        ("wrong password", ana.handle.as_str(), "aaaa-bbbb-cccc-dddd"),
        ("empty password", ana.handle.as_str(), ""),
        ("unknown account", "nobody.test", ana.app_password.as_str()),
    ] {
        let login = json!({"identifier": identifier, "password": password});
        let got = procedure(&world, CREATE, None, &login).await;
        assert_eq!(
            (got.status, got.text_of("error").as_str(), got.text_of("message").as_str()),
            (401, "AuthenticationRequired", "Invalid identifier or password"),
            "{name}"
        );
    }
}

#[tokio::test]
async fn every_way_a_token_can_be_wrong() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let expired =
        World::start(Options { access_token_lifetime: Duration::ZERO, ..Options::default() }).await;
    let late = Actor::new(&expired, "late").await;
    for (name, world, token, status, error, message) in [
        ("none", &world, None, 401, "AuthMissing", "Authentication Required"),
        ("made up", &world, Some("a.b.c"), 400, "InvalidToken", "Token could not be verified"),
        (
            "the refresh token",
            &world,
            Some(ana.refresh.as_str()),
            400,
            "InvalidToken",
            "Bad token scope",
        ),
        ("expired", &expired, Some(late.access.as_str()), 400, "ExpiredToken", "Token has expired"),
    ] {
        let body = ana.write(super::POST, &rkey(0), &post("x"));
        let got = procedure(world, "com.atproto.repo.putRecord", token, &body).await;
        assert_eq!(
            (got.status, got.text_of("error").as_str(), got.text_of("message").as_str()),
            (status, error, message),
            "{name}"
        );
    }
}

#[tokio::test]
async fn refreshing_renews_both_tokens_and_forgives_a_lost_answer() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let fresh = procedure(&world, REFRESH, Some(&ana.refresh), &json!({})).await;
    assert_eq!(fresh.status, 200, "{fresh:?}");
    assert_ne!(fresh.text_of("accessJwt"), ana.access);
    assert_ne!(fresh.text_of("refreshJwt"), ana.refresh);
    let again = procedure(&world, REFRESH, Some(&ana.refresh), &json!({})).await;
    assert_eq!(again.status, 200, "the old token is accepted for two more hours");

    let newest = again.text_of("refreshJwt");
    let closed =
        procedure(&world, "com.atproto.server.deleteSession", Some(&newest), &json!({})).await;
    assert_eq!(closed.status, 200);
    let ended = procedure(&world, REFRESH, Some(&newest), &json!({})).await;
    assert_eq!((ended.status, ended.text_of("error")), (400, "ExpiredToken".to_owned()));
    assert_eq!(ended.text_of("message"), "Token has been revoked");
    let access = procedure(&world, REFRESH, Some(&ana.access), &json!({})).await;
    assert_eq!((access.status, access.text_of("error")), (400, "InvalidToken".to_owned()));
}

#[tokio::test]
async fn logging_in_too_often_is_refused_only_with_quotas() {
    for (name, quotas, want) in [("with", true, 429), ("without", false, 200)] {
        let world = World::start(Options { quotas, ..Options::default() }).await;
        let ana = Actor::new(&world, "ana").await;
        let login = json!({"identifier": ana.handle, "password": ana.app_password});
        for _ in 0..29 {
            assert_eq!(procedure(&world, CREATE, None, &login).await.status, 200, "{name}");
        }
        let last = procedure(&world, CREATE, None, &login).await;
        assert_eq!(last.status, want, "{name}");
        if quotas {
            assert_eq!(last.text_of("error"), "RateLimitExceeded");
            assert_eq!(last.header("ratelimit-limit"), Some("30"));
            assert_eq!(last.header("ratelimit-remaining"), Some("0"));
            assert_eq!(last.header("ratelimit-policy"), Some("30;w=300"));
        } else {
            assert_eq!(last.header("ratelimit-limit"), None);
        }
    }
}
