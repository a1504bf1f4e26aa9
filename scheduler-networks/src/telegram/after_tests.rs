//! What follows a publish to Telegram, as an exchange of values.

use chrono::TimeDelta;
use insta::assert_json_snapshot;
use scheduler_core::ports::{CommentAction, Metered, NetworkErrorKind, PublishJob};
use scheduler_core::target::Remote;

use super::*;
use crate::conversation::{AfterConversation, Request, shown};
use crate::settings::NetworkSettings;
use crate::telegram::Telegram;
use crate::telegram::testing::{CHAT_ID, moved, refused, telegram_job};
use crate::testing::{answered, answered_text, begun_at};
use NetworkErrorKind as Kind;

const MESSAGE: &str = include_str!("fixtures/message.json");

fn telegram() -> Telegram {
    Telegram::new(NetworkSettings::default())
}

fn access() -> Access {
    let PublishJob { account, credentials, now, .. } = telegram_job();
    Access { account, credentials, now, meter: Metered::free() }
}

/// A post of these messages, with so many files.
fn post(messages: &[i64], file_count: usize) -> LivePost {
    let record = Record { chat_id: CHAT_ID, message_ids: messages.to_vec() }.to_value();
    LivePost {
        target_id: telegram_job().target_id,
        remote: Remote { record, ..Remote::new(messages[0].to_string(), None) },
        content: "Hello".to_owned(),
        link_url: None,
        file_count,
        options: serde_json::Map::new(),
        published_at: begun_at(),
    }
}

fn said(text: &str) -> RemoteEdit {
    RemoteEdit { content: Some(text.to_owned()), title: None }
}

fn asks<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> Request {
    match turn {
        Ok(Turn::Send(request)) => request,
        other => panic!("no request: {other:?}"),
    }
}

fn done<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> Result<T, NetworkError> {
    match turn {
        Ok(Turn::Done(result)) => Ok(result),
        Ok(Turn::Send(request)) => panic!("asks: {request:?}"),
        Err(error) => Err(error),
    }
}

fn yes() -> Answer {
    answered(200, &json!({ "ok": true, "result": true }))
}

#[test]
fn a_text_and_a_caption_are_changed() {
    let text = asks(telegram().edit(&access(), &post(&[7], 0), &said(" New\ttext "), &[]));
    let album = asks(telegram().edit(&access(), &post(&[7, 8], 2), &said("New"), &[]));
    assert_json_snapshot!([shown(&text), shown(&album)], @r#"
    [
      {
        "body": {
          "chat_id": -1001234567890,
          "message_id": 7,
          "text": "New text"
        },
        "headers": {},
        "request": "POST https://api.telegram.org/bot4711:token/editMessageText",
        "visible": false
      },
      {
        "body": {
          "caption": "New",
          "chat_id": -1001234567890,
          "message_id": 7
        },
        "headers": {},
        "request": "POST https://api.telegram.org/bot4711:token/editMessageCaption",
        "visible": false
      }
    ]
    "#);
}

#[test]
fn a_new_text_takes_the_place_of_the_caption_and_keeps_the_link() {
    let mut post = post(&[7], 0);
    post.options.insert("caption".to_owned(), "Mine".into());
    post.link_url = Some("https://a.example/x".to_owned());
    let request = asks(telegram().edit(&access(), &post, &said("New"), &[]));
    let Body::Json(body) = request.body else { panic!("no JSON") };
    assert_eq!(body["text"], "New\nhttps://a.example/x");
}

#[test]
fn what_becomes_of_an_edit() {
    let unchanged = "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";
    for (name, answer, want) in [
        ("done", answered_text(200, MESSAGE), Ok(())),
        ("done, in few words", yes(), Ok(())),
        ("as it was", refused(400, unchanged), Ok(())),
        (
            "gone",
            refused(400, "Bad Request: message to edit not found"),
            Err((Kind::Permanent, FailureCode::NetworkRefused)),
        ),
        (
            "of another",
            refused(400, "Bad Request: message can't be edited"),
            Err((Kind::Permanent, FailureCode::NetworkRefused)),
        ),
        (
            "too long",
            refused(400, "Bad Request: message is too long"),
            Err((Kind::Permanent, FailureCode::ValidationFailed)),
        ),
        ("moved", moved(-1_009), Err((Kind::Permanent, FailureCode::Unsupported))),
        (
            "failed",
            refused(500, "Internal Server Error: restart"),
            Err((Kind::Temporary, FailureCode::NetworkError)),
        ),
        (
            "unreadable",
            answered_text(200, "<html>"),
            Err((Kind::Temporary, FailureCode::NetworkError)),
        ),
        (
            "revoked",
            refused(401, "Unauthorized"),
            Err((Kind::Reconnect, FailureCode::AccountNotConnected)),
        ),
    ] {
        let edited = done(telegram().edit(&access(), &post(&[7], 0), &said("New"), &[answer]));
        assert_eq!(edited.map_err(|error| (error.kind, error.code)), want, "{name}");
    }
    let title = RemoteEdit { content: None, title: Some("x".to_owned()) };
    let error = done(telegram().edit(&access(), &post(&[7], 0), &title, &[])).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported, "there are no titles");
}

#[test]
fn a_message_and_an_album_are_taken_down() {
    let one = asks(telegram().take_down(&access(), &post(&[7], 0), &[]));
    let album = asks(telegram().take_down(&access(), &post(&[7, 8], 2), &[]));
    assert_json_snapshot!([shown(&one), shown(&album)], @r#"
    [
      {
        "body": {
          "chat_id": -1001234567890,
          "message_id": 7
        },
        "headers": {},
        "request": "POST https://api.telegram.org/bot4711:token/deleteMessage",
        "visible": false
      },
      {
        "body": {
          "chat_id": -1001234567890,
          "message_ids": [
            7,
            8
          ]
        },
        "headers": {},
        "request": "POST https://api.telegram.org/bot4711:token/deleteMessages",
        "visible": false
      }
    ]
    "#);
}

#[test]
fn what_becomes_of_a_take_down() {
    for (name, answer, want) in [
        ("done", yes(), Ok(())),
        ("gone", refused(400, "Bad Request: message to delete not found"), Ok(())),
        (
            "too old, or not ours",
            refused(400, "Bad Request: message can't be deleted"),
            Err((Kind::Permanent, FailureCode::Unsupported)),
        ),
        ("moved", moved(-1_009), Err((Kind::Permanent, FailureCode::Unsupported))),
        (
            "not done",
            answered(200, &json!({ "ok": true, "result": false })),
            Err((Kind::Temporary, FailureCode::NetworkError)),
        ),
        ("failed", refused(502, "Bad Gateway"), Err((Kind::Temporary, FailureCode::NetworkError))),
    ] {
        let taken = done(telegram().take_down(&access(), &post(&[7], 0), &[answer]));
        assert_eq!(taken.map_err(|error| (error.kind, error.code)), want, "{name}");
    }
}

#[test]
fn a_post_can_be_taken_down_for_two_days() {
    for (name, age, want) in [
        ("new", TimeDelta::zero(), true),
        ("just within", TimeDelta::hours(48) - TimeDelta::seconds(1), true),
        ("too old", TimeDelta::hours(48), false),
    ] {
        for messages in [&[7][..], &[7, 8]] {
            let access = Access { now: begun_at() + age, ..access() };
            match telegram().take_down(&access, &post(messages, 2), &[]) {
                Ok(Turn::Send(_)) => assert!(want, "{name}"),
                Err(error) => {
                    assert!(!want, "{name}: {error}");
                    assert_eq!(error.code, FailureCode::Unsupported, "{name}");
                }
                other => panic!("{name}: {other:?}"),
            }
        }
    }
}

#[test]
fn members_are_counted_also_where_the_group_has_moved() {
    let first = asks(telegram().followers(&access(), &[]));
    assert_json_snapshot!(shown(&first), @r#"
    {
      "body": {
        "chat_id": -1001234567890
      },
      "headers": {},
      "request": "POST https://api.telegram.org/bot4711:token/getChatMemberCount",
      "visible": false
    }
    "#);
    let count = || answered(200, &json!({ "ok": true, "result": 42 }));
    assert_eq!(done(telegram().followers(&access(), &[count()])), Ok(Some(42)));
    let second = asks(telegram().followers(&access(), &[moved(-1_009)]));
    let Body::Json(body) = second.body else { panic!("no JSON") };
    assert_eq!(body, json!({ "chat_id": -1_009 }));
    assert_eq!(done(telegram().followers(&access(), &[moved(-1_009), count()])), Ok(Some(42)));
    for answers in [vec![answered_text(200, "x")], vec![moved(-1_009), moved(-1_010)]] {
        let error = done(telegram().followers(&access(), &answers)).unwrap_err();
        assert_eq!(error.kind, Kind::Temporary);
    }
}

#[test]
fn a_post_without_a_record_is_reached_by_its_id_and_one_without_an_id_is_not() {
    let mut post = post(&[7], 0);
    post.remote.record = Value::Null;
    let request = asks(telegram().take_down(&access(), &post, &[]));
    let Body::Json(body) = request.body else { panic!("no JSON") };
    assert_eq!(body, json!({ "chat_id": CHAT_ID, "message_id": 7 }));
    post.remote.id = "none".to_owned();
    let error = done(telegram().take_down(&access(), &post, &[])).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
}

#[test]
fn what_bots_cannot_do_is_not_offered() {
    let (telegram, access, post) = (telegram(), access(), post(&[7], 0));
    assert_eq!(done(telegram.comments(&access, &post, &[])), Ok(None));
    assert_eq!(done(telegram.insights(&access, &post, &[])), Ok(None));
    assert_eq!(done(telegram.mentions(&access, "ana", &[])), Ok(Vec::new()));
    let figures = telegram.figures(&access, std::slice::from_ref(&post), &[]).unwrap_err();
    let act = CommentAction::Reply("x".to_owned());
    let reply = telegram.act_on_comment(&access, &post, "1", &act, &[]).unwrap_err();
    for error in [figures, reply] {
        assert_eq!(error.code, FailureCode::Unsupported);
    }
}

#[test]
fn a_server_of_ones_own_takes_videos_as_large_as_the_operator_says() {
    let here: url::Url = "http://127.0.0.1:8081/".parse().unwrap();
    for (name, api_base, file_bytes_max, want) in [
        ("the public server", None, None, None),
        ("the public server, whatever is said", None, Some(2_000_000_000), None),
        ("one's own, of which nothing is said", Some(here.clone()), None, None),
        ("one's own", Some(here), Some(2_000_000_000), Some(2_000_000_000)),
    ] {
        let settings = NetworkSettings { api_base, file_bytes_max, ..NetworkSettings::default() };
        let telegram = Telegram::new(settings);
        assert!(matches!(telegram.limits(&access(), &[]), Ok(Turn::Send(_))), "{name}");
        for has_topics in [false, true] {
            let chat = json!({ "id": CHAT_ID, "type": "supergroup", "is_forum": has_topics });
            let answer = answered(200, &json!({ "ok": true, "result": chat }));
            let limits = telegram.limits(&access(), &[answer]);
            let Ok(Turn::Done(Some(limits))) = limits else { panic!("{name}: {limits:?}") };
            let found = (limits.max_video_bytes, limits.has_topics);
            assert_eq!(found, (want, Some(has_topics)), "{name}");
        }
    }
}

#[test]
fn an_edit_keeps_what_telegram_would_take_away() {
    let options = json!({
        "buttons": [[{ "text": "Go", "url": "https://a.example" }]],
        "linkPreview": false, "captionAbove": true, "silent": true,
    });
    let buttons = json!({ "inline_keyboard": [[{ "text": "Go", "url": "https://a.example" }]] });
    for (name, messages, files, want) in [
        (
            "a text",
            vec![7],
            0,
            json!({ "reply_markup": buttons, "link_preview_options": { "is_disabled": true } }),
        ),
        (
            "a file",
            vec![7],
            1,
            json!({ "reply_markup": buttons, "show_caption_above_media": true }),
        ),
        ("an album", vec![7, 8], 2, json!({ "show_caption_above_media": true })),
    ] {
        let options = options.as_object().unwrap().clone();
        let post = LivePost { options, ..post(&messages, files) };
        let Ok(Turn::Send(request)) = telegram().edit(&access(), &post, &said("After"), &[]) else {
            panic!("{name}: no request")
        };
        let Body::Json(mut body) = request.body else { panic!("{name}: no JSON") };
        for key in ["chat_id", "message_id", "text", "caption"] {
            body.as_object_mut().unwrap().remove(key);
        }
        assert_eq!(body, want, "{name}");
    }
    let poll = json!({ "poll": { "options": ["Tea", "Coffee"] } });
    let post = LivePost { options: poll.as_object().unwrap().clone(), ..post(&[7], 0) };
    let refused = telegram().edit(&access(), &post, &said("After"), &[]).unwrap_err();
    assert_eq!(refused.code, FailureCode::Unsupported, "{refused}");
}

#[test]
fn an_edit_reads_tags_as_the_post_did() {
    let options = json!({ "formatting": "html" }).as_object().unwrap().clone();
    for (files, text, form) in [(0, "text", "entities"), (1, "caption", "caption_entities")] {
        let post = LivePost { options: options.clone(), ..post(&[7], files) };
        let answer = telegram().edit(&access(), &post, &said("<i>After</i>"), &[]);
        let Ok(Turn::Send(request)) = answer else { panic!("no request") };
        let Body::Json(body) = request.body else { panic!("no JSON") };
        assert_eq!(body[text], "After");
        assert_eq!(body[form], json!([{ "type": "italic", "offset": 0, "length": 5 }]));
    }
}
