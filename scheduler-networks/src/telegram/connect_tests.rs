//! Connecting to Telegram as an exchange of values.

use insta::assert_json_snapshot;

use super::*;
use crate::conversation::shown;
use crate::telegram::testing::{moved, refused};
use crate::telegram::wire::PUBLIC_SERVER;
use crate::testing::{answered, answered_text};

const GET_ME: &str = include_str!("fixtures/get_me.json");
const CHANNEL: &str = include_str!("fixtures/channel.json");
const GROUP: &str = include_str!("fixtures/group.json");
const ADMINISTRATOR: &str = include_str!("fixtures/administrator.json");
const UPDATES_SEEN: &str = include_str!("fixtures/updates.json");
const TOKEN: &str = "4711:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_";

fn input(pairs: &[(&str, &str)]) -> ConnectInput {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(pairs.collect())
}

fn named(chat: &str) -> ConnectInput {
    input(&[("botToken", TOKEN), ("chatId", chat)])
}

fn coded(code: &str) -> ConnectInput {
    input(&[("botToken", TOKEN), ("connectCode", code)])
}

/// Holds the conversation with these answers; the requests that it made, and what came of it.
fn held(
    input: &ConnectInput,
    answers: &[Answer],
) -> (Vec<Request>, Result<Connected, NetworkError>) {
    let server = Endpoint::new(PUBLIC_SERVER.parse().unwrap());
    let mut asked = Vec::new();
    for given in 0..=answers.len() {
        match connect(&server, &AccountLimits::default(), input, &answers[..given]) {
            Ok(Turn::Send(request)) => asked.push(request),
            Ok(Turn::Done(mut connected)) => {
                assert_eq!(connected.len(), 1);
                return (asked, Ok(connected.remove(0)));
            }
            Err(error) => return (asked, Err(error)),
        }
    }
    panic!("wants more answers: {asked:?}")
}

fn ok(text: &str) -> Answer {
    answered_text(200, text)
}

fn result_of(result: Value) -> Answer {
    answered(200, &json!({ "ok": true, "result": result }))
}

#[test]
fn a_bot_in_a_channel_is_an_account() {
    let answers = [ok(GET_ME), ok(CHANNEL), ok(ADMINISTRATOR)];
    let (asked, connected) = held(&named("@acme"), &answers);
    let asked: Vec<Value> = asked
        .iter()
        .map(|request| {
            let shown = shown(request);
            assert_eq!(shown["visible"], false);
            let url = shown["request"].as_str().unwrap().replace(TOKEN, "TOKEN");
            json!([url, shown["body"]])
        })
        .collect();
    assert_json_snapshot!(asked, @r#"
    [
      [
        "POST https://api.telegram.org/botTOKEN/getMe",
        null
      ],
      [
        "POST https://api.telegram.org/botTOKEN/getChat",
        {
          "chat_id": "@acme"
        }
      ],
      [
        "POST https://api.telegram.org/botTOKEN/getChatMember",
        {
          "chat_id": -1001234567890,
          "user_id": 4711
        }
      ]
    ]
    "#);
    let connected = connected.unwrap();
    assert_eq!(connected.network_id, "4711/-1001234567890");
    assert_eq!(connected.username.as_deref(), Some("acme"));
    assert_eq!(connected.display_name.as_deref(), Some("Acme"));
    assert_eq!(connected.lacks, Vec::<String>::new());
    assert_eq!(connected.avatar_url, None, "its address would hold the token");
    assert_eq!(connected.credentials.expires_at, None);
    let kept: Value = serde_json::from_str(connected.credentials.expose()).unwrap();
    assert_eq!(kept, json!({ "botToken": TOKEN, "chatId": -1_001_234_567_890_i64 }));
}

#[test]
fn chats_as_people_type_them() {
    for (text, want) in [
        ("@acme", json!("@acme")),
        ("acme", json!("@acme")),
        ("https://t.me/acme", json!("@acme")),
        ("t.me/acme/55", json!("@acme")),
        ("http://t.me/acme_1", json!("@acme_1")),
        ("-1001234567890", json!(-1_001_234_567_890_i64)),
        ("-512345678", json!(-512_345_678)),
        ("99", json!(99)),
        ("https://t.me/c/1234567890/5", json!(-1_001_234_567_890_i64)),
        ("t.me/c/1234567890", json!(-1_001_234_567_890_i64)),
        ("t.me/c/x", Value::Null),
        ("t.me/c/99999999999999999999", Value::Null),
        ("https://t.me/+abcDEF", Value::Null),
        ("@", Value::Null),
        ("two words", Value::Null),
        ("../getMe", Value::Null),
    ] {
        assert_eq!(typed_chat(text).unwrap_or_default(), want, "{text}");
    }
}

#[test]
fn a_chat_without_a_name_is_found_by_its_code() {
    for (name, code, want) in [
        ("a channel", "7Q4K", Some(-1_001_112_223_334_i64)),
        ("a group, with the bot's name", "ABCD", Some(-512_345_678)),
        ("another code", "7Q4", None),
        ("nothing of it", "/connect", None),
    ] {
        let (asked, connected) =
            held(&coded(code), &[ok(GET_ME), ok(UPDATES_SEEN), ok(GROUP), ok(ADMINISTRATOR)]);
        let Body::Json(body) = &asked[1].body else { panic!("{name}: no JSON") };
        assert_eq!(
            *body,
            json!({
                "offset": -100, "limit": 100, "timeout": 0,
                "allowed_updates": ["message", "channel_post", "my_chat_member"],
            })
        );
        match want {
            Some(chat_id) => {
                let Body::Json(body) = &asked[2].body else { panic!("{name}: no JSON") };
                assert_eq!(*body, json!({ "chat_id": chat_id }), "{name}");
                assert!(connected.is_ok(), "{name}: {connected:?}");
            }
            None => {
                let error = connected.unwrap_err();
                assert!(error.message.contains(&format!("/connect {code}")), "{name}: {error}");
            }
        }
    }
}

#[test]
fn a_group_that_has_become_a_supergroup_is_connected_as_that() {
    let answers = [ok(GET_ME), moved(-1_001_234_567_890), ok(CHANNEL), ok(ADMINISTRATOR)];
    let (asked, connected) = held(&named("-512345678"), &answers);
    let Body::Json(body) = &asked[2].body else { panic!("no JSON") };
    assert_eq!(*body, json!({ "chat_id": -1_001_234_567_890_i64 }));
    assert_eq!(connected.unwrap().network_id, "4711/-1001234567890");
}

#[test]
fn what_the_bot_may_do_in_the_chat() {
    let chat = |kind: &str, permissions: Value| json!({ "id": -5, "type": kind, "title": "T", "permissions": permissions });
    let no_photos = json!({ "can_send_messages": true, "can_send_photos": false });
    let silent = json!({ "can_send_messages": false });
    for (name, chat, member, want) in [
        (
            "an administrator who posts",
            chat("channel", json!({})),
            json!({ "status": "administrator", "can_post_messages": true }),
            Some(0),
        ),
        (
            "an administrator who does not",
            chat("channel", json!({})),
            json!({ "status": "administrator", "can_post_messages": false }),
            None,
        ),
        ("a reader", chat("channel", json!({})), json!({ "status": "member" }), None),
        (
            "an administrator of a group",
            chat("supergroup", silent.clone()),
            json!({ "status": "administrator" }),
            Some(0),
        ),
        ("a creator", chat("group", json!({})), json!({ "status": "creator" }), Some(0)),
        ("a member", chat("supergroup", json!({})), json!({ "status": "member" }), Some(0)),
        (
            "a member where photos are not",
            chat("supergroup", no_photos.clone()),
            json!({ "status": "member" }),
            Some(1),
        ),
        ("a member of a silent group", chat("group", silent), json!({ "status": "member" }), None),
        (
            "restricted",
            chat("supergroup", json!({})),
            json!({ "status": "restricted", "can_send_messages": false }),
            None,
        ),
        (
            "a little restricted",
            chat("supergroup", json!({})),
            json!({
                "status": "restricted", "can_send_messages": true, "can_send_photos": false,
                "can_send_videos": false, "can_send_other_messages": false,
            }),
            Some(3),
        ),
        ("gone", chat("group", json!({})), json!({ "status": "left" }), None),
        ("thrown out", chat("group", json!({})), json!({ "status": "kicked" }), None),
        ("a person", chat("private", json!({})), json!({ "status": "member" }), Some(0)),
        ("something new", chat("group", json!({})), json!({ "status": "guest" }), None),
    ] {
        let answers = [ok(GET_ME), result_of(chat), result_of(member)];
        match (held(&named("-5"), &answers).1, want) {
            (Ok(connected), Some(count)) => assert_eq!(connected.lacks.len(), count, "{name}"),
            (Err(error), None) => assert_eq!(error.kind, NetworkErrorKind::Permanent, "{name}"),
            (other, _) => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn a_person_is_called_by_name() {
    let person = json!({ "id": 99, "type": "private", "first_name": "Ana", "username": "ana" });
    let answers = [ok(GET_ME), result_of(person), result_of(json!({ "status": "member" }))];
    let connected = held(&named("99"), &answers).1.unwrap();
    assert_eq!(connected.display_name.as_deref(), Some("Ana"));
    assert_eq!(connected.network_id, "4711/99");
}

#[test]
fn what_is_missing_or_wrong_is_said() {
    let permanent = NetworkErrorKind::Permanent;
    let temporary = NetworkErrorKind::Temporary;
    let unauthorized = refused(401, "Unauthorized");
    let conflict = "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";
    for (name, input, answers, kind, says) in [
        ("nothing", input(&[]), vec![], permanent, "botToken"),
        ("no chat", input(&[("botToken", TOKEN)]), vec![], permanent, "connectCode"),
        ("no token", input(&[("chatId", "@acme")]), vec![], permanent, "botToken"),
        (
            "not a token",
            input(&[("botToken", "4711/../x:y"), ("chatId", "@acme")]),
            vec![],
            permanent,
            "@BotFather",
        ),
        ("not a chat", named("a chat"), vec![], permanent, "chatId"),
        ("a wrong token", named("@acme"), vec![unauthorized], permanent, "@BotFather"),
        ("down", named("@acme"), vec![answered_text(502, "")], temporary, "failed"),
        (
            "an unknown chat",
            named("@acme"),
            vec![ok(GET_ME), refused(400, "Bad Request: chat not found")],
            permanent,
            "Add the bot",
        ),
        (
            "not a member",
            named("@acme"),
            vec![
                ok(GET_ME),
                ok(CHANNEL),
                refused(403, "Forbidden: bot is not a member of the channel chat"),
            ],
            permanent,
            "Add the bot",
        ),
        ("a webhook", coded("x"), vec![ok(GET_ME), refused(409, conflict)], temporary, "updates"),
        ("unreadable", named("@acme"), vec![ok("{}")], temporary, "did not answer"),
    ] {
        let error = held(&input, &answers).1.unwrap_err();
        assert_eq!(error.kind, kind, "{name}: {error}");
        assert!(error.message.contains(says), "{name}: {error}");
        assert!(!error.message.contains("AAHdq"), "{name}");
    }
}
