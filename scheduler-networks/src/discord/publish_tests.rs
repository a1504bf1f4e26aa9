//! Publishing to Discord as an exchange of values.

use insta::{allow_duplicates, assert_json_snapshot};
use scheduler_core::ports::Located;
use serde_json::{Value, json};

use super::super::testing::{bot_job, discord, held, webhook_job};
use super::super::wire::{ANNOUNCEMENT, FORUM, MEDIA, TEXT};
use super::*;
use crate::conversation::{Conversation, Part, shown};
use crate::testing::files::{described, with_file};
use crate::testing::{answered, answered_text, with_options};

const MESSAGE: &str = include_str!("fixtures/message.json");
const FORUM_THREAD: &str = include_str!("fixtures/forum_thread.json");
const PAGE: &str = "https://discord.com/channels/1200000000000000000";

fn named(job: PublishJob) -> PublishJob {
    with_options(job, json!({ "threadName": " News " }))
}

/// Takes one step.
fn step(
    job: &PublishJob,
    progress: &Value,
    answers: &[Answer],
) -> (Vec<Value>, Result<Step, NetworkError>) {
    held(answers, |answers| discord().advance(job, progress, answers))
}

/// The first request of a publish.
fn first(job: &PublishJob) -> Value {
    let progress = discord().begin(job);
    assert!(discord().is_visible(&progress));
    assert_eq!(discord().part(&progress), Some(Part { number: 1, of: 1 }));
    assert_eq!(discord().live_part(&progress), None);
    match discord().advance(job, &progress, &[]) {
        Ok(Turn::Send(request)) => shown(&request),
        other => panic!("no request: {other:?}"),
    }
}

fn went_live(step: Result<Step, NetworkError>) -> Live {
    match step {
        Ok(Step::Live(live)) => live,
        other => panic!("not live: {other:?}"),
    }
}

#[test]
fn a_webhooks_call_is_waited_for_longer_and_files_take_as_long_as_they_need() {
    let film = |job: PublishJob| {
        let mut job = crate::testing::files::with_images(job, 1);
        job.files[0].facts.size_bytes = Some(10 * 1024 * 1024);
        job
    };
    for (name, job, seconds) in [
        ("a bot's text", bot_job(0), 30),
        ("a bot's file", film(bot_job(0)), 30 + 80),
        ("a webhook's text", webhook_job(), 120),
        ("a webhook's file", film(webhook_job()), 120 + 80),
    ] {
        let call_timeout = discord().call_timeout(&job, &discord().begin(&job));
        assert_eq!(call_timeout.of_request().as_secs(), seconds, "{name}");
    }
}

#[test]
fn a_webhook_waits_for_its_message() {
    assert_json_snapshot!(first(&webhook_job()), @r#"
    {
      "body": {
        "allowed_mentions": {
          "parse": []
        },
        "content": "Hello #rust"
      },
      "headers": {
        "user-agent": "DiscordBot (https://scheduler.example, 0.1.0)"
      },
      "request": "POST https://discord.com/api/v10/webhooks/1300000000000000000/webhook-token?wait=true",
      "visible": true
    }
    "#);
    let job = webhook_job();
    let live = went_live(step(&job, &discord().begin(&job), &[answered_text(200, MESSAGE)]).1);
    let remote = Remote {
        id: "1400000000000000001".to_owned(),
        url: Some(format!("{PAGE}/1400000000000000000/1400000000000000001")),
        record: json!({ "channelId": "1400000000000000000" }),
    };
    assert_eq!(live, remote.into());
}

#[test]
fn a_webhook_opens_a_thread_in_a_forum() {
    let job = named(webhook_job());
    assert_json_snapshot!(first(&job)["body"], @r#"
    {
      "allowed_mentions": {
        "parse": []
      },
      "content": "Hello #rust",
      "thread_name": "News"
    }
    "#);
    let answer = answered(200, &json!({ "id": "7", "channel_id": "7" }));
    let live = went_live(step(&job, &discord().begin(&job), &[answer]).1);
    let remote = live.remote.unwrap();
    assert_eq!(remote.record, json!({ "channelId": "7", "threadId": "7" }));
    assert_eq!(remote.url, Some(format!("{PAGE}/7/7")));
    assert_eq!(live.then, None);
}

#[test]
fn files_go_with_the_message_and_keep_their_order() {
    let mut job = with_file(webhook_job(), "image/png", "A crab");
    job = with_file(job, "video/mp4", "");
    job.content = String::new();
    assert_json_snapshot!(first(&job)["body"], @r#"
    [
      {
        "json": {
          "allowed_mentions": {
            "parse": []
          },
          "attachments": [
            {
              "description": "A crab",
              "filename": "00000000-0000-0000-0000-000000000010.png",
              "id": "0"
            },
            {
              "filename": "00000000-0000-0000-0000-000000000011.mp4",
              "id": "1"
            }
          ]
        },
        "name": "payload_json"
      },
      {
        "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/png, as it came",
        "fileName": "00000000-0000-0000-0000-000000000010",
        "name": "files[0]"
      },
      {
        "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000011, video/mp4, as it came",
        "fileName": "00000000-0000-0000-0000-000000000011",
        "name": "files[1]"
      }
    ]
    "#);
}

#[test]
fn a_bot_sends_a_nonce_that_a_repeat_has_as_well() {
    for channel_type in [TEXT, ANNOUNCEMENT] {
        let job = bot_job(channel_type);
        allow_duplicates! {
            assert_json_snapshot!(first(&job), @r#"
            {
              "body": {
                "allowed_mentions": {
                  "parse": []
                },
                "content": "Hello #rust",
                "enforce_nonce": true,
                "nonce": "vcvqaddbwe3a3wd2e34zzgp26"
              },
              "headers": {
                "authorization": "[redacted]",
                "user-agent": "DiscordBot (https://scheduler.example, 0.1.0)"
              },
              "request": "POST https://discord.com/api/v10/channels/1400000000000000000/messages",
              "visible": true
            }
            "#);
        }
        let live = went_live(step(&job, &discord().begin(&job), &[answered_text(200, MESSAGE)]).1);
        assert_eq!(live.then, None);
        assert_eq!(live.remote.unwrap().record, json!({ "channelId": "1400000000000000000" }));
    }
    let job = with_file(bot_job(TEXT), "image/png", "");
    let payload = &first(&job)["body"][0]["json"];
    assert_eq!(payload["nonce"], first(&bot_job(TEXT))["body"]["nonce"]);
}

#[test]
fn a_bots_message_is_live_before_its_thread_is_opened() {
    let job = named(bot_job(TEXT));
    let live = went_live(step(&job, &discord().begin(&job), &[answered_text(200, MESSAGE)]).1);
    let message = live.remote.unwrap();
    let then = live.then.unwrap();
    assert!(discord().is_visible(&then));
    assert_eq!(discord().live_part(&then), Some(message.clone()));
    assert_eq!(discord().skip(&then), None);
    let exists = json!({
        "message": "A thread has already been created for this message",
        "code": 160004,
    });
    let made = json!({ "id": "1400000000000000001", "type": 11, "name": "News" });
    for answer in [answered(201, &made), answered(400, &exists)] {
        let (asked, stepped) = step(&job, &then, &[answer]);
        allow_duplicates! {
            assert_json_snapshot!(asked[0], @r#"
            {
              "body": {
                "auto_archive_duration": 1440,
                "name": "News"
              },
              "headers": {
                "authorization": "[redacted]",
                "user-agent": "DiscordBot (https://scheduler.example, 0.1.0)"
              },
              "request": "POST https://discord.com/api/v10/channels/1400000000000000000/messages/1400000000000000001/threads",
              "visible": true
            }
            "#);
        }
        let live = went_live(stepped);
        let record =
            json!({ "channelId": "1400000000000000000", "threadId": "1400000000000000001" });
        assert_eq!(live, Remote { record, ..message.clone() }.into());
    }
    let locked = answered(400, &json!({ "message": "Thread is locked", "code": 160005 }));
    let error = step(&job, &then, &[locked]).1.unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent);
}

#[test]
fn a_bots_post_in_a_forum_is_a_thread() {
    for channel_type in [FORUM, MEDIA] {
        let job = named(bot_job(channel_type));
        allow_duplicates! {
            assert_json_snapshot!(first(&job), @r#"
            {
              "body": {
                "applied_tags": [],
                "message": {
                  "allowed_mentions": {
                    "parse": []
                  },
                  "content": "Hello #rust"
                },
                "name": "News"
              },
              "headers": {
                "authorization": "[redacted]",
                "user-agent": "DiscordBot (https://scheduler.example, 0.1.0)"
              },
              "request": "POST https://discord.com/api/v10/channels/1400000000000000000/threads",
              "visible": true
            }
            "#);
        }
        let answer = answered_text(201, FORUM_THREAD);
        let live = went_live(step(&job, &discord().begin(&job), &[answer]).1);
        let remote = live.remote.unwrap();
        assert_eq!(remote.id, "1400000000000000007");
        assert_eq!(remote.url, Some(format!("{PAGE}/1400000000000000007/1400000000000000007")));
        assert_eq!(live.then, None);

        let unnamed = bot_job(channel_type);
        let error = discord().advance(&unnamed, &discord().begin(&unnamed), &[]).unwrap_err();
        assert_eq!(error.code, FailureCode::ValidationFailed, "nothing is sent: {error}");
    }
    let job = with_file(named(bot_job(FORUM)), "image/png", "");
    let payload = &first(&job)["body"][0]["json"];
    assert_eq!(payload["message"]["attachments"][0]["id"], "0");
    assert_eq!(payload["name"], "News");
}

#[test]
fn what_came_of_a_message() {
    use NetworkErrorKind as Kind;
    let job = bot_job(TEXT);
    let refused = |status, code: u64| answered(status, &json!({ "message": "No.", "code": code }));
    for (name, answer, want) in [
        ("no JSON", answered_text(200, "<html>"), Kind::InDoubt),
        ("nothing, as without wait", answered_text(204, ""), Kind::InDoubt),
        ("a fault", refused(500, 0), Kind::Unsettled),
        ("a proxy's fault", answered_text(502, ""), Kind::Unsettled),
        ("too long", refused(400, 50_035), Kind::Permanent),
        ("gone", refused(404, 10_015), Kind::Reconnect),
        ("unknown", refused(400, 1), Kind::Temporary),
        ("limited", refused(429, 0), Kind::RateLimited { wait: None }),
        ("published and deleted", refused(404, 10_008), Kind::Permanent),
    ] {
        let error = step(&job, &discord().begin(&job), &[answer]).1.unwrap_err();
        assert_eq!(error.kind, want, "{name}: {error}");
        assert_eq!(error.message.contains("Nothing is sent again"), name.ends_with("deleted"));
    }
}

#[test]
fn a_progress_of_another_release_sends_nothing() {
    let job = bot_job(TEXT);
    let mut later = discord().begin(&job);
    later["later"] = true.into();
    for progress in [later, Value::Null, json!({ "at": "thread" }), json!({ "at": "else" })] {
        assert!(discord().is_visible(&progress));
        assert_eq!(discord().live_part(&progress), None);
        assert_eq!(discord().part(&progress), None);
        let error = discord().advance(&job, &progress, &[]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::InDoubt);
        let located = discord().locate(&job, &progress, &[]).unwrap();
        assert!(matches!(located, Turn::Done(Located::Unknown)));
    }
}

#[test]
fn credentials_that_cannot_be_read_need_a_new_connection() {
    let mut job = bot_job(TEXT);
    job.credentials = scheduler_core::account::Credentials::new("{}".to_owned(), None);
    let error = discord().advance(&job, &discord().begin(&job), &[]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Reconnect);
}

/// The message of a post with these options.
fn message_of(job: PublishJob, options: Value) -> Value {
    first(&with_options(job, options))["body"].clone()
}

#[test]
fn options_of_a_message() {
    let bare = json!({ "content": "Hello #rust", "allowed_mentions": { "parse": [] } });
    let with = |fields: Value| {
        let mut message = bare.clone();
        message.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        message
    };
    for (name, options, want) in [
        ("none", json!({}), bare.clone()),
        ("what is off", json!({ "silent": false, "embeds": [], "mentions": {} }), bare.clone()),
        ("silent", json!({ "silent": true }), with(json!({ "flags": 4_096 }))),
        ("no previews", json!({ "hideLinkPreviews": true }), with(json!({ "flags": 4 }))),
        (
            "both",
            json!({ "silent": true, "hideLinkPreviews": true }),
            with(json!({ "flags": 4_100 })),
        ),
        (
            "mentions",
            json!({ "mentions": { "everyone": true, "roles": ["1"], "users": ["2"] } }),
            with(
                json!({ "allowed_mentions": { "parse": ["everyone"], "roles": ["1"], "users": ["2"] } }),
            ),
        ),
        (
            "a name and a picture",
            json!({ "username": " News ", "avatarUrl": "https://a.example/x.png" }),
            with(json!({ "username": "News", "avatar_url": "https://a.example/x.png" })),
        ),
        (
            "tags",
            json!({ "threadName": "News", "forumTags": ["1", "2"] }),
            with(json!({ "thread_name": "News", "applied_tags": ["1", "2"] })),
        ),
        (
            "a card",
            json!({ "embeds": [{
                "title": "T", "description": "D", "url": "https://a.example", "color": "#1e90ff",
                "timestamp": "2026-12-01T20:00:00Z", "image": "https://a.example/i.png",
                "thumbnail": "https://a.example/t.png",
                "author": { "name": "A", "url": "https://a.example", "iconUrl": "https://a.example/a.png" },
                "footer": { "text": "F", "iconUrl": "https://a.example/f.png" },
                "fields": [{ "name": "n", "value": "v", "inline": true }],
            }] }),
            with(json!({ "embeds": [{
                "title": "T", "description": "D", "url": "https://a.example", "color": 2_003_199,
                "timestamp": "2026-12-01T20:00:00Z",
                "image": { "url": "https://a.example/i.png" },
                "thumbnail": { "url": "https://a.example/t.png" },
                "author": { "name": "A", "url": "https://a.example", "icon_url": "https://a.example/a.png" },
                "footer": { "text": "F", "icon_url": "https://a.example/f.png" },
                "fields": [{ "name": "n", "value": "v", "inline": true }],
            }] })),
        ),
    ] {
        assert_eq!(message_of(webhook_job(), options), want, "{name}");
    }
    let of_bot = message_of(bot_job(TEXT), json!({ "username": "News", "silent": true }));
    assert_eq!((of_bot.get("username"), &of_bot["flags"]), (None, &json!(4_096)));
    let tagged = message_of(bot_job(FORUM), json!({ "threadName": "News", "forumTags": ["1"] }));
    assert_eq!(tagged["applied_tags"], json!(["1"]));
}

#[test]
fn a_poll_is_asked_by_its_question_or_by_the_text() {
    let poll = json!({ "options": ["Tea", "Coffee"] });
    let plain = message_of(webhook_job(), json!({ "poll": poll }));
    assert_eq!(plain.get("content"), None, "the text stands in the poll");
    assert_eq!(
        plain["poll"],
        json!({
            "question": { "text": "Hello #rust" },
            "answers": [{ "poll_media": { "text": "Tea" } }, { "poll_media": { "text": "Coffee" } }],
            "duration": 24,
            "allow_multiselect": false,
            "layout_type": 1,
        })
    );
    let poll = json!({
        "options": ["Tea", "Coffee"], "question": "Which?", "durationMinutes": 120, "multiple": true,
    });
    let asked = message_of(webhook_job(), json!({ "poll": poll }));
    assert_eq!(asked["content"], "Hello #rust");
    assert_eq!(asked["poll"]["question"]["text"], "Which?");
    assert_eq!(
        (&asked["poll"]["duration"], &asked["poll"]["allow_multiselect"]),
        (&json!(2), &json!(true))
    );
}

#[test]
fn a_document_keeps_its_name_and_is_known_by_its_id() {
    let mut job = with_file(webhook_job(), "application/pdf", "Slides");
    job.files[0].file_name = Some("Our year.pdf".to_owned());
    let body = message_of(job, json!({}));
    let attachment = &body[0]["json"]["attachments"][0];
    let name = "Our_year-00000000-0000-0000-0000-000000000010";
    assert_eq!(attachment["filename"], format!("{name}.pdf"));
    assert_eq!(
        (&attachment["description"], &body[1]["fileName"]),
        (&json!("Slides"), &json!(name))
    );
}

#[test]
fn covered_files_say_so_in_their_names() {
    let job = with_file(webhook_job(), "image/png", "");
    let body = message_of(job, json!({ "spoilerFiles": true }));
    let name = body[0]["json"]["attachments"][0]["filename"].as_str().unwrap().to_owned();
    assert!(name.starts_with("SPOILER_0000") && name.ends_with(".png"), "{name}");
    assert!(body[1]["fileName"].as_str().unwrap().starts_with("SPOILER_0000"));
    // What a target says of a file counts more.
    for (name, options, spoiler) in [
        ("one of two is covered", json!({}), true),
        ("one of two is not", json!({ "spoilerFiles": true }), false),
    ] {
        let job = with_file(webhook_job(), "image/png", "");
        let job = described(with_file(job, "image/png", ""), json!({ "spoiler": spoiler }));
        let body = message_of(job, options);
        let is_covered =
            |index: usize| body[index]["fileName"].as_str().unwrap().starts_with("SPOILER_");
        assert_eq!([is_covered(1), is_covered(2)], [!spoiler, spoiler], "{name}");
    }
}

#[test]
fn a_post_goes_into_a_thread_that_is_there() {
    let options = json!({ "threadId": "1400000000000000009" });
    let answer = || answered(200, &json!({ "id": "7", "channel_id": "1400000000000000009" }));
    for (name, job, address, thread) in [
        (
            "a webhook",
            webhook_job(),
            "webhooks/1300000000000000000/webhook-token?wait=true&thread_id=1400000000000000009",
            Some("1400000000000000009"),
        ),
        ("a bot", bot_job(TEXT), "channels/1400000000000000009/messages", None),
        ("a bot of a forum", bot_job(FORUM), "channels/1400000000000000009/messages", None),
    ] {
        let job = with_options(job, options.clone());
        let request = first(&job)["request"].as_str().unwrap().to_owned();
        assert!(request.ends_with(address), "{name}: {request}");
        let live = went_live(step(&job, &discord().begin(&job), &[answer()]).1);
        let record = live.remote.unwrap().record;
        assert_eq!(record["channelId"], "1400000000000000009", "{name}");
        // A bot takes a thread of its own away with its post, and this is none.
        assert_eq!(record.get("threadId").and_then(Value::as_str), thread, "{name}");
        assert_eq!(live.then, None, "{name}");
    }
}

#[test]
fn followers_are_sent_an_announcement_once() {
    let job = with_options(bot_job(ANNOUNCEMENT), json!({ "crosspost": true }));
    let live = went_live(step(&job, &discord().begin(&job), &[answered_text(200, MESSAGE)]).1);
    let message = live.remote.unwrap();
    let then = live.then.unwrap();
    assert!(discord().is_visible(&then));
    assert_eq!(discord().live_part(&then), Some(message.clone()));
    let (asked, _) = step(&job, &then, &[answered_text(200, MESSAGE)]);
    assert_eq!(
        asked[0]["request"],
        "POST https://discord.com/api/v10/channels/1400000000000000000/messages/1400000000000000001/crosspost"
    );
    let before = json!({ "message": "This message has already been crossposted", "code": 40_033 });
    for answer in [answered_text(200, MESSAGE), answered(400, &before)] {
        assert_eq!(went_live(step(&job, &then, &[answer]).1).remote, Some(message.clone()));
    }
    match discord().locate(&job, &then, &[]) {
        Ok(Turn::Done(Located::Repeat(again))) => assert_eq!(again, then),
        other => panic!("a repeat is recognised: {other:?}"),
    }
    let elsewhere = with_options(bot_job(TEXT), json!({ "crosspost": true }));
    let live =
        went_live(step(&elsewhere, &discord().begin(&elsewhere), &[answered_text(200, MESSAGE)]).1);
    assert_eq!(live.then, None);
}
