//! Connecting to Bluesky as an exchange of values.

use chrono::DateTime;
use insta::assert_json_snapshot;
use serde_json::Value;
use url::Url;

use super::*;
use crate::conversation::shown;
use crate::testing::{answered, answered_text, bluesky_job};

const SESSION: &str = include_str!("fixtures/create_session.json");
const DOCUMENT: &str = include_str!("fixtures/did_document.json");
const DID: &str = "did:plc:abcdefghijklmnopqrstuvwx";

fn input(pairs: &[(&str, &str)]) -> ConnectInput {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(pairs.collect())
}

fn base() -> Endpoint {
    Endpoint::new(Url::parse("http://127.0.0.1:9/bluesky").unwrap())
}

/// Holds the conversation with these answers; the addresses that it asked, and what came of it.
fn held(
    api_base: Option<&Endpoint>,
    input: &ConnectInput,
    answers: &[Answer],
) -> (Vec<String>, Result<Connected, NetworkError>) {
    let mut asked = Vec::new();
    for given in 0..=answers.len() {
        match connect(api_base, input, &answers[..given]) {
            Ok(Turn::Send(request)) => asked.push(request.url.to_string()),
            Ok(Turn::Done(mut connected)) => return (asked, Ok(connected.remove(0))),
            Err(error) => return (asked, Err(error)),
        }
    }
    panic!("wants more answers: {asked:?}")
}

fn changed(text: &str, change: impl FnOnce(&mut Value)) -> Answer {
    let mut value = serde_json::from_str(text).unwrap();
    change(&mut value);
    answered(200, &value)
}

fn profile() -> Answer {
    let avatar = "https://cdn.bsky.app/a.jpg";
    answered(200, &json!({ "did": DID, "displayName": "Ana", "avatar": avatar }))
}

fn ok(text: &str) -> Answer {
    answered_text(200, text)
}

#[test]
fn the_server_of_an_account_is_found_from_its_identity() {
    let by = |identifier| input(&[("identifier", identifier), ("appPassword", "a-b-c-d")]);
    let found = || answered(200, &json!({ "did": DID }));
    let session = "https://pds.example.com/xrpc/com.atproto.server.createSession";
    let show = format!(
        "https://pds.example.com/xrpc/app.bsky.actor.getProfile?actor={}",
        DID.replace(':', "%3A")
    );
    let look_up = format!("https://plc.directory/{DID}");
    let resolve =
        "https://bsky.social/xrpc/com.atproto.identity.resolveHandle?handle=ana.example.com";
    let with_pds = input(&[
        ("identifier", "ana.example.com"),
        ("appPassword", "a-b-c-d"),
        ("pds", "PDS.example.com"),
    ]);
    let web = changed(DOCUMENT, |document| document["id"] = "did:web:ana.example.com".into());
    let web_session = changed(SESSION, |session| session["did"] = "did:web:ana.example.com".into());
    for (name, input, answers, want) in [
        (
            "by handle",
            by("@Ana.example.com"),
            vec![found(), ok(DOCUMENT), ok(SESSION), profile()],
            vec![resolve, &look_up, session, &show],
        ),
        (
            "by DID",
            by(DID),
            vec![ok(DOCUMENT), ok(SESSION), profile()],
            vec![&look_up, session, &show],
        ),
        (
            "by a DID of a host",
            by("did:web:ana.example.com"),
            vec![web, web_session, profile()],
            vec![
                "https://ana.example.com/.well-known/did.json",
                session,
                "https://pds.example.com/xrpc/app.bsky.actor.getProfile?actor=did%3Aweb%3Aana.example.com",
            ],
        ),
        (
            "by e-mail address",
            by("ana@example.com"),
            vec![ok(SESSION), ok(DOCUMENT), profile()],
            vec!["https://bsky.social/xrpc/com.atproto.server.createSession", &look_up, &show],
        ),
        (
            "with its server",
            with_pds,
            vec![ok(SESSION), ok(DOCUMENT), profile()],
            vec![session, &look_up, &show],
        ),
    ] {
        let (asked, connected) = held(None, &input, &answers);
        assert_eq!(asked, want, "{name}");
        let connected = connected.unwrap();
        assert_eq!(connected.server_url.as_deref(), Some("https://pds.example.com"), "{name}");
        assert_eq!(connected.username.as_deref(), Some("ana.example.com"), "{name}");
        assert_eq!(connected.display_name.as_deref(), Some("Ana"), "{name}");
        assert!(connected.network_id.starts_with("did:"), "{name}");
    }
}

#[test]
fn an_operators_own_server_is_asked_alone() {
    let input = input(&[("identifier", "ana.test"), ("appPassword", "a-b-c-d")]);
    let (asked, connected) = held(Some(&base()), &input, &[ok(SESSION), answered_text(502, "")]);
    assert_eq!(asked.len(), 2);
    assert!(asked.iter().all(|url| url.starts_with("http://127.0.0.1:9/bluesky/xrpc/")));
    let connected = connected.unwrap();
    assert_eq!(connected.network_id, DID);
    assert_eq!(connected.server_url.as_deref(), Some("http://127.0.0.1:9/bluesky"));
    assert_eq!((connected.display_name, connected.avatar_url), (None, None));
    assert_eq!(connected.credentials.expires_at, DateTime::from_timestamp(1_795_168_800, 0));
    let kept: Value = serde_json::from_str(connected.credentials.expose()).unwrap();
    let session: Value = serde_json::from_str(SESSION).unwrap();
    assert_eq!(kept["refreshJwt"], session["refreshJwt"]);
}

#[test]
fn a_session_is_asked_for_with_the_app_password() {
    let input = input(&[("identifier", "ana.test"), ("appPassword", "a-b-c-d")]);
    let Ok(Turn::Send(request)) = connect(Some(&base()), &input, &[]) else { panic!("no request") };
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": {
        "identifier": "ana.test",
        "password": "a-b-c-d"
      },
      "headers": {},
      "request": "POST http://127.0.0.1:9/bluesky/xrpc/com.atproto.server.createSession",
      "visible": false
    }
    "#);
    assert!(!format!("{request:?}").contains("a-b-c-d"));
}

#[test]
fn what_is_missing_or_wrong_is_said() {
    let good = input(&[("identifier", "ana.example.com"), ("appPassword", "a-b-c-d")]);
    let by_email = input(&[("identifier", "a@b.c"), ("appPassword", "a-b-c-d")]);
    let refused = |status, name: &str| answered(status, &json!({ "error": name, "message": "no" }));
    let found = || answered(200, &json!({ "did": DID }));
    let permanent = NetworkErrorKind::Permanent;
    let temporary = NetworkErrorKind::Temporary;
    let handle = |session: &mut Value| session["handle"] = "other.example.com".into();
    let did = |session: &mut Value| session["did"] = "did:plc:other".into();
    let inactive = |session: &mut Value| session["active"] = false.into();
    let elsewhere = |document: &mut Value| {
        document["service"][0]["serviceEndpoint"] = "https://elsewhere.example".into();
    };
    let no_server = |document: &mut Value| document["service"] = json!([]);
    for (name, input, answers, kind, said) in [
        ("no identifier", input(&[("appPassword", "x")]), vec![], permanent, "identifier"),
        (
            "no password",
            input(&[("identifier", "x"), ("appPassword", " ")]),
            vec![],
            permanent,
            "appPassword",
        ),
        (
            "strange DID",
            input(&[("identifier", "did:key:z"), ("appPassword", "x")]),
            vec![],
            permanent,
            "kind",
        ),
        (
            "DID that is no host",
            input(&[("identifier", "did:web:a/b"), ("appPassword", "x")]),
            vec![],
            permanent,
            "host",
        ),
        (
            "strange server",
            input(&[("identifier", "x"), ("appPassword", "x"), ("pds", "a b")]),
            vec![],
            permanent,
            "pds",
        ),
        (
            "unknown handle",
            good.clone(),
            vec![refused(400, "HandleNotFound")],
            permanent,
            "cannot be found",
        ),
        (
            "resolver down",
            good.clone(),
            vec![refused(500, "InternalServerError")],
            temporary,
            "failed",
        ),
        ("no document", good.clone(), vec![found(), answered_text(404, "")], permanent, "exist"),
        (
            "directory down",
            good.clone(),
            vec![found(), answered_text(503, "")],
            temporary,
            "just now",
        ),
        (
            "document of another",
            good.clone(),
            vec![found(), ok(r#"{"id":"did:plc:x"}"#)],
            permanent,
            "document",
        ),
        (
            "document without server",
            good.clone(),
            vec![found(), changed(DOCUMENT, no_server)],
            permanent,
            "server",
        ),
        (
            "wrong password",
            good.clone(),
            vec![found(), ok(DOCUMENT), refused(401, "AuthenticationRequired")],
            permanent,
            "app password",
        ),
        (
            "main password",
            good.clone(),
            vec![found(), ok(DOCUMENT), refused(401, "AuthFactorTokenRequired")],
            permanent,
            "app password",
        ),
        (
            "closed account",
            good.clone(),
            vec![found(), ok(DOCUMENT), refused(401, "AccountTakedown")],
            permanent,
            "Bluesky",
        ),
        (
            "inactive account",
            good.clone(),
            vec![found(), ok(DOCUMENT), changed(SESSION, inactive)],
            permanent,
            "not active",
        ),
        (
            "another account",
            good.clone(),
            vec![found(), ok(DOCUMENT), changed(SESSION, did)],
            permanent,
            "another account",
        ),
        (
            "a handle that is not confirmed",
            good.clone(),
            vec![found(), ok(DOCUMENT), changed(SESSION, handle)],
            permanent,
            "other.example.com",
        ),
        ("session unreadable", good, vec![found(), ok(DOCUMENT), ok("<html>")], temporary, "read"),
        (
            "a server that speaks for others",
            input(&[("identifier", "x"), ("appPassword", "x"), ("pds", "https://pds.example.com")]),
            vec![ok(SESSION), changed(DOCUMENT, elsewhere)],
            permanent,
            "another server",
        ),
        (
            "no document after the session",
            by_email,
            vec![ok(SESSION), answered_text(410, "")],
            permanent,
            "exist",
        ),
    ] {
        let error = held(None, &input, &answers).1.unwrap_err();
        assert_eq!(error.kind, kind, "{name}: {error}");
        assert!(error.message.contains(said), "{name}: {error}");
    }
}

#[test]
fn tokens_are_exchanged_until_they_are_refused() {
    let account = bluesky_job().account;
    let tokens: SessionTokens = serde_json::from_str(bluesky_job().credentials.expose()).unwrap();
    let exchange = |answers: &[Answer]| refresh(&base(), &account, &tokens, answers);
    let Ok(Turn::Send(request)) = exchange(&[]) else { panic!("no request") };
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": null,
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "POST http://127.0.0.1:9/bluesky/xrpc/com.atproto.server.refreshSession",
      "visible": false
    }
    "#);

    let Ok(Turn::Done(new)) = exchange(&[ok(SESSION)]) else { panic!("no tokens") };
    assert_eq!(new.expires_at, DateTime::from_timestamp(1_795_168_800, 0));

    for (name, answer, kind) in [
        (
            "expired",
            answered(400, &json!({ "error": "ExpiredToken", "message": "Token has expired" })),
            NetworkErrorKind::Reconnect,
        ),
        (
            "revoked",
            answered(400, &json!({ "error": "ExpiredToken", "message": "Token has been revoked" })),
            NetworkErrorKind::Reconnect,
        ),
        (
            "wrong",
            answered(
                400,
                &json!({ "error": "InvalidToken", "message": "Token could not be verified" }),
            ),
            NetworkErrorKind::Reconnect,
        ),
        (
            "taken down",
            answered(401, &json!({ "error": "AccountTakedown" })),
            NetworkErrorKind::Reconnect,
        ),
        ("server failed", answered_text(500, ""), NetworkErrorKind::Temporary),
        ("a page", ok("<html>"), NetworkErrorKind::Temporary),
        (
            "of another",
            changed(SESSION, |session| session["did"] = "did:plc:x".into()),
            NetworkErrorKind::Temporary,
        ),
        ("too often", answered_text(429, ""), NetworkErrorKind::RateLimited { wait: None }),
    ] {
        assert_eq!(exchange(&[answer]).unwrap_err().kind, kind, "{name}");
    }
}
