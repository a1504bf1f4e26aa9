//! Connecting and new tokens.

use insta::assert_json_snapshot;
use scheduler_core::account::Credentials;
use scheduler_core::ports::AuthorizeInput;
use scheduler_core::ports::NetworkErrorKind as Kind;
use secrecy::SecretString;
use serde_json::{Value, json};
use url::Url;

use super::*;
use crate::conversation::Conversation;
use crate::registry::NetworkSettings;
use crate::testing::{answered, answered_text, with_header};
use crate::tumblr::Tumblr;
use crate::tumblr::testing::{fault, held, ok, tumblr, tumblr_job};

const REDIRECT: &str = "https://s.example/connect/tumblr";

fn input(pairs: &[(&str, &str)]) -> ConnectInput {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(pairs.collect())
}

fn token() -> Answer {
    let answer = answered_text(200, include_str!("fixtures/token.json"));
    with_header(answer, "date", "Fri, 20 Nov 2026 10:00:00 GMT")
}

fn user() -> Answer {
    answered_text(200, include_str!("fixtures/user_info.json"))
}

fn asked_for() -> AuthorizeInput {
    AuthorizeInput {
        values: ConnectInput::default(),
        redirect_uri: REDIRECT.to_owned(),
        state: "a state".to_owned(),
        code_verifier: SecretString::from("x".repeat(43)),
    }
}

fn kept(credentials: &Credentials) -> Value {
    serde_json::from_str(credentials.expose()).unwrap()
}

#[test]
fn the_page_asks_for_everything_that_is_used() {
    let Ok(Turn::Done(page)) = tumblr().authorize(&asked_for(), &[]) else { panic!("no page") };
    assert_eq!(
        page.url,
        "https://www.tumblr.com/oauth2/authorize?client_id=key&response_type=code&scope=basic+write+offline_access&state=a+state&redirect_uri=https%3A%2F%2Fs.example%2Fconnect%2Ftumblr"
    );
    assert!(page.kept.0.is_empty());
    let scopes = Some(vec!["basic".to_owned()]);
    let client = Client { id: "key".to_owned(), secret: SecretString::from("x") };
    let settings = NetworkSettings { client: Some(client), scopes, ..NetworkSettings::default() };
    let Ok(Turn::Done(page)) = Tumblr::new(settings).authorize(&asked_for(), &[]) else {
        panic!("no page")
    };
    let url = Url::parse(&page.url).unwrap();
    assert!(url.query_pairs().any(|pair| pair == ("scope".into(), "basic".into())));
    let error = Tumblr::new(NetworkSettings::default()).authorize(&asked_for(), &[]).unwrap_err();
    assert_eq!((error.kind, error.code), (Kind::Permanent, FailureCode::Unsupported));
}

#[test]
fn a_code_opens_every_blog_the_users_own_first() {
    let given = input(&[("code", "the-code"), ("redirectUri", REDIRECT), ("codeVerifier", "x")]);
    let (asked, connected) = held(&[token(), user()], |a| tumblr().connect(&given, a));
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": [
          "grant_type=authorization_code",
          "code=the-code",
          "redirect_uri=https://s.example/connect/tumblr",
          "client_id=key",
          "client_secret=key-secret"
        ],
        "headers": {
          "user-agent": "scheduler"
        },
        "request": "POST https://api.tumblr.com/v2/oauth2/token",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]",
          "user-agent": "scheduler"
        },
        "request": "GET https://api.tumblr.com/v2/user/info",
        "visible": false
      }
    ]
    "#);
    let connected = connected.unwrap();
    let shown: Vec<Value> = connected
        .iter()
        .map(|blog| {
            json!([
                blog.network_id,
                blog.username,
                blog.display_name,
                blog.avatar_url,
                blog.server_url,
                blog.lacks,
            ])
        })
        .collect();
    assert_json_snapshot!(shown, @r#"
    [
      [
        "t:0aY0xL2Fi1OFJg4YxpmegQ",
        "derekg",
        "Derek Gottfrid",
        "https://api.tumblr.com/v2/blog/derekg/avatar/128",
        null,
        []
      ],
      [
        "t:WX5xItRbCiJH_GJDsIdhAQ",
        "ihatehipstrz",
        null,
        "https://api.tumblr.com/v2/blog/ihatehipstrz/avatar/128",
        null,
        []
      ]
    ]
    "#);
    for blog in &connected {
        let expires_at = blog.credentials.expires_at.unwrap();
        assert_eq!(expires_at.to_rfc3339(), "2026-11-20T10:42:00+00:00");
        assert_eq!(
            kept(&blog.credentials),
            json!({
                "accessToken": "new-access-token",
                "refreshToken": "new-refresh-token",
                "scopes": ["write", "offline_access"],
            })
        );
    }
}

#[test]
fn tokens_open_them_too_and_what_is_missing_is_told() {
    for (name, given, lacks) in [
        ("all", vec![("refreshToken", "r"), ("scope", "basic write offline_access")], 0),
        ("an unknown scope", vec![("refreshToken", "r")], 0),
        ("reading alone", vec![("refreshToken", "r"), ("scope", "basic offline_access")], 1),
        ("no refresh token", vec![("scope", "basic write")], 1),
        ("neither", vec![("scope", "basic")], 2),
    ] {
        let pairs: Vec<(&str, &str)> =
            [("accessToken", " token ")].into_iter().chain(given).collect();
        let (asked, connected) = held(&[user()], |a| tumblr().connect(&input(&pairs), a));
        assert_eq!(asked.len(), 1, "{name}");
        let first = connected.unwrap().remove(0);
        assert_eq!(first.lacks.len(), lacks, "{name}: {:?}", first.lacks);
        assert_eq!(kept(&first.credentials)["accessToken"], "token", "{name}");
        assert_eq!(first.credentials.expires_at, None, "{name}");
    }
    let base = Some(Url::parse("http://127.0.0.1:9/tumblr").unwrap());
    let there = Tumblr::new(NetworkSettings { api_base: base, ..NetworkSettings::default() });
    let pairs = input(&[("accessToken", "token")]);
    let first = held(&[user()], |a| there.connect(&pairs, a)).1.unwrap().remove(0);
    assert_eq!(first.server_url.as_deref(), Some("http://127.0.0.1:9/tumblr"));
}

#[test]
fn what_cannot_be_connected() {
    let code = [("code", "c"), ("redirectUri", REDIRECT)];
    let used = answered(401, &json!({ "error": "invalid_grant", "error_description": "x" }));
    let nobody = ok(&json!({ "user": { "name": "a", "blogs": [] } }));
    for (name, given, answers, want) in [
        ("nothing", &[][..], vec![], Kind::Permanent),
        ("no redirect", &code[..1], vec![], Kind::Permanent),
        ("a used code", &code[..], vec![used], Kind::Permanent),
        ("a dead token", &code[..], vec![token(), fault(401, 1016, "x")], Kind::Permanent),
        ("no blog", &code[..], vec![token(), nobody], Kind::Permanent),
        ("a fault", &code[..], vec![fault(500, 0, "x")], Kind::Temporary),
        ("a page", &code[..], vec![token(), answered_text(200, "<html>")], Kind::Temporary),
    ] {
        let connected = held(&answers, |a| tumblr().connect(&input(given), a)).1;
        assert_eq!(connected.unwrap_err().kind, want, "{name}");
    }
    let alone = Tumblr::new(NetworkSettings::default());
    let error = alone.connect(&input(&code), &[]).unwrap_err();
    assert_eq!((error.kind, error.code), (Kind::Permanent, FailureCode::Unsupported));
}

#[test]
fn a_refresh_gives_both_tokens_anew() {
    let job = tumblr_job();
    let refresh =
        |answers: &[Answer]| held(answers, |a| tumblr().refresh(&job.account, &job.credentials, a));
    let (asked, credentials) = refresh(&[token()]);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": [
          "grant_type=refresh_token",
          "refresh_token=refresh-token",
          "client_id=key",
          "client_secret=key-secret"
        ],
        "headers": {
          "user-agent": "scheduler"
        },
        "request": "POST https://api.tumblr.com/v2/oauth2/token",
        "visible": false
      }
    ]
    "#);
    let credentials = credentials.unwrap();
    assert_eq!(kept(&credentials)["refreshToken"], "new-refresh-token");
    assert_eq!(kept(&credentials)["accessToken"], "new-access-token");
    assert!(credentials.expires_at.is_some());
    let without = answered(200, &json!({ "access_token": "a" }));
    let credentials = refresh(&[without]).1.unwrap();
    assert_eq!(kept(&credentials)["refreshToken"], "refresh-token");
    assert_eq!(kept(&credentials)["scopes"], json!(["write", "offline_access"]));
    let refused = |status| answered(status, &json!({ "error": "invalid_grant" }));
    for (name, answer, want) in [
        ("used up", refused(400), Kind::Reconnect),
        ("expired", refused(401), Kind::Reconnect),
        ("a fault", fault(500, 0, "x"), Kind::Temporary),
        ("a page", answered_text(200, "<html>"), Kind::Temporary),
    ] {
        assert_eq!(refresh(&[answer]).1.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn nothing_to_refresh_with_asks_for_a_connection() {
    let job = tumblr_job();
    let bare = Credentials::new(json!({ "accessToken": "a" }).to_string(), None);
    let error = tumblr().refresh(&job.account, &bare, &[]).unwrap_err();
    assert_eq!(error.kind, Kind::Reconnect);
    let unreadable = Credentials::new("{}", None);
    let error = tumblr().refresh(&job.account, &unreadable, &[]).unwrap_err();
    assert_eq!(error.kind, Kind::Reconnect);
}
