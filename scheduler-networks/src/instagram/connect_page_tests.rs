//! Connecting through Facebook Pages as an exchange of values.

use scheduler_core::account::Connection;
use scheduler_core::ports::NetworkErrorKind;
use secrecy::SecretString;
use serde_json::{Value, json};

use super::*;
use crate::conversation::{Conversation, shown};
use crate::instagram::Instagram;
use crate::instagram::testing::{asks, done, error};
use crate::registry::{Client, NetworkSettings};
use crate::testing::{answered, answered_text};

const ACCOUNTS: &str = include_str!("fixtures/accounts.json");

fn instagram() -> Instagram {
    let client = Client { id: "770".to_owned(), secret: SecretString::from("client-secret") };
    Instagram::new(NetworkSettings::default(), Some(client))
}

fn input(pairs: &[(&str, &str)]) -> ConnectInput {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(pairs.collect())
}

fn granted(scopes: &[&str]) -> Answer {
    let granted = scopes.iter().map(|scope| json!({ "permission": scope, "status": "granted" }));
    let declined = json!({ "permission": "email", "status": "declined" });
    answered(200, &json!({ "data": granted.chain([declined]).collect::<Vec<_>>() }))
}

#[test]
fn every_account_of_every_page_is_opened() {
    let given = input(&[
        ("connection", "via_page"),
        ("code", "code-1"),
        ("redirectUri", "https://s.example/connect/instagram/callback"),
    ]);
    let all: Vec<&str> = SCOPES.iter().map(|(scope, _)| *scope).collect();
    let pages: Value = serde_json::from_str(ACCOUNTS).unwrap();
    let owned = json!({ "data": [
        pages["data"][0],
        {
            "id": "302",
            "name": "Ticked by nobody",
            "access_token": "page-token-3",
            "instagram_business_account": { "id": "17841400000000003", "username": "cleo" },
        },
    ] });
    let answers = [
        answered(200, &json!({ "access_token": "short-token", "token_type": "bearer" })),
        answered(200, &json!({ "access_token": "user-token", "expires_in": 5_184_000 })),
        granted(&all),
        answered_text(200, ACCOUNTS),
        answered(200, &json!({ "data": [{ "id": "501", "name": "A business" }] })),
        answered(200, &owned),
        error(100, 0, "(#100) nonexisting field (client_pages)"),
    ];
    let requests: Vec<Value> = (0..answers.len())
        .map(|count| shown(&asks(instagram().connect(&given, &answers[..count]))))
        .collect();
    insta::assert_json_snapshot!(requests, @r#"
    [
      {
        "body": null,
        "headers": {},
        "request": "GET https://graph.facebook.com/v26.0/oauth/access_token?client_id=770&client_secret=client-secret&redirect_uri=https%3A%2F%2Fs.example%2Fconnect%2Finstagram%2Fcallback&code=code-1",
        "visible": false
      },
      {
        "body": null,
        "headers": {},
        "request": "GET https://graph.facebook.com/v26.0/oauth/access_token?grant_type=fb_exchange_token&client_id=770&client_secret=client-secret&fb_exchange_token=short-token",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/me/permissions",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/me/accounts?fields=access_token%2Cinstagram_business_account%7Bid%2Cusername%2Cname%2Cprofile_picture_url%7D&limit=100",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/me/businesses?fields=id&limit=100",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/501/owned_pages?fields=access_token%2Cinstagram_business_account%7Bid%2Cusername%2Cname%2Cprofile_picture_url%7D&limit=100",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/501/client_pages?fields=access_token%2Cinstagram_business_account%7Bid%2Cusername%2Cname%2Cprofile_picture_url%7D&limit=100",
        "visible": false
      }
    ]
    "#);
    let connected = done(instagram().connect(&given, &answers));
    let found: Vec<_> = connected
        .iter()
        .map(|account| (account.network_id.as_str(), account.username.as_deref()))
        .collect();
    assert_eq!(found, [("17841400000000001", Some("ana")), ("17841400000000003", Some("cleo"))]);
    let first = &connected[0];
    assert_eq!(first.connection, Some(Connection::ViaPage));
    assert_eq!(first.display_name.as_deref(), Some("Ana"));
    assert_eq!(first.lacks, Vec::<String>::new());
    assert_eq!(first.credentials.expires_at, None);
    let kept: Value = serde_json::from_str(first.credentials.expose()).unwrap();
    let want =
        json!({ "accessToken": "page-token-1", "userId": "17841400000000001", "way": "via_page" });
    assert_eq!(kept, want);
}

#[test]
fn a_token_of_the_person_opens_them_too_and_what_is_lacking_is_said() {
    let given = input(&[("connection", "via_page"), ("accessToken", "user-token")]);
    let scopes = granted(&["instagram_basic", "instagram_content_publish", "pages_show_list"]);
    let answers = [scopes, answered_text(200, ACCOUNTS)];
    let connected = done(instagram().connect(&given, &answers));
    assert_eq!(connected.len(), 1);
    assert_eq!(connected[0].lacks.len(), 5);
    assert!(connected[0].lacks.iter().any(|lack| lack.contains("taken down")));
}

#[test]
fn long_lists_of_pages_are_followed() {
    let given = input(&[("connection", "via_page"), ("accessToken", "user-token")]);
    let first = json!({
        "data": [],
        "paging": { "cursors": { "after": "QVF" }, "next": "https://graph.facebook.com/x" },
    });
    let answers = [granted(&["pages_show_list"]), answered(200, &first)];
    let request = asks(instagram().connect(&given, &answers));
    assert!(request.url.as_str().ends_with("&after=QVF"), "{}", request.url);
}

#[test]
fn what_keeps_all_accounts_out() {
    let given = input(&[("connection", "via_page"), ("accessToken", "user-token")]);
    let unlinked = json!({ "data": [{ "id": "301", "name": "A", "access_token": "t" }] });
    for (name, answers, want) in [
        ("no account", vec![granted(&[]), answered(200, &unlinked)], NetworkErrorKind::Permanent),
        ("token", vec![error(190, 0, "Bad token")], NetworkErrorKind::Permanent),
        ("pages", vec![granted(&[]), error(200, 0, "no")], NetworkErrorKind::Permanent),
        ("down", vec![granted(&[]), answered_text(500, "")], NetworkErrorKind::Temporary),
    ] {
        let error = instagram().connect(&given, &answers).unwrap_err();
        assert_eq!(error.kind, want, "{name}: {error}");
    }
}
