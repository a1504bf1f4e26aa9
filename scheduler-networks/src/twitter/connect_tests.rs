//! Connecting to X as an exchange of values, and renewing access.

use base64::Engine as _;
use chrono::TimeDelta;
use insta::assert_json_snapshot;
use scheduler_core::ports::AuthorizeInput;
use scheduler_core::ports::NetworkErrorKind;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use super::*;
use crate::conversation::{Conversation, HeaderValue, Request};
use crate::registry::NetworkSettings;
use crate::testing::{answered, answered_text, begun_at, with_header};
use crate::twitter::Twitter;
use crate::twitter::testing::{
    all_shown, credentials, done, held, problem, twitter, twitter_job, with_client,
};
use NetworkErrorKind as Kind;

const DATE: &str = "Fri, 20 Nov 2026 10:00:00 GMT";
const TOKEN: &str = include_str!("fixtures/token.json");
const ME: &str = include_str!("fixtures/me.json");

fn input(pairs: &[(&str, &str)]) -> ConnectInput {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(pairs.collect())
}

fn came_back() -> ConnectInput {
    let uri = "https://post.example/connect/twitter/callback";
    input(&[("code", "the-code"), ("redirectUri", uri), ("codeVerifier", "the-verifier")])
}

fn token() -> Answer {
    with_header(answered_text(200, TOKEN), "date", DATE)
}

fn me() -> Answer {
    answered_text(200, ME)
}

fn connected(
    input: &ConnectInput,
    answers: &[Answer],
) -> (Vec<Request>, Result<Vec<Connected>, NetworkError>) {
    held(answers, |answers| twitter().connect(input, answers))
}

fn without_client() -> Twitter {
    Twitter::new(crate::registry::NetworkSettings::default())
}

/// What a request names itself by, once decoded.
fn basic(request: &Request) -> String {
    let header = request.headers.iter().find(|header| header.name == "authorization");
    let HeaderValue::Secret(value) = &header.unwrap().value else { panic!("it is a secret") };
    let encoded = value.expose_secret().strip_prefix("Basic ").unwrap();
    let bytes = base64::engine::general_purpose::STANDARD.decode(encoded).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn the_page_is_asked_for_with_scopes_state_and_a_challenge() {
    let input = AuthorizeInput {
        values: ConnectInput::default(),
        redirect_uri: "https://post.example/connect/twitter/callback".to_owned(),
        state: "st/ate".to_owned(),
        // Source: RFC 7636, appendix B.
        code_verifier: SecretString::from("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
    };
    let page = done(twitter().authorize(&input, &[]));
    assert_eq!(
        page.url,
        "https://x.com/i/oauth2/authorize?response_type=code&client_id=client-id&redirect_uri=https%3A%2F%2Fpost.example%2Fconnect%2Ftwitter%2Fcallback&scope=tweet.read%20tweet.write%20users.read%20offline.access%20media.write&state=st%2Fate&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
    );
    assert!(page.kept.0.is_empty());
    let error = without_client().authorize(&input, &[]).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
}

#[test]
fn a_code_becomes_an_account() {
    let (asked, accounts) = connected(&came_back(), &[token(), me()]);
    assert_eq!(basic(&asked[0]), "client-id:client-secret");
    assert_json_snapshot!(all_shown(&asked), @r#"
    [
      {
        "body": [
          "grant_type=authorization_code",
          "code=the-code",
          "redirect_uri=https://post.example/connect/twitter/callback",
          "code_verifier=the-verifier"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://api.x.com/2/oauth2/token",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://api.x.com/2/users/me?user.fields=name%2Cprofile_image_url%2Csubscription_type%2Cusername",
        "visible": false
      }
    ]
    "#);
    let [account] = <[Connected; 1]>::try_from(accounts.unwrap()).unwrap();
    assert_eq!(account.network_id, "2244994945");
    assert_eq!(account.username.as_deref(), Some("ana"));
    assert_eq!(account.display_name.as_deref(), Some("Ana Bell"));
    assert!(account.avatar_url.is_some());
    assert_eq!(account.lacks, Vec::<String>::new());
    assert_eq!(account.limits.takes_files, Some(true));
    assert_eq!(account.credentials.expires_at, Some(begun_at() + TimeDelta::hours(2)));
    let kept: Value = serde_json::from_str(account.credentials.expose()).unwrap();
    assert_eq!(
        kept,
        json!({
            "accessToken": "new-access",
            "refreshToken": "new-refresh",
            "scopes": [
                "tweet.read", "tweet.write", "users.read", "offline.access", "media.write",
            ],
        })
    );
}

#[test]
fn a_public_application_names_itself_in_the_form() {
    let public = with_client("");
    let (asked, _) = held(&[token(), me()], |answers| public.connect(&came_back(), answers));
    let asked = all_shown(&asked);
    assert_eq!(asked[0]["headers"], json!({}));
    assert_eq!(asked[0]["body"][4], "client_id=client-id");
}

#[test]
fn tokens_of_an_application_connect_without_the_page() {
    let tokens = input(&[
        ("accessToken", " given-access "),
        ("refreshToken", "given-refresh"),
        ("scope", "tweet.read users.read"),
    ]);
    let (asked, accounts) = held(&[me()], |answers| without_client().connect(&tokens, answers));
    assert_eq!(asked.len(), 1);
    let account = accounts.unwrap().remove(0);
    assert_eq!(account.lacks.len(), 3);
    assert_eq!(account.limits.takes_files, None, "media.write was not given");
    assert!(account.lacks[0].starts_with("It cannot publish"), "{:?}", account.lacks);
    assert_eq!(account.credentials.expires_at, None);
    let alone = input(&[("accessToken", "given-access")]);
    let account = connected(&alone, &[me()]).1.unwrap().remove(0);
    assert_eq!(account.lacks.len(), 1, "it cannot be renewed");
}

#[test]
fn an_operator_who_asks_for_no_files_lacks_none() {
    let scopes = ["tweet.read", "tweet.write", "users.read"].map(str::to_owned).to_vec();
    let settings = NetworkSettings { scopes: Some(scopes), ..NetworkSettings::default() };
    let given = [("accessToken", "a"), ("scope", "tweet.read tweet.write offline.access")];
    let network = Twitter::new(settings);
    let (_, accounts) = held(&[me()], |answers| network.connect(&input(&given), answers));
    assert_eq!(accounts.unwrap().remove(0).lacks, Vec::<String>::new());
}

#[test]
fn what_is_missing_or_wrong_is_told() {
    let oauth = |status, error: &str, description: &str| {
        answered(status, &json!({ "error": error, "error_description": description }))
    };
    let spent =
        oauth(400, "invalid_request", "Value passed for the authorization code was invalid.");
    let refused = problem(401, "", "Unauthorized", "Unauthorized");
    for (name, values, answers, want) in [
        ("nothing", vec![], vec![], "accessToken is missing"),
        ("no address", vec![("code", "c")], vec![], "redirectUri is missing."),
        ("no verifier", vec![("code", "c"), ("redirectUri", "u")], vec![], "codeVerifier is"),
        (
            "a spent code",
            vec![("code", "c"), ("redirectUri", "u"), ("codeVerifier", "v")],
            vec![spent],
            "X did not let us in",
        ),
        ("a wrong token", vec![("accessToken", "a")], vec![refused], "X did not let us in"),
    ] {
        let error = connected(&input(&values), &answers).1.unwrap_err();
        assert_eq!(error.kind, Kind::Permanent, "{name}");
        assert!(error.message.starts_with(want), "{name}: {error}");
    }
    let error = without_client().connect(&came_back(), &[]).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
    let unreadable = connected(&came_back(), &[token(), answered_text(200, "<html>")]).1;
    assert_eq!(unreadable.unwrap_err().kind, Kind::Temporary);
}

#[test]
fn a_refresh_gives_both_tokens_anew() {
    let account = twitter_job().account;
    let old = credentials(Some("old-refresh"));
    let (asked, renewed) = held(&[token()], |answers| twitter().refresh(&account, &old, answers));
    assert_eq!(basic(&asked[0]), "client-id:client-secret");
    assert_json_snapshot!(all_shown(&asked), @r#"
    [
      {
        "body": [
          "grant_type=refresh_token",
          "refresh_token=old-refresh"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://api.x.com/2/oauth2/token",
        "visible": false
      }
    ]
    "#);
    let renewed = renewed.unwrap();
    let kept: Value = serde_json::from_str(renewed.expose()).unwrap();
    assert_eq!(kept["accessToken"], "new-access");
    assert_eq!(kept["refreshToken"], "new-refresh");
    assert_eq!(renewed.expires_at, Some(begun_at() + TimeDelta::hours(2)));

    let short = json!({ "access_token": "a", "expires_in": 7_200 });
    let (_, renewed) =
        held(&[answered(200, &short)], |answers| twitter().refresh(&account, &old, answers));
    let renewed = renewed.unwrap();
    let kept: Value = serde_json::from_str(renewed.expose()).unwrap();
    assert_eq!(kept["refreshToken"], "old-refresh", "what the answer does not tell stays");
    assert_eq!(kept["scopes"][1], "tweet.write");
    assert_eq!(renewed.expires_at, None, "nobody says when it was given");
}

#[test]
fn a_refresh_that_is_refused() {
    let account = twitter_job().account;
    let old = credentials(Some("old-refresh"));
    let spent = json!({
        "error": "invalid_request",
        "error_description": "Value passed for the token was invalid.",
    });
    let operator = json!({
        "error": "unauthorized_client",
        "error_description": "Missing valid authorization header",
    });
    for (name, answer, want) in [
        ("spent", answered(400, &spent), Kind::Reconnect),
        ("a wrong secret", answered(401, &operator), Kind::Permanent),
        ("down", answered_text(500, ""), Kind::Temporary),
        ("unreadable", answered_text(200, "<html>"), Kind::Temporary),
    ] {
        let (_, renewed) = held(&[answer], |answers| twitter().refresh(&account, &old, answers));
        assert_eq!(renewed.unwrap_err().kind, want, "{name}");
    }
    let error = twitter().refresh(&account, &credentials(None), &[]).unwrap_err();
    assert_eq!(error.kind, Kind::Reconnect, "there is nothing to renew it with");
    let error = without_client().refresh(&account, &old, &[]).unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
}
