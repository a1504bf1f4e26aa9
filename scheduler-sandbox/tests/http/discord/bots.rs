//! What a bot can do, and what it is refused.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, call, form, refusal, text};
use crate::support::{World, png, send};

fn with_nonce(content: &str, nonce: &str, is_enforced: bool) -> Value {
    json!({ "content": content, "nonce": nonce, "enforce_nonce": is_enforced })
}

#[tokio::test]
async fn a_nonce_that_is_enforced_makes_one_message() {
    let world = World::default().await;
    let (ana, ben) = (Actor::new(&world, "ana").await, Actor::new(&world, "ben").await);
    let path = format!("{}/messages", ana.channel("text"));
    let first = ana.bot_post(&world, &path, &with_nonce("one", "n", true)).await;
    let again = ana.bot_post(&world, &path, &with_nonce("one", "n", true)).await;
    assert_eq!((again.status, again.text_of("id")), (200, first.text_of("id")));
    assert_eq!(world.posts("discord").await.len(), 1);
    for (name, body) in [
        ("another nonce", with_nonce("one", "m", true)),
        ("not enforced", with_nonce("one", "n", false)),
        ("none", text("one")),
    ] {
        let other = ana.bot_post(&world, &path, &body).await;
        assert_ne!(other.text_of("id"), first.text_of("id"), "{name}");
    }
    let bens = format!("{}/messages", ben.channel("text"));
    let other = ben.bot_post(&world, &bens, &with_nonce("one", "n", true)).await;
    assert_ne!(other.text_of("id"), first.text_of("id"), "another author");
    let long = ana.bot_post(&world, &path, &with_nonce("x", &"n".repeat(26), true)).await;
    assert_eq!(refusal(&long), (400, 50_035));

    let payload = with_nonce("", "files", true);
    let send_files = || async {
        let form = form(&payload, &[("a.png", "image/png", png(1))]);
        send(ana.bot(&world, Method::POST, &path).multipart(form)).await
    };
    let (with_files, again) = (send_files().await, send_files().await);
    assert_eq!(with_files.text_of("id"), again.text_of("id"));

    let message = format!("{path}/{}", with_files.text_of("id"));
    assert_eq!(send(ana.bot(&world, Method::DELETE, &message)).await.status, 204);
    assert_eq!(refusal(&send_files().await), (404, 10_008), "published and deleted");
}

#[tokio::test]
async fn a_message_opens_one_thread() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let messages = format!("{}/messages", ana.channel("announcement"));
    let id = ana.bot_post(&world, &messages, &text("news")).await.text_of("id");
    let path = format!("{messages}/{id}/threads");
    for (name, body, want) in [
        ("no name", json!({}), (400, 50_035)),
        ("a long name", json!({ "name": "x".repeat(101) }), (400, 50_035)),
        ("odd minutes", json!({ "name": "x", "auto_archive_duration": 61 }), (400, 50_035)),
        ("a thread", json!({ "name": "x", "auto_archive_duration": 1440 }), (201, 0)),
        ("another", json!({ "name": "y" }), (400, 160_004)),
    ] {
        assert_eq!(refusal(&ana.bot_post(&world, &path, &body).await), want, "{name}");
    }
    let thread = format!("/discord/api/v10/channels/{id}");
    assert_eq!(ana.bot_get(&world, &thread).await.text_of("name"), "x");
    let reply = json!({ "content": "re", "message_reference": { "message_id": "1" } });
    let replies = format!("{thread}/messages");
    assert_eq!(refusal(&ana.bot_post(&world, &replies, &reply).await), (400, 50_035));
    let first = ana.bot_post(&world, &replies, &text("first")).await.text_of("id");
    let reply = json!({ "content": "second", "message_reference": { "message_id": first } });
    assert_eq!(ana.bot_post(&world, &replies, &reply).await.body["type"], 19);
    let listed = ana.bot_get(&world, &format!("{replies}?limit=100")).await;
    let listed: Vec<&Value> =
        listed.body.as_array().unwrap().iter().map(|message| &message["content"]).collect();
    assert_eq!(listed, ["second", "first"]);
    let message = ana.bot_get(&world, &format!("{messages}/{id}")).await;
    assert_eq!(message.body["thread"]["message_count"], 2);
    assert_eq!(world.posts("discord").await[2]["replyTo"], json!(first));
}

#[tokio::test]
async fn a_post_of_a_forum_is_a_thread() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let forum = ana.channel("forum");
    let plain = ana.bot_post(&world, &format!("{forum}/messages"), &text("x")).await;
    assert_eq!(refusal(&plain), (400, 40_058));
    let path = format!("{forum}/threads");
    let post = |name: &str, content: &str| json!({ "name": name, "message": text(content) });
    for (name, body, want) in [
        ("a post", post("News", "Hello"), (201, 0)),
        ("no name", json!({ "message": text("x") }), (400, 50_035)),
        ("no message", json!({ "name": "x" }), (400, 50_006)),
        ("a long text", post("x", &"a".repeat(2_001)), (400, 50_035)),
    ] {
        let got = ana.bot_post(&world, &path, &body).await;
        assert_eq!(refusal(&got), want, "{name}");
        if name == "a post" {
            assert_eq!(got.body["message"]["content"], "Hello");
            assert_eq!(got.body["message"]["channel_id"], got.body["id"]);
        }
        if name == "a long text" {
            assert!(got.body["errors"]["message"]["content"]["_errors"].is_array(), "{got:?}");
        }
    }
    let elsewhere = format!("{}/threads", ana.channel("text"));
    assert_eq!(refusal(&ana.bot_post(&world, &elsewhere, &post("x", "y")).await), (400, 50_024));

    let active = ana.bot_get(&world, &format!("{}/threads/active", ana.guild())).await;
    let thread = &active.body["threads"][0];
    assert_eq!((&thread["name"], &thread["message_count"]), (&json!("News"), &json!(0)));
    assert_eq!(thread["owner_id"], ana.account["bot"]["account"]);
    let archived = ana.bot_get(&world, &format!("{forum}/threads/archived/public")).await;
    assert_eq!(
        (&archived.body["threads"], &archived.body["has_more"]),
        (&json!([]), &json!(false))
    );

    let thread = format!("/discord/api/v10/channels/{}", thread["id"].as_str().unwrap());
    assert_eq!(send(ana.bot(&world, Method::DELETE, &thread)).await.status, 200);
    assert_eq!(refusal(&ana.bot_get(&world, &thread).await), (404, 10_003));
    assert_eq!(world.posts("discord").await[0]["deleted"], true);
    let channel = send(ana.bot(&world, Method::DELETE, &forum)).await;
    assert_eq!(refusal(&channel), (403, 50_013));
}

#[tokio::test]
async fn messages_are_listed_in_pages() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let path = format!("{}/messages", ana.channel("text"));
    let mut ids = Vec::new();
    for number in 0..5 {
        let said = ana.bot_post(&world, &path, &text(&number.to_string())).await;
        ids.push(said.text_of("id"));
    }
    for (name, query, want) in [
        ("latest first", String::new(), vec!["4", "3", "2", "1", "0"]),
        ("some", "?limit=2".to_owned(), vec!["4", "3"]),
        ("before", format!("?limit=2&before={}", ids[3]), vec!["2", "1"]),
        ("the first after", format!("?limit=2&after={}", ids[1]), vec!["3", "2"]),
        ("none after", format!("?after={}", ids[4]), vec![]),
    ] {
        let got = ana.bot_get(&world, &format!("{path}{query}")).await;
        let listed: Vec<&str> = got
            .body
            .as_array()
            .unwrap()
            .iter()
            .map(|message| message["content"].as_str().unwrap())
            .collect();
        assert_eq!(listed, want, "{name}");
    }
    for limit in ["0", "101", "x"] {
        let got = ana.bot_get(&world, &format!("{path}?limit={limit}")).await;
        assert_eq!(refusal(&got), (400, 50_035), "{limit}");
    }
}

#[tokio::test]
async fn only_ones_own_messages_are_changed() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let said = ana.say(&world, &text("by webhook")).await.text_of("id");
    let path = format!("{}/messages/{said}", ana.channel("text"));
    let changed = send(ana.bot(&world, Method::PATCH, &path).json(&text("x"))).await;
    assert_eq!(refusal(&changed), (403, 50_005));
    assert_eq!(refusal(&send(ana.bot(&world, Method::DELETE, &path)).await), (403, 50_013));

    let heart = format!("{path}/reactions/%E2%9D%A4%EF%B8%8F/@me");
    for _ in 0..2 {
        assert_eq!(send(ana.bot(&world, Method::PUT, &heart)).await.status, 204);
    }
    let reactions = &ana.bot_get(&world, &path).await.body["reactions"];
    assert_eq!((&reactions[0]["count"], &reactions[0]["emoji"]["name"]), (&json!(1), &json!("❤️")));
    assert_eq!(send(ana.bot(&world, Method::DELETE, &heart)).await.status, 204);
    assert_eq!(ana.bot_get(&world, &path).await.body["reactions"], Value::Null);
    let odd = format!("{path}/reactions/x/@me");
    assert_eq!(refusal(&send(ana.bot(&world, Method::PUT, &odd)).await), (400, 10_014));
}

#[tokio::test]
async fn what_a_bot_sees() {
    let world = World::default().await;
    let (ana, ben) = (Actor::new(&world, "ana").await, Actor::new(&world, "ben").await);
    let user = ana.bot_get(&world, "/discord/api/v10/users/@me").await;
    assert_eq!(user.body["id"], ana.account["bot"]["account"]);
    let guilds = ana.bot_get(&world, "/discord/api/v10/users/@me/guilds").await;
    assert_eq!(guilds.body.as_array().unwrap().len(), 1);
    assert_eq!(guilds.body[0]["permissions"], "309237763072");
    let channels = ana.bot_get(&world, &format!("{}/channels", ana.guild())).await;
    let kinds: Vec<&Value> =
        channels.body.as_array().unwrap().iter().map(|channel| &channel["type"]).collect();
    assert_eq!(kinds, [0, 5, 15]);
    let guild = ana.bot_get(&world, &format!("{}?with_counts=true", ana.guild())).await;
    assert_eq!(guild.body["approximate_member_count"], 4);
    assert_eq!(guild.body["premium_tier"], 0);
    let search = format!("{}/members/search?query=an&limit=10", ana.guild());
    let found = ana.bot_get(&world, &search).await;
    let found: Vec<&Value> =
        found.body.as_array().unwrap().iter().map(|m| &m["user"]["username"]).collect();
    assert_eq!(found, ["ana", "anton", "ana_bot"]);

    for (name, path, want) in [
        ("another's server", ben.guild(), (404, 10_004)),
        ("another's channel", ben.channel("text"), (403, 50_001)),
        ("no channel", "/discord/api/v10/channels/1".to_owned(), (404, 10_003)),
        ("no call", "/discord/api/v10/nothing".to_owned(), (404, 0)),
        ("nothing to look for", format!("{}/members/search", ana.guild()), (400, 50_035)),
    ] {
        assert_eq!(refusal(&ana.bot_get(&world, &path).await), want, "{name}");
    }
    let nobody = send(call(&world, Method::GET, "/discord/api/v10/users/@me")).await;
    assert_eq!(refusal(&nobody), (401, 0));
}
