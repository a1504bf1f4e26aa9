//! Publishing to Telegram as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::Located;
use scheduler_core::target::FailureCode;

use super::*;
use crate::conversation::{Conversation, Part, shown};
use crate::settings::NetworkSettings;
use crate::telegram::Telegram;
use crate::telegram::testing::{CHAT_ID, moved, refused, telegram_job};
use crate::testing::files::{with_file, with_images};
use crate::testing::{answered, answered_text, with_header, with_options};

pub(super) const MESSAGE: &str = include_str!("fixtures/message.json");
const ALBUM: &str = include_str!("fixtures/album.json");

pub(super) fn telegram() -> Telegram {
    Telegram::new(NetworkSettings::default())
}

/// The request of the first turn.
pub(super) fn asks(job: &PublishJob) -> Request {
    asks_at(job, &telegram().begin(job))
}

pub(super) fn asks_at(job: &PublishJob, progress: &Value) -> Request {
    match telegram().advance(job, progress, &[]) {
        Ok(Turn::Send(request)) => request,
        other => panic!("no request: {other:?}"),
    }
}

/// What comes of the first step, with an answer.
pub(super) fn step(job: &PublishJob, answer: Answer) -> Result<Step, NetworkError> {
    match telegram().advance(job, &telegram().begin(job), &[answer])? {
        Turn::Done(step) => Ok(step),
        Turn::Send(request) => panic!("asks again: {request:?}"),
    }
}

fn remote(step: Result<Step, NetworkError>) -> Option<Remote> {
    match step {
        Ok(Step::Live(Live { remote, then: None })) => remote,
        other => panic!("not live: {other:?}"),
    }
}

pub(super) fn video(job: PublishJob) -> PublishJob {
    let mut job = with_file(job, "video/mp4", "");
    let facts = &mut job.files.last_mut().unwrap().facts;
    (facts.width, facts.height, facts.duration_seconds) = (Some(1_280), Some(720), Some(12.4));
    job
}

#[test]
fn a_text_is_one_message() {
    let request = asks(&telegram_job());
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": {
        "chat_id": -1001234567890,
        "text": "Hello #rust"
      },
      "headers": {},
      "request": "POST https://api.telegram.org/bot4711:token/sendMessage",
      "visible": true
    }
    "#);
}

#[test]
fn a_photo_has_its_caption() {
    let request = asks(&with_images(telegram_job(), 1));
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": [
        {
          "name": "chat_id",
          "text": "-1001234567890"
        },
        {
          "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/png, as it came",
          "fileName": "00000000-0000-0000-0000-000000000010",
          "name": "photo"
        },
        {
          "name": "caption",
          "text": "Hello #rust"
        }
      ],
      "headers": {},
      "request": "POST https://api.telegram.org/bot4711:token/sendPhoto",
      "visible": true
    }
    "#);
}

#[test]
fn an_animation_alone_is_one() {
    let request = asks(&with_file(telegram_job(), "image/gif", ""));
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": [
        {
          "name": "chat_id",
          "text": "-1001234567890"
        },
        {
          "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/gif, as it came",
          "fileName": "00000000-0000-0000-0000-000000000010",
          "name": "animation"
        },
        {
          "name": "caption",
          "text": "Hello #rust"
        }
      ],
      "headers": {},
      "request": "POST https://api.telegram.org/bot4711:token/sendAnimation",
      "visible": true
    }
    "#);
}

#[test]
fn a_video_is_sent_with_its_figures() {
    let request = asks(&video(telegram_job()));
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": [
        {
          "name": "chat_id",
          "text": "-1001234567890"
        },
        {
          "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came",
          "fileName": "00000000-0000-0000-0000-000000000010",
          "name": "video"
        },
        {
          "name": "caption",
          "text": "Hello #rust"
        },
        {
          "name": "width",
          "text": "1280"
        },
        {
          "name": "height",
          "text": "720"
        },
        {
          "name": "duration",
          "text": "12"
        },
        {
          "name": "supports_streaming",
          "text": "true"
        }
      ],
      "headers": {},
      "request": "POST https://api.telegram.org/bot4711:token/sendVideo",
      "visible": true
    }
    "#);
}

/// The list of an album, the files of its form, and its method.
fn album(job: &PublishJob) -> (Value, Vec<(String, String)>, String) {
    let request = asks(job);
    let shown = shown(&request);
    let parts = shown["body"].as_array().unwrap();
    assert_eq!(parts[0]["text"], CHAT_ID.to_string());
    assert_eq!(parts[1]["name"], "media");
    let media = serde_json::from_str(parts[1]["text"].as_str().unwrap()).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let files = parts[2..].iter().map(|part| {
        let file = text(&part["file"]);
        (text(&part["name"]), file.split_once(", ").unwrap().1.to_owned())
    });
    (media, files.collect(), text(&shown["request"]))
}

#[test]
fn several_files_are_an_album_with_one_caption() {
    let job = PublishJob { content: "Our text".to_owned(), ..telegram_job() };
    let job = video(with_file(job, "image/jpeg", ""));
    let (media, files, request) = album(&job);
    assert_json_snapshot!(media, @r#"
    [
      {
        "caption": "Our text",
        "media": "attach://f0",
        "type": "photo"
      },
      {
        "duration": 12,
        "height": 720,
        "media": "attach://f1",
        "supports_streaming": true,
        "type": "video",
        "width": 1280
      }
    ]
    "#);
    let file = |name: &str, shown: &str| (name.to_owned(), shown.to_owned());
    let want = [file("f0", "image/jpeg, as it came"), file("f1", "video/mp4, as it came")];
    assert_eq!(files, want);
    assert_eq!(request, "POST https://api.telegram.org/bot4711:token/sendMediaGroup");
    assert_eq!(album(&with_images(job, 8)).1.len(), 10);
}

#[test]
fn documents_go_under_their_names_and_with_nothing_that_only_pictures_have() {
    let options = json!({ "spoilerMedia": true, "captionAbove": true });
    let mut job = with_options(with_file(telegram_job(), "application/pdf", ""), options);
    job.files[0].file_name = Some("Our year.pdf".to_owned());
    let request = asks(&job);
    assert!(request.url.as_str().ends_with("/sendDocument"), "{}", request.url);
    let parts = shown(&request)["body"].clone();
    let names: Vec<&str> =
        parts.as_array().unwrap().iter().map(|part| part["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["chat_id", "document", "caption"]);
    assert_eq!(parts[1]["fileName"], "Our_year");
    let (media, _, _) = album(&with_file(job, "application/pdf", ""));
    assert_eq!(
        media,
        json!([
            { "type": "document", "media": "attach://f0", "caption": "Hello #rust" },
            { "type": "document", "media": "attach://f1" },
        ])
    );
}

#[test]
fn an_animation_in_an_album_is_a_still_picture() {
    let job = with_images(with_file(telegram_job(), "image/gif", ""), 1);
    let (media, files, _) = album(&job);
    assert_eq!(media[0]["type"], "photo");
    assert_eq!(files[0].1, "image/gif, telegram-still");
    assert_eq!(files[1].1, "image/png, as it came");
}

#[test]
fn what_is_not_known_or_empty_is_left_out() {
    let mut job = with_options(telegram_job(), json!({ "caption": " \n" }));
    job = with_file(job, "video/mp4", "");
    let facts = &mut job.files[0].facts;
    (facts.width, facts.height, facts.duration_seconds) = (None, Some(0), Some(0.3));
    let names = |job: &PublishJob| -> Vec<String> {
        let Body::Multipart(parts) = asks(job).body else { panic!("no form") };
        parts.into_iter().map(|part| part.name).collect()
    };
    assert_eq!(names(&job), ["chat_id", "video", "supports_streaming"]);
    let (media, _, _) = album(&with_images(job, 1));
    assert_eq!(
        media[0],
        json!({ "type": "video", "media": "attach://f0", "supports_streaming": true })
    );
}

#[test]
fn the_text_is_as_the_rules_have_counted_it() {
    let options = json!({ "caption": " two\tspaces\r\n A\u{30a} " });
    let mut job = with_options(telegram_job(), options);
    job.link_url = Some("https://a.example/x".to_owned());
    let Body::Json(body) = asks(&job).body else { panic!("no JSON") };
    assert_eq!(body["text"], "two spaces\n A \nhttps://a.example/x");
    let Body::Multipart(parts) = asks(&with_images(job, 1)).body else { panic!("no form") };
    assert!(parts[2] == FormPart::text("caption", "two spaces\n A \nhttps://a.example/x"));
}

#[test]
fn a_server_of_ones_own_is_asked_instead() {
    let own = Telegram::new(NetworkSettings {
        api_base: Some("http://127.0.0.1:8081/x/".parse().unwrap()),
        ..NetworkSettings::default()
    });
    let job = telegram_job();
    let Ok(Turn::Send(request)) = own.advance(&job, &own.begin(&job), &[]) else {
        panic!("no request")
    };
    assert_eq!(request.url.as_str(), "http://127.0.0.1:8081/x/bot4711:token/sendMessage");
}

#[test]
fn a_message_and_an_album_are_live() {
    let remote_of = |job: &PublishJob, text: &str| remote(step(job, answered_text(200, text)));
    let url = Some("https://t.me/acme/4711".to_owned());
    let record = |ids: Value| json!({ "chatId": CHAT_ID, "messageIds": ids });
    let message = remote_of(&telegram_job(), MESSAGE).unwrap();
    assert_eq!(
        message,
        Remote { record: record(json!([4711])), ..Remote::new("4711", url.clone()) }
    );
    let album = remote_of(&with_images(telegram_job(), 2), ALBUM).unwrap();
    assert_eq!(album, Remote { record: record(json!([4711, 4712])), ..Remote::new("4711", url) });
}

fn message(id: i64, chat: &Value) -> Value {
    json!({ "message_id": id, "date": 1_795_168_800, "chat": chat })
}

#[test]
fn links_to_every_kind_of_chat() {
    for (name, chat, want) in [
        (
            "public channel",
            json!({ "id": CHAT_ID, "type": "channel", "username": "acme" }),
            Some("https://t.me/acme/5"),
        ),
        (
            "private channel",
            json!({ "id": CHAT_ID, "type": "channel" }),
            Some("https://t.me/c/1234567890/5"),
        ),
        (
            "public supergroup",
            json!({ "id": CHAT_ID, "type": "supergroup", "username": "acme" }),
            Some("https://t.me/acme/5"),
        ),
        (
            "private supergroup",
            json!({ "id": CHAT_ID, "type": "supergroup" }),
            Some("https://t.me/c/1234567890/5"),
        ),
        ("group", json!({ "id": -512, "type": "group", "title": "x" }), None),
        ("a person", json!({ "id": 99, "type": "private", "username": "ana" }), None),
        ("a kind of the future", json!({ "id": CHAT_ID, "type": "moon" }), None),
        ("an odd id", json!({ "id": -5, "type": "channel" }), None),
    ] {
        let answer = answered(200, &json!({ "ok": true, "result": message(5, &chat) }));
        let remote = remote(step(&telegram_job(), answer)).unwrap();
        assert_eq!(remote.url.as_deref(), want, "{name}");
        assert_eq!(remote.record["chatId"], chat["id"], "{name}");
    }
}

#[test]
fn a_message_that_was_put_off_is_live_without_an_id() {
    let chat = json!({ "id": CHAT_ID, "type": "channel", "username": "acme" });
    for (name, result, want) in [
        ("a message", message(0, &chat), None),
        ("an album", json!([message(0, &chat), message(0, &chat)]), None),
        ("its second", json!([message(7, &chat), message(0, &chat)]), Some("7")),
    ] {
        let answer = answered(200, &json!({ "ok": true, "result": result }));
        let remote = remote(step(&video(telegram_job()), answer));
        assert_eq!(remote.as_ref().map(|remote| remote.id.as_str()), want, "{name}");
        let ids = remote.map(|remote| remote.record["messageIds"].clone());
        assert_eq!(ids, want.map(|_| json!([7])), "{name}");
    }
}

#[test]
fn a_group_that_has_become_a_supergroup_is_followed_once() {
    let job = telegram_job();
    let Ok(Step::Next(progress)) = step(&job, moved(-1_009)) else { panic!("not next") };
    assert!(telegram().is_visible(&progress));
    let Body::Json(body) = asks_at(&job, &progress).body else { panic!("no JSON") };
    assert_eq!(body, json!({ "chat_id": -1_009, "text": "Hello #rust" }));
    let again = telegram().advance(&job, &progress, &[moved(-1_010)]).unwrap_err();
    assert_eq!(again.kind, NetworkErrorKind::Temporary);
}

#[test]
fn an_answer_that_cannot_be_read_is_never_a_success() {
    for body in ["", "<html>", "{}", r#"{"ok":true}"#, r#"{"ok":true,"result":[]}"#, "[]"] {
        let error = step(&telegram_job(), answered_text(200, body)).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::InDoubt, "{body}");
        assert!(error.message.contains("Look into the chat"), "{error}");
    }
    let cut = answered(200, &json!({ "ok": true, "result": { "message_id": 5 } }));
    assert_eq!(step(&telegram_job(), cut).unwrap_err().kind, NetworkErrorKind::InDoubt);
    let no = answered(
        200,
        &json!({ "ok": false, "error_code": 403, "description": "Forbidden: bot was kicked from the channel chat" }),
    );
    assert_eq!(step(&telegram_job(), no).unwrap_err().kind, NetworkErrorKind::Reconnect);
}

#[test]
fn a_lost_answer_is_never_looked_up() {
    let job = telegram_job();
    let progress = telegram().begin(&job);
    assert!(telegram().is_visible(&progress));
    for progress in [progress, Value::Null] {
        let located = telegram().locate(&job, &progress, &[]);
        assert!(matches!(located, Ok(Turn::Done(Located::Unknown))), "{located:?}");
    }
}

#[test]
fn a_repeat_is_the_same_call_whatever_has_changed_meanwhile() {
    let job = with_images(telegram_job(), 2);
    let progress = telegram().begin(&job);
    let before = shown(&asks_at(&job, &progress));
    let mut later = with_options(job, json!({ "caption": "changed" }));
    later.link_url = Some("https://a.example".to_owned());
    later.files.reverse();
    assert_eq!(shown(&asks_at(&later, &progress)), before);
    later.files.pop();
    let error = telegram().advance(&later, &progress, &[]).unwrap_err();
    assert_eq!((error.kind, error.code), (NetworkErrorKind::Permanent, FailureCode::MediaUnusable));
}

#[test]
fn progress_that_cannot_be_read_sends_nothing() {
    let job = telegram_job();
    let good = telegram().begin(&job);
    assert_eq!(telegram().part(&good), Some(Part { number: 1, of: 1 }));
    assert_eq!(telegram().live_part(&good), None);
    let mut later = good;
    later["topicId"] = json!(5);
    for progress in [Value::Null, json!({ "files": [] }), later] {
        assert!(telegram().is_visible(&progress), "{progress}");
        assert_eq!(telegram().part(&progress), None);
        let error = telegram().advance(&job, &progress, &[]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::InDoubt, "{progress}");
    }
}

#[test]
fn an_album_that_was_sent_in_part_stays_in_doubt() {
    let album = with_images(telegram_job(), 2);
    let in_part = |quoted: &str| {
        refused(
            400,
            &format!("Bad Request: failed to send message #2 with the error message \"{quoted}\""),
        )
    };
    let limited = NetworkErrorKind::RateLimited { wait: None };
    for (name, answer, of_album, of_text) in [
        ("a limit inside", in_part("Too Many Requests: retry after 8"), U, None),
        ("a file inside", in_part("PHOTO_INVALID_DIMENSIONS"), U, None),
        ("a chat inside", in_part("Bad Request: chat not found"), U, None),
        ("a limit", refused(429, "Too Many Requests: retry after 8"), U, Some(limited)),
        ("a fault", refused(500, "Internal Server Error"), U, Some(U)),
        (
            "refused as a whole",
            refused(400, "Bad Request: PHOTO_INVALID_DIMENSIONS"),
            NetworkErrorKind::Permanent,
            Some(NetworkErrorKind::Permanent),
        ),
    ] {
        let error = step(&album, answer.clone()).unwrap_err();
        assert_eq!(error.kind, of_album, "{name}: {error}");
        if let Some(of_text) = of_text {
            let error = step(&telegram_job(), answer).unwrap_err();
            assert_eq!(error.kind, of_text, "{name}, a text: {error}");
        }
    }
    // The group of an item that moved is not asked again with the whole album.
    let inside = json!({
        "ok": false,
        "error_code": 400,
        "description": "Bad Request: failed to send message #2 with the error message \"Bad Request: group chat was upgraded to a supergroup chat\"",
        "parameters": { "migrate_to_chat_id": -1_009 },
    });
    assert_eq!(step(&album, answered(400, &inside)).unwrap_err().kind, U);
}

const U: NetworkErrorKind = NetworkErrorKind::Unsettled;

#[test]
fn a_call_with_files_is_waited_for_until_the_message_is_through() {
    let mut film = video(telegram_job());
    film.files[0].facts.size_bytes = Some(50 * 1024 * 1024);
    for (name, job, seconds) in [("text", telegram_job(), 30), ("film", film, 600 + 400)] {
        let call_timeout = telegram().call_timeout(&job, &telegram().begin(&job));
        assert_eq!(call_timeout.of_request().as_secs(), seconds, "{name}");
    }
}

#[test]
fn refusals_of_a_publish() {
    use NetworkErrorKind as Kind;
    let flood = refused(429, "Too Many Requests: retry after 12");
    let wait = Some(chrono::TimeDelta::seconds(12));
    for (name, answer, want) in [
        ("flood", with_header(flood, "retry-after", "12"), Kind::RateLimited { wait }),
        ("too long", refused(400, "Bad Request: message is too long"), Kind::Permanent),
        (
            "kicked",
            refused(403, "Forbidden: bot was kicked from the channel chat"),
            Kind::Reconnect,
        ),
        ("failed", refused(500, "Internal Server Error: restart"), Kind::Unsettled),
        ("a proxy", answered_text(403, "<html>"), Kind::Unsettled),
        ("unknown", refused(400, "Bad Request: new"), Kind::Temporary),
    ] {
        let error = step(&telegram_job(), answer).unwrap_err();
        assert_eq!(error.kind, want, "{name}");
        assert!(!error.message.contains("4711:token"), "{name}");
    }
}

#[test]
fn credentials_that_cannot_be_read_need_a_new_connection() {
    let mut job = telegram_job();
    job.credentials = scheduler_core::account::Credentials::new("{}", None);
    let error = step(&job, answered_text(200, MESSAGE)).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Reconnect);
}

#[test]
fn the_token_of_a_bot_is_not_exchanged() {
    let job = telegram_job();
    let turn = telegram().refresh(&job.account, &job.credentials, &[]).unwrap();
    let Turn::Done(same) = turn else { panic!("asks") };
    assert_eq!(same.expose(), job.credentials.expose());
}
