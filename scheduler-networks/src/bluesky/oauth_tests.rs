//! Giving access on the page of a server, as an exchange of values.
//!
//! The fixtures are what `@atproto/pds` 0.4.217 has answered, at other addresses.

use scheduler_core::ports::NetworkErrorKind as Kind;
use serde_json::{Value, json};

use super::*;
use crate::bluesky::testing::{DID, held};
use crate::bluesky::tokens::Tokens;
use crate::conversation::shown;
use crate::testing::{answered, answered_text, begun_at, bluesky_job, with_header};

const RESOURCE: &str = include_str!("fixtures/oauth_resource.json");
const SERVER: &str = include_str!("fixtures/oauth_server.json");
const PUSHED: &str = include_str!("fixtures/oauth_pushed.json");
const TOKENS: &str = include_str!("fixtures/oauth_tokens.json");
const SESSION: &str = include_str!("fixtures/oauth_session.json");
const ERRORS: &str = include_str!("fixtures/oauth_errors.json");
const DOCUMENT: &str = include_str!("fixtures/did_document.json");
const BACK: &str = "https://scheduler.example/connect/bluesky/callback";
const ISSUER: &str = "https://pds.example.com";
const VERIFIER: &str = "a-verifier-of-43-characters-or-more-as-it-is";

fn ok(text: &str) -> Answer {
    answered_text(200, text)
}

fn changed(text: &str, change: impl FnOnce(&mut Value)) -> Answer {
    let mut value = serde_json::from_str(text).unwrap();
    change(&mut value);
    answered(200, &value)
}

fn keys() -> Keys {
    Keys::of(&["present".into(), "earlier".into()])
}

fn values(pairs: &[(&str, &str)]) -> ConnectInput {
    ConnectInput(pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect())
}

fn asked(redirect_uri: &str, typed: &[(&str, &str)]) -> AuthorizeInput {
    AuthorizeInput {
        values: values(typed),
        redirect_uri: redirect_uri.to_owned(),
        state: "state".to_owned(),
        code_verifier: VERIFIER.into(),
    }
}

fn addresses(requests: &[Request]) -> Vec<String> {
    requests.iter().map(|request| request.url.to_string()).collect()
}

#[test]
fn the_page_is_found_by_the_handle_and_the_request_laid_down_there() {
    let input = asked(BACK, &[("identifier", "@Ana.example.com")]);
    let resolved = answered(200, &json!({ "did": DID }));
    let answers = [resolved, ok(DOCUMENT), ok(RESOURCE), ok(SERVER), answered_text(201, PUSHED)];
    let (sent, page) = held(&answers, |answers| authorize(None, &keys(), &input, answers));
    assert_eq!(
        addresses(&sent),
        [
            "https://bsky.social/xrpc/com.atproto.identity.resolveHandle?handle=ana.example.com",
            &format!("https://plc.directory/{DID}"),
            "https://pds.example.com/.well-known/oauth-protected-resource",
            "https://pds.example.com/.well-known/oauth-authorization-server",
            "https://pds.example.com/oauth/par",
        ]
    );
    insta::assert_json_snapshot!(shown(&sent[4]));
    let proof = sent[4].proof().unwrap().clone();
    let client = proof.client.unwrap();
    assert_eq!((client.audience.as_str(), client.key.id()), (ISSUER, keys().client[0].id()));
    let page = page.unwrap();
    assert_eq!(
        page.url,
        "https://pds.example.com/oauth/authorize?client_id=https%3A%2F%2Fscheduler.example%2Fconnect%2Fbluesky%2Fclient-metadata.json&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3Areq-9b3453912ee71636c9b1da7d92027ae5"
    );
    assert_eq!(page.kept.value("issuer"), Some(ISSUER));
    assert_eq!(page.kept.value("tokenEndpoint"), Some("https://pds.example.com/oauth/token"));
}

#[test]
fn a_server_is_named_or_gives_access_itself() {
    let base = Endpoint::new("http://127.0.0.1:9/bluesky".parse().unwrap());
    let named = asked(BACK, &[("identifier", "ana.example.com"), ("pds", "pds.example.com")]);
    let bare = asked(BACK, &[("identifier", "ana.example.com")]);
    let entryway = asked(BACK, &[("identifier", "ana@example.com")]);
    let here = asked("http://127.0.0.1:1/c/callback", &[("identifier", "ana.example.com")]);
    let of = |issuer: &str| {
        let issuer = issuer.to_owned();
        move |server: &mut Value| server["issuer"] = issuer.into()
    };
    for (name, base, input, answers, first) in [
        ("named", None, &named, vec![ok(RESOURCE), ok(SERVER)], "https://pds.example.com"),
        (
            "for all accounts",
            Some(&base),
            &bare,
            vec![answered_text(404, ""), changed(SERVER, of("http://127.0.0.1:9/bluesky"))],
            "http://127.0.0.1:9/bluesky",
        ),
        (
            "by an e-mail address",
            None,
            &entryway,
            vec![answered_text(404, ""), changed(SERVER, of("https://bsky.social"))],
            "https://bsky.social",
        ),
        (
            "on this computer",
            None,
            &here,
            vec![answered(200, &json!({ "did": DID })), ok(DOCUMENT), ok(RESOURCE), ok(SERVER)],
            "https://bsky.social",
        ),
    ] {
        let answers = [answers, vec![answered_text(201, PUSHED)]].concat();
        let turn = authorize(base, &keys(), input, &[]).unwrap();
        let Turn::Send(request) = turn else { panic!("{name}") };
        assert!(request.url.as_str().starts_with(first), "{name}: {}", request.url);
        let (sent, page) = held(&answers, |answers| authorize(base, &keys(), input, answers));
        assert!(page.is_ok(), "{name}: {page:?}");
        // Nobody could read the document of a server on the person's own computer.
        let client = &sent.last().unwrap().proof().unwrap().client;
        assert_eq!(client.is_none(), name == "on this computer", "{name}");
    }
}

#[test]
fn a_page_that_cannot_be_opened_is_told() {
    let named = [("identifier", "ana.example.com"), ("pds", "pds.example.com")];
    let refused =
        |error: &str| answered(400, &json!({ "error": error, "error_description": "so" }));
    let pushed = |error| vec![ok(RESOURCE), ok(SERVER), refused(error)];
    for (name, back, keys, typed, answers, kind, said) in [
        ("no handle", BACK, keys(), &named[1..], vec![], Kind::Permanent, "identifier is missing"),
        ("no https", "http://s.example/c", keys(), &named, vec![], Kind::Permanent, "app password"),
        ("no secrets", BACK, Keys::default(), &named, vec![], Kind::Permanent, "app password"),
        (
            "no page",
            BACK,
            keys(),
            &named,
            vec![ok(RESOURCE), answered_text(404, "")],
            Kind::Permanent,
            "has no page",
        ),
        (
            "no server that gives access",
            BACK,
            keys(),
            &named,
            vec![changed(RESOURCE, |resource| resource["authorization_servers"] = json!([]))],
            Kind::Permanent,
            "has no page",
        ),
        (
            "another one",
            BACK,
            keys(),
            &named,
            vec![
                ok(RESOURCE),
                changed(SERVER, |server| server["issuer"] = "https://x.example".into()),
            ],
            Kind::Permanent,
            "another one",
        ),
        ("down", BACK, keys(), &named, vec![answered_text(503, "")], Kind::Temporary, "failed"),
        (
            "our document is not read",
            BACK,
            keys(),
            &named,
            pushed("invalid_client_metadata"),
            Kind::Temporary,
            "reachable from the internet",
        ),
        (
            "a request that is refused",
            BACK,
            keys(),
            &named,
            pushed("invalid_request"),
            Kind::Permanent,
            "so",
        ),
    ] {
        let input = asked(back, typed);
        let (_, page) = held(&answers, |answers| authorize(None, &keys, &input, answers));
        let error = page.unwrap_err();
        assert_eq!(error.kind, kind, "{name}: {error}");
        assert!(error.message.contains(said), "{name}: {error}");
    }
}

fn back() -> Vec<(&'static str, &'static str)> {
    vec![
        ("code", "cod-1"),
        ("redirectUri", BACK),
        ("codeVerifier", VERIFIER),
        ("issuer", ISSUER),
        ("tokenEndpoint", "https://pds.example.com/oauth/token"),
        ("iss", ISSUER),
    ]
}

/// What a code is exchanged for, up to the account.
fn opened() -> Vec<Answer> {
    let date = begun_at().to_rfc2822();
    let profile = answered(200, &json!({ "did": DID, "displayName": "Ana" }));
    let tokens = with_header(ok(TOKENS), "date", &date);
    vec![tokens, ok(DOCUMENT), ok(RESOURCE), ok(SESSION), profile]
}

#[test]
fn a_code_opens_the_account_that_was_chosen() {
    let input = values(&back());
    let (sent, connected) =
        held(&opened(), |answers| connect(None, &keys(), &input, "cod-1", answers));
    assert_eq!(
        addresses(&sent),
        [
            "https://pds.example.com/oauth/token",
            &format!("https://plc.directory/{DID}"),
            "https://pds.example.com/.well-known/oauth-protected-resource",
            "https://pds.example.com/xrpc/com.atproto.server.getSession",
            &format!(
                "https://pds.example.com/xrpc/app.bsky.actor.getProfile?actor={}",
                DID.replace(':', "%3A")
            ),
        ]
    );
    insta::assert_json_snapshot!([shown(&sent[0]), shown(&sent[3])]);
    let account = connected.unwrap().remove(0);
    assert_eq!(account.network_id, DID);
    assert_eq!(account.username.as_deref(), Some("ana.example.com"));
    assert_eq!(account.display_name.as_deref(), Some("Ana"));
    assert_eq!(account.server_url.as_deref(), Some(ISSUER));
    assert_eq!(account.credentials.expires_at, Some(begun_at() + TimeDelta::seconds(3599)));
    let Tokens::Grant(grant) = serde_json::from_str(account.credentials.expose()).unwrap() else {
        panic!("a session")
    };
    assert_eq!(grant.key.id(), keys().of_grant(VERIFIER).unwrap().id());
    assert_eq!(sent[0].proof().unwrap().key.id(), grant.key.id(), "bound to it");
}

#[test]
fn a_code_that_opens_nothing_is_told() {
    let replaced = |at: usize, answer: Answer| {
        let mut answers = opened();
        answers.truncate(at);
        answers.push(answer);
        answers
    };
    let without = |name: &str| back().into_iter().filter(|(known, _)| *known != name).collect();
    let with = |name, value| {
        let mut pairs: Vec<_> = without(name);
        pairs.push((name, value));
        pairs
    };
    let only_known = changed(TOKENS, |tokens| tokens["scope"] = "atproto".into());
    let spent = json!({ "error": "invalid_grant", "error_description": "Invalid code" });
    let other_issuer = changed(RESOURCE, |resource| {
        resource["authorization_servers"] = json!(["https://x.example"]);
    });
    let other = changed(SESSION, |session| session["did"] = "did:plc:x".into());
    let unconfirmed = changed(SESSION, |session| session["handle"] = "eve.example.com".into());
    for (name, pairs, answers, kind, said) in [
        ("no code verifier", without("codeVerifier"), vec![], Kind::Permanent, "codeVerifier"),
        ("from nobody", without("iss"), vec![], Kind::Permanent, "Begin again"),
        ("from another", with("iss", "https://x.example"), vec![], Kind::Permanent, "Begin again"),
        ("spent", back(), vec![answered(400, &spent)], Kind::Permanent, "Invalid code"),
        ("without permission", back(), vec![only_known], Kind::Permanent, "no permission to post"),
        (
            "an identity that is gone",
            back(),
            replaced(1, answered_text(404, "")),
            Kind::Permanent,
            "exist",
        ),
        (
            "of another server",
            back(),
            replaced(2, other_issuer),
            Kind::Permanent,
            "not one of the server",
        ),
        ("of another account", back(), replaced(3, other), Kind::Temporary, "another account"),
        (
            "with another's handle",
            back(),
            replaced(3, unconfirmed),
            Kind::Permanent,
            "confirm the handle",
        ),
        ("a page", back(), vec![ok("<html>")], Kind::Temporary, "cannot be read"),
    ] {
        let input = values(&pairs);
        let (_, opened) =
            held(&answers, |answers| connect(None, &keys(), &input, "cod-1", answers));
        let error = opened.unwrap_err();
        assert_eq!(error.kind, kind, "{name}: {error}");
        assert!(error.message.contains(said), "{name}: {error}");
    }
}

fn grant(client_key_id: Option<String>) -> Grant {
    Grant {
        access_token: "old".into(),
        refresh_token: "ref-1".into(),
        key: keys().of_grant(VERIFIER).unwrap(),
        issuer: ISSUER.to_owned(),
        client_id: "https://scheduler.example/connect/bluesky/client-metadata.json".to_owned(),
        client_key_id,
    }
}

#[test]
fn what_was_given_is_exchanged_under_the_key_it_was_given_to() {
    let account = bluesky_job().account;
    let earlier = keys().client[1].id();
    let grant = grant(Some(earlier.clone()));
    let answers = [ok(SERVER), with_header(ok(TOKENS), "date", &begun_at().to_rfc2822())];
    let (sent, new) = held(&answers, |answers| refresh(&keys(), &account, &grant, answers));
    insta::assert_json_snapshot!(shown(&sent[1]));
    let proof = sent[1].proof().unwrap().clone();
    assert_eq!((proof.key.id(), proof.client.unwrap().key.id()), (grant.key.id(), earlier));
    let new = new.unwrap();
    assert_eq!(new.expires_at, Some(begun_at() + TimeDelta::seconds(3599)));
    let Tokens::Grant(new) = serde_json::from_str(new.expose()).unwrap() else { panic!() };
    assert!(new.refresh_token.expose_secret().starts_with("ref-7126"));
    assert_eq!((new.key.id(), new.client_key_id), (grant.key.id(), grant.client_key_id));
}

#[test]
fn access_that_has_ended_asks_for_a_new_connection() {
    let account = bluesky_job().account;
    let exchange = |key_id, answers: &[Answer]| {
        let grant = grant(key_id);
        held(answers, |answers| refresh(&keys(), &account, &grant, answers)).1
    };
    let present = || Some(keys().client[0].id());
    let other = changed(TOKENS, |tokens| tokens["sub"] = "did:plc:x".into());
    for (name, key_id, answers, kind) in [
        ("another secret key", Some("gone".to_owned()), vec![], Kind::Reconnect),
        ("down", present(), vec![answered_text(502, "")], Kind::Temporary),
        ("no page any more", present(), vec![answered_text(404, "")], Kind::Permanent),
        ("tokens of another", present(), vec![ok(SERVER), other], Kind::Temporary),
    ] {
        assert_eq!(exchange(key_id, &answers).unwrap_err().kind, kind, "{name}");
    }
    let errors: Vec<Value> = serde_json::from_str(ERRORS).unwrap();
    for error in errors {
        let (name, said) = (&error["error"], error["error_description"].as_str().unwrap());
        let kind = match name.as_str().unwrap() {
            "invalid_grant" => Kind::Reconnect,
            "use_dpop_nonce" | "invalid_dpop_proof" | "invalid_client_id" => Kind::Temporary,
            _ => Kind::Permanent,
        };
        let status = u16::try_from(error["status"].as_u64().unwrap()).unwrap();
        let failed = exchange(present(), &[ok(SERVER), answered(status, &error)]).unwrap_err();
        assert_eq!(failed.kind, kind, "{error}");
        assert!(failed.message.contains(said), "{error}: {failed}");
    }
}
