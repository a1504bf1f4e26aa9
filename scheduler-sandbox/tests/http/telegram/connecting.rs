//! Bots, chats, and what a bot hears.

use serde_json::{Value, json};

use super::{Actor, refusal};
use crate::support::{World, send};

#[tokio::test]
async fn a_bot_and_its_channel() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    let me = acme.call(&world, "getMe", json!({})).await;
    assert_eq!((me.status, &me.body["result"]["is_bot"]), (200, &json!(true)));
    let by_get = world.get(&format!("/telegram/bot{}/GETME", acme.token)).await;
    assert_eq!(by_get.body, me.body, "any method of HTTP, and methods have no case");

    for chat in [json!("@acme_channel"), json!("@ACME_channel"), acme.chat.clone()] {
        let got = acme.call(&world, "getChat", json!({"chat_id": chat})).await;
        assert_eq!(got.body["result"]["id"], acme.chat, "{got:?}");
        assert_eq!(got.body["result"]["type"], "channel");
        assert_eq!(got.body["result"]["username"], "acme_channel");
    }
    let member = json!({"user_id": me.body["result"]["id"]});
    let member = acme.call(&world, "getChatMember", member).await.body["result"].clone();
    assert_eq!(
        (&member["status"], &member["can_post_messages"]),
        (&json!("administrator"), &json!(true))
    );
    // Clients in types refuse answers without what is always there.
    for name in ["can_post_stories", "can_edit_stories", "can_delete_stories", "is_anonymous"] {
        assert!(member[name].is_boolean(), "{name}");
    }
    let chat = acme.call(&world, "getChat", json!({})).await.body["result"].clone();
    for name in ["unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription"] {
        assert!(chat["accepted_gift_types"][name].is_boolean(), "{name}");
    }
    let count = acme.call(&world, "getChatMemberCount", json!({})).await;
    assert_eq!(count.body, json!({"ok": true, "result": 96}));
}

#[tokio::test]
async fn chats_of_every_kind() {
    let world = World::default().await;
    for (name, kind, is_public) in [
        ("Acme news", "channel", true),
        ("private news", "channel", false),
        ("group of us", "group", false),
        ("supergroup of us", "supergroup", false),
        ("upgraded us", "group", false),
        ("big news", "channel", true),
        ("silent news", "channel", true),
    ] {
        let actor = Actor::new(&world, name).await;
        let chat = actor.call(&world, "getChat", json!({})).await.body["result"].clone();
        assert_eq!((&chat["type"], &chat["title"]), (&json!(kind), &json!(name)));
        assert_eq!(chat["username"].is_string(), is_public, "{name}");
        let id = actor.chat.as_i64().unwrap();
        assert_eq!(id.to_string().starts_with("-100"), kind != "group", "{name}: {id}");
    }
}

#[tokio::test]
async fn tokens_that_open_nothing() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    let path = |token: &str| format!("/telegram/bot{token}/getMe");
    for (name, token, want) in [
        ("another", "7000000001:AAwrong", (401, "Unauthorized")),
        ("of a wrong form", "token", (404, "Not Found")),
        ("no number", "x:AAwrong", (404, "Not Found")),
    ] {
        let got = world.get(&path(token)).await;
        assert_eq!(refusal(&got), (want.0, want.1.to_owned()), "{name}");
    }
    let unknown = acme.call(&world, "sendPigeon", json!({})).await;
    assert_eq!(refusal(&unknown), (404, "Not Found: method not found".to_owned()));
    assert_eq!(acme.call(&world, "logOut", json!({})).await.body["result"], true);
    assert_eq!(refusal(&world.get(&path(&acme.token)).await), (400, "Logged out".to_owned()));
}

#[tokio::test]
async fn a_bot_sees_only_its_chats_and_those_with_names() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme news").await;
    let other = Actor::new(&world, "private news").await;
    let foreign = |method: &'static str, from: &Actor, chat: &Value| {
        let request = from.request(&world, method).json(&json!({
            "chat_id": chat, "user_id": 7_000_000_001_i64, "text": "hi",
        }));
        async { refusal(&send(request).await) }
    };
    let not_found = (400, "Bad Request: chat not found".to_owned());
    let not_in_it = (403, "Forbidden: bot is not a member of the channel chat".to_owned());
    assert_eq!(foreign("getChat", &acme, &other.chat).await, not_found);
    assert_eq!(foreign("sendMessage", &acme, &json!("@nowhere")).await, not_found);
    assert_eq!(foreign("sendMessage", &other, &acme.chat).await, not_in_it);
    assert_eq!(foreign("getChatMemberCount", &other, &acme.chat).await, not_in_it);
    let empty = foreign("getChat", &acme, &json!("")).await;
    assert_eq!(empty, (400, "Bad Request: chat_id is empty".to_owned()));

    let silent = Actor::new(&world, "silent news").await;
    assert_eq!(
        refusal(&silent.say(&world, "hi").await),
        (400, "Bad Request: need administrator rights in the channel chat".to_owned())
    );
}

#[tokio::test]
async fn the_code_that_somebody_posted_is_heard() {
    let world = World::default().await;
    for (name, member) in [("private news", "channel_post"), ("group of us", "message")] {
        let actor = Actor::new(&world, name).await;
        let ask = |body: Value| actor.call(&world, "getUpdates", body);
        let heard = ask(json!({"offset": -100, "allowed_updates": [member]})).await;
        let update = heard.body["result"][0].clone();
        assert_eq!(update[member]["text"], format!("/connect {}", actor.code), "{name}");
        assert_eq!(update[member]["chat"]["id"], actor.chat, "{name}");
        let others = ask(json!({"allowed_updates": ["poll"]})).await;
        assert_eq!(others.body["result"], json!([]), "{name}");

        assert_eq!(
            actor.call(&world, "setWebhook", json!({"url": "https://a.example"})).await.status,
            200
        );
        let (status, description) = refusal(&ask(json!({})).await);
        assert_eq!(status, 409);
        assert!(description.starts_with("Conflict: can't use getUpdates"), "{description}");
        assert_eq!(actor.call(&world, "deleteWebhook", json!({})).await.status, 200);
        assert_eq!(ask(json!({})).await.body["result"], json!([update]), "{name}");

        let next = update["update_id"].as_i64().unwrap() + 1;
        assert_eq!(ask(json!({"offset": next})).await.body["result"], json!([]), "{name}");
        assert_eq!(ask(json!({})).await.body["result"], json!([]), "{name}: noted");
    }
}

#[tokio::test]
async fn what_is_shown_holds_no_token() {
    let world = World::default().await;
    let acme = Actor::new(&world, "acme").await;
    acme.say(&world, "hi").await;
    let requests = world.requests().await;
    let last = requests.last().unwrap();
    assert_eq!(last["path"], "/telegram/bot[redacted]/sendMessage");
    let secret = acme.token.split_once(':').unwrap().1;
    assert!(!json!(requests).to_string().contains(secret));
}
