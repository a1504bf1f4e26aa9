//! What options make of a message on Telegram.

use super::tests::{MESSAGE, asks, asks_at, step, telegram, video};
use super::*;
use crate::conversation::{Conversation, shown};
use crate::telegram::testing::{refused, telegram_job};
use crate::testing::files::{described, with_images};
use crate::testing::{answered, answered_text, with_options};

/// The fields of the call that sends a post, without those that every call has.
fn fields(job: &PublishJob) -> Value {
    match asks(job).body {
        Body::Json(mut body) => {
            body.as_object_mut().unwrap().remove("chat_id");
            body
        }
        body => shown(&Request::act("https://a.example".parse().unwrap(), body))["body"].clone(),
    }
}

/// The texts of a form by their names.
fn texts(job: &PublishJob) -> Value {
    let fields = fields(job);
    let texts = fields.as_array().unwrap().iter();
    let texts = texts.filter(|part| part.get("text").is_some());
    texts
        .map(|part| (part["name"].as_str().unwrap().to_owned(), part["text"].clone()))
        .collect::<Map<_, _>>()
        .into()
}

#[test]
fn options_of_a_text() {
    let buttons = json!([[{ "text": "Go", "url": "https://a.example/x" }]]);
    let text = "Hello #rust";
    for (name, options, want) in [
        ("none", json!({}), json!({ "text": text })),
        ("what is off", json!({ "silent": false, "protect": false }), json!({ "text": text })),
        (
            "silent",
            json!({ "silent": true }),
            json!({ "text": text, "disable_notification": true }),
        ),
        ("protect", json!({ "protect": true }), json!({ "text": text, "protect_content": true })),
        ("topicId", json!({ "topicId": 5 }), json!({ "text": text, "message_thread_id": 5 })),
        (
            "buttons",
            json!({ "buttons": buttons }),
            json!({ "text": text, "reply_markup": { "inline_keyboard": buttons } }),
        ),
        (
            "no preview",
            json!({ "linkPreview": false }),
            json!({ "text": text, "link_preview_options": { "is_disabled": true } }),
        ),
        (
            "a preview",
            json!({ "linkPreview": { "url": "https://b.example", "size": "small", "above": true } }),
            json!({ "text": text, "link_preview_options": {
                "url": "https://b.example", "prefer_small_media": true, "show_above_text": true,
            } }),
        ),
        (
            "of files",
            json!({ "captionAbove": true, "spoilerMedia": true }),
            json!({ "text": text }),
        ),
    ] {
        assert_eq!(fields(&with_options(telegram_job(), options)), want, "{name}");
    }
    // The size counts only where the address is named.
    let mut job = with_options(telegram_job(), json!({ "linkPreview": { "size": "large" } }));
    job.content = "Read https://a.example/x, and more".to_owned();
    assert_eq!(
        fields(&job)["link_preview_options"],
        json!({ "url": "https://a.example/x", "prefer_large_media": true })
    );
}

#[test]
fn options_of_files() {
    let all = json!({
        "silent": true, "protect": true, "topicId": 5, "captionAbove": true, "spoilerMedia": true,
        "buttons": [[{ "text": "Go", "url": "https://a.example" }]],
    });
    let one = texts(&with_options(with_images(telegram_job(), 1), all.clone()));
    for (name, want) in [
        ("disable_notification", "true"),
        ("protect_content", "true"),
        ("message_thread_id", "5"),
        ("show_caption_above_media", "true"),
        ("has_spoiler", "true"),
        ("reply_markup", r#"{"inline_keyboard":[[{"text":"Go","url":"https://a.example"}]]}"#),
    ] {
        assert_eq!(one[name], want, "{name}");
    }
    let album = texts(&with_options(with_images(telegram_job(), 2), all));
    for (name, want) in
        [("disable_notification", "true"), ("protect_content", "true"), ("message_thread_id", "5")]
    {
        assert_eq!(album[name], want, "{name}");
    }
    assert_eq!(album.get("reply_markup"), None);
    let media: Value = serde_json::from_str(album["media"].as_str().unwrap()).unwrap();
    for item in media.as_array().unwrap() {
        assert_eq!(
            (&item["has_spoiler"], &item["show_caption_above_media"]),
            (&json!(true), &json!(true))
        );
    }
}

#[test]
fn what_a_target_says_of_a_file_counts_more_than_its_option() {
    let all = json!({ "spoilerMedia": true });
    for (name, options, spoiler) in [("blurred", json!({}), true), ("not blurred", all, false)] {
        let details = json!({ "spoiler": spoiler });
        let one = described(with_images(telegram_job(), 1), details.clone());
        let one = texts(&with_options(one, options.clone()));
        assert_eq!(one.get("has_spoiler").is_some(), spoiler, "{name}");
        let album = described(with_images(telegram_job(), 2), details);
        let album = texts(&with_options(album, options));
        let media: Value = serde_json::from_str(album["media"].as_str().unwrap()).unwrap();
        let is_blurred = |index: usize| media[index]["has_spoiler"] == true;
        assert_eq!([is_blurred(0), is_blurred(1)], [!spoiler, spoiler], "{name}");
    }
}

#[test]
fn a_poll_is_a_call_of_its_own() {
    let poll = |poll: Value| with_options(telegram_job(), json!({ "poll": poll, "silent": true }));
    let plain = poll(json!({ "options": ["Tea", "Coffee"] }));
    assert!(asks(&plain).url.path().ends_with("/sendPoll"));
    assert_eq!(
        fields(&plain),
        json!({
            "question": "Hello #rust",
            "options": [{ "text": "Tea" }, { "text": "Coffee" }],
            "disable_notification": true,
        })
    );
    let asked = poll(json!({
        "options": ["Tea", "Coffee"], "question": "Which?", "durationMinutes": 2,
        "multiple": true, "hideResults": true,
    }));
    assert_eq!(
        fields(&asked),
        json!({
            "question": "Which?",
            "description": "Hello #rust",
            "options": [{ "text": "Tea" }, { "text": "Coffee" }],
            "allows_multiple_answers": true,
            "hide_results_until_closes": true,
            "open_period": 120,
            "disable_notification": true,
        })
    );
    let beside = with_images(plain, 1);
    assert!(asks(&beside).url.path().ends_with("/sendPhoto"), "files come before a poll");
}

#[test]
fn tags_are_sent_as_entities() {
    let mut job = with_options(telegram_job(), json!({ "formatting": "html" }));
    job.content = "👍 <b>Hi</b> &amp; <a href=\"https://a.example\">more</a>".to_owned();
    let entities = json!([
        { "type": "bold", "offset": 3, "length": 2 },
        { "type": "text_link", "offset": 8, "length": 4, "url": "https://a.example" },
    ]);
    assert_eq!(fields(&job), json!({ "text": "👍 Hi & more", "entities": entities }));
    let one = texts(&with_images(job.clone(), 1));
    assert_eq!(one["caption"], "👍 Hi & more");
    assert_eq!(
        serde_json::from_str::<Value>(one["caption_entities"].as_str().unwrap()).unwrap(),
        entities
    );
    let album = texts(&with_images(job.clone(), 2));
    let media: Value = serde_json::from_str(album["media"].as_str().unwrap()).unwrap();
    assert_eq!(
        (&media[0]["caption_entities"], media[1].get("caption_entities")),
        (&entities, None)
    );
    let asked =
        json!({ "formatting": "html", "poll": { "options": ["a", "b"], "question": "Which?" } });
    let asked = fields(&with_options(job.clone(), asked));
    assert_eq!(
        (&asked["description"], &asked["description_entities"]),
        (&json!("👍 Hi & more"), &entities)
    );
    job.options = Map::new();
    assert_eq!(fields(&job)["text"], job.content, "nothing is read without being asked for");
}

#[test]
fn a_post_is_pinned_once_it_is_live() {
    let job = with_options(telegram_job(), json!({ "pin": true, "silent": true }));
    let Ok(Step::Live(live)) = step(&job, answered_text(200, MESSAGE)) else { panic!() };
    let progress = live.then.unwrap();
    assert!(!telegram().is_visible(&progress), "to pin it twice changes nothing");
    assert_eq!(telegram().live_part(&progress), live.remote);
    let request = asks_at(&job, &progress);
    assert!(request.url.path().ends_with("/pinChatMessage"), "{}", request.url);
    let record = live.remote.clone().unwrap().record;
    let (chat, message) = (record["chatId"].clone(), record["messageIds"][0].clone());
    let want = json!({ "chat_id": chat, "message_id": message, "disable_notification": true });
    assert_eq!(shown(&request)["body"], want);
    let pinned = telegram().advance(
        &job,
        &progress,
        &[answered(200, &json!({ "ok": true, "result": true }))],
    );
    let Ok(Turn::Done(Step::Live(pinned))) = pinned else { panic!("{pinned:?}") };
    assert_eq!((pinned.remote, pinned.then), (live.remote, None));

    let no_right =
        refused(400, "Bad Request: not enough rights to manage pinned messages in the chat");
    let error = telegram().advance(&job, &progress, &[no_right]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent, "{error:?}");
}

#[test]
fn the_first_video_has_the_cover() {
    let covered = |mut job: PublishJob| {
        job.thumbnail = with_images(telegram_job(), 1).files.pop();
        job
    };
    let alone = fields(&covered(video(telegram_job())));
    let parts = alone.as_array().unwrap();
    assert!(parts.contains(&json!({ "name": "cover", "text": "attach://cover_file" })), "{alone}");
    assert!(parts.iter().any(|part| part["name"] == "cover_file"), "{alone}");
    let album = covered(video(video(with_images(telegram_job(), 1))));
    let media: Value = serde_json::from_str(texts(&album)["media"].as_str().unwrap()).unwrap();
    let covers: Vec<&Value> = media.as_array().unwrap().iter().map(|item| &item["cover"]).collect();
    assert_eq!(covers, [&Value::Null, &json!("attach://cover_file"), &Value::Null]);
    let image = fields(&covered(with_images(telegram_job(), 1)));
    assert!(!image.to_string().contains("cover"), "{image}");
}
