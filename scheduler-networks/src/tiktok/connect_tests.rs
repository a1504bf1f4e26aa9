//! Connecting to TikTok, and renewing tokens, as exchanges of values.

use insta::assert_json_snapshot;
use scheduler_core::account::Credentials;
use scheduler_core::ports::NetworkErrorKind;
use scheduler_core::ports::{Authorization, AuthorizeInput};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use super::*;
use crate::conversation::Conversation;
use crate::registry::NetworkSettings;
use crate::testing::{answered, answered_text, with_header};
use crate::tiktok::TikTok;
use crate::tiktok::testing::{CREATOR, OPEN_ID, access, done, held, ok, recorded, refused, tiktok};

const TOKEN: &str = include_str!("fixtures/token.json");
const REDIRECT: &str = "https://s.example/connect/tiktok";

fn input(pairs: &[(&str, &str)]) -> ConnectInput {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(pairs.collect())
}

fn with_code(redirect_uri: &str) -> ConnectInput {
    input(&[("code", "the*code!1.e1"), ("redirectUri", redirect_uri), ("codeVerifier", "verifier")])
}

fn token(text: &str) -> Answer {
    with_header(recorded(text), "date", "Fri, 20 Nov 2026 10:00:00 GMT")
}

fn user() -> Answer {
    ok(&json!({ "user": {
        "open_id": OPEN_ID,
        "union_id": "c9c60f44-a68e-4f5d-84dd-ce22faeb0ba1",
        "avatar_url": "https://p19-sign.tiktokcdn-us.com/ana.jpeg",
        "display_name": "Ana",
        "username": "ana",
    } }))
}

fn connected(
    input: &ConnectInput,
    answers: &[Answer],
) -> (Vec<Value>, Result<Vec<Connected>, NetworkError>) {
    held(answers, |answers| tiktok().connect(input, answers))
}

fn asked_page(redirect_uri: &str) -> AuthorizeInput {
    AuthorizeInput {
        values: ConnectInput::default(),
        redirect_uri: redirect_uri.to_owned(),
        state: "a state".to_owned(),
        code_verifier: SecretString::from("verifier"),
    }
}

#[test]
fn the_page_asks_with_a_client_key_and_commas() {
    let Authorization { url, kept } = done(tiktok().authorize(&asked_page(REDIRECT), &[]));
    assert_eq!(
        url,
        "https://www.tiktok.com/v2/auth/authorize/?client_key=client-key&response_type=code&scope=user.info.basic%2Cuser.info.profile%2Cuser.info.stats%2Cvideo.list%2Cvideo.publish%2Cvideo.upload&redirect_uri=https%3A%2F%2Fs.example%2Fconnect%2Ftiktok&state=a+state"
    );
    assert!(kept.0.is_empty());
    // An application on the person's own computer proves itself, in hexadecimal digits.
    let url =
        done(tiktok().authorize(&asked_page("http://127.0.0.1:8080/connect/tiktok"), &[])).url;
    assert!(
        url.ends_with(
            "&code_challenge=88c9eae68eb300b2971a2bec9e5a26ff4179fd661d6b7d861e4c6557b9aaee14&code_challenge_method=S256"
        ),
        "{url}"
    );
    let chosen = TikTok::new(NetworkSettings {
        client: tiktok().client,
        scopes: Some(vec!["user.info.basic".to_owned(), "video.upload".to_owned()]),
        ..NetworkSettings::default()
    });
    let url = done(chosen.authorize(&asked_page(REDIRECT), &[])).url;
    assert!(url.contains("&scope=user.info.basic%2Cvideo.upload&"), "{url}");
    let none = TikTok::new(NetworkSettings::default());
    let error = none.authorize(&asked_page(REDIRECT), &[]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent);
}

#[test]
fn a_code_opens_one_account() {
    let answers = [token(TOKEN), user(), recorded(CREATOR)];
    let (asked, accounts) = connected(&with_code(REDIRECT), &answers);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": [
          "grant_type=authorization_code",
          "code=the*code!1.e1",
          "redirect_uri=https://s.example/connect/tiktok",
          "client_key=client-key",
          "client_secret=client-secret"
        ],
        "headers": {},
        "request": "POST https://open.tiktokapis.com/v2/oauth/token/",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://open.tiktokapis.com/v2/user/info/?fields=open_id,union_id,avatar_url,display_name,username",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]",
          "content-type": "application/json; charset=UTF-8"
        },
        "request": "POST https://open.tiktokapis.com/v2/post/publish/creator_info/query/",
        "visible": false
      }
    ]
    "#);
    let account = accounts.unwrap().remove(0);
    assert_eq!(account.network_id, OPEN_ID);
    assert_eq!(account.username.as_deref(), Some("ana"));
    assert_eq!(account.display_name.as_deref(), Some("Ana"));
    assert_eq!(account.lacks, Vec::<String>::new());
    assert_eq!(account.limits.max_video_duration_seconds, Some(600.0));
    let kept: Value = serde_json::from_str(account.credentials.expose()).unwrap();
    assert_eq!(kept["refreshToken"], "rft.new-refresh");
    // Two thirds of two hours.
    let expires_at = account.credentials.expires_at.unwrap().to_rfc3339();
    assert_eq!(expires_at, "2026-11-20T11:20:00+00:00");

    let (asked, _) = connected(&with_code("http://localhost/x"), &[answered_text(500, "")]);
    assert!(asked[0]["body"].as_array().unwrap().contains(&json!("code_verifier=verifier")));
}

#[test]
fn what_was_not_allowed_is_told_and_not_asked_for() {
    let scope = "user.info.basic,video.upload";
    let given = TOKEN.replace(
        "user.info.basic,user.info.profile,user.info.stats,video.list,video.publish,video.upload",
        scope,
    );
    let (asked, accounts) = connected(&with_code(REDIRECT), &[token(&given), user()]);
    assert_eq!(asked.len(), 2);
    assert_eq!(
        asked[1]["request"],
        "GET https://open.tiktokapis.com/v2/user/info/?fields=open_id,union_id,avatar_url,display_name"
    );
    let lacks = accounts.unwrap().remove(0).lacks;
    assert_eq!(lacks.len(), 4);
    assert!(lacks[0].contains("video.publish"), "{lacks:?}");
}

#[test]
fn tokens_that_were_given_before_open_their_account() {
    let given = input(&[
        ("accessToken", "a"),
        ("refreshToken", "r"),
        ("scope", "user.info.basic,video.publish"),
    ]);
    let (asked, accounts) = connected(&given, &[user(), refused(200, "spam_risk_too_many_posts")]);
    assert_eq!(asked.len(), 2);
    let account = accounts.unwrap().remove(0);
    assert_eq!(account.limits, AccountLimits::default(), "it is connected all the same");
    assert_eq!(account.credentials.expires_at, None);
    // Of scopes that are not told, more is asked for first.
    let unknown = input(&[("accessToken", "a")]);
    let answers = [refused(401, "scope_not_authorized"), user(), recorded(CREATOR)];
    let (asked, accounts) = connected(&unknown, &answers);
    assert_eq!(asked.len(), 3);
    assert_eq!(accounts.unwrap().len(), 1);
}

#[test]
fn what_does_not_open_an_account_is_said() {
    use NetworkErrorKind as Kind;
    let grant = json!({ "error": "invalid_grant", "error_description": "Expired.", "log_id": "1" });
    for (name, input, answers, want) in [
        ("nothing", input(&[]), vec![], Kind::Permanent),
        ("no address", input(&[("code", "c")]), vec![], Kind::Permanent),
        (
            "an old code, with 200",
            with_code(REDIRECT),
            vec![answered(200, &grant)],
            Kind::Permanent,
        ),
        ("an old code", with_code(REDIRECT), vec![answered(400, &grant)], Kind::Permanent),
        ("down", with_code(REDIRECT), vec![answered_text(503, "")], Kind::Temporary),
        ("unreadable", with_code(REDIRECT), vec![answered_text(200, "{}")], Kind::Temporary),
        (
            "an old token",
            input(&[("accessToken", "a")]),
            vec![refused(401, "access_token_invalid")],
            Kind::Permanent,
        ),
        (
            "no account",
            input(&[("accessToken", "a")]),
            vec![ok(&json!({ "user": {} }))],
            Kind::Temporary,
        ),
    ] {
        let error = connected(&input, &answers).1.unwrap_err();
        assert_eq!(error.kind, want, "{name}: {error}");
    }
}

#[test]
fn a_refresh_keeps_the_new_refresh_token() {
    use NetworkErrorKind as Kind;
    let account = access(None);
    let of = |answers: &[Answer]| {
        held(answers, |answers| tiktok().refresh(&account.account, &account.credentials, answers))
    };
    let (asked, credentials) = of(&[token(TOKEN)]);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": [
          "grant_type=refresh_token",
          "refresh_token=refresh-token",
          "client_key=client-key",
          "client_secret=client-secret"
        ],
        "headers": {},
        "request": "POST https://open.tiktokapis.com/v2/oauth/token/",
        "visible": false
      }
    ]
    "#);
    let credentials = credentials.unwrap();
    let kept = serde_json::from_str::<Tokens>(credentials.expose()).unwrap();
    assert_eq!(kept.access_token.expose_secret(), "act.new-access");
    assert_eq!(kept.refresh_token.unwrap().expose_secret(), "rft.new-refresh");
    assert!(credentials.expires_at.is_some());
    let refusal = |code: &str| json!({ "error": code, "error_description": "Why.", "log_id": "1" });
    for (answer, want) in [
        (answered(200, &refusal("invalid_grant")), Kind::Reconnect),
        (answered(401, &refusal("invalid_client")), Kind::Permanent),
        (answered_text(500, ""), Kind::Temporary),
        (answered_text(200, "<html>"), Kind::Temporary),
    ] {
        assert_eq!(of(&[answer]).1.unwrap_err().kind, want);
    }
    let mut without = account.clone();
    without.credentials = Credentials::new(r#"{"accessToken":"a"}"#.to_owned(), None);
    let error = tiktok().refresh(&without.account, &without.credentials, &[]).unwrap_err();
    assert_eq!(error.kind, Kind::Reconnect);
    let unread = Credentials::new("x".to_owned(), None);
    let error = tiktok().refresh(&without.account, &unread, &[]).unwrap_err();
    assert_eq!(error.kind, Kind::Reconnect);
}
