//! What a webhook can do, and what it is refused.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, call, form, refusal, text};
use crate::support::{World, png, send};

#[tokio::test]
async fn a_message_is_told_only_to_those_who_wait() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let said = ana.say(&world, &text(" Hello ")).await;
    assert_eq!((said.status, said.text_of("content").as_str()), (200, "Hello"));
    assert_eq!(said.body["webhook_id"], ana.account["account"]);
    assert_eq!(said.body["channel_id"], ana.account["webhookChannelId"]);
    assert!(said.text_of("timestamp").ends_with("+00:00"), "{said:?}");
    let silent =
        send(call(&world, Method::POST, &ana.webhook(&world)).json(&text("unheard"))).await;
    assert_eq!((silent.status, silent.text.as_str()), (204, ""));
    let posts = world.posts("discord").await;
    let texts: Vec<&Value> = posts.iter().map(|post| &post["text"]).collect();
    assert_eq!(texts, ["Hello", "unheard"]);
    assert_eq!(posts[0]["account"], ana.account["account"]);
}

#[tokio::test]
async fn a_message_is_read_changed_and_deleted() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let id = ana.say(&world, &text("before")).await.text_of("id");
    let path = format!("{}/messages/{id}", ana.webhook(&world));
    assert_eq!(send(call(&world, Method::GET, &path)).await.text_of("content"), "before");
    let changed = send(call(&world, Method::PATCH, &path).json(&text("after"))).await;
    assert_eq!((changed.status, changed.text_of("content").as_str()), (200, "after"));
    assert!(changed.body["edited_timestamp"].is_string());
    assert_eq!(send(call(&world, Method::DELETE, &path)).await.status, 204);
    for method in [Method::GET, Method::DELETE, Method::PATCH] {
        let gone = send(call(&world, method, &path).json(&text("x"))).await;
        assert_eq!(refusal(&gone), (404, 10_008));
    }
    assert_eq!(world.posts("discord").await[0]["deleted"], true);
}

#[tokio::test]
async fn files_come_with_a_form_and_have_descriptions() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let payload = json!({
        "attachments": [
            { "id": 0, "filename": "a.png", "description": "A dot" },
            { "id": 1, "filename": "b.mp4" },
        ],
    });
    let files = [("a.png", "image/png", png(1)), ("b.mp4", "video/mp4", vec![7; 500])];
    let path = format!("{}?wait=true", ana.webhook(&world));
    let said = send(call(&world, Method::POST, &path).multipart(form(&payload, &files))).await;
    assert_eq!(said.status, 200, "{said:?}");
    let shown = &said.body["attachments"];
    assert_eq!(
        (&shown[0]["filename"], &shown[0]["description"]),
        (&json!("a.png"), &json!("A dot"))
    );
    assert_eq!((&shown[1]["filename"], &shown[1]["size"]), (&json!("b.mp4"), &json!(500)));
    let media = &world.posts("discord").await[0]["media"];
    assert_eq!(
        (&media[0]["bytes"], &media[1]["type"]),
        (&json!(png(1).len()), &json!("video/mp4"))
    );
    let path = format!("{}/messages/{}", ana.webhook(&world), said.text_of("id"));
    let changed = send(call(&world, Method::PATCH, &path).json(&text("x"))).await;
    assert_eq!(changed.body["attachments"].as_array().unwrap().len(), 2, "the files stay");
}

#[tokio::test]
async fn a_forum_wants_a_name_and_another_channel_none() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let (channel, forum) = (ana.webhook(&world), ana.forum_webhook(&world));
    let named = |name: &str| json!({ "content": "x", "thread_name": name });
    for (name, path, body, want) in [
        ("a forum without name", format!("{forum}?wait=true"), text("x"), (400, 220_001)),
        ("a name elsewhere", format!("{channel}?wait=true"), named("x"), (400, 220_003)),
        ("both", format!("{forum}?wait=true&thread_id=1"), named("x"), (400, 220_002)),
        ("a long name", format!("{forum}?wait=true"), named(&"x".repeat(101)), (400, 50_035)),
        ("an empty name", format!("{forum}?wait=true"), named(" "), (400, 50_035)),
        ("another thread", format!("{forum}?wait=true&thread_id=1"), text("x"), (404, 10_003)),
    ] {
        let got = send(call(&world, Method::POST, &path).json(&body)).await;
        assert_eq!(refusal(&got), want, "{name}: {got:?}");
    }
    let path = format!("{forum}?wait=true");
    let post = send(call(&world, Method::POST, &path).json(&named(&"x".repeat(100)))).await;
    assert_eq!(post.status, 200);
    let (id, thread) = (post.text_of("id"), post.text_of("channel_id"));
    assert_eq!(id, thread, "the first message has the id of its thread");
    let message = format!("{forum}/messages/{id}");
    assert_eq!(refusal(&send(call(&world, Method::GET, &message)).await), (404, 10_008));
    let within = format!("{message}?thread_id={thread}");
    assert_eq!(send(call(&world, Method::GET, &within)).await.status, 200);
    let path = format!("{forum}?wait=true&thread_id={thread}");
    let reply = send(call(&world, Method::POST, &path).json(&text("reply"))).await;
    assert_eq!(reply.body["channel_id"], json!(thread));
    assert_eq!(world.posts("discord").await[1]["replyTo"], json!(id));
}

#[tokio::test]
async fn everything_that_is_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let path = format!("{}?wait=true", ana.webhook(&world));
    for (name, content, want) in [
        ("at the limit", "a".repeat(2_000), (200, 0)),
        ("one over", "a".repeat(2_001), (400, 50_035)),
        ("code points, not units", "👍".repeat(2_000), (200, 0)),
        ("joined", "👨‍👩‍👧‍👦".repeat(286), (400, 50_035)),
        ("spaces", "   ".to_owned(), (400, 50_006)),
        ("nothing", String::new(), (400, 50_006)),
    ] {
        let got = ana.say(&world, &text(&content)).await;
        assert_eq!(refusal(&got), want, "{name}: {got:?}");
        if want.1 == 50_035 {
            let fault = &got.body["errors"]["content"]["_errors"][0];
            assert_eq!(fault["code"], "BASE_TYPE_MAX_LENGTH");
            assert_eq!(fault["message"], "Must be 2000 or fewer in length.");
        }
    }
    let mib = 1024 * 1024;
    let file = |bytes: usize| ("a.png", "image/png", vec![1; bytes]);
    let described = |length: usize| json!({ "attachments": [{ "id": 0, "filename": "a", "description": "d".repeat(length) }] });
    for (name, payload, files, want) in [
        ("a file alone", json!({}), vec![file(10)], (200, 0)),
        ("a file at its size", json!({}), vec![file(10 * mib)], (200, 0)),
        ("a file too large", json!({}), vec![file(10 * mib + 1)], (400, 50_045)),
        ("all too large", json!({}), vec![file(9 * mib); 3], (413, 40_005)),
        ("ten files", json!({}), vec![file(1); 10], (200, 0)),
        ("eleven files", json!({}), vec![file(1); 11], (400, 30_015)),
        ("a description at its length", described(1_024), vec![file(1)], (200, 0)),
        ("a long description", described(1_025), vec![file(1)], (400, 50_035)),
    ] {
        let got = send(call(&world, Method::POST, &path).multipart(form(&payload, &files))).await;
        assert_eq!(refusal(&got), want, "{name}: {got:?}");
    }
    let broken = call(&world, Method::POST, &path).header("content-type", "application/json");
    assert_eq!(refusal(&send(broken.body("{")).await), (400, 50_109));
}

/// What discord.py needs: it compares the type of an answer as a whole, and posts by a library that
/// has a name of its own.
#[tokio::test]
async fn other_clients_read_the_answers() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let path = format!("{}?wait=true", ana.webhook(&world));
    let request = world.request(Method::POST, &path).header("user-agent", "python-requests/2.32.3");
    let said = send(request.json(&text("Hello"))).await;
    assert_eq!((said.status, said.header("content-type")), (200, Some("application/json")));
    let author = &said.body["author"];
    for (member, want) in
        [("public_flags", json!(0)), ("flags", json!(0)), ("global_name", json!(null))]
    {
        assert_eq!(author.get(member), Some(&want), "{member}");
    }
    let path = path.replace("true", "1");
    let agent = "DiscordBot (https://github.com/Rapptz/discord.py 2.7.1) Python/3.11 aiohttp/3.14";
    let request = world.request(Method::POST, &path).header("user-agent", agent);
    let said = send(request.json(&text("Again"))).await;
    assert_eq!((said.status, &said.body["content"]), (200, &json!("Again")));
    let refused = ana.say(&world, &text("")).await;
    assert_eq!((refused.status, refused.header("content-type")), (400, Some("application/json")));
}

#[tokio::test]
async fn who_calls_is_asked_first() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let path = ana.webhook(&world);
    let webhook = send(call(&world, Method::GET, &path)).await;
    assert_eq!((webhook.status, &webhook.body["type"]), (200, &json!(1)));
    assert_eq!(webhook.body["url"], ana.account["webhookUrl"]);
    let versioned = path.replace("/api/", "/api/v10/");
    assert_eq!(send(call(&world, Method::GET, &versioned)).await.status, 200);
    for (name, request, want) in [
        ("no name", world.request(Method::GET, &path), (403, 40_333)),
        (
            "an odd name",
            world.request(Method::GET, &path).header("user-agent", "DiscordBot"),
            (403, 40_333),
        ),
        ("an old version", call(&world, Method::GET, &path.replace("/api/", "/api/v5/")), (404, 0)),
        ("another token", call(&world, Method::GET, &format!("{path}x")), (401, 50_027)),
        ("another webhook", call(&world, Method::GET, "/discord/api/webhooks/1/x"), (404, 10_015)),
        ("a method", call(&world, Method::PUT, &format!("{path}/messages/1")), (404, 10_008)),
    ] {
        assert_eq!(refusal(&send(request).await), want, "{name}");
    }
    assert_eq!(send(call(&world, Method::DELETE, &path)).await.status, 204);
    assert_eq!(refusal(&ana.say(&world, &text("x")).await), (404, 10_015));
}
