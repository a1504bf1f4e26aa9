//! Connecting on the page of a server, as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::Connected;
use serde_json::json;
use url::Url;

use super::*;
use crate::conversation::shown;
use crate::mastodon::connect::connect;
use crate::testing::{answered, answered_text};

const BACK: &str = "https://s.example/connect/mastodon/callback";

fn values(pairs: &[(&str, &str)]) -> ConnectInput {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(pairs.collect())
}

/// The verifier and the challenge of RFC 7636, appendix B.
fn input() -> AuthorizeInput {
    AuthorizeInput {
        values: values(&[("instance", "m.example")]),
        redirect_uri: BACK.into(),
        state: "the-state".into(),
        code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".to_owned().into(),
    }
}

fn registered() -> Answer {
    answered(200, &json!({ "id": "1", "client_id": "id", "client_secret": "secret" }))
}

#[test]
fn the_page_is_made_of_a_registered_application() {
    let guard = Guard::new(false);
    let Ok(Turn::Send(request)) = authorize(None, &guard, &input(), &[]) else { panic!() };
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": [
        "client_name=scheduler",
        "redirect_uris=https://s.example/connect/mastodon/callback",
        "scopes=read:accounts read:search read:statuses write:favourites write:media write:statuses"
      ],
      "headers": {},
      "request": "POST https://m.example/api/v1/apps",
      "visible": false
    }
    "#);
    let Ok(Turn::Done(page)) = authorize(None, &guard, &input(), &[registered()]) else { panic!() };
    let url = Url::parse(&page.url).unwrap();
    assert_eq!(url.as_str().split('?').next(), Some("https://m.example/oauth/authorize"));
    let pairs: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
    assert_json_snapshot!(pairs, @r#"
    {
      "client_id": "id",
      "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      "code_challenge_method": "S256",
      "redirect_uri": "https://s.example/connect/mastodon/callback",
      "response_type": "code",
      "scope": "read:accounts read:search read:statuses write:favourites write:media write:statuses",
      "state": "the-state"
    }
    "#);
    assert_eq!(page.kept.value("clientSecret"), Some("secret"));
    assert!(!format!("{page:?}").contains("secret\""), "{page:?}");
}

#[test]
fn the_code_becomes_the_token_of_the_account() {
    let came_back = values(&[
        ("instance", "m.example"),
        ("clientId", "id"),
        ("clientSecret", "secret"),
        ("code", "the-code"),
        ("redirectUri", BACK),
        ("codeVerifier", "verifier"),
    ]);
    let answers = [
        answered(200, &json!({ "access_token": "token", "scope": SCOPES })),
        answered_text(200, include_str!("fixtures/instance_v2.json")),
        answered_text(200, include_str!("fixtures/account.json")),
        answered(200, &json!({ "name": "scheduler" })),
    ];
    let turn = |given: usize| connect(None, &Guard::new(false), &came_back, &answers[..given]);
    let Ok(Turn::Send(request)) = turn(0) else { panic!() };
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": [
        "grant_type=authorization_code",
        "code=the-code",
        "client_id=id",
        "client_secret=secret",
        "redirect_uri=https://s.example/connect/mastodon/callback",
        "code_verifier=verifier"
      ],
      "headers": {},
      "request": "POST https://m.example/oauth/token",
      "visible": false
    }
    "#);
    for given in 1..4 {
        assert!(matches!(turn(given), Ok(Turn::Send(_))), "{given}");
    }
    let Ok(Turn::Done(opened)) = turn(4) else { panic!() };
    let opened: &Connected = &opened[0];
    let kept: serde_json::Value = serde_json::from_str(opened.credentials.expose()).unwrap();
    assert_eq!(kept["accessToken"], "token");
}

#[test]
fn refusals_say_what_to_do() {
    let denied = || answered(400, &json!({ "error": "invalid_grant" }));
    let error = token(&Endpoint::new(Url::parse("https://m.example").unwrap()), &denied());
    let error = error.unwrap_err();
    assert!(!matches!(error.kind, NetworkErrorKind::Reconnect), "{error:?}");
    let nowhere = AuthorizeInput { values: ConnectInput::default(), ..input() };
    let error = authorize(None, &Guard::new(false), &nowhere, &[]).unwrap_err();
    assert!(error.message.contains("instance is missing"), "{error:?}");
}
