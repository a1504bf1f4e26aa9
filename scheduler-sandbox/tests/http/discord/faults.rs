//! Faults in this network's own words, operations, limits.

use reqwest::Method;
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::{Actor, call, refusal, text};
use crate::support::{World, send};

fn fault(operation: &str, kind: &str) -> Value {
    json!({ "platform": "discord", "operation": operation, "kind": kind })
}

#[tokio::test]
async fn an_error_is_answered_and_nothing_done() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for (kind, want) in
        [("error500", (500, 0)), ("rate_limited", (429, 0)), ("permanent", (400, 50_035))]
    {
        world.arm(fault("publish", kind)).await;
        let got = ana.say(&world, &text("hi")).await;
        assert_eq!(refusal(&got), want, "{kind}");
        if kind == "rate_limited" {
            assert_eq!(got.body["retry_after"], 2.0);
            assert_eq!(got.body["global"], false);
            assert_eq!(got.header("retry-after"), Some("2"));
            assert_eq!(got.header("x-ratelimit-scope"), Some("user"));
            assert_eq!(got.header("x-ratelimit-remaining"), Some("0"));
        }
    }
    assert_eq!(world.posts("discord").await, Vec::<Value>::new());
    assert_eq!(ana.say(&world, &text("hi")).await.status, 200);
}

#[tokio::test]
async fn a_connection_that_breaks_has_or_has_not_done_it() {
    for (kind, posted) in [("reset_before", 0), ("reset_after", 1)] {
        let world = World::default().await;
        let ana = Actor::new(&world, "ana").await;
        world.arm(fault("publish", kind)).await;
        let path = format!("{}?wait=true", ana.webhook(&world));
        let sent = call(&world, Method::POST, &path).json(&text("hi")).send().await;
        assert!(sent.is_err(), "{kind}");
        assert_eq!(world.posts("discord").await.len(), posted, "{kind}");
    }
}

#[tokio::test]
async fn tokens_that_end_are_those_of_the_caller() {
    let world = World::default().await;
    let (ana, ben) = (Actor::new(&world, "ana").await, Actor::new(&world, "ben").await);
    world.arm(fault("publish", "expired_token")).await;
    for attempt in ["the fault", "and after it"] {
        let got = ana.say(&world, &text("hi")).await;
        assert_eq!(refusal(&got), (401, 50_027), "{attempt}");
    }
    let path = format!("{}/messages", ana.channel("text"));
    world.arm(fault("publish", "expired_token")).await;
    for attempt in ["the fault", "and after it"] {
        let got = ana.bot_post(&world, &path, &text("hi")).await;
        assert_eq!(refusal(&got), (401, 0), "{attempt}");
    }
    assert_eq!(ben.say(&world, &text("hi")).await.status, 200, "another account is spared");
}

#[tokio::test]
async fn each_operation_is_told_from_the_others() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let (webhook, channel) = (ana.webhook(&world), ana.channel("text"));
    let messages = format!("{channel}/messages");
    let id = ana.bot_post(&world, &messages, &text("post")).await.text_of("id");
    let threads = format!("{messages}/{id}/threads");
    assert_eq!(ana.bot_post(&world, &threads, &json!({ "name": "x" })).await.status, 201);
    let thread = format!("/discord/api/v10/channels/{id}");
    for (name, method, path, want) in [
        ("webhook", Method::POST, webhook.clone(), "publish"),
        ("message", Method::POST, messages.clone(), "publish"),
        ("thread", Method::POST, threads, "publish"),
        ("post of a forum", Method::POST, format!("{}/threads", ana.channel("forum")), "publish"),
        ("comment", Method::POST, format!("{thread}/messages"), "comment"),
        ("comments", Method::GET, format!("{thread}/messages"), "comment"),
        ("edit of a comment", Method::PATCH, format!("{thread}/messages/1"), "comment"),
        ("like", Method::PUT, format!("{thread}/messages/1/reactions/x/@me"), "comment"),
        ("figures", Method::GET, format!("{messages}/{id}"), "metrics"),
        ("figures of a thread", Method::GET, thread, "metrics"),
        ("followers", Method::GET, format!("{}?with_counts=true", ana.guild()), "metrics"),
        ("connecting", Method::GET, webhook.clone(), "token"),
        ("connecting a bot", Method::GET, "/discord/api/v10/users/@me".to_owned(), "token"),
        ("a code", Method::POST, "/discord/api/oauth2/token".to_owned(), "token"),
        ("look-up", Method::GET, messages.clone(), "other"),
        ("edit", Method::PATCH, format!("{messages}/{id}"), "other"),
        ("delete", Method::DELETE, format!("{webhook}/messages/1"), "other"),
    ] {
        if want != "other" {
            world.arm(fault(want, "error500")).await;
        }
        let got = send(ana.bot(&world, method, &path)).await;
        assert_eq!(world.requests().await.last().unwrap()["operation"], want, "{name}");
        assert_eq!(got.status == 500, want != "other", "{name}: {got:?}");
    }
}

#[tokio::test]
async fn each_operation_has_a_refusal_of_its_own() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let messages = format!("{}/messages", ana.channel("text"));
    let heart = format!("{messages}/1/reactions/x/@me");
    for (operation, method, path, want) in [
        ("comment", Method::PUT, heart, (400, 160_005)),
        ("metrics", Method::GET, format!("{messages}/1"), (404, 10_008)),
        ("token", Method::GET, ana.webhook(&world), (401, 50_027)),
    ] {
        world.arm(fault(operation, "permanent")).await;
        let got = send(ana.bot(&world, method, &path)).await;
        assert_eq!(refusal(&got), want, "{operation}");
    }
}

#[tokio::test]
async fn limits_are_counted_only_when_asked_for() {
    for (quotas, want) in [(true, 429), (false, 200)] {
        let world = World::start(Options { quotas, ..Options::default() }).await;
        let ana = Actor::new(&world, "ana").await;
        let mut last = ana.say(&world, &text("0")).await;
        assert_eq!(last.header("x-ratelimit-limit"), Some("5"));
        assert_eq!(last.header("x-ratelimit-remaining"), Some("4"));
        // More than there are in one window, which may end meanwhile.
        for number in 1..31 {
            last = ana.say(&world, &text(&number.to_string())).await;
            if last.status == 429 {
                break;
            }
        }
        assert_eq!(last.status, want, "{quotas}");
        if quotas {
            assert!(last.body["retry_after"].as_f64().unwrap() <= 60.0);
        }
    }
}

#[tokio::test]
async fn a_reset_forgets_messages_and_keeps_accounts() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let path = format!("{}?wait=true", ana.forum_webhook(&world));
    let body = json!({ "content": "x", "thread_name": "x" });
    assert_eq!(send(call(&world, Method::POST, &path).json(&body)).await.status, 200);
    let reset = world.request(Method::POST, "/_sandbox/reset").send().await.unwrap();
    assert_eq!(reset.status(), 204);
    assert_eq!(world.posts("discord").await, Vec::<Value>::new());
    let active = ana.bot_get(&world, &format!("{}/threads/active", ana.guild())).await;
    assert_eq!(active.body["threads"], json!([]));
    assert_eq!(ana.say(&world, &text("again")).await.status, 200);
}
