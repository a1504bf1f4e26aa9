//! Topics, buttons, previews and polls.

use serde_json::{Value, json};

use super::{Actor, refusal};
use crate::support::{World, png};

fn bad(what: &str) -> (u16, String) {
    (400, format!("Bad Request: {what}"))
}

#[tokio::test]
async fn a_message_shows_what_it_was_sent_with() {
    let world = World::default().await;
    let forum = Actor::new(&world, "forum of us").await;
    let chat = forum.call(&world, "getChat", json!({})).await.body["result"].clone();
    assert_eq!((&chat["type"], &chat["is_forum"]), (&json!("supergroup"), &json!(true)));
    let buttons = json!({"inline_keyboard": [[{"text": "Go", "url": "https://a.example"}]]});
    let sent = forum
        .call(
            &world,
            "sendMessage",
            json!({
                "text": "Hello", "message_thread_id": 3, "protect_content": true,
                "reply_markup": buttons, "link_preview_options": {"is_disabled": true},
            }),
        )
        .await;
    let sent = &sent.body["result"];
    for (name, want) in [
        ("message_thread_id", json!(3)),
        ("has_protected_content", json!(true)),
        ("reply_markup", buttons.clone()),
        ("link_preview_options", json!({"is_disabled": true})),
    ] {
        assert_eq!(sent[name], want, "{name}");
    }
    let texts = [
        ("has_spoiler", "true".to_owned()),
        ("show_caption_above_media", "true".to_owned()),
        ("reply_markup", buttons.to_string()),
    ];
    let photo = forum.form(&world, "sendPhoto", &texts, &[("photo", "a.png", png(1))]).await;
    let photo = &photo.body["result"];
    for name in ["has_media_spoiler", "show_caption_above_media"] {
        assert_eq!(photo[name], true, "{name}");
    }
    assert_eq!(photo["reply_markup"], buttons);

    // What is not sent again is taken away.
    let edit = json!({"message_id": sent["message_id"], "text": "Hello"});
    let edited = forum.call(&world, "editMessageText", edit).await.body["result"].clone();
    assert_eq!((edited.get("reply_markup"), &edited["message_thread_id"]), (None, &json!(3)));
}

#[tokio::test]
async fn what_is_refused() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    let forum = Actor::new(&world, "forum of us").await;
    let button =
        |button: Value| json!({"text": "x", "reply_markup": {"inline_keyboard": [[button]]}});
    for (name, actor, body, want) in [
        (
            "no forum",
            &acme,
            json!({"text": "x", "message_thread_id": 3}),
            "message thread not found",
        ),
        (
            "no topic",
            &forum,
            json!({"text": "x", "message_thread_id": 99}),
            "message thread not found",
        ),
        (
            "a button without a text",
            &acme,
            button(json!({"url": "https://a.example"})),
            "can't parse inline keyboard button",
        ),
        (
            "a button to nowhere",
            &acme,
            button(json!({"text": "Go", "url": "a.example"})),
            "BUTTON_URL_INVALID",
        ),
    ] {
        assert_eq!(refusal(&actor.call(&world, "sendMessage", body).await), bad(want), "{name}");
    }
}

#[tokio::test]
async fn a_poll_is_asked_within_its_bounds() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    let options = |count: usize| -> Value {
        (0..count).map(|at| json!({"text": format!("option {at}")})).collect()
    };
    let asked = json!({
        "question": "Which?", "options": options(2), "description": "Hello",
        "allows_multiple_answers": true, "hide_results_until_closes": true, "open_period": 5,
    });
    let sent = acme.call(&world, "sendPoll", asked).await.body["result"].clone();
    let poll = &sent["poll"];
    assert_eq!(
        (&poll["question"], &poll["options"][1]["text"]),
        (&json!("Which?"), &json!("option 1"))
    );
    assert_eq!(
        (&poll["allows_multiple_answers"], &poll["hide_results_until_closes"]),
        (&json!(true), &json!(true))
    );
    assert_eq!((&poll["open_period"], &poll["description"]), (&json!(5), &json!("Hello")));
    assert_eq!(world.posts("telegram").await[0]["text"], "Which?");
    let edit = json!({"message_id": sent["message_id"], "text": "Why?"});
    let refused = acme.call(&world, "editMessageText", edit).await;
    assert_eq!(refusal(&refused), bad("message can't be edited"));

    for (name, body, want) in [
        ("300", json!({"question": "q".repeat(300), "options": options(12)}), None),
        (
            "301",
            json!({"question": "q".repeat(301), "options": options(2)}),
            Some("poll question length must not exceed 300"),
        ),
        ("no question", json!({"options": options(2)}), Some("poll question must be non-empty")),
        (
            "13 options",
            json!({"question": "q", "options": options(13)}),
            Some("poll can't have more than 12 options"),
        ),
        (
            "100",
            json!({"question": "q", "options": [{"text": "o".repeat(100)}, {"text": "b"}]}),
            None,
        ),
        (
            "101",
            json!({"question": "q", "options": [{"text": "o".repeat(101)}, {"text": "b"}]}),
            Some("poll options length must not exceed 100"),
        ),
        (
            "1025 below",
            json!({"question": "q", "options": options(2), "description": "d".repeat(1_025)}),
            Some("message caption is too long"),
        ),
        (
            "4 seconds",
            json!({"question": "q", "options": options(2), "open_period": 4}),
            Some("invalid poll open period specified"),
        ),
    ] {
        let got = acme.call(&world, "sendPoll", body).await;
        match want {
            None => assert_eq!(got.status, 200, "{name}: {got:?}"),
            Some(want) => assert_eq!(refusal(&got), bad(want), "{name}"),
        }
    }
}
