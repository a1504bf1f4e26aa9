//! What is left of the tools, on a real server and the imitations: reading, files, captions, and what
//! a key that may publish does after a post went out.

use rmcp::model::{GetPromptRequestParams, ReadResourceRequestParams};
use serde_json::{Value, json};

use super::client::{Connected, Person, call, connect, done, eras, key, key_asking};
use crate::support::{Networks, Setup, wait_for};

/// A post that went out by the tools: its id and that of its target.
async fn published(client: &Connected, target: Value, text: &str) -> (String, String) {
    let draft = json!({
        "content": text, "targets": [target],
        "idempotencyKey": format!("draft of {text}"),
    });
    let post = done(client, "create_draft", draft).await;
    let shown = done(client, "check_post", json!({"postId": post["id"], "publishNow": true})).await;
    let send = json!({
        "id": post["id"], "planId": shown["planId"], "idempotencyKey": format!("send {text}"),
    });
    done(client, "publish_now", send).await;
    (text_of(&post["id"]), text_of(&post["targets"][0]["id"]))
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// The post once it is over.
async fn ended(client: &Connected, id: &str) -> Value {
    wait_for("the end of a post", async || {
        let post = done(client, "get_post", json!({ "id": id })).await;
        (post["status"] == "done").then_some(post)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_went_out_is_tried_again_answered_and_taken_down_once() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), networks.url()).serve();
    let key = key_asking(&service, "publish", &["--confirm", "never"]);
    let [_, discovering, _] = eras();
    let client = connect(&service.url, &key, discovering, Person::NOT_ASKED).await;

    let fault =
        json!({"platform": "mastodon", "operation": "publish", "kind": "permanent", "times": 1});
    networks.fault(&fault).await;
    let (id, target) = published(&client, json!({"account": "mastodon"}), "Refused once").await;
    assert_eq!(ended(&client, &id).await["targets"][0]["status"], "failed");
    let retry = json!({"id": id, "idempotencyKey": "try it again once"});
    let first = done(&client, "retry_targets", retry.clone()).await;
    wait_for("the second try", async || {
        let post = done(&client, "get_post", json!({ "id": id })).await;
        (post["targets"][0]["status"] == "published").then_some(())
    })
    .await;
    assert_eq!(done(&client, "retry_targets", retry).await, first, "a repeat does nothing");
    assert_eq!(networks.live("mastodon").await.into_values().sum::<usize>(), 1);

    let down = json!({"postId": id, "targetId": target, "idempotencyKey": "take it down once"});
    done(&client, "take_down", down.clone()).await;
    done(&client, "take_down", down).await;
    assert_eq!(networks.live("mastodon").await.into_values().sum::<usize>(), 0);

    let commented = json!({"account": "linkedin", "options": {"firstComment": "Something"}});
    let (id, target) = published(&client, commented, "Say something").await;
    ended(&client, &id).await;
    let place = json!({"postId": id, "targetId": target});
    let comment = wait_for("a comment", async || {
        let read = done(&client, "list_comments", place.clone()).await;
        read["comments"].as_array()?.first().cloned()
    })
    .await;
    assert_eq!(comment["untrusted"], true, "{comment}");
    let mut reply = place.clone();
    reply["commentId"] = comment["id"].clone();
    reply["text"] = json!("Thank you, once");
    reply["idempotencyKey"] = json!("answer it once");
    for _ in 0..2 {
        done(&client, "reply_to_comment", reply.clone()).await;
    }
    let read = done(&client, "list_comments", place).await;
    let ours = read["comments"].as_array().unwrap().iter();
    assert_eq!(ours.filter(|one| one["text"] == "Thank you, once").count(), 1, "{read}");
    let results = done(&client, "get_results", json!({"postId": id, "refresh": true})).await;
    assert!(results["results"].is_array(), "{results}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shown_before_anything_goes_out() {
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), "").serve();
    let key = key(&service, "agent");
    let [_, discovering, _] = eras();
    let client = connect(&service.url, &key, discovering, Person::NOT_ASKED).await;

    let check = json!({
        "content": "See https://example.com/a", "scheduledAt": "2030-01-01T09:00:00Z",
        "targets": [{"account": "twitter"}, {"account": "bluesky"}],
    });
    let shown = done(&client, "check_post", check).await;
    assert_eq!(shown["times"][0]["instant"], "2030-01-01T09:00:00Z", "{shown}");
    assert!(shown["times"][0]["local"].is_string() && shown["times"][0]["zone"].is_string());
    assert_eq!(shown["texts"].as_array().unwrap().len(), 2, "{shown}");
    assert!(!shown["costs"].as_array().unwrap().is_empty(), "X charges: {shown}");

    let asked = json!({"text": "Fresh bread", "networks": ["mastodon", "bluesky"]});
    let written = done(&client, "write_captions", asked).await;
    assert!(written["captions"]["mastodon"].is_string(), "{written}");
    assert!(done(&client, "list_media", json!({})).await["files"].is_array());
    let address = json!({"url": "https://10.0.0.1/a.png", "idempotencyKey": "fetch it once"});
    let (is_done, refused) = call(&client, "add_media_from_url", address).await;
    assert!(!is_done, "a private address: {refused}");
    assert_eq!(refused["error"]["field"], "url", "{refused}");

    let draft = json!({
        "content": "To be read", "targets": [{"account": "mastodon"}],
        "idempotencyKey": "a draft to be read",
    });
    let post = done(&client, "create_draft", draft).await;
    let id = text_of(&post["id"]);
    let due = json!({
        "content": "In January", "scheduledAt": "2030-01-07T09:00:00Z",
        "targets": [{"platform": "mastodon"}],
    });
    service.api().create(&due).await;
    for (uri, want) in [
        (format!("scheduler://posts/{id}"), "To be read"),
        ("scheduler://calendar/2030-01".to_owned(), "In January"),
    ] {
        let read = client.read_resource(ReadResourceRequestParams::new(uri.clone())).await.unwrap();
        let read = serde_json::to_string(&read).unwrap();
        assert!(read.contains(want), "{uri}: {read}");
    }
    let prompts = client.list_all_prompts().await.unwrap();
    let mut names: Vec<&str> = prompts.iter().map(|prompt| prompt.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["adapt_post", "plan_week", "review_queue"]);
    let given = json!({"id": id, "network": "bluesky"}).as_object().cloned().unwrap();
    let asked = GetPromptRequestParams::new("adapt_post").with_arguments(given);
    let told = client.get_prompt(asked).await.unwrap();
    assert!(serde_json::to_string(&told).unwrap().contains(&id), "{told:?}");
}
