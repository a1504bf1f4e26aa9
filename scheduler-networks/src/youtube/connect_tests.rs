//! Connecting to YouTube as an exchange of values.

use crate::conversation::Request;
use insta::assert_json_snapshot;
use scheduler_core::ports::{Authorization, AuthorizeInput, NetworkErrorKind};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use super::*;
use crate::conversation::Conversation;
use crate::registry::NetworkSettings;
use crate::testing::{answered, answered_text, with_header};
use crate::youtube::YouTube;
use crate::youtube::testing::{EVERYTHING, all_shown, credentials, done, held, refused, youtube};

fn input(pairs: &[(&str, &str)]) -> ConnectInput {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(pairs.collect())
}

fn with_code() -> ConnectInput {
    input(&[
        ("code", "the-code"),
        ("redirectUri", "https://s.example/connect/youtube/callback"),
        ("codeVerifier", "the-verifier"),
    ])
}

fn token(scope: &str, refresh: Option<&str>) -> Answer {
    let body = json!({
        "access_token": "new-access",
        "expires_in": 3599,
        "refresh_token": refresh,
        "scope": scope,
        "token_type": "Bearer",
    });
    with_header(answered(200, &body), "date", "Fri, 20 Nov 2026 10:00:00 GMT")
}

fn channel() -> Answer {
    answered(
        200,
        &json!({ "items": [{
            "id": "UC1",
            "snippet": {
                "title": "Ana",
                "customUrl": "@ana",
                "thumbnails": { "default": { "url": "https://yt3.example/p.jpg" } },
            },
            "statistics": { "subscriberCount": "512" },
            "contentDetails": { "relatedPlaylists": { "likes": "LL", "uploads": "UU1" } },
        }] }),
    )
}

fn connected(
    input: &ConnectInput,
    answers: &[Answer],
) -> (Vec<Request>, Result<Vec<Connected>, NetworkError>) {
    held(answers, |answers| youtube().connect(input, answers))
}

#[test]
fn the_page_asks_for_everything_with_a_proof_key() {
    let input = AuthorizeInput {
        values: ConnectInput::default(),
        redirect_uri: "https://s.example/connect/youtube/callback".to_owned(),
        state: "a state".to_owned(),
        // Source: RFC 7636, appendix B.
        code_verifier: SecretString::from("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
    };
    let Authorization { url, kept } = done(youtube().authorize(&input, &[]));
    assert_eq!(
        url,
        "https://accounts.google.com/o/oauth2/v2/auth?response_type=code&client_id=client-id&redirect_uri=https%3A%2F%2Fs.example%2Fconnect%2Fyoutube%2Fcallback&scope=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fyoutube.upload+https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fyoutube+https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fyoutube.force-ssl+https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fyoutube.readonly+https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fyt-analytics.readonly&state=a+state&access_type=offline&prompt=consent&include_granted_scopes=true&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
    );
    assert!(kept.0.is_empty());
    let none = YouTube::new(NetworkSettings::default());
    assert_eq!(none.authorize(&input, &[]).unwrap_err().kind, NetworkErrorKind::Permanent);
}

#[test]
fn a_code_opens_the_channel() {
    let answers = [token(EVERYTHING, Some("new-refresh")), channel()];
    let (asked, accounts) = connected(&with_code(), &answers);
    assert_json_snapshot!(all_shown(&asked), @r#"
    [
      {
        "body": [
          "grant_type=authorization_code",
          "code=the-code",
          "redirect_uri=https://s.example/connect/youtube/callback",
          "code_verifier=the-verifier",
          "client_id=client-id",
          "client_secret=client-secret"
        ],
        "headers": {},
        "request": "POST https://oauth2.googleapis.com/token",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://www.googleapis.com/youtube/v3/channels?part=snippet%2Cstatistics%2CcontentDetails&mine=true",
        "visible": false
      }
    ]
    "#);
    let accounts = accounts.unwrap();
    let [account] = accounts.as_slice() else { panic!("{accounts:?}") };
    assert_eq!(account.network_id, "UC1");
    assert_eq!(account.username.as_deref(), Some("ana"));
    assert_eq!(account.display_name.as_deref(), Some("Ana"));
    assert_eq!(account.avatar_url.as_deref(), Some("https://yt3.example/p.jpg"));
    assert_eq!(account.lacks, Vec::<String>::new());
    let kept = serde_json::from_str::<Tokens>(account.credentials.expose()).unwrap();
    assert_eq!(kept.refresh_token.as_ref().unwrap().expose_secret(), "new-refresh");
    assert_eq!(kept.uploads.as_deref(), Some("UU1"));
    assert_eq!(account.credentials.expires_at, "2026-11-20T10:59:59Z".parse().ok());
}

#[test]
fn what_was_not_allowed_is_told() {
    let lacking = |scope: &str| {
        let given = [("accessToken", "a"), ("scope", scope)];
        let (_, accounts) = connected(&input(&given), &[channel()]);
        accounts.unwrap().remove(0).lacks.len()
    };
    for (name, scope, want) in [
        ("everything", EVERYTHING, 0),
        ("uploads alone", "https://www.googleapis.com/auth/youtube.upload", 4),
        ("no reports", "https://www.googleapis.com/auth/youtube.force-ssl", 1),
        ("not said", "", 0),
    ] {
        assert_eq!(lacking(scope), want, "{name}");
    }
}

#[test]
fn what_cannot_be_connected() {
    let direct = input(&[("accessToken", "a")]);
    let empty = answered(200, &json!({ "items": [] }));
    let invalid = answered(400, &json!({ "error": "invalid_grant" }));
    let client = answered(401, &json!({ "error": "invalid_client" }));
    let incomplete = input(&[("code", "c"), ("redirectUri", "https://s.example")]);
    for (name, input, answers, want) in [
        ("nothing", &input(&[]), vec![], "accessToken is missing"),
        ("no verifier", &incomplete, vec![], "codeVerifier is missing"),
        ("no channel", &direct, vec![empty], "no YouTube channel"),
        ("signup", &direct, vec![refused(401, "youtubeSignupRequired")], "no YouTube channel"),
        ("bad token", &direct, vec![refused(401, "authError")], "Connect once more"),
        ("bad code", &with_code(), vec![invalid], "Connect once more"),
        ("bad client", &with_code(), vec![client], "client id, secret"),
    ] {
        let error = connected(input, &answers).1.unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::Permanent, "{name}: {error}");
        assert!(error.message.contains(want), "{name}: {error}");
    }
    let error = connected(&direct, &[answered_text(503, "")]).1.unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Temporary);
}

#[test]
fn a_refresh_keeps_what_the_answer_does_not_say() {
    let account = crate::youtube::testing::access(EVERYTHING).account;
    let refresh = |answers: &[Answer]| {
        held(answers, |answers| youtube().refresh(&account, &credentials(EVERYTHING), answers))
    };
    let (asked, renewed) = refresh(&[token("https://www.googleapis.com/auth/youtube", None)]);
    assert_json_snapshot!(all_shown(&asked), @r#"
    [
      {
        "body": [
          "grant_type=refresh_token",
          "refresh_token=refresh-token",
          "client_id=client-id",
          "client_secret=client-secret"
        ],
        "headers": {},
        "request": "POST https://oauth2.googleapis.com/token",
        "visible": false
      }
    ]
    "#);
    let renewed = renewed.unwrap();
    let kept = serde_json::from_str::<Tokens>(renewed.expose()).unwrap();
    assert_eq!(kept.access_token.expose_secret(), "new-access");
    assert_eq!(kept.refresh_token.as_ref().unwrap().expose_secret(), "refresh-token");
    assert_eq!(kept.uploads.as_deref(), Some("UUabcdefghijklmnopqrstuv"));
    assert_eq!(kept.scopes.as_ref().unwrap().len(), 1, "as it is allowed now");
    let (_, rotated) = refresh(&[token(EVERYTHING, Some("another"))]);
    let kept = serde_json::from_str::<Tokens>(rotated.unwrap().expose()).unwrap();
    assert_eq!(kept.refresh_token.as_ref().unwrap().expose_secret(), "another");

    let grant = answered(400, &json!({ "error": "invalid_grant" }));
    for (answer, want) in [
        (grant, NetworkErrorKind::Reconnect),
        (answered_text(503, ""), NetworkErrorKind::Temporary),
        (answered_text(200, ""), NetworkErrorKind::Temporary),
    ] {
        assert_eq!(refresh(&[answer]).1.unwrap_err().kind, want);
    }
    let bare = Credentials::new(json!({ "accessToken": "a" }).to_string(), None);
    let error = youtube().refresh(&account, &bare, &[]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Reconnect);
    let none = YouTube::new(NetworkSettings::default());
    let error = none.refresh(&account, &credentials(EVERYTHING), &[]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent);
}
