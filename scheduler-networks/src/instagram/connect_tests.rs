//! Connecting by Instagram's own login as an exchange of values.

use scheduler_core::account::Connection;
use scheduler_core::ports::NetworkErrorKind;
use serde_json::{Value, json};

use super::*;
use crate::conversation::{Conversation, shown};
use crate::instagram::Instagram;
use crate::instagram::testing::{asks, done, error, instagram, job};
use crate::registry::NetworkSettings;
use crate::testing::{answered, answered_text, with_header};

const ME: &str = include_str!("fixtures/me.json");

fn client(id: &str) -> Client {
    Client { id: id.to_owned(), secret: SecretString::from("client-secret") }
}

fn with_apps() -> Instagram {
    let settings = NetworkSettings { client: Some(client("990")), ..NetworkSettings::default() };
    Instagram::new(settings, Some(client("770")))
}

pub(super) fn input(pairs: &[(&str, &str)]) -> ConnectInput {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(pairs.collect())
}

fn asked_for(connection: &str) -> AuthorizeInput {
    AuthorizeInput {
        values: input(&[("connection", connection)]),
        redirect_uri: "https://s.example/connect/instagram/callback".to_owned(),
        state: "state-1".to_owned(),
        code_verifier: SecretString::from("verifier"),
    }
}

fn came_back() -> ConnectInput {
    input(&[
        ("connection", "direct"),
        ("code", "AQBx-hBsH3#_"),
        ("redirectUri", "https://s.example/connect/instagram/callback"),
        ("codeVerifier", "verifier"),
    ])
}

#[test]
fn the_pages_of_both_logins() {
    let mut pages = Vec::new();
    for connection in ["", "direct", "via_page"] {
        let page = done(with_apps().authorize(&asked_for(connection), &[]));
        pages.push(json!([page.url, page.kept.value("connection")]));
    }
    insta::assert_json_snapshot!(pages, @r#"
    [
      [
        "https://www.instagram.com/oauth/authorize?client_id=990&redirect_uri=https%3A%2F%2Fs.example%2Fconnect%2Finstagram%2Fcallback&response_type=code&scope=instagram_business_basic%2Cinstagram_business_content_publish%2Cinstagram_business_manage_comments%2Cinstagram_business_manage_insights&state=state-1",
        "direct"
      ],
      [
        "https://www.instagram.com/oauth/authorize?client_id=990&redirect_uri=https%3A%2F%2Fs.example%2Fconnect%2Finstagram%2Fcallback&response_type=code&scope=instagram_business_basic%2Cinstagram_business_content_publish%2Cinstagram_business_manage_comments%2Cinstagram_business_manage_insights&state=state-1",
        "direct"
      ],
      [
        "https://www.facebook.com/v26.0/dialog/oauth?client_id=770&redirect_uri=https%3A%2F%2Fs.example%2Fconnect%2Finstagram%2Fcallback&response_type=code&scope=instagram_basic%2Cinstagram_content_publish%2Cinstagram_manage_comments%2Cinstagram_manage_insights%2Cinstagram_manage_contents%2Cpages_show_list%2Cpages_read_engagement%2Cbusiness_management&state=state-1",
        "via_page"
      ]
    ]
    "#);
    for (name, adapter, connection) in [
        ("no app", instagram(), "direct"),
        ("no app of Facebook", instagram(), "via_page"),
        ("unknown", with_apps(), "both"),
    ] {
        let error = adapter.authorize(&asked_for(connection), &[]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::Permanent, "{name}");
    }
    let chosen = |scopes: &[&str], connection: &str| {
        let scopes = Some(scopes.iter().map(|scope| (*scope).to_owned()).collect());
        let settings =
            NetworkSettings { client: Some(client("990")), scopes, ..Default::default() };
        let page = done(Instagram::new(settings, None).authorize(&asked_for(connection), &[]));
        assert!(page.url.contains("client_id=990"), "{}", page.url);
        page.url.split_once("&scope=").unwrap().1.split('&').next().unwrap().to_owned()
    };
    let (direct, via_page) = ("instagram_business_basic", "instagram_basic");
    for (name, scopes, connection, want) in [
        ("of each", &[direct, via_page][..], "direct", direct),
        ("of each", &[direct, via_page], "via_page", via_page),
        ("of this login", &[via_page], "via_page", via_page),
    ] {
        assert_eq!(chosen(scopes, connection), want, "{name} {connection}");
    }
    // Facebook's login would refuse names of Instagram's, and the other way round.
    assert!(chosen(&[direct], "via_page").starts_with("instagram_basic%2C"));
    assert!(chosen(&[via_page], "direct").starts_with("instagram_business_basic%2C"));
}

#[test]
fn a_code_becomes_a_token_for_sixty_days_and_an_account() {
    let permissions = "instagram_business_basic,instagram_business_content_publish,instagram_business_manage_insights";
    let short = json!({ "data": [{
        "access_token": "short-token",
        "user_id": "17841400000000001",
        "permissions": permissions,
    }] });
    let long =
        json!({ "access_token": "long-token", "token_type": "bearer", "expires_in": 5_184_000 });
    let long = with_header(answered(200, &long), "date", "Fri, 20 Nov 2026 10:00:00 GMT");
    let answers = [answered(200, &short), long, answered_text(200, ME)];
    let requests: Vec<Value> = (0..answers.len())
        .map(|given| shown(&asks(with_apps().connect(&came_back(), &answers[..given]))))
        .collect();
    insta::assert_json_snapshot!(requests, @r#"
    [
      {
        "body": [
          "client_id=990",
          "client_secret=client-secret",
          "grant_type=authorization_code",
          "redirect_uri=https://s.example/connect/instagram/callback",
          "code=AQBx-hBsH3"
        ],
        "headers": {},
        "request": "POST https://api.instagram.com/oauth/access_token",
        "visible": false
      },
      {
        "body": null,
        "headers": {},
        "request": "GET https://graph.instagram.com/access_token?grant_type=ig_exchange_token&client_secret=client-secret&access_token=short-token",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.instagram.com/v26.0/me?fields=user_id%2Cusername%2Cname%2Caccount_type%2Cprofile_picture_url",
        "visible": false
      }
    ]
    "#);
    let connected = done(with_apps().connect(&came_back(), &answers)).remove(0);
    assert_eq!(connected.network_id, "17841400000000001");
    assert_eq!(connected.username.as_deref(), Some("ana"));
    assert_eq!(connected.display_name.as_deref(), Some("Ana"));
    assert_eq!(connected.connection, Some(Connection::Direct));
    assert_eq!(connected.lacks.len(), 1);
    assert!(connected.lacks[0].contains("instagram_business_manage_comments"));
    let untold = answered(200, &json!({ "access_token": "short-token", "user_id": 1 }));
    let answers_untold = [untold, answers[1].clone(), answers[2].clone()];
    let connected_untold = done(with_apps().connect(&came_back(), &answers_untold)).remove(0);
    assert_eq!(connected_untold.lacks, Vec::<String>::new());
    // Half of the 60 days.
    let renewal = "2026-12-20T10:00:00Z".parse().unwrap();
    assert_eq!(connected.credentials.expires_at, Some(renewal));
    let kept: Value = serde_json::from_str(connected.credentials.expose()).unwrap();
    let want =
        json!({ "accessToken": "long-token", "userId": "17841400000000001", "way": "direct" });
    assert_eq!(kept, want);
    assert!(!format!("{connected:?}").contains("token\""));
}

#[test]
fn an_account_is_opened_by_a_token_too() {
    let input = input(&[("accessToken", " token ")]);
    let request = asks(instagram().connect(&input, &[]));
    assert!(request.url.as_str().starts_with("https://graph.instagram.com/v26.0/me?fields="));
    let connected = done(instagram().connect(&input, &[answered_text(200, ME)])).remove(0);
    assert_eq!((connected.lacks.len(), connected.credentials.expires_at), (0, None));
}

#[test]
fn what_keeps_an_account_out() {
    let personal = json!({ "user_id": 1, "username": "ana", "account_type": "PERSONAL" });
    let refused = json!({
        "error_type": "OAuthException",
        "code": 400,
        "error_message": "This authorization code has been used",
    });
    let token = input(&[("accessToken", "token")]);
    for (name, input, answers, want, words) in [
        (
            "personal",
            &token,
            vec![answered(200, &personal)],
            NetworkErrorKind::Permanent,
            "creator",
        ),
        (
            "token",
            &token,
            vec![error(190, 0, "Bad token")],
            NetworkErrorKind::Permanent,
            "Bad token",
        ),
        ("down", &token, vec![answered_text(500, "")], NetworkErrorKind::Temporary, "failed"),
        ("a page", &token, vec![answered_text(200, "")], NetworkErrorKind::Temporary, "read"),
        (
            "code",
            &came_back(),
            vec![answered(400, &refused)],
            NetworkErrorKind::Permanent,
            "code has been used",
        ),
        ("nothing", &input(&[]), vec![], NetworkErrorKind::Permanent, "redirectUri"),
    ] {
        let error = with_apps().connect(input, &answers).unwrap_err();
        assert_eq!(error.kind, want, "{name}: {error}");
        assert!(error.message.contains(words), "{name}: {error}");
    }
}

#[test]
fn tokens_of_its_own_login_are_renewed() {
    let job = job(Way::Direct);
    let refresh = |answers: &[Answer]| with_apps().refresh(&job.account, &job.credentials, answers);
    insta::assert_json_snapshot!(shown(&asks(refresh(&[]))), @r#"
    {
      "body": null,
      "headers": {},
      "request": "GET https://graph.instagram.com/refresh_access_token?grant_type=ig_refresh_token&access_token=access-token",
      "visible": false
    }
    "#);
    let new =
        json!({ "access_token": "new-token", "token_type": "bearer", "expires_in": 5_184_000 });
    let new = with_header(answered(200, &new), "date", "Fri, 20 Nov 2026 10:00:00 GMT");
    let credentials = done(refresh(&[new]));
    let kept: Value = serde_json::from_str(credentials.expose()).unwrap();
    assert_eq!((&kept["accessToken"], &kept["way"]), (&json!("new-token"), &json!("direct")));
    assert_eq!(credentials.expires_at, Some("2026-12-20T10:00:00Z".parse().unwrap()));
    for (name, answer, want) in [
        ("expired", error(190, 463, "expired"), NetworkErrorKind::Reconnect),
        ("too young", error(100, 0, "too young"), NetworkErrorKind::Temporary),
        ("down", answered_text(500, ""), NetworkErrorKind::Temporary),
        ("nothing", answered_text(200, "{}"), NetworkErrorKind::Temporary),
    ] {
        assert_eq!(refresh(&[answer]).unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn tokens_of_a_page_stay_as_they_are() {
    let job = job(Way::ViaPage);
    let same = done(with_apps().refresh(&job.account, &job.credentials, &[]));
    assert_eq!(same.expose(), job.credentials.expose());
}

#[test]
fn an_account_that_cannot_be_read_has_to_be_connected_again() {
    let job = job(Way::Direct);
    for kept in ["", "{}", r#"{"accessToken":"t","userId":"1","way":"other"}"#] {
        let credentials = Credentials::new(kept.to_owned(), None);
        let error = instagram().refresh(&job.account, &credentials, &[]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::Reconnect);
    }
}
