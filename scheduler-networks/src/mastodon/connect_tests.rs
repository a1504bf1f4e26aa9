//! Connecting to Mastodon as an exchange of values.

use insta::assert_json_snapshot;
use serde_json::json;

use super::*;
use crate::conversation::shown;
use crate::mastodon::authorize::SCOPES;
use crate::testing::{answered, answered_text};

const INSTANCE: &str = include_str!("fixtures/instance_v2.json");
const OLD_INSTANCE: &str = include_str!("fixtures/instance_v1.json");
const ACCOUNT: &str = include_str!("fixtures/account.json");

fn input(pairs: &[(&str, &str)]) -> ConnectInput {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(pairs.collect())
}

fn typed(instance: &str) -> ConnectInput {
    input(&[("instance", instance), ("accessToken", "token")])
}

/// Holds the conversation with these answers; the requests that it made, and what came of it.
fn held(
    guard: &Guard,
    input: &ConnectInput,
    answers: &[Answer],
) -> (Vec<Request>, Result<Connected, NetworkError>) {
    let mut asked = Vec::new();
    for given in 0..=answers.len() {
        match connect(None, guard, input, &answers[..given]) {
            Ok(Turn::Send(request)) => asked.push(request),
            Ok(Turn::Done(mut connected)) => return (asked, Ok(connected.remove(0))),
            Err(error) => return (asked, Err(error)),
        }
    }
    panic!("wants more answers: {asked:?}")
}

fn ok(text: &str) -> Answer {
    answered_text(200, text)
}

fn app() -> Answer {
    answered(200, &json!({ "name": "scheduler", "website": null, "scopes": ["read", "write"] }))
}

#[test]
fn an_account_brings_its_servers_limits() {
    let answers = [ok(INSTANCE), ok(ACCOUNT), app()];
    let (asked, connected) = held(&Guard::new(false), &typed("m.example"), &answers);
    let asked: Vec<_> = asked.iter().map(shown).collect();
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": null,
        "headers": {},
        "request": "GET https://m.example/api/v2/instance",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://m.example/api/v1/accounts/verify_credentials",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://m.example/api/v1/apps/verify_credentials",
        "visible": false
      }
    ]
    "#);
    let connected = connected.unwrap();
    assert_eq!(connected.network_id, "m.example/109000000000000001");
    assert_eq!(connected.server_url.as_deref(), Some("https://m.example"));
    assert_eq!(connected.username.as_deref(), Some("ana"));
    assert_eq!(connected.display_name.as_deref(), Some("Ana"));
    assert_eq!(connected.credentials.expires_at, None);
    assert_json_snapshot!(connected.limits, @r#"
    {
      "textLimit": 5000,
      "charactersReservedPerUrl": 23,
      "maxMedia": 6,
      "altTextLimit": 10000,
      "maxImageBytes": 16777215,
      "maxVideoBytes": 103809023,
      "maxVideoFps": 120.0,
      "maxImagePixels": 33177600,
      "maxVideoPixels": 8294400,
      "mediaTypes": [
        "image/jpeg",
        "image/png",
        "video/mp4"
      ],
      "poll": {
        "maxItems": 4
      }
    }
    "#);
    let kept: Value = serde_json::from_str(connected.credentials.expose()).unwrap();
    assert_json_snapshot!(kept, @r#"
    {
      "accessToken": "token",
      "accountId": "109000000000000001",
      "appName": "scheduler",
      "isMastodon": true
    }
    "#);
}

#[test]
fn older_and_other_software_is_known_as_such() {
    let not_found = || answered(404, &json!({ "error": "Not Found" }));
    let answers = [not_found(), ok(OLD_INSTANCE), ok(ACCOUNT), not_found()];
    let (asked, connected) = held(&Guard::new(false), &typed("g.example"), &answers);
    assert_eq!(asked.len(), 4);
    let connected = connected.unwrap();
    assert_eq!(connected.limits.text_limit, Some(4096));
    let kept: Tokens = serde_json::from_str(connected.credentials.expose()).unwrap();
    assert_eq!((kept.is_mastodon, kept.app_name), (false, None));
}

#[test]
fn servers_as_people_type_them() {
    let strict = Guard::new(false);
    let lax = Guard::new(true);
    for (name, guard, text, want) in [
        ("a host", &strict, "m.example", Some("https://m.example")),
        ("upper case", &strict, " M.Example ", Some("https://m.example")),
        ("an address", &strict, "https://m.example/@ana?x#y", Some("https://m.example")),
        ("http", &strict, "http://m.example", Some("https://m.example")),
        ("a path", &strict, "m.example/@ana", Some("https://m.example")),
        ("a handle", &strict, "@ana@m.example", Some("https://m.example")),
        ("a handle without sign", &strict, "ana@m.example", Some("https://m.example")),
        ("a port", &strict, "m.example:8443", Some("https://m.example:8443")),
        ("another script", &strict, "bücher.example", Some("https://xn--bcher-kva.example")),
        ("loopback", &strict, "127.0.0.1", None),
        ("localhost", &strict, "localhost:3000", None),
        ("another scheme", &strict, "ftp://m.example", None),
        ("nothing of it", &strict, "a b", None),
        ("only a sign", &strict, "@", None),
        ("development", &lax, "http://127.0.0.1:9/mastodon/", Some("http://127.0.0.1:9/mastodon")),
        ("development, a host", &lax, "localhost", Some("https://localhost")),
    ] {
        let server = typed_server(text.trim(), guard).ok();
        assert_eq!(server.as_ref().map(Endpoint::address), want, "{name}");
    }
}

#[test]
fn an_operators_own_server_needs_no_instance() {
    let base = Endpoint::new(Url::parse("http://127.0.0.1:9/mastodon").unwrap());
    let input = input(&[("accessToken", "token")]);
    let Ok(Turn::Send(request)) = connect(Some(&base), &Guard::new(true), &input, &[]) else {
        panic!("no request")
    };
    assert_eq!(request.url.as_str(), "http://127.0.0.1:9/mastodon/api/v2/instance");
}

#[test]
fn what_is_missing_or_wrong_is_said() {
    let not_found = || answered_text(404, "<html>");
    let refused = |status, text: &str| answered(status, &json!({ "error": text }));
    let permanent = NetworkErrorKind::Permanent;
    let temporary = NetworkErrorKind::Temporary;
    for (name, input, answers, kind, said) in [
        ("no token", input(&[("instance", "m.example")]), vec![], permanent, "accessToken"),
        ("no instance", input(&[("accessToken", "x")]), vec![], permanent, "instance"),
        ("private", typed("10.0.0.1"), vec![], permanent, "public"),
        ("no Mastodon", typed("m.example"), vec![not_found(), not_found()], permanent, "m.example"),
        ("a page", typed("m.example"), vec![ok("<html>"), ok("{}")], permanent, "m.example"),
        ("down", typed("m.example"), vec![answered_text(502, "")], temporary, "failed"),
        (
            "wrong token",
            typed("m.example"),
            vec![ok(INSTANCE), refused(401, "The access token is invalid")],
            permanent,
            "access token",
        ),
        (
            "wrong token, of snac",
            typed("m.example"),
            vec![ok(INSTANCE), answered_text(422, "<h1>422 Unprocessable Content</h1>")],
            permanent,
            "does not accept this access token",
        ),
        (
            "no token, of snac",
            typed("m.example"),
            vec![ok(INSTANCE), answered_text(401, "<h1>401 Unauthorized</h1>")],
            permanent,
            "does not accept this access token",
        ),
        (
            "without scopes",
            typed("m.example"),
            vec![ok(INSTANCE), refused(403, "This action is outside the authorized scopes")],
            permanent,
            "scopes",
        ),
        ("unreadable", typed("m.example"), vec![ok(INSTANCE), ok("{}")], temporary, "read"),
    ] {
        let error = held(&Guard::new(false), &input, &answers).1.unwrap_err();
        assert_eq!(error.kind, kind, "{name}: {error}");
        assert!(error.message.contains(said), "{name}: {error}");
        assert!(!error.message.contains("token\""), "{name}");
    }
}

#[test]
fn what_the_scopes_leave_out_is_told() {
    let app = |scopes: Value| answered(200, &json!({ "name": "scheduler", "scopes": scopes }));
    for (name, app, want) in [
        ("all of a kind", app(json!(["read", "write"])), 0),
        ("one by one", app(json!(SCOPES.split(' ').collect::<Vec<_>>())), 0),
        ("reading alone", app(json!(["read"])), 3),
        ("part of it", app(json!(["read:accounts", "write:statuses", "write:media"])), 3),
        ("not told", app(Value::Null), 0),
        ("not known", answered(404, &json!({ "error": "Not Found" })), 0),
    ] {
        let answers = [ok(INSTANCE), ok(ACCOUNT), app];
        let connected = held(&Guard::new(false), &typed("m.example"), &answers).1.unwrap();
        assert_eq!(connected.lacks.len(), want, "{name}: {:?}", connected.lacks);
    }
    let code = input(&[
        ("instance", "m.example"),
        ("code", "code"),
        ("clientId", "id"),
        ("clientSecret", "secret"),
        ("redirectUri", "https://a.example/back"),
        ("codeVerifier", "verifier"),
    ]);
    let token = answered(200, &json!({ "access_token": "token", "scope": "read write:statuses" }));
    let answers = [token, ok(INSTANCE), ok(ACCOUNT), app(json!(["read", "write"]))];
    let connected = held(&Guard::new(false), &code, &answers).1.unwrap();
    assert_eq!(
        connected.lacks,
        [
            "It cannot send files: the scope write:media was not given.",
            "Comments cannot be liked: the scope write:favourites was not given.",
        ],
        "what the token says comes before what the app says"
    );
}
