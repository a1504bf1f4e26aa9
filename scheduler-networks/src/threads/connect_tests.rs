//! Connecting to Threads as an exchange of values.

use chrono::{DateTime, TimeDelta};
use insta::assert_json_snapshot;
use serde_json::{Value, json};

use super::*;
use crate::conversation::{Conversation, shown};
use crate::testing::{answered, answered_text, with_header};
use crate::threads::Threads;
use crate::threads::testing::{done, fault, held, ok, threads, threads_job};

const DATE: &str = "Fri, 20 Nov 2026 10:00:00 GMT";
const DAY: i64 = 24 * 60 * 60;

fn input(pairs: &[(&str, &str)]) -> ConnectInput {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(pairs.collect())
}

fn came_back() -> ConnectInput {
    let uri = "https://post.example/connect/threads/callback";
    input(&[("code", "AQB#_"), ("redirectUri", uri), ("codeVerifier", "unused")])
}

fn at(body: &Value) -> Answer {
    with_header(ok(body), "date", DATE)
}

fn short() -> Answer {
    at(&json!({ "access_token": "short-token", "user_id": 17_841_400_000_000_001_u64 }))
}

fn long() -> Answer {
    let body = json!({ "access_token": "long-token", "token_type": "bearer" });
    let mut body = body;
    body["expires_in"] = json!(60 * DAY);
    at(&body)
}

fn me() -> Answer {
    answered_text(200, include_str!("fixtures/me.json"))
}

fn of_app() -> Answer {
    at(&json!({ "access_token": "TH|app|x", "token_type": "bearer" }))
}

fn facts(scopes: &[&str], expires_at: i64) -> Answer {
    at(&json!({ "data": {
        "type": "USER",
        "is_valid": true,
        "expires_at": expires_at,
        "scopes": scopes,
        "user_id": "17841400000000001",
    } }))
}

fn without_client() -> Threads {
    Threads::new(crate::registry::NetworkSettings::default())
}

fn days_after(seconds: i64) -> Option<DateTime<chrono::Utc>> {
    Some(crate::testing::begun_at() + TimeDelta::seconds(seconds))
}

#[test]
fn the_page_is_asked_for_with_scopes_and_state() {
    let input = AuthorizeInput {
        values: ConnectInput::default(),
        redirect_uri: "https://post.example/connect/threads/callback".to_owned(),
        state: "st/ate".to_owned(),
        code_verifier: SecretString::from("verifier"),
    };
    let page = done(threads().authorize(&input, &[]));
    assert_eq!(
        page.url,
        "https://threads.net/oauth/authorize?client_id=app&redirect_uri=https%3A%2F%2Fpost.example%2Fconnect%2Fthreads%2Fcallback&scope=threads_basic%2Cthreads_content_publish%2Cthreads_read_replies%2Cthreads_manage_replies%2Cthreads_manage_insights%2Cthreads_delete&response_type=code&state=st%2Fate"
    );
    assert!(page.kept.0.is_empty());
    let error = without_client().authorize(&input, &[]).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
    assert!(error.message.contains("client id"), "{error}");
}

#[test]
fn a_code_becomes_an_account_with_a_token_for_sixty_days() {
    let scopes = crate::threads::SCOPES;
    let answers = [short(), long(), me(), of_app(), facts(&scopes, 1)];
    let (asked, connected) = held(&answers, |answers| threads().connect(&came_back(), answers));
    let asked: Vec<Value> = asked.iter().map(shown).collect();
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": [
          "client_id=app",
          "client_secret=app-secret",
          "code=AQB",
          "grant_type=authorization_code",
          "redirect_uri=https://post.example/connect/threads/callback"
        ],
        "headers": {},
        "request": "POST https://graph.threads.net/oauth/access_token",
        "visible": false
      },
      {
        "body": null,
        "headers": {},
        "request": "GET https://graph.threads.net/access_token?grant_type=th_exchange_token&client_secret=app-secret&access_token=short-token",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.threads.net/v1.0/me?fields=id%2Cusername%2Cname%2Cthreads_profile_picture_url",
        "visible": false
      },
      {
        "body": null,
        "headers": {},
        "request": "GET https://graph.threads.net/oauth/access_token?client_id=app&client_secret=app-secret&grant_type=client_credentials",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.threads.net/v1.0/debug_token?input_token=long-token",
        "visible": false
      }
    ]
    "#);
    let connected = connected.unwrap().remove(0);
    assert_eq!(connected.network_id, "17841400000000001");
    assert_eq!(connected.username.as_deref(), Some("ana"));
    assert_eq!(connected.display_name.as_deref(), Some("Ana Example"));
    assert_eq!(connected.lacks, Vec::<String>::new());
    // Half of its life: from then on it is exchanged.
    assert_eq!(connected.credentials.expires_at, days_after(30 * DAY));
    let kept: Value = serde_json::from_str(connected.credentials.expose()).unwrap();
    let want = json!({ "accessToken": "long-token", "userId": "17841400000000001" });
    assert_eq!(kept, want);
    assert!(!format!("{connected:?}").contains("long-token"));
}

#[test]
fn what_was_not_allowed_is_told() {
    let granted = ["threads_basic", "threads_content_publish"];
    let answers = [short(), long(), me(), of_app(), facts(&granted, 1)];
    let connected = held(&answers, |answers| threads().connect(&came_back(), answers)).1;
    let lacks = connected.unwrap().remove(0).lacks;
    assert_eq!(lacks.len(), 4);
    assert!(lacks[0].contains("threads_read_replies"), "{lacks:?}");
    // Where nobody says, nothing is told.
    for answers in [
        vec![short(), long(), me(), answered_text(500, "")],
        vec![short(), long(), me(), of_app(), fault(400, 100, 0, "no")],
    ] {
        let connected = held(&answers, |answers| threads().connect(&came_back(), answers)).1;
        assert_eq!(connected.unwrap().remove(0).lacks, Vec::<String>::new());
    }
}

#[test]
fn a_token_of_ones_own_connects_too() {
    let begun_at = crate::testing::begun_at().timestamp();
    let (with, without) = (threads(), without_client());
    for (name, threads, answers, token, expires_at) in [
        (
            "its end is known",
            &with,
            vec![me(), of_app(), facts(&[], begun_at + 40 * DAY)],
            "own",
            days_after(20 * DAY),
        ),
        (
            "it never ends, as far as is known",
            &with,
            vec![me(), of_app(), facts(&[], 0), long()],
            "long-token",
            days_after(30 * DAY),
        ),
        ("exchanged at once", &without, vec![me(), long()], "long-token", days_after(30 * DAY)),
        (
            "younger than a day",
            &without,
            vec![me(), with_header(fault(400, 100, 0, "too young"), "date", DATE)],
            "own",
            days_after(DAY + 3_600),
        ),
    ] {
        let input = input(&[("accessToken", " own ")]);
        let connected = held(&answers, |answers| threads.connect(&input, answers)).1;
        let credentials = connected.unwrap().remove(0).credentials;
        let kept: Value = serde_json::from_str(credentials.expose()).unwrap();
        assert_eq!(
            (&kept["accessToken"], credentials.expires_at),
            (&json!(token), expires_at),
            "{name}"
        );
    }
}

#[test]
fn what_cannot_be_connected_says_why() {
    let used = json!({
        "error_type": "OAuthException",
        "code": 400,
        "error_message": "This authorization code has been used",
    });
    let kind = NetworkErrorKind::Permanent;
    for (name, threads, input, answers, want, words) in [
        ("nothing given", threads(), input(&[]), vec![], kind, "code is missing"),
        ("no address", threads(), input(&[("code", "x")]), vec![], kind, "redirectUri is missing"),
        ("no application", without_client(), came_back(), vec![], kind, "no application"),
        ("a used code", threads(), came_back(), vec![answered(400, &used)], kind, "has been used"),
        (
            "an ended token",
            without_client(),
            input(&[("accessToken", "x")]),
            vec![fault(401, 190, 463, "Session has expired")],
            kind,
            "Session has expired",
        ),
        (
            "network down",
            threads(),
            came_back(),
            vec![answered_text(503, "")],
            NetworkErrorKind::Temporary,
            "503",
        ),
        (
            "unreadable",
            threads(),
            came_back(),
            vec![answered_text(200, "<html>")],
            NetworkErrorKind::Temporary,
            "cannot be read",
        ),
    ] {
        let error = held(&answers, |answers| threads.connect(&input, answers)).1.unwrap_err();
        assert_eq!(error.kind, want, "{name}: {error}");
        assert!(error.message.contains(words), "{name}: {error}");
    }
}

#[test]
fn a_token_is_exchanged_for_a_new_one() {
    let job = threads_job();
    let refresh = |answers: &[Answer]| threads().refresh(&job.account, &job.credentials, answers);
    let Ok(Turn::Send(request)) = refresh(&[]) else { panic!("no request") };
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": null,
      "headers": {},
      "request": "GET https://graph.threads.net/refresh_access_token?grant_type=th_refresh_token&access_token=access-token",
      "visible": false
    }
    "#);
    let credentials = done(refresh(&[long()]));
    assert_eq!(credentials.expires_at, days_after(30 * DAY));
    let kept: Value = serde_json::from_str(credentials.expose()).unwrap();
    assert_eq!(kept, json!({ "accessToken": "long-token", "userId": "17841400000000001" }));
    for (name, answer, want) in [
        ("ended", fault(400, 190, 463, "Session has expired"), NetworkErrorKind::Reconnect),
        ("of another kind", fault(400, 100, 0, "not long-lived"), NetworkErrorKind::Reconnect),
        ("down", answered_text(500, ""), NetworkErrorKind::Temporary),
        ("unreadable", answered_text(200, ""), NetworkErrorKind::Temporary),
    ] {
        assert_eq!(refresh(&[answer]).unwrap_err().kind, want, "{name}");
    }
}
