//! Connecting to LinkedIn as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::account::Credentials;
use scheduler_core::ports::{Authorization, AuthorizeInput};
use scheduler_core::ports::{ConnectInput, NetworkErrorKind};
use secrecy::SecretString;
use serde_json::{Value, json};

use super::*;
use crate::conversation::Conversation;
use crate::linkedin::LinkedIn;
use crate::linkedin::testing::{
    EVERYTHING, SELF_SERVE, addresses, all_shown, denied, done, held, linkedin,
};
use crate::registry::NetworkSettings;
use crate::testing::{answered, answered_text, with_header};

fn input(pairs: &[(&str, &str)]) -> ConnectInput {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(pairs.collect())
}

fn with_code() -> ConnectInput {
    input(&[
        ("code", "the-code"),
        ("redirectUri", "https://s.example/connect/linkedin"),
        ("codeVerifier", "unused"),
    ])
}

fn token(scope: &str, refresh: Option<&str>) -> Answer {
    let body = json!({
        "access_token": "new-access",
        "expires_in": 5_184_000,
        "refresh_token": refresh,
        "refresh_token_expires_in": 31_536_000,
        "scope": scope,
    });
    with_header(answered(200, &body), "date", "Fri, 20 Nov 2026 10:00:00 GMT")
}

fn user() -> Answer {
    answered(
        200,
        &json!({ "sub": "8675309", "name": "Ana Bell", "picture": "https://media.example/p.jpg" }),
    )
}

fn roles() -> Answer {
    answered(
        200,
        &json!({ "elements": [
            { "role": "ADMINISTRATOR", "state": "APPROVED", "organization": "urn:li:organization:5515715" },
            { "role": "ADMINISTRATOR", "state": "APPROVED", "organization": "urn:li:organization:2414183" },
            { "role": "ADMINISTRATOR", "state": "APPROVED", "organization": "urn:li:organizationBrand:1" },
        ] }),
    )
}

fn names() -> Answer {
    answered(
        200,
        &json!({ "results": {
            "5515715": { "id": 5_515_715, "localizedName": "Acme", "vanityName": "acme" },
        }, "statuses": {}, "errors": {} }),
    )
}

fn connected(
    input: &ConnectInput,
    answers: &[Answer],
) -> (Vec<Request>, Result<Vec<Connected>, NetworkError>) {
    held(answers, |answers| linkedin().connect(input, answers))
}

#[test]
fn the_page_asks_for_what_every_application_gets() {
    let input = AuthorizeInput {
        values: ConnectInput::default(),
        redirect_uri: "https://s.example/connect/linkedin".to_owned(),
        state: "a state".to_owned(),
        code_verifier: SecretString::from("verifier"),
    };
    let Authorization { url, kept } = done(linkedin().authorize(&input, &[]));
    assert_eq!(
        url,
        "https://www.linkedin.com/oauth/v2/authorization?response_type=code&client_id=client-id&redirect_uri=https%3A%2F%2Fs.example%2Fconnect%2Flinkedin&state=a+state&scope=openid+profile+w_member_social"
    );
    assert!(kept.0.is_empty());
    let chosen = LinkedIn::new(NetworkSettings {
        client: linkedin().client,
        scopes: Some(vec!["rw_organization_admin".to_owned()]),
        ..NetworkSettings::default()
    });
    let url = done(chosen.authorize(&input, &[])).url;
    assert!(url.ends_with("&scope=rw_organization_admin"), "{url}");
    let none = LinkedIn::new(NetworkSettings::default());
    let error = none.authorize(&input, &[]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent);
}

#[test]
fn a_code_opens_a_member_and_every_page() {
    let answers = [token(EVERYTHING, Some("new-refresh")), user(), roles(), names()];
    let (asked, accounts) = connected(&with_code(), &answers);
    assert_json_snapshot!(all_shown(&asked), @r#"
    [
      {
        "body": [
          "grant_type=authorization_code",
          "code=the-code",
          "redirect_uri=https://s.example/connect/linkedin",
          "client_id=client-id",
          "client_secret=client-secret"
        ],
        "headers": {},
        "request": "POST https://www.linkedin.com/oauth/v2/accessToken",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://api.linkedin.com/v2/userinfo",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]",
          "linkedin-version": "202607",
          "x-restli-protocol-version": "2.0.0"
        },
        "request": "GET https://api.linkedin.com/rest/organizationAcls?q=roleAssignee&role=ADMINISTRATOR&state=APPROVED&count=100",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]",
          "linkedin-version": "202607",
          "x-restli-protocol-version": "2.0.0"
        },
        "request": "GET https://api.linkedin.com/rest/organizations?ids=List(2414183,5515715)",
        "visible": false
      }
    ]
    "#);
    let accounts = accounts.unwrap();
    let shown: Vec<_> = accounts
        .iter()
        .map(|account| (account.network_id.as_str(), account.display_name.as_deref()))
        .collect();
    assert_eq!(
        shown,
        [
            ("urn:li:person:8675309", Some("Ana Bell")),
            ("urn:li:organization:2414183", None),
            ("urn:li:organization:5515715", Some("Acme")),
        ]
    );
    for account in &accounts {
        assert_eq!(account.lacks, Vec::<String>::new(), "{}", account.network_id);
        assert_eq!(account.limits.may_comment, Some(true), "{}", account.network_id);
        let is_page = account.network_id.starts_with("urn:li:organization:");
        assert_eq!(account.limits.is_page, Some(is_page), "{}", account.network_id);
        let expires_at = account.credentials.expires_at.unwrap();
        assert_eq!(expires_at.to_rfc3339(), "2027-01-19T10:00:00+00:00");
    }
    let kept: Value = serde_json::from_str(accounts[0].credentials.expose()).unwrap();
    assert_eq!(
        (&kept["accessToken"], &kept["refreshToken"]),
        (&json!("new-access"), &json!("new-refresh"))
    );
}

#[test]
fn what_was_not_allowed_is_told() {
    let (asked, accounts) = connected(&with_code(), &[token(SELF_SERVE, None), user()]);
    assert_eq!(asked.len(), 2, "pages are not asked for");
    let accounts = accounts.unwrap();
    let lacks = &accounts[0].lacks;
    assert_eq!(lacks.len(), 4, "{lacks:?}");
    assert!(lacks[0].contains("the permission w_member_social_feed"), "{lacks:?}");
    assert!(lacks[1..].iter().all(|lack| lack.contains("the permission r_member")), "{lacks:?}");
    assert_eq!(accounts[0].limits.may_comment, Some(false), "so a first comment is warned of");
    let scope = "rw_organization_admin r_organization_social";
    let (_, pages) = connected(&with_code(), &[token(scope, None), roles(), denied()]);
    let pages = pages.unwrap();
    assert_eq!(pages.len(), 2, "names are not needed");
    assert_eq!(pages[0].lacks.len(), 2);
    assert_eq!(pages[0].limits.may_comment, Some(false));
    assert!(pages[0].lacks[0].contains("w_organization_social"), "{:?}", pages[0].lacks);
}

#[test]
fn a_token_that_a_person_has_made_is_taken() {
    let typed = input(&[("accessToken", " typed "), ("scope", SELF_SERVE)]);
    let (asked, accounts) = connected(&typed, &[user()]);
    assert_eq!(addresses(&asked), ["GET https://api.linkedin.com/v2/userinfo"]);
    let accounts = accounts.unwrap();
    assert_eq!(accounts[0].credentials.expires_at, None);
    let unknown = input(&[("accessToken", "typed")]);
    let (asked, accounts) = connected(&unknown, &[user(), denied()]);
    assert_eq!(asked.len(), 2, "what is not known is tried");
    let accounts = accounts.unwrap();
    assert_eq!((accounts.len(), accounts[0].lacks.len()), (1, 0));
    assert_eq!(accounts[0].limits.may_comment, None, "and not warned of");
}

#[test]
fn what_is_missing_or_wrong_is_said() {
    let code = with_code();
    let typed = input(&[("accessToken", "typed")]);
    let oauth = |error: &str| answered(400, &json!({ "error": error, "error_description": "No." }));
    let unauthorized = || answered(401, &json!({ "status": 401, "code": "INVALID_ACCESS_TOKEN" }));
    let permanent = NetworkErrorKind::Permanent;
    let temporary = NetworkErrorKind::Temporary;
    for (name, input, answers, kind, said) in [
        ("nothing", &input(&[]), vec![], permanent, "accessToken"),
        ("no address", &input(&[("code", "c")]), vec![], permanent, "redirectUri"),
        ("an old code", &code, vec![oauth("invalid_grant")], permanent, "Connect once more"),
        ("a wrong secret", &code, vec![oauth("invalid_client")], permanent, "operator"),
        ("down", &code, vec![answered_text(503, "")], temporary, "failed"),
        ("a page", &code, vec![answered_text(200, "<html>")], temporary, "read"),
        ("a wrong token", &typed, vec![unauthorized()], permanent, "does not accept"),
        ("nothing is opened", &typed, vec![denied(), denied()], permanent, "opens no member"),
    ] {
        let error = connected(input, &answers).1.unwrap_err();
        assert_eq!(error.kind, kind, "{name}: {error}");
        assert!(error.message.contains(said), "{name}: {error}");
    }
}

fn refreshed(
    secret: &Value,
    answers: &[Answer],
) -> (Vec<Request>, Result<Credentials, NetworkError>) {
    let account = crate::testing::bluesky_job().account;
    let old = Credentials::new(secret.to_string(), None);
    held(answers, |answers| linkedin().refresh(&account, &old, answers))
}

#[test]
fn a_refresh_keeps_what_the_answer_does_not_tell() {
    let old = json!({ "accessToken": "a", "refreshToken": "r", "scopes": ["openid"] });
    let bare = answered(200, &json!({ "access_token": "b", "expires_in": 60 }));
    let (asked, credentials) = refreshed(&old, &[bare]);
    assert_json_snapshot!(all_shown(&asked), @r#"
    [
      {
        "body": [
          "grant_type=refresh_token",
          "refresh_token=r",
          "client_id=client-id",
          "client_secret=client-secret"
        ],
        "headers": {},
        "request": "POST https://www.linkedin.com/oauth/v2/accessToken",
        "visible": false
      }
    ]
    "#);
    let credentials = credentials.unwrap();
    let kept: Value = serde_json::from_str(credentials.expose()).unwrap();
    assert_eq!(kept, json!({ "accessToken": "b", "refreshToken": "r", "scopes": ["openid"] }));
    assert_eq!(credentials.expires_at, None, "the server told no time");
    let credentials = refreshed(&old, &[token("openid,profile", Some("s"))]).1.unwrap();
    let kept: Value = serde_json::from_str(credentials.expose()).unwrap();
    assert_eq!(
        kept,
        json!({ "accessToken": "new-access", "refreshToken": "s", "scopes": ["openid", "profile"] })
    );
    assert!(credentials.expires_at.is_some());
}

#[test]
fn only_a_definite_refusal_asks_for_a_new_connection() {
    let old = json!({ "accessToken": "a", "refreshToken": "r", "scopes": null });
    let without = json!({ "accessToken": "a", "refreshToken": null, "scopes": null });
    let oauth = |error: &str| answered(400, &json!({ "error": error, "error_description": "No." }));
    for (name, secret, answers, want) in [
        ("nothing to refresh with", &without, vec![], NetworkErrorKind::Reconnect),
        ("refused", &old, vec![oauth("invalid_grant")], NetworkErrorKind::Reconnect),
        ("down", &old, vec![answered_text(500, "")], NetworkErrorKind::Temporary),
        ("unreadable", &old, vec![answered_text(200, "")], NetworkErrorKind::Temporary),
        ("application", &old, vec![oauth("invalid_client")], NetworkErrorKind::Permanent),
    ] {
        assert_eq!(refreshed(secret, &answers).1.unwrap_err().kind, want, "{name}");
    }
    let none = LinkedIn::new(NetworkSettings::default());
    let account = crate::testing::bluesky_job().account;
    let error = none.refresh(&account, &Credentials::new(old.to_string(), None), &[]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent);
    let error = refreshed(&json!("x"), &[]).1.unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Reconnect);
}
