//! Cards, polls, mentions, names of webhooks, tags, and sending on.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, call, refusal, text};
use crate::support::{World, send};

#[tokio::test]
async fn a_message_shows_what_it_was_sent_with() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let said = ana
        .say(
            &world,
            &json!({
                "embeds": [{ "title": "News", "color": 255 }], "flags": 4_100,
                "username": "Herald", "avatar_url": "https://a.example/x.png",
            }),
        )
        .await;
    assert_eq!(said.status, 200, "a card alone is no empty message: {said:?}");
    assert_eq!(said.body["embeds"], json!([{ "title": "News", "color": 255 }]));
    assert_eq!(said.body["flags"], 4_100);
    assert_eq!(said.body["author"]["username"], "Herald");
    assert_eq!(said.body["author"]["avatar"], "https://a.example/x.png");
    let poll = json!({
        "question": { "text": "Which?" },
        "answers": [{ "poll_media": { "text": "Tea" } }, { "poll_media": { "text": "Coffee" } }],
        "duration": 768, "allow_multiselect": true, "layout_type": 1,
    });
    let said = ana.say(&world, &json!({ "poll": poll })).await;
    assert_eq!(said.body["poll"]["question"]["text"], "Which?", "{said:?}");
    let path = format!("{}/messages/{}", ana.webhook(&world), said.text_of("id"));
    let changed = send(call(&world, Method::PATCH, &path).json(&text("x"))).await;
    assert_eq!(refusal(&changed), (400, 520_003));
}

#[tokio::test]
async fn bounds_and_what_is_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let card = |key: &str, value: Value| json!({ "embeds": [{ "title": "T", key: value }] });
    let described = |lengths: &[usize]| {
        let cards = lengths.iter().map(|length| json!({ "description": "é".repeat(*length) }));
        json!({ "embeds": cards.collect::<Vec<_>>() })
    };
    let poll = |count: usize, length: usize, hours: u64| {
        let answer = json!({ "poll_media": { "text": "a".repeat(length) } });
        json!({ "poll": { "question": { "text": "q" }, "answers": vec![answer; count], "duration": hours } })
    };
    let ids = |count: usize| json!({ "content": "x", "allowed_mentions": { "parse": [], "users": vec!["1"; count] } });
    for (name, message, is_taken) in [
        ("a title of 256", card("title", json!("t".repeat(256))), true),
        ("a title of 257", card("title", json!("t".repeat(257))), false),
        ("6000 in all", described(&[4_096, 1_904]), true),
        ("6001 in all", described(&[4_096, 1_905]), false),
        ("4097", described(&[4_097]), false),
        ("ten cards", described(&[1; 10]), true),
        ("eleven cards", described(&[1; 11]), false),
        ("25 fields", card("fields", json!(vec![json!({ "name": "n", "value": "v" }); 25])), true),
        ("26 fields", card("fields", json!(vec![json!({ "name": "n", "value": "v" }); 26])), false),
        ("a field of nothing", card("fields", json!([{ "name": "n" }])), false),
        ("white", card("color", json!(0xff_ffff)), true),
        ("beyond white", card("color", json!(0x0100_0000)), false),
        ("an address", card("url", json!("ftp://a.example")), false),
        ("nothing in a card", json!({ "embeds": [{}] }), false),
        ("ten answers of 55", poll(10, 55, 1), true),
        ("eleven answers", poll(11, 1, 1), false),
        ("an answer of 56", poll(2, 56, 1), false),
        ("no hour", poll(2, 1, 0), false),
        ("769 hours", poll(2, 1, 769), false),
        ("100 people", ids(100), true),
        ("101 people", ids(101), false),
        (
            "a role by name",
            json!({ "content": "x", "allowed_mentions": { "roles": ["mods"] } }),
            false,
        ),
        ("a name of 80", json!({ "content": "x", "username": "n".repeat(80) }), true),
        ("a name of 81", json!({ "content": "x", "username": "n".repeat(81) }), false),
        ("a name", json!({ "content": "x", "username": "My Discord" }), false),
        ("other flags", json!({ "content": "x", "flags": 1 << 15 }), false),
    ] {
        let want = if is_taken { (200, 0) } else { (400, 50_035) };
        assert_eq!(refusal(&ana.say(&world, &message).await), want, "{name}");
    }
}

#[tokio::test]
async fn a_post_of_a_forum_has_tags_of_the_forum() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let forum = ana.bot_get(&world, &ana.channel("forum")).await;
    assert_eq!(forum.body["available_tags"][0]["id"], "701");
    let post = |tags: Value| json!({ "content": "x", "thread_name": "News", "applied_tags": tags });
    let path = format!("{}?wait=true", ana.forum_webhook(&world));
    for (name, tags, want) in [
        ("tags", json!(["701", "702"]), (200, 0)),
        ("an unknown one", json!(["7"]), (400, 10_087)),
        ("one of moderators", json!(["703"]), (400, 40_066)),
        ("six", json!(["701", "701", "701", "701", "701", "701"]), (400, 50_035)),
    ] {
        let by_webhook = send(call(&world, Method::POST, &path).json(&post(tags.clone()))).await;
        assert_eq!(refusal(&by_webhook), want, "{name}");
        let body = json!({ "name": "News", "message": text("x"), "applied_tags": tags });
        let by_bot =
            ana.bot_post(&world, &format!("{}/threads", ana.channel("forum")), &body).await;
        let want = if want.0 == 200 { (201, 0) } else { want };
        assert_eq!(refusal(&by_bot), want, "{name}, by a bot");
    }
}

#[tokio::test]
async fn an_announcement_is_sent_on_once() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for (channel, wants) in
        [("announcement", [(200, 0), (400, 40_033)]), ("text", [(400, 50_024); 2])]
    {
        let messages = format!("{}/messages", ana.channel(channel));
        let said = ana.bot_post(&world, &messages, &text("x")).await;
        let path = format!("{messages}/{}/crosspost", said.text_of("id"));
        for want in wants {
            let got = send(ana.bot(&world, Method::POST, &path)).await;
            assert_eq!(refusal(&got), want, "{channel}: {got:?}");
        }
    }
}
