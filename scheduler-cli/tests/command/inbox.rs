//! What others write under a live post, from the network to the inbox; and who changed what.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::running::{Serving, asked_with};

/// How long a reading may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Somebody else writes under a live post of the sandbox's Mastodon, over the API of Mastodon.
fn write_under(server: &Serving, status: &str, text: &str) {
    let sandbox = server.told("Sandbox on ").unwrap();
    let body = r#"{"platform": "mastodon", "name": "ann"}"#;
    let as_json = [("content-type", "application/json")];
    let (line, account) = asked_with(sandbox, "POST /_sandbox/accounts", &as_json, body);
    assert!(line.contains("201"), "{line} {account}");
    let token = format!("Bearer {}", account["accessToken"].as_str().unwrap());
    let body = json!({"status": text, "in_reply_to_id": status}).to_string();
    let headers = [("authorization", token.as_str()), as_json[0]];
    let (line, made) = asked_with(sandbox, "POST /mastodon/api/v1/statuses", &headers, &body);
    assert!(line.contains("200"), "{line} {made}");
}

#[test]
fn a_comment_is_found_read_and_answered() {
    let server = Serving::start();
    let json = |arguments: &[&str]| {
        let ran = server.run(&[arguments, &["--json"]].concat());
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        ran.json()
    };
    let post = json(&["post", "fresh bread", "--to", "mastodon,bluesky", "--now", "--wait"]);
    let id = post["id"].as_str().unwrap();
    let targets = post["targets"].as_array().unwrap();
    let on_mastodon = targets.iter().find(|target| target["platform"] == "mastodon").unwrap();
    assert_eq!(json(&["inbox"])["data"], json!([]));

    write_under(&server, on_mastodon["remoteId"].as_str().unwrap(), "Rye \u{1b}[2J too?");
    json(&["metrics", "refresh"]);
    let begun = Instant::now();
    let found = loop {
        let page = json(&["inbox", "--unread"]);
        if page["data"][0].is_object() {
            break page;
        }
        assert!(begun.elapsed() < PATIENCE, "the comment is not found");
    };
    let comment = &found["data"][0];
    assert_eq!(found["unread"], 1, "{found}");
    assert_eq!((&comment["postId"], &comment["targetId"]), (&json!(id), &on_mastodon["id"]));
    assert!(comment["author"].as_str().unwrap().contains("ann"), "{comment}");
    assert!(comment["text"].as_str().unwrap().starts_with("Rye "), "{comment}");
    let shown = server.run(&["inbox"]);
    assert!(shown.stdout.contains("too?") && !shown.stdout.contains('\u{1b}'), "{shown:?}");

    let own = comment["id"].as_str().unwrap();
    assert_eq!(json(&["inbox", "read", own]), json!({"changed": 1, "unread": 0}));
    assert_eq!(json(&["inbox", "unread", own]), json!({"changed": 1, "unread": 1}));
    assert_eq!(json(&["inbox", "--network", "bluesky"])["data"], json!([]));
    json(&["reply", id, "mastodon", comment["commentId"].as_str().unwrap(), "Every Friday"]);
    assert_eq!(json(&["inbox"])["unread"], 0, "what is answered is read");
}

#[test]
fn the_log_tells_who_changed_what() {
    let server = Serving::start();
    let run = |arguments: &[&str]| {
        let ran = server.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        ran
    };
    let post = run(&["post", "later", "--to", "bluesky", "--draft", "--json"]).json();
    run(&["posts"]);
    run(&["workspace", "rename", "default", "The bakery"]);
    let refused = server.run(&["post", "", "--to", "bluesky"]);
    assert_ne!(refused.code, Some(0), "{refused:?}");
    // The server stores what its key has done a moment later.
    let begun = Instant::now();
    let log: Vec<(Value, Value, Value)> = loop {
        let page = run(&["log", "--json"]).json();
        let log = page["data"].as_array().unwrap().iter().map(|entry| {
            (entry["operation"].clone(), entry["by"]["kind"].clone(), entry["path"].clone())
        });
        let log: Vec<_> = log.collect();
        if log.len() > 1 {
            break log;
        }
        assert!(begun.elapsed() < PATIENCE, "the post is not there: {log:?}");
    };
    let path = format!("/v1/posts/{}", post["id"].as_str().unwrap());
    let workspace = (json!("change_workspace"), json!("server"), json!("/app/v1/workspace"));
    assert_eq!(log, [workspace, (json!("create_post"), json!("key"), json!(path))]);
    let shown = run(&["log"]).stdout;
    assert!(shown.contains("on the server") && shown.contains("create post"), "{shown}");
}
