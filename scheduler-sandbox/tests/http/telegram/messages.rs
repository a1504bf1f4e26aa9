//! Sending, changing and deleting messages.

use serde_json::{Value, json};

use super::{Actor, gif, mp4, refusal};
use crate::support::{World, png};

fn bad(what: &str) -> (u16, String) {
    (400, format!("Bad Request: {what}"))
}

#[tokio::test]
async fn a_text_is_cleaned_and_live() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    let sent = acme.say(&world, "  Hello\r\n\tyou  ").await.body["result"].clone();
    assert_eq!(sent["text"], "Hello\n you");
    assert_eq!(sent["chat"]["username"], "acme_channel");
    assert_eq!(sent["sender_chat"], sent["chat"]);
    assert!(sent["date"].as_i64().unwrap() > 1_700_000_000);
    let again = acme.say(&world, "Hello\n you").await.body["result"].clone();
    assert_ne!(again["message_id"], sent["message_id"], "nothing tells a repeat");
    let posts = world.posts("telegram").await;
    assert_eq!(posts.len(), 2);
    assert_eq!(posts[0]["remoteId"], sent["message_id"].to_string());
    assert_eq!(posts[0]["account"], acme.chat.to_string());

    let group = Actor::new(&world, "group of us").await;
    let sent = group.say(&world, "hi").await.body["result"].clone();
    assert_eq!((&sent["from"]["is_bot"], &sent["sender_chat"]), (&json!(true), &Value::Null));
}

#[tokio::test]
async fn texts_that_are_refused() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    for (name, body, want) in [
        ("too long", json!({"text": "a".repeat(4097)}), "message is too long"),
        ("empty", json!({"text": " \n"}), "message text is empty"),
        ("none", json!({}), "message text is empty"),
        ("markup", json!({"text": "<b>x</b>", "parse_mode": "HTML"}), "unsupported parse_mode"),
    ] {
        assert_eq!(refusal(&acme.call(&world, "sendMessage", body).await), bad(want), "{name}");
    }
    assert_eq!(acme.say(&world, &"👍".repeat(4096)).await.status, 200);
    let long = [("caption", "a".repeat(1025))];
    let got = acme.form(&world, "sendPhoto", &long, &[("photo", "a.png", png(1))]).await;
    assert_eq!(refusal(&got), bad("message caption is too long"));
}

#[tokio::test]
async fn a_file_is_shown_as_its_method_says() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    let caption = [("caption", "Look".to_owned())];
    let photo = acme.form(&world, "sendPhoto", &caption, &[("photo", "a.png", png(1))]).await;
    let photo = &photo.body["result"];
    assert_eq!((&photo["photo"][0]["width"], &photo["caption"]), (&json!(64), &json!("Look")));

    let said = [
        ("width", "1280".to_owned()),
        ("height", "720".to_owned()),
        ("duration", "12".to_owned()),
        ("supports_streaming", "true".to_owned()),
    ];
    let video = acme.form(&world, "sendVideo", &said, &[("video", "a.mp4", mp4())]).await;
    let video = &video.body["result"];
    assert_eq!(
        (&video["video"]["width"], &video["video"]["duration"], &video["caption"]),
        (&json!(1280), &json!(12), &Value::Null)
    );

    let files = [("animation", "a.gif", gif())];
    let animation = acme.form(&world, "sendAnimation", &[], &files).await;
    let animation = &animation.body["result"];
    assert_eq!(animation["animation"]["file_id"], animation["document"]["file_id"]);

    let other = acme.form(&world, "sendVideo", &[], &[("video", "a.mp4", gif())]).await;
    assert!(other.body["result"]["document"].is_object(), "what is no MP4 is a file");

    let again = json!({"photo": photo["photo"][0]["file_id"]});
    assert_eq!(acme.call(&world, "sendPhoto", again).await.status, 200, "sent without an upload");

    let posts = world.posts("telegram").await;
    assert_eq!(posts.len(), 5);
    assert_eq!(posts[0]["media"], posts[4]["media"]);
    assert_eq!(posts[0]["media"][0]["bytes"], png(1).len());
}

#[tokio::test]
async fn files_that_are_refused() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    let sized = |width: u32, height: u32| {
        let mut bytes = png(1);
        bytes[16..20].copy_from_slice(&width.to_be_bytes());
        bytes[20..24].copy_from_slice(&height.to_be_bytes());
        bytes
    };
    let padded = |mut bytes: Vec<u8>, length: usize| {
        bytes.resize(length, 0);
        bytes
    };
    for (name, file_name, bytes, want) in [
        ("at its size", "a.png", padded(png(1), 10_485_760), None),
        (
            "too big",
            "a.png",
            padded(png(1), 10_485_761),
            Some("file of size 10485761 bytes is too big for a photo"),
        ),
        ("at its sides", "a.png", sized(9_000, 1_000), None),
        ("sides too long", "a.png", sized(9_000, 1_001), Some("PHOTO_INVALID_DIMENSIONS")),
        ("at its ratio", "a.png", sized(2_000, 100), None),
        ("too slim", "a.png", sized(100, 2_001), Some("PHOTO_INVALID_DIMENSIONS")),
        ("no picture", "a.png", b"hello".to_vec(), Some("IMAGE_PROCESS_FAILED")),
        ("another name", "a.bin", png(1), Some("PHOTO_EXT_INVALID")),
        ("empty", "a.png", Vec::new(), Some("file must be non-empty")),
    ] {
        let got = acme.form(&world, "sendPhoto", &[], &[("photo", file_name, bytes)]).await;
        match want {
            None => assert_eq!(got.status, 200, "{name}: {got:?}"),
            Some(want) => assert_eq!(refusal(&got), bad(want), "{name}"),
        }
    }
    for (name, photo, want) in [
        ("a link", "https://a.example/x.png", "failed to get HTTP URL content"),
        ("no file", "nothing", "wrong file identifier/HTTP URL specified"),
        ("nothing attached", "attach://f0", "there is no photo in the request"),
    ] {
        let got = acme.call(&world, "sendPhoto", json!({"photo": photo})).await;
        assert_eq!(refusal(&got), bad(want), "{name}");
    }
    let video = |length| padded(mp4(), length);
    for (length, status) in [(52_428_800, 200), (52_428_801, 413)] {
        let got = acme.form(&world, "sendVideo", &[], &[("video", "a.mp4", video(length))]).await;
        assert_eq!(got.status, status, "{got:?}");
    }
    let local = Actor::new(&world, "local news").await;
    let files = [("video", "a.mp4", video(52_428_801))];
    let got = local.form(&world, "sendVideo", &[], &files).await;
    assert_eq!(got.status, 200, "a server that runs with --local: {got:?}");
}

#[tokio::test]
async fn an_album_is_one_post_of_several_messages() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    let media = json!([
        {"type": "photo", "media": "attach://f0", "caption": "Our text"},
        {"type": "video", "media": "attach://f1", "width": 1280, "height": 720, "duration": 12},
    ]);
    let files = [("f0", "a.png", png(1)), ("f1", "b.mp4", mp4())];
    let got = acme.form(&world, "sendMediaGroup", &[("media", media.to_string())], &files).await;
    let sent = got.body["result"].as_array().unwrap();
    assert_eq!(sent.len(), 2);
    assert_eq!(sent[0]["media_group_id"], sent[1]["media_group_id"]);
    assert_eq!((&sent[0]["caption"], &sent[1]["caption"]), (&json!("Our text"), &Value::Null));
    assert!(sent[0]["message_id"].as_i64() < sent[1]["message_id"].as_i64());
    let posts = world.posts("telegram").await;
    assert_eq!(posts.len(), 1);
    assert_eq!(posts[0]["media"].as_array().unwrap().len(), 2);
    assert_eq!(posts[0]["text"], "Our text");

    let ids = json!([sent[0]["message_id"], 999_999, sent[1]["message_id"]]);
    let got = acme.call(&world, "deleteMessages", json!({"message_ids": ids})).await;
    assert_eq!(got.body, json!({"ok": true, "result": true}), "those that are gone are no error");
    assert_eq!(world.posts("telegram").await[0]["deleted"], true);
}

#[tokio::test]
async fn an_album_may_be_sent_in_part() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    let media = json!([
        {"type": "photo", "media": "attach://f0", "caption": "Our text"},
        {"type": "photo", "media": "attach://f1"},
    ]);
    let files = [("f0", "a.png", png(1)), ("f1", "b.png", png(2))];
    let fields = [("media", media.to_string())];
    let send = || acme.form(&world, "sendMediaGroup", &fields, &files);
    world.arm(json!({"platform": "telegram", "operation": "publish", "kind": "partial"})).await;
    let got = send().await;
    assert_eq!(got.status, 400);
    assert_eq!(
        got.body["description"],
        "Bad Request: failed to send message #2 with the error message \"Bad Request: PHOTO_INVALID_DIMENSIONS\"",
    );
    let media = |posts: Vec<Value>| -> Vec<usize> {
        posts.iter().map(|post| post["media"].as_array().unwrap().len()).collect()
    };
    assert_eq!(media(world.posts("telegram").await), [1], "what was sent stays");
    assert_eq!(send().await.status, 200);
    assert_eq!(media(world.posts("telegram").await), [1, 2]);

    // A request for one thing is done.
    world.arm(json!({"platform": "telegram", "operation": "publish", "kind": "partial"})).await;
    let got = acme.call(&world, "sendMessage", json!({"text": "one"})).await;
    assert_eq!(got.status, 200);
}

#[tokio::test]
async fn albums_that_are_refused_make_no_message() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    let item = |kind: &str, at: usize| json!({"type": kind, "media": format!("attach://f{at}")});
    let of = |kinds: &[&str]| -> Value {
        kinds.iter().enumerate().map(|(at, kind)| item(kind, at)).collect()
    };
    let files = [("f0", "a.png", png(1)), ("f1", "b.png", b"hello".to_vec())];
    for (name, media, want) in [
        ("one", of(&["photo"]), "there are too few messages to send as an album"),
        ("eleven", of(&["photo"; 11]), "too many messages to send as an album"),
        (
            "a document among photos",
            of(&["photo", "document"]),
            "document can't be mixed with other media types",
        ),
        (
            "audio among documents",
            of(&["document", "audio"]),
            "audio can't be mixed with other media types",
        ),
        ("an animation", of(&["photo", "animation"]), "animation can't be sent in an album"),
        ("a damaged photo", of(&["photo", "photo"]), "IMAGE_PROCESS_FAILED"),
        ("no list", json!({}), "can't parse media JSON object"),
    ] {
        let texts = [("media", media.to_string())];
        let got = acme.form(&world, "sendMediaGroup", &texts, &files).await;
        assert_eq!(refusal(&got), bad(want), "{name}");
    }
    assert_eq!(world.posts("telegram").await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_message_is_changed_and_deleted() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    let text = acme.say(&world, "one").await.body["result"]["message_id"].clone();
    let photo = acme.form(&world, "sendPhoto", &[], &[("photo", "a.png", png(1))]).await;
    let photo = photo.body["result"]["message_id"].clone();
    let unchanged = "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";
    for (name, method, body, want) in [
        ("text", "editMessageText", json!({"message_id": text, "text": "two"}), None),
        (
            "the same",
            "editMessageText",
            json!({"message_id": text, "text": " two "}),
            Some(unchanged),
        ),
        (
            "no caption",
            "editMessageCaption",
            json!({"message_id": text, "caption": "x"}),
            Some("there is no caption in the message to edit"),
        ),
        ("caption", "editMessageCaption", json!({"message_id": photo, "caption": "x"}), None),
        (
            "no text",
            "editMessageText",
            json!({"message_id": photo, "text": "x"}),
            Some("there is no text in the message to edit"),
        ),
        (
            "too long",
            "editMessageCaption",
            json!({"message_id": photo, "caption": "x".repeat(1025)}),
            Some("message caption is too long"),
        ),
        (
            "a probe of what is there",
            "editMessageReplyMarkup",
            json!({"message_id": text}),
            Some(unchanged),
        ),
        (
            "a probe of what is not",
            "editMessageReplyMarkup",
            json!({"message_id": 999_999}),
            Some("message to edit not found"),
        ),
        ("deleted", "deleteMessage", json!({"message_id": text}), None),
        (
            "deleted twice",
            "deleteMessage",
            json!({"message_id": text}),
            Some("message to delete not found"),
        ),
        (
            "changed after that",
            "editMessageText",
            json!({"message_id": text, "text": "three"}),
            Some("message to edit not found"),
        ),
    ] {
        let got = acme.call(&world, method, body).await;
        match want {
            None => assert_eq!(got.status, 200, "{name}: {got:?}"),
            Some(want) => assert_eq!(refusal(&got), bad(want), "{name}"),
        }
    }
    let posts = world.posts("telegram").await;
    let shown = |at: usize| (posts[at]["text"].clone(), posts[at]["deleted"].clone());
    assert_eq!(shown(0), (json!("two"), json!(true)));
    assert_eq!(shown(1), (json!("x"), json!(false)));
}

#[tokio::test]
async fn a_group_that_has_become_a_supergroup_names_it() {
    let world = World::default().await;
    let us = Actor::new(&world, "upgraded us").await;
    let got = us.say(&world, "hi").await;
    assert_eq!(refusal(&got), bad("group chat was upgraded to a supergroup chat"));
    let moved_to = &got.body["parameters"]["migrate_to_chat_id"];
    let body = json!({"chat_id": moved_to, "text": "hi"});
    let sent = us.call(&world, "sendMessage", body).await.body["result"].clone();
    assert_eq!(sent["chat"]["type"], "supergroup");
}

#[tokio::test]
async fn videos_of_a_big_channel_are_put_off() {
    let world = World::default().await;
    let big = Actor::new(&world, "big news").await;
    let video = big.form(&world, "sendVideo", &[], &[("video", "a.mp4", mp4())]).await;
    assert_eq!(video.body["result"]["message_id"], 0);
    assert_ne!(big.say(&world, "hi").await.body["result"]["message_id"], 0);
    assert_eq!(world.posts("telegram").await.len(), 2);
}
