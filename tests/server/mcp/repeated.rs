//! Calls that are sent again, and calls whose connection breaks before their answer.

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::client::{answered, calling, key_asking, request};
use crate::support::{Networks, Service, Setup, wait_for};

/// Drafts, each under a key of its own.
const POSTS: usize = 10;

/// Calls for each.
const CALLS: usize = 50;

/// Sends a call and closes the connection without an answer, at one of several places.
async fn torn(service: &Service, key: &str, body: &Value, number: usize) {
    let address = service.url.strip_prefix("http://").unwrap();
    let body = body.to_string();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    let end = match number % 4 {
        0 => request.len() / 2,
        1 => request.len() - 1,
        _ => request.len(),
    };
    // A server that closes first breaks the writing off.
    let _ = stream.write_all(&request.as_bytes()[..end]).await;
    if number % 4 == 3 {
        // It was done, and the answer is lost.
        let _ = stream.readable().await;
    }
}

/// Makes many calls with few keys at once, each second one torn; the answers to the others.
async fn many(service: &Service, key: &str, calls: &[Value]) -> Vec<Value> {
    let mut answers = Vec::new();
    for round in 0..CALLS / 10 {
        let mut callers = JoinSet::new();
        for number in 0..10 {
            for body in calls {
                if number % 2 == 0 {
                    torn(service, key, body, round * 10 + number / 2).await;
                } else {
                    let sent = request(service, Some(key), body);
                    callers.spawn(async move { answered(sent.send().await.unwrap()).await });
                }
            }
        }
        answers.extend(callers.join_all().await);
    }
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_torn_and_repeated_calls_make_no_second_post() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = Setup::new(folder.path(), networks.url()).serve();
    // Calls that come at the same time are counted each.
    let key = key_asking(&service, "full", &["--confirm", "live", "--live-per-hour", "1000"]);
    let drafts: Vec<Value> = (0..POSTS)
        .map(|number| {
            let draft = json!({
                "content": format!("number {number}"),
                "targets": [{"account": "mastodon"}],
                "idempotencyKey": format!("draft-number-{number}"),
            });
            calling("create_draft", &draft)
        })
        .collect();
    let answers = many(&service, &key, &drafts).await;
    assert!(answers.iter().all(|answer| answer["result"]["isError"] != true), "{:?}", answers[0]);
    let api = service.api();
    let posts = api.get("/posts?limit=100").await;
    let posts = posts["data"].as_array().unwrap().clone();
    assert_eq!(posts.len(), POSTS, "as many drafts as keys");

    let mut sending = Vec::new();
    for post in &posts {
        let shown = json!({"postId": post["id"], "publishNow": true});
        let shown = request(&service, Some(&key), &calling("check_post", &shown));
        let shown = answered(shown.send().await.unwrap()).await;
        let plan = &shown["result"]["structuredContent"]["planId"];
        assert!(plan.is_string(), "{shown}");
        let send = json!({
            "id": post["id"], "planId": plan, "confirm": plan,
            "idempotencyKey": format!("send-{}", post["id"]),
        });
        let send = calling("publish_now", &send);
        let waits = answered(request(&service, Some(&key), &send).send().await.unwrap()).await;
        let waits = &waits["result"]["structuredContent"];
        assert_eq!(waits["state"], "awaiting_confirmation", "{waits}");
        sending.push(send);
    }
    let answers = many(&service, &key, &sending).await;
    let failed: Vec<&Value> =
        answers.iter().filter(|answer| answer["result"]["isError"] == true).collect();
    assert!(failed.is_empty(), "{failed:?}");
    for post in &posts {
        api.ended(post["id"].as_str().unwrap()).await;
    }
    let live = networks.live("mastodon").await;
    assert_eq!(live.len(), POSTS, "{live:?}");
    assert!(live.values().all(|times| *times == 1), "{live:?}");

    // Also after a crash, which forgets what came of calls.
    let setup = service.kill();
    let service = setup.serve();
    for body in drafts.iter().chain(&sending) {
        let again = request(&service, Some(&key), body).send().await.unwrap();
        let again = answered(again).await;
        assert_ne!(again["result"]["isError"], true, "{again}");
    }
    let api = crate::support::Api::new(&service.url, &key);
    let count = wait_for("the list", async || {
        Some(api.get("/posts?limit=100").await["data"].as_array()?.len())
    });
    assert_eq!(count.await, POSTS);
    assert_eq!(networks.live("mastodon").await, live);
}
