//! Connecting webhooks as an exchange of values.

use insta::assert_json_snapshot;
use serde_json::{Value, json};

use super::super::testing::{discord, held};
use super::*;
use crate::conversation::{Conversation, shown};
use crate::discord::Discord;
use crate::registry::NetworkSettings;
use crate::testing::{answered, answered_text};

const WEBHOOK: &str = include_str!("fixtures/webhook.json");
const ADDRESS: &str = "https://discord.com/api/webhooks/1300000000000000000/webhook-token";

fn input(pairs: &[(&str, &str)]) -> ConnectInput {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(pairs.collect())
}

/// The adapter of an operator with an application.
fn with_client() -> Discord {
    let client = Client { id: "42".to_owned(), secret: "client-secret".to_owned().into() };
    Discord::new(NetworkSettings { client: Some(client), ..NetworkSettings::default() })
}

fn came_back() -> ConnectInput {
    input(&[
        ("code", "the-code"),
        ("redirectUri", "https://s.example/connect/discord/callback"),
        ("codeVerifier", "v"),
    ])
}

#[test]
fn a_webhook_is_known_by_its_address() {
    let asks = |answers: &[Answer]| discord().connect(&input(&[("webhookUrl", ADDRESS)]), answers);
    let (asked, connected) = held(&[answered_text(200, WEBHOOK)], asks);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": null,
        "headers": {
          "user-agent": "DiscordBot (https://scheduler.example, 0.1.0)"
        },
        "request": "GET https://discord.com/api/v10/webhooks/1300000000000000000/webhook-token",
        "visible": false
      }
    ]
    "#);
    let connected = connected.unwrap().remove(0);
    assert_eq!(connected.network_id, "1300000000000000000");
    assert_eq!(connected.username.as_deref(), Some("News"));
    let avatar = "https://cdn.discordapp.com/avatars/1300000000000000000/689161dc90ac261d00f1608694ac6bfd.png";
    assert_eq!(connected.avatar_url.as_deref(), Some(avatar));
    let by_webhook = AccountLimits { posts_as_bot: Some(false), ..AccountLimits::default() };
    assert_eq!((connected.server_url, connected.limits), (None, by_webhook));
    assert_eq!(connected.credentials.expires_at, None);
    let kept: Value = serde_json::from_str(connected.credentials.expose()).unwrap();
    assert_json_snapshot!(kept, @r#"
    {
      "guildId": "1200000000000000000",
      "id": "1300000000000000000",
      "kind": "webhook",
      "token": "webhook-token"
    }
    "#);
}

#[test]
fn addresses_of_webhooks() {
    let own = Hosts::new(None, None);
    let other = Hosts::new(Some(Url::parse("http://127.0.0.1:9/discord").unwrap()), None);
    let (id, token) = ("1300000000000000000", "webhook-token");
    for (name, hosts, address, want) in [
        ("as copied", &own, ADDRESS.to_owned(), true),
        (
            "with a version",
            &own,
            format!("https://discord.com/api/v10/webhooks/{id}/{token}"),
            true,
        ),
        ("canary", &own, format!("https://canary.discord.com/api/webhooks/{id}/{token}"), true),
        ("ptb", &own, format!("https://ptb.discord.com/api/webhooks/{id}/{token}"), true),
        ("old", &own, format!("https://discordapp.com/api/webhooks/{id}/{token}"), true),
        ("query", &own, format!("{ADDRESS}?wait=true"), true),
        ("http", &own, format!("http://discord.com/api/webhooks/{id}/{token}"), false),
        ("another host", &own, format!("https://discord.example/api/webhooks/{id}/{token}"), false),
        (
            "a longer host",
            &own,
            format!("https://discord.com.a.example/api/webhooks/{id}/{token}"),
            false,
        ),
        ("a port", &own, format!("https://discord.com:8443/api/webhooks/{id}/{token}"), false),
        ("a user", &own, format!("https://a@discord.com/api/webhooks/{id}/{token}"), false),
        ("no token", &own, format!("https://discord.com/api/webhooks/{id}"), false),
        ("more behind it", &own, format!("{ADDRESS}/slack"), false),
        ("no id", &own, format!("https://discord.com/api/webhooks/me/{token}"), false),
        ("an odd token", &own, format!("https://discord.com/api/webhooks/{id}/a%20b"), false),
        (
            "an odd version",
            &own,
            format!("https://discord.com/api/vx/webhooks/{id}/{token}"),
            false,
        ),
        ("no address", &own, "webhook".to_owned(), false),
        ("loopback", &own, format!("http://127.0.0.1:9/discord/api/webhooks/{id}/{token}"), false),
        (
            "in Discord's place",
            &other,
            format!("http://127.0.0.1:9/discord/api/webhooks/{id}/{token}"),
            true,
        ),
        (
            "beside it",
            &other,
            format!("http://127.0.0.1:9/discordx/api/webhooks/{id}/{token}"),
            false,
        ),
        ("Discord itself", &other, ADDRESS.to_owned(), true),
    ] {
        let found = typed_webhook(hosts, &address);
        assert_eq!(found.is_some(), want, "{name}");
        if let Some(webhook) = found {
            assert_eq!((webhook.id.as_str(), webhook.token.expose_secret()), (id, token), "{name}");
        }
    }
}

#[test]
fn what_stands_in_discords_place_is_told() {
    let base = Url::parse("http://127.0.0.1:9/discord").unwrap();
    let adapter =
        Discord::new(NetworkSettings { api_base: Some(base), ..NetworkSettings::default() });
    let address = "http://127.0.0.1:9/discord/api/webhooks/1300000000000000000/webhook-token";
    let asks = |answers: &[Answer]| adapter.connect(&input(&[("webhookUrl", address)]), answers);
    let connected = held(&[answered_text(200, WEBHOOK)], asks).1.unwrap().remove(0);
    assert_eq!(connected.server_url.as_deref(), Some("http://127.0.0.1:9/discord"));
}

#[test]
fn a_person_says_whether_the_channel_is_a_forum() {
    for (given, want) in [
        ("", Ok(None)),
        ("true", Ok(Some(true))),
        ("yes", Ok(Some(true))),
        ("false", Ok(Some(false))),
        ("no", Ok(Some(false))),
        ("maybe", Err(())),
    ] {
        let values = input(&[("webhookUrl", ADDRESS), ("isForum", given)]);
        let asks = |answers: &[Answer]| discord().connect(&values, answers);
        let connected = held(&[answered_text(200, WEBHOOK)], asks).1;
        let is_forum = connected.map(|connected| connected[0].limits.is_forum);
        assert_eq!(is_forum.map_err(|_| ()), want, "{given}");
    }
}

#[test]
fn discords_own_page_makes_a_webhook() {
    let asked = AuthorizeInput {
        values: ConnectInput::default(),
        redirect_uri: "https://s.example/connect/discord/callback".to_owned(),
        state: "the state".to_owned(),
        code_verifier: "verifier".to_owned().into(),
    };
    let Ok(Turn::Done(page)) = with_client().authorize(&asked, &[]) else { panic!("no page") };
    assert_eq!(
        page.url,
        "https://discord.com/oauth2/authorize?response_type=code&client_id=42&scope=webhook.incoming&state=the+state&redirect_uri=https%3A%2F%2Fs.example%2Fconnect%2Fdiscord%2Fcallback"
    );
    assert!(page.kept.0.is_empty());
    let error = discord().authorize(&asked, &[]).unwrap_err();
    assert!(error.message.contains("discord_client_id"), "{error}");

    let webhook: Value = serde_json::from_str(WEBHOOK).unwrap();
    let grant = json!({
        "token_type": "Bearer",
        "access_token": "bearer",
        "expires_in": 604_800,
        "refresh_token": "refresh",
        "scope": "webhook.incoming",
        "webhook": webhook,
    });
    let values = came_back();
    let asks = |answers: &[Answer]| with_client().connect(&values, answers);
    let (asked, connected) = held(&[answered(200, &grant)], asks);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": [
          "grant_type=authorization_code",
          "code=the-code",
          "redirect_uri=https://s.example/connect/discord/callback"
        ],
        "headers": {
          "authorization": "[redacted]",
          "user-agent": "DiscordBot (https://scheduler.example, 0.1.0)"
        },
        "request": "POST https://discord.com/api/oauth2/token",
        "visible": false
      }
    ]
    "#);
    let connected = connected.unwrap();
    assert_eq!((connected.len(), connected[0].network_id.as_str()), (1, "1300000000000000000"));
    assert!(connected[0].credentials.expose().contains("webhook-token"));
    assert!(!connected[0].credentials.expose().contains("bearer"), "it is not needed any more");
}

#[test]
fn what_is_missing_or_wrong_is_said() {
    use NetworkErrorKind as Kind;
    let typed = || input(&[("webhookUrl", ADDRESS)]);
    let refused = |status, code: u64| answered(status, &json!({ "message": "No.", "code": code }));
    let oauth = |error: &str| answered(400, &json!({ "error": error }));
    let mut application: Value = serde_json::from_str(WEBHOOK).unwrap();
    application["type"] = 3.into();
    for (name, values, answers, kind, said) in [
        ("nothing", input(&[]), vec![], Kind::Permanent, "webhookUrl"),
        ("blank", input(&[("webhookUrl", "  ")]), vec![], Kind::Permanent, "botToken"),
        ("no address", input(&[("webhookUrl", "x")]), vec![], Kind::Permanent, "copy it"),
        ("deleted", typed(), vec![refused(404, 10_015)], Kind::Permanent, "make a new one"),
        ("wrong token", typed(), vec![refused(401, 50_027)], Kind::Permanent, "make a new one"),
        ("down", typed(), vec![answered_text(502, "")], Kind::Temporary, "failed"),
        ("limited", typed(), vec![refused(429, 0)], Kind::RateLimited { wait: None }, "no more"),
        ("a page", typed(), vec![answered_text(200, "<html>")], Kind::Temporary, "read"),
        (
            "of an application",
            typed(),
            vec![answered(200, &application)],
            Kind::Permanent,
            "takes no",
        ),
        ("used code", came_back(), vec![oauth("invalid_grant")], Kind::Permanent, "begin again"),
        (
            "wrong secret",
            came_back(),
            vec![oauth("invalid_client")],
            Kind::Permanent,
            "client_secret",
        ),
        ("no webhook", came_back(), vec![answered(200, &json!({}))], Kind::Permanent, "made no"),
        ("token trouble", came_back(), vec![answered_text(503, "")], Kind::Temporary, "failed"),
    ] {
        let asks = |answers: &[Answer]| with_client().connect(&values, answers);
        let error = held(&answers, asks).1.unwrap_err();
        assert_eq!(error.kind, kind, "{name}: {error}");
        assert!(error.message.contains(said), "{name}: {error}");
        assert!(!error.message.contains("webhook-token"), "{name}");
    }
    let Err(error) = discord().connect(&came_back(), &[]) else { panic!("without application") };
    assert!(error.message.contains("discord_client_id"), "{error}");
}

#[test]
fn the_request_that_exchanges_a_code_prints_no_secret() {
    let Ok(Turn::Send(request)) = with_client().connect(&came_back(), &[]) else {
        panic!("no request")
    };
    let printed = format!("{request:?} {}", shown(&request)["headers"]);
    assert!(!printed.contains("client-secret") && !printed.contains("the-code"), "{printed}");
}
