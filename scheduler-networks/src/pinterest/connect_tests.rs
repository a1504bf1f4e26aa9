//! Connecting and refreshing as exchanges of values.

use chrono::TimeDelta;
use insta::assert_json_snapshot;
use scheduler_core::account::Credentials;
use scheduler_core::ports::AuthorizeInput;
use scheduler_core::ports::NetworkErrorKind as Kind;
use secrecy::SecretString;
use serde_json::{Value, json};

use super::*;
use crate::conversation::Conversation as _;
use crate::pinterest::Pinterest;
use crate::pinterest::testing::{fault, held, ok, pinterest, pinterest_job};
use crate::registry::NetworkSettings;
use crate::testing::{answered_text, begun_at, with_header};

const TOKEN: &str = include_str!("fixtures/token.json");
const USER: &str = include_str!("fixtures/user_account.json");

fn input(pairs: &[(&str, &str)]) -> ConnectInput {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(pairs.collect())
}

fn page() -> ConnectInput {
    input(&[("code", "the-code"), ("redirectUri", "https://app.example/back")])
}

fn dated(answer: Answer) -> Answer {
    with_header(answer, "date", &begun_at().to_rfc2822())
}

fn kept(connected: &Connected) -> Value {
    serde_json::from_str(connected.credentials.expose()).unwrap()
}

#[test]
fn the_page_is_asked_for_everything_that_is_used() {
    let input = AuthorizeInput {
        values: ConnectInput::default(),
        redirect_uri: "https://app.example/back?x=1".to_owned(),
        state: "state&1".to_owned(),
        code_verifier: SecretString::from("v".repeat(43)),
    };
    let Ok(Turn::Done(authorization)) = pinterest().authorize(&input, &[]) else { panic!() };
    assert_eq!(
        authorization.url,
        "https://www.pinterest.com/oauth/?client_id=client-id&redirect_uri=https%3A%2F%2Fapp.example%2Fback%3Fx%3D1&response_type=code&scope=boards%3Aread%2Cboards%3Awrite%2Cpins%3Aread%2Cpins%3Awrite%2Cuser_accounts%3Aread&state=state%261"
    );
    let settings = NetworkSettings::default();
    let error = Pinterest::new(settings).authorize(&input, &[]).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
}

#[test]
fn a_code_opens_the_account() {
    let (asked, connected) =
        held(&[dated(ok(TOKEN)), ok(USER)], |answers| pinterest().connect(&page(), answers));
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": [
          "grant_type=authorization_code",
          "code=the-code",
          "redirect_uri=https://app.example/back",
          "continuous_refresh=true"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://api.pinterest.com/v5/oauth/token",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://api.pinterest.com/v5/user_account",
        "visible": false
      }
    ]
    "#);
    let connected = connected.unwrap().remove(0);
    assert_eq!(connected.network_id, "2783136121146311751");
    assert_eq!(connected.username.as_deref(), Some("ana"));
    assert_eq!(connected.display_name.as_deref(), Some("Ana's Kitchen"));
    assert!(connected.avatar_url.is_some());
    assert_eq!(connected.lacks, Vec::<String>::new());
    assert_eq!(connected.credentials.expires_at, Some(begun_at() + TimeDelta::days(20)));
    let kept = kept(&connected);
    assert_eq!(
        (&kept["accessToken"], &kept["refreshToken"]),
        (&json!("pina_access"), &json!("pinr_refresh"))
    );
    assert!(!format!("{connected:?}").contains("pina_"));
}

#[test]
fn the_application_proves_itself_by_its_secret() {
    use crate::conversation::HeaderValue;
    use secrecy::ExposeSecret as _;
    let Ok(Turn::Send(request)) = pinterest().connect(&page(), &[]) else { panic!() };
    let HeaderValue::Secret(value) = &request.headers[0].value else { panic!("shown") };
    // client-id:client-secret
    assert_eq!(value.expose_secret(), "Basic Y2xpZW50LWlkOmNsaWVudC1zZWNyZXQ=");
}

#[test]
fn a_token_that_a_person_has_made_opens_the_account() {
    let given = input(&[
        ("accessToken", " pina_own "),
        ("refreshToken", "pinr_own"),
        ("scope", "pins:read, pins:write"),
    ]);
    let settings = NetworkSettings::default();
    let (asked, connected) =
        held(&[ok(USER)], |answers| Pinterest::new(settings.clone()).connect(&given, answers));
    assert_eq!(asked.len(), 1);
    let connected = connected.unwrap().remove(0);
    assert_eq!(
        kept(&connected),
        json!({
            "accessToken": "pina_own",
            "refreshToken": "pinr_own",
            "scopes": ["pins:read", "pins:write"],
        })
    );
    assert_eq!(connected.lacks.len(), 3, "{:?}", connected.lacks);
    assert!(connected.lacks[1].starts_with("It cannot publish"));
    let given = input(&[("accessToken", "pina_own")]);
    let (_, connected) = held(&[ok(USER)], |answers| pinterest().connect(&given, answers));
    assert_eq!(connected.unwrap()[0].lacks, Vec::<String>::new(), "nobody knows");
}

#[test]
fn a_personal_account_is_told_what_it_may_lack() {
    let mut user: Value = serde_json::from_str(USER).unwrap();
    user["account_type"] = json!("PINNER");
    user["business_name"] = json!("");
    let given = input(&[("accessToken", "pina_own")]);
    let answers = [crate::testing::answered(200, &user)];
    let (_, connected) = held(&answers, |answers| pinterest().connect(&given, answers));
    let connected = connected.unwrap().remove(0);
    assert!(connected.lacks[0].contains("business account"));
    assert_eq!(connected.display_name, None);
}

#[test]
fn every_way_an_account_is_not_opened() {
    for (name, given, answers, want) in [
        ("nothing", input(&[]), vec![], Kind::Permanent),
        ("no address", input(&[("code", "x")]), vec![], Kind::Permanent),
        ("wrong code", page(), vec![fault(400, 1, "Invalid code")], Kind::Permanent),
        ("wrong secret", page(), vec![fault(401, 2, "Authentication failed.")], Kind::Permanent),
        ("down", page(), vec![answered_text(503, "")], Kind::Temporary),
        ("no token", page(), vec![answered_text(200, "{}")], Kind::Temporary),
        (
            "wrong token",
            input(&[("accessToken", "x")]),
            vec![fault(401, 2, "Authentication failed.")],
            Kind::Permanent,
        ),
        ("nobody", input(&[("accessToken", "x")]), vec![answered_text(200, "{}")], Kind::Temporary),
    ] {
        let (_, connected) = held(&answers, |answers| pinterest().connect(&given, answers));
        assert_eq!(connected.unwrap_err().kind, want, "{name}");
    }
    let none = Pinterest::new(NetworkSettings::default());
    let error = none.connect(&page(), &[]).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
}

#[test]
fn a_refresh_gives_both_tokens_anew() {
    let job = pinterest_job();
    let refresh = |answers: &[Answer]| {
        held(answers, |answers| pinterest().refresh(&job.account, &job.credentials, answers))
    };
    let (asked, credentials) = refresh(&[dated(ok(TOKEN))]);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": [
          "grant_type=refresh_token",
          "refresh_token=refresh-token"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://api.pinterest.com/v5/oauth/token",
        "visible": false
      }
    ]
    "#);
    let credentials = credentials.unwrap();
    let kept: Value = serde_json::from_str(credentials.expose()).unwrap();
    assert_eq!(kept["accessToken"], "pina_access");
    assert_eq!(kept["refreshToken"], "pinr_refresh");
    assert_eq!(credentials.expires_at, Some(begun_at() + TimeDelta::days(20)));

    for (name, answer, want) in [
        ("refused", fault(401, 2, "Authentication failed."), Kind::Reconnect),
        ("used up", fault(400, 1, "Invalid refresh token"), Kind::Reconnect),
        ("down", answered_text(500, ""), Kind::Temporary),
        ("a page", answered_text(401, "<html>"), Kind::Temporary),
        ("nothing", answered_text(200, ""), Kind::Temporary),
    ] {
        assert_eq!(refresh(&[answer]).1.unwrap_err().kind, want, "{name}");
    }
    let alone = json!({ "accessToken": "x", "refreshToken": null, "scopes": null });
    let alone = Credentials::new(alone.to_string(), None);
    let error = pinterest().refresh(&job.account, &alone, &[]).unwrap_err();
    assert_eq!(error.kind, Kind::Reconnect);
    let unreadable = Credentials::new("x".to_owned(), None);
    let error = pinterest().refresh(&job.account, &unreadable, &[]).unwrap_err();
    assert_eq!(error.kind, Kind::Reconnect);
}
