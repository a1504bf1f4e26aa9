//! Connecting as an exchange of values.

use scheduler_core::ports::NetworkErrorKind;
use serde_json::{Value, json};

use super::*;
use crate::conversation::{AfterConversation, Conversation, shown};
use crate::facebook::Facebook;
use crate::facebook::testing::{access, asks, done, error, ok};
use crate::registry::NetworkSettings;
use crate::testing::answered_text;

const ACCOUNTS: &str = include_str!("fixtures/accounts.json");

fn facebook() -> Facebook {
    let client = Client { id: "770".to_owned(), secret: SecretString::from("client-secret") };
    Facebook::new(NetworkSettings { client: Some(client), ..NetworkSettings::default() })
}

fn input(pairs: &[(&str, &str)]) -> ConnectInput {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(pairs.collect())
}

fn granted(scopes: &[&str]) -> Answer {
    let granted = scopes.iter().map(|scope| json!({ "permission": scope, "status": "granted" }));
    let declined = json!({ "permission": "email", "status": "declined" });
    ok(&json!({ "data": granted.chain([declined]).collect::<Vec<_>>() }))
}

fn person() -> Answer {
    ok(
        &json!({ "video_upload_limits": { "length": 14_460, "size": 10_737_418_240_u64 }, "id": "1" }),
    )
}

fn asked_on_page() -> AuthorizeInput {
    AuthorizeInput {
        values: ConnectInput::default(),
        redirect_uri: "https://s.example/connect/facebook/callback".to_owned(),
        state: "state-1".to_owned(),
        code_verifier: SecretString::from("v".repeat(43)),
    }
}

#[test]
fn a_person_lets_us_in_on_the_networks_page() {
    let authorization = done(facebook().authorize(&asked_on_page(), &[]));
    assert_eq!(
        authorization.url,
        "https://www.facebook.com/v26.0/dialog/oauth?client_id=770&redirect_uri=https%3A%2F%2Fs.example%2Fconnect%2Ffacebook%2Fcallback&response_type=code&scope=pages_show_list%2Cpages_read_engagement%2Cpages_manage_posts%2Cpages_manage_engagement%2Cpages_read_user_content%2Cread_insights%2Cbusiness_management&state=state-1&auth_type=rerequest"
    );
    let scopes = Some(vec!["pages_show_list".to_owned(), "pages_manage_posts".to_owned()]);
    let chosen = Facebook { scopes, ..facebook() };
    let url = done(chosen.authorize(&asked_on_page(), &[])).url;
    assert!(url.contains("scope=pages_show_list%2Cpages_manage_posts&"), "{url}");
    let without = Facebook::new(NetworkSettings::default());
    let refused = without.authorize(&asked_on_page(), &[]).unwrap_err();
    assert_eq!(refused.kind, NetworkErrorKind::Permanent);
}

#[test]
fn every_page_is_opened() {
    let given = input(&[
        ("code", "code-1"),
        ("redirectUri", "https://s.example/connect/facebook/callback"),
        ("codeVerifier", "v"),
    ]);
    let all: Vec<&str> = SCOPES.iter().map(|(scope, _)| *scope).collect();
    let pages: Value = serde_json::from_str(ACCOUNTS).unwrap();
    let owned = json!({ "data": [
        pages["data"][0],
        { "id": "1004", "name": "Ticked by nobody", "access_token": "page-token-4" },
    ] });
    let answers = [
        ok(&json!({ "access_token": "short-token", "token_type": "bearer", "expires_in": 5_000 })),
        ok(&json!({ "access_token": "user-token", "expires_in": 5_184_000 })),
        granted(&all),
        person(),
        answered_text(200, ACCOUNTS),
        ok(&json!({ "data": [{ "id": "501", "name": "A business" }] })),
        ok(&owned),
        error(100, 0, "(#100) nonexisting field (client_pages)"),
    ];
    let requests: Vec<Value> = (0..answers.len())
        .map(|count| shown(&asks(facebook().connect(&given, &answers[..count]))))
        .collect();
    insta::assert_json_snapshot!(requests, @r#"
    [
      {
        "body": null,
        "headers": {},
        "request": "GET https://graph.facebook.com/v26.0/oauth/access_token?client_id=770&client_secret=client-secret&redirect_uri=https%3A%2F%2Fs.example%2Fconnect%2Ffacebook%2Fcallback&code=code-1",
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
        "request": "GET https://graph.facebook.com/v26.0/me/permissions?appsecret_proof=a64f31a4cce4daf5fd2300cf093229c23aa74c7d6c333b0fa511aaeedc24c62a",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/me?fields=video_upload_limits&appsecret_proof=a64f31a4cce4daf5fd2300cf093229c23aa74c7d6c333b0fa511aaeedc24c62a",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/me/accounts?fields=id%2Cname%2Cusername%2Caccess_token%2Ctasks%2Cpicture%7Burl%7D&limit=100&appsecret_proof=a64f31a4cce4daf5fd2300cf093229c23aa74c7d6c333b0fa511aaeedc24c62a",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/me/businesses?fields=id&limit=100&appsecret_proof=a64f31a4cce4daf5fd2300cf093229c23aa74c7d6c333b0fa511aaeedc24c62a",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/501/owned_pages?fields=id%2Cname%2Cusername%2Caccess_token%2Ctasks%2Cpicture%7Burl%7D&limit=100&appsecret_proof=a64f31a4cce4daf5fd2300cf093229c23aa74c7d6c333b0fa511aaeedc24c62a",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/501/client_pages?fields=id%2Cname%2Cusername%2Caccess_token%2Ctasks%2Cpicture%7Burl%7D&limit=100&appsecret_proof=a64f31a4cce4daf5fd2300cf093229c23aa74c7d6c333b0fa511aaeedc24c62a",
        "visible": false
      }
    ]
    "#);
    let connected = done(facebook().connect(&given, &answers));
    let found: Vec<_> = connected
        .iter()
        .map(|account| (account.network_id.as_str(), account.lacks.len()))
        .collect();
    assert_eq!(found, [("1001", 0), ("1002", 2), ("1004", 0)]);
    let first = &connected[0];
    assert_eq!(first.username.as_deref(), Some("anaspage"));
    assert_eq!(first.display_name.as_deref(), Some("Ana's Page"));
    assert_eq!(first.avatar_url.as_deref(), Some("https://scontent.example/ana.jpg"));
    assert_eq!(first.credentials.expires_at, None);
    assert_eq!(first.limits.max_video_bytes, Some(10_737_418_240));
    assert_eq!(first.limits.max_video_duration_seconds, Some(14_460.0));
    let kept: Value = serde_json::from_str(first.credentials.expose()).unwrap();
    // HMAC-SHA256 of `page-token-1` with `client-secret`.
    let proof = "d8a29b1333faced88d638d63af5fae3762ee9e4aefe8b610efa853cb4714ef82";
    let want = json!({ "accessToken": "page-token-1", "pageId": "1001", "proof": proof });
    assert_eq!(kept, want);

    // Every later call of the Page carries it.
    let mut access = access();
    access.credentials = first.credentials.clone();
    let request = asks(facebook().followers(&access, &[]));
    let want = format!("&appsecret_proof={proof}");
    assert!(request.url.as_str().ends_with(&want), "{}", request.url);
}

#[test]
fn a_token_of_the_person_opens_them_too_and_what_is_lacking_is_said() {
    let given = input(&[("accessToken", "user-token")]);
    let scopes = granted(&["pages_show_list", "pages_manage_posts"]);
    let answers = [scopes, error(100, 0, "no field"), answered_text(200, ACCOUNTS)];
    let connected = done(facebook().connect(&given, &answers));
    assert_eq!(connected.len(), 2);
    assert_eq!(connected[0].lacks.len(), 5);
    assert_eq!(connected[0].limits, AccountLimits::default());
    assert!(connected[0].lacks.iter().any(|lack| lack.contains("read_insights")));
    assert!(connected[1].lacks.iter().any(|lack| lack.contains("role on the Page")));
}

#[test]
fn long_lists_of_pages_are_followed() {
    let given = input(&[("accessToken", "user-token")]);
    let first = json!({
        "data": [],
        "paging": { "cursors": { "after": "QVF" }, "next": "https://graph.facebook.com/x" },
    });
    let answers = [granted(&["pages_show_list"]), person(), ok(&first)];
    let request = asks(facebook().connect(&given, &answers));
    assert!(request.url.as_str().ends_with("&after=QVF"), "{}", request.url);
}

#[test]
fn what_keeps_all_pages_out() {
    let given = input(&[("accessToken", "user-token")]);
    let no_token = json!({ "data": [{ "id": "1003", "name": "A" }] });
    for (name, answers, want) in [
        ("no page", vec![granted(&[]), person(), ok(&no_token)], NetworkErrorKind::Permanent),
        ("token", vec![error(190, 0, "Bad token")], NetworkErrorKind::Permanent),
        ("pages", vec![granted(&[]), person(), error(200, 0, "no")], NetworkErrorKind::Permanent),
        ("down", vec![answered_text(500, "")], NetworkErrorKind::Temporary),
    ] {
        let failed = facebook().connect(&given, &answers).unwrap_err();
        assert_eq!(failed.kind, want, "{name}: {failed}");
    }
    let code = input(&[("code", "code-1"), ("redirectUri", "https://s.example/")]);
    let used = error(100, 36_009, "This authorization code has been used.");
    let failed = facebook().connect(&code, &[used]).unwrap_err();
    assert_eq!(failed.kind, NetworkErrorKind::Permanent);
    assert!(failed.message.contains("has been used"), "{failed}");
    for wrong in [input(&[]), input(&[("code", "x")])] {
        assert!(facebook().connect(&wrong, &[]).is_err());
    }
}

#[test]
fn a_pages_token_stays_as_it_is() {
    let access = access();
    let same = done(facebook().refresh(&access.account, &access.credentials, &[]));
    assert_eq!(same.expose(), access.credentials.expose());
    let broken = Credentials::new("{}".to_owned(), None);
    let failed = facebook().refresh(&access.account, &broken, &[]).unwrap_err();
    assert_eq!(failed.kind, NetworkErrorKind::Reconnect);
}
