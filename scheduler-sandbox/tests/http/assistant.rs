//! The imitated text model.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Got, World, send};

const CHAT: &str = "/assistant/v1/chat/completions";

async fn ask(world: &World, instructions: &str, input: &str) -> Got {
    let messages = json!([
        {"role": "system", "content": instructions},
        {"role": "user", "content": input},
    ]);
    let body = json!({"model": "m", "messages": messages});
    send(world.request(Method::POST, CHAT).bearer_auth("k").json(&body)).await
}

/// What a caption call gets: the finish reason and the reply.
async fn captions(world: &World) -> (String, Value) {
    let got = ask(world, "JSON\n- bluesky (B): x\n- discord (D): y", r#"{"content":"Hi"}"#).await;
    assert_eq!(got.status, 200, "{got:?}");
    let choice = got.body["choices"][0].clone();
    (choice["finish_reason"].as_str().unwrap_or_default().to_owned(), choice["message"].clone())
}

fn reply(message: &Value) -> Value {
    serde_json::from_str(message["content"].as_str().unwrap_or_default()).unwrap_or(Value::Null)
}

#[tokio::test]
async fn captions_are_of_the_content_and_of_each_network_that_is_listed() {
    let world = World::default().await;
    let (finish, message) = captions(&world).await;
    assert_eq!(finish, "stop");
    assert_eq!(reply(&message), json!({"bluesky": "Hi", "discord": "Hi"}));
    let long = json!({"content": "word ".repeat(100)}).to_string();
    let got = ask(&world, "JSON\n- bluesky (B): x", &long).await;
    let caption = reply(&got.body["choices"][0]["message"])["bluesky"].clone();
    assert_eq!(caption, "word ".repeat(30).trim_end());
}

#[tokio::test]
async fn reviews_have_a_score() {
    let world = World::default().await;
    let got = ask(&world, "JSON with a \"score\"", "{}").await;
    assert_eq!(reply(&got.body["choices"][0]["message"])["score"], 7);
}

#[tokio::test]
async fn what_is_said_next_can_be_chosen() {
    let world = World::default().await;
    for kind in ["refusal", "filtered", "prose", "other", "missing", "empty", "long", "cut", "none"]
    {
        let got = world.post("/assistant/says", &json!({"kind": kind})).await;
        assert_eq!(got.status, 201, "{got:?}");
        let (finish, message) = captions(&world).await;
        let said = reply(&message);
        match kind {
            "refusal" => assert!(message["refusal"].is_string() && message["content"].is_null()),
            "filtered" => assert_eq!(finish, "content_filter"),
            "prose" => assert!(message["content"].is_string() && said.is_null()),
            "other" => assert!(said.is_array()),
            "missing" => assert_eq!(said, json!({"bluesky": "Hi"})),
            "empty" => assert_eq!(said["discord"], ""),
            "long" => assert!(said["bluesky"].as_str().unwrap().len() > 70_000),
            "cut" => assert!(finish == "length" && said.is_null()),
            _ => assert!(message.is_null()),
        }
        let (finish, message) = captions(&world).await;
        assert_eq!((finish.as_str(), reply(&message).is_object()), ("stop", true), "after {kind}");
    }
    world.post("/assistant/says", &json!({"kind": "broken", "times": 2})).await;
    for _ in 0..2 {
        let got = ask(&world, "", "x").await;
        assert_eq!((got.status, got.body), (200, Value::Null));
    }
    assert_eq!(captions(&world).await.0, "stop");
    world.post("/assistant/says", &json!({"kind": "prose"})).await;
    world.post("/_sandbox/reset", &json!({})).await;
    assert!(reply(&captions(&world).await.1).is_object(), "a reset forgets what was to be said");
}

#[tokio::test]
async fn wrong_calls_are_refused() {
    let world = World::default().await;
    let messages = json!([{"role": "user", "content": "x"}]);
    let json_wanted = json!({"model": "m", "messages": messages,
        "response_format": {"type": "json_object"}});
    for (name, path, key, body, want) in [
        ("no key", CHAT, "", json!({"model": "m", "messages": messages}), 401),
        ("no model", CHAT, "k", json!({"messages": messages}), 400),
        ("no messages", CHAT, "k", json!({"model": "m"}), 400),
        ("JSON without the word", CHAT, "k", json_wanted, 400),
        ("no such path", "/assistant/v1/completions", "k", json!({}), 404),
        ("nothing to say", "/assistant/says", "k", json!({"kind": "nothing"}), 400),
        ("said no times", "/assistant/says", "k", json!({"kind": "long", "times": 0}), 400),
        ("a typo", "/assistant/says", "k", json!({"kind": "long", "time": 1}), 400),
    ] {
        let request = world.request(Method::POST, path).json(&body);
        let request = if key.is_empty() { request } else { request.bearer_auth(key) };
        let got = send(request).await;
        assert_eq!(got.status, want, "{name}: {got:?}");
        assert!(got.body["error"]["message"].is_string(), "{name}");
    }
    let models = send(world.request(Method::GET, "/assistant/v1/models").bearer_auth("k")).await;
    assert_eq!(models.body["data"][0]["id"], "sandbox-model");
    assert_eq!(world.get("/assistant/v1/models").await.status, 401);
}

#[tokio::test]
async fn it_fails_as_told() {
    let world = World::default().await;
    for (kind, want) in
        [("error500", 500), ("rate_limited", 429), ("permanent", 404), ("expired_token", 401)]
    {
        world.arm(json!({"platform": "assistant", "operation": "any", "kind": kind})).await;
        assert_eq!(ask(&world, "", "x").await.status, want, "{kind}");
    }
    assert_eq!(ask(&world, "", "x").await.status, 401, "the key stays expired");
    world.post("/_sandbox/reset", &json!({"accounts": true})).await;
    assert_eq!(ask(&world, "", "x").await.status, 200);
    assert!(world.requests().await.iter().all(|request| !request.to_string().contains("Bearer k")));
}

#[tokio::test]
async fn an_account_is_all_that_a_configuration_needs() {
    let world = World::default().await;
    let account = world.account("assistant", "any").await;
    assert_eq!(account["url"], format!("{}/assistant/v1", world.sandbox.url()));
    assert!(account["key"].is_string() && account["model"].is_string());
}
