//! Making and deleting posts.

use serde_json::{Value, json};

use super::{Actor, answer, id_of, kind};
use crate::support::World;

#[tokio::test]
async fn a_post_is_answered_with_its_links_shortened() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let text = "See https://a.example.com/x & 1 < 2";
    let got = ana.publish(&world, &json!({ "text": text })).await;
    let id = id_of(&got);
    assert!(id.len() == 19 && id.bytes().all(|byte| byte.is_ascii_digit()), "{id}");
    let shown = got.body["data"]["text"].as_str().unwrap();
    assert!(
        shown.starts_with("See https://t.co/") && shown.ends_with(" &amp; 1 &lt; 2"),
        "{shown}"
    );
    let posts = world.posts("twitter").await;
    assert_eq!(posts[0]["text"], text);
    assert_eq!(posts[0]["account"], ana.id.as_str());
    assert_eq!(posts[0]["author"], "@ana");
}

#[tokio::test]
async fn a_thread_is_answers_to_ones_own_posts() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    let first = ana.say(&world, "one").await;
    let second = ana.answer(&world, &first, "two").await;
    assert_eq!(world.posts("twitter").await[1]["replyTo"], first.as_str());
    let refused = ben.publish(&world, &answer(&second, "me too")).await;
    assert_eq!(refused.status, 403);
    assert!(refused.text_of("detail").starts_with("Reply to this conversation is not allowed"));
    let asks = ana.say(&world, "What do you say, @Ben?").await;
    ben.answer(&world, &asks, "A lot").await;
    for parent in ["1", "99999999999"] {
        let gone = ana.publish(&world, &answer(parent, "x")).await;
        assert_eq!(gone.status, 403);
        assert!(gone.text_of("detail").contains("deleted or not visible"), "{gone:?}");
    }
}

#[tokio::test]
async fn a_text_is_refused_that_was_posted_already() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let first = ana.say(&world, "twice").await;
    for body in [json!({ "text": "twice" }), answer(&first, "twice")] {
        let got = ana.publish(&world, &body).await;
        assert_eq!((got.status, kind(&got)), (403, "about:blank"));
        let detail = "You are not allowed to create a Tweet with duplicate content.";
        assert_eq!(got.text_of("detail"), detail);
    }
    Actor::new(&world, "Ben").await.say(&world, "twice").await;
    assert_eq!(ana.delete(&world, &first).await.body["data"]["deleted"], true);
    ana.say(&world, "twice").await;
}

#[tokio::test]
async fn deleting_what_is_gone_or_anothers() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    let id = ana.say(&world, "x").await;
    assert_eq!(ben.delete(&world, &id).await.status, 403);
    assert_eq!(ana.delete(&world, &id).await.status, 200);
    for id in [id.as_str(), "1", "x"] {
        let gone = ana.delete(&world, id).await;
        assert_eq!((gone.status, kind(&gone)), (404, "resource-not-found"), "{id}");
    }
    assert_eq!(world.posts("twitter").await[0]["deleted"], true);
}

#[tokio::test]
async fn everything_that_is_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let text = |text: &str| json!({ "text": text });
    let polled = |options: usize, length: usize, minutes: u32| {
        let options = vec!["é".repeat(length); options];
        let poll = json!({ "options": options, "duration_minutes": minutes });
        json!({ "text": format!("Which of {minutes}?"), "poll": poll })
    };
    for (name, body, status, words) in [
        ("at its length", text(&"の".repeat(140)), 201, ""),
        ("too long", text(&"の".repeat(141)), 400, "too long"),
        (
            "a link of any length",
            text(&format!("https://a.example.com/{}", "p".repeat(400))),
            201,
            "",
        ),
        ("empty", text(""), 400, "invalid"),
        ("blank", text(" \n "), 400, "invalid"),
        ("no text", json!({}), 400, "invalid"),
        ("not a text", json!({ "text": 1 }), 400, "invalid"),
        ("a forbidden sign", text("a\u{feff}b"), 400, "invalid"),
        ("one cashtag", text("$TSLA up"), 201, ""),
        ("two cashtags", text("$TSLA $AAPL"), 403, "cashtag"),
        ("a member that is not known", json!({ "text": "x", "colour": "red" }), 400, "invalid"),
        ("files", json!({ "text": "x", "media": { "media_ids": ["1"] } }), 400, "invalid"),
        ("settings", json!({ "text": "x", "reply_settings": "nobody" }), 400, "invalid"),
        (
            "a label that is a text",
            json!({ "text": "x", "paid_partnership": "yes" }),
            400,
            "invalid",
        ),
        ("a label", json!({ "text": "an advertisement", "paid_partnership": true }), 201, ""),
        (
            "a community that is a name",
            json!({ "text": "x", "community_id": "rust" }),
            400,
            "invalid",
        ),
        ("a community of others", json!({ "text": "x", "community_id": "1" }), 403, "not a member"),
        (
            "a community",
            json!({ "text": "to a community", "community_id": "1146654567674912769" }),
            201,
            "",
        ),
        ("a poll", polled(2, 25, 5), 201, ""),
        ("the longest poll", polled(4, 25, 10_080), 201, ""),
        ("a poll of one", polled(1, 1, 60), 400, "invalid"),
        ("a poll of five", polled(5, 1, 60), 400, "invalid"),
        ("a long option", polled(2, 26, 60), 400, "invalid"),
        ("a short poll", polled(2, 1, 4), 400, "invalid"),
        ("a long poll", polled(2, 1, 10_081), 400, "invalid"),
        ("a card", json!({ "text": "x", "card_uri": "card://1" }), 400, "invalid"),
        ("known settings", json!({ "text": "y", "reply_settings": "following" }), 201, ""),
        ("an id that is none", answer("x", "z"), 400, "invalid"),
    ] {
        let got = ana.publish(&world, &body).await;
        assert_eq!(got.status, status, "{name}: {got:?}");
        assert!(got.text_of("detail").contains(words), "{name}: {got:?}");
    }
    let nobody = Actor { token: "x".to_owned(), ..ana };
    let got = nobody.publish(&world, &text("x")).await;
    assert_eq!((got.status, got.text_of("title").as_str()), (401, "Unauthorized"));
}

#[tokio::test]
async fn a_reset_forgets_posts_and_keeps_accounts() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let before = ana.say(&world, "x").await;
    assert_eq!(world.post("/_sandbox/reset", &json!({})).await.status, 204);
    assert_eq!(world.posts("twitter").await, Vec::<Value>::new());
    let after = ana.say(&world, "x").await;
    assert!(after > before, "ids are never given out twice");
    world.post("/_sandbox/reset", &json!({ "accounts": true })).await;
    assert_eq!(ana.get(&world, "/2/users/me").await.status, 401);
}
