//! Many callers at once, and requests that are sent again.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{Api, Networks, Setup, backends, wait_for};

#[tokio::test(flavor = "multi_thread")]
async fn fifty_creates_with_one_key_make_one_post() {
    for backend in backends().await {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let service = Setup {
            data: folder.path().into(),
            database: backend.url(),
            sandbox: networks.url().into(),
        }
        .serve();
        let mut callers = JoinSet::new();
        for number in 0..50 {
            let api = service.api();
            callers.spawn(async move {
                let body = json!({
                    "content": format!("caller {number}"),
                    "saveAsDraft": true,
                    "targets": [{"platform": "bluesky"}],
                });
                let key = Some("one-and-the-same");
                let answer = api.send(Method::POST, "/posts", key, Some(&body)).await;
                let status = answer.status().as_u16();
                let post: Value = answer.json().await.unwrap();
                (status, post["id"].as_str().map(str::to_owned))
            });
        }
        let answers = callers.join_all().await;
        let mut by_status: BTreeMap<u16, usize> = BTreeMap::new();
        for (status, _) in &answers {
            *by_status.entry(*status).or_default() += 1;
        }
        assert_eq!(by_status, BTreeMap::from([(200, 49), (201, 1)]), "{backend:?}");
        let ids: BTreeSet<Option<String>> = answers.into_iter().map(|(_, id)| id).collect();
        assert_eq!(ids.len(), 1, "{backend:?}");
        let posts = service.api().get("/posts").await;
        assert_eq!(posts["data"].as_array().unwrap().len(), 1, "{backend:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_queued_posts_take_fifty_slots() {
    for backend in backends().await {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let service = Setup {
            data: folder.path().into(),
            database: backend.url(),
            sandbox: networks.url().into(),
        }
        .serve();
        let mut callers = JoinSet::new();
        for number in 0..50 {
            let api = service.api();
            callers.spawn(async move {
                let post = api
                    .create(&json!({
                        "content": format!("number {number}"),
                        "queue": true,
                        "targets": [{"platform": "mastodon"}],
                    }))
                    .await;
                post["targets"][0]["nextAttemptAt"].as_str().map(str::to_owned)
            });
        }
        let slots: BTreeSet<Option<String>> = callers.join_all().await.into_iter().collect();
        assert_eq!(slots.len(), 50, "{backend:?}");
        assert!(!slots.contains(&None), "{backend:?}");
    }
}

/// What a request under a key was answered: its status, what it says of repeats, and its body.
async fn told(api: &Api, path: &str, key: &str, body: &Value) -> (u16, [bool; 2], Value) {
    let answer = api.send(Method::POST, path, Some(key), Some(body)).await;
    let headers = ["idempotent-replayed", "idempotent-body"];
    let repeats = headers.map(|name| answer.headers().contains_key(name));
    (answer.status().as_u16(), repeats, answer.json().await.unwrap())
}

/// The path under which a live post's first comment is answered.
async fn commented(api: &Api) -> String {
    let created = api
        .create(&json!({
            "content": "Who comes?",
            "publishNow": true,
            "targets": [{"platform": "facebook", "options": {"firstComment": "Me"}}],
        }))
        .await;
    let post = api.ended(created["id"].as_str().unwrap()).await;
    let target = post["targets"][0]["id"].as_str().unwrap();
    let path = format!("/posts/{}/targets/{target}/comments", post["id"].as_str().unwrap());
    let comment = wait_for("the first comment", async || {
        let read = api.get(&path).await;
        read["data"][0]["id"].as_str().map(str::to_owned)
    })
    .await;
    format!("{path}/{comment}")
}

/// Addresses at which something is made, each with two bodies.
async fn making(api: &Api) -> Vec<(String, [Value; 2])> {
    let accounts = api.get("/oauth/accounts").await;
    let accounts = accounts["data"].as_array().unwrap();
    let channel = accounts.iter().find(|account| account["platform"] == "youtube").unwrap();
    let channel = channel["id"].as_str().unwrap();
    let file = |bytes: u32| json!({"kind": "image", "mimeType": "image/png", "sizeBytes": bytes});
    let draft = |text: &str| json!({"content": text, "saveAsDraft": true, "targets": [{"platform": "bluesky"}]});
    let url = |path: &str| json!({"url": format!("http://127.0.0.1:9/{path}")});
    vec![
        ("/posts".to_owned(), ["a", "b"].map(draft)),
        ("/media".to_owned(), [100, 200].map(file)),
        ("/workspace/webhooks".to_owned(), ["a", "b"].map(url)),
        (
            format!("/oauth/accounts/{channel}/youtube/playlists"),
            ["a", "b"].map(|title| json!({"title": title})),
        ),
        (commented(api).await, ["a", "b"].map(|text| json!({"action": "reply", "text": text}))),
    ]
}

/// The id of what was made.
fn made(body: &Value) -> Option<&str> {
    body["id"].as_str().or(body["media"]["id"].as_str())
}

#[tokio::test(flavor = "multi_thread")]
async fn twelve_requests_with_one_key_make_one_thing_also_after_a_kill() {
    for backend in backends().await {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup {
            data: folder.path().into(),
            database: backend.url(),
            sandbox: networks.url().into(),
        };
        let service = setup.serve();
        let key = service.first_key.clone().unwrap();
        let api = service.api();
        let making = making(&api).await;
        let mut firsts = Vec::new();
        for (path, [body, _]) in &making {
            let mut callers = JoinSet::new();
            for _ in 0..12 {
                let (api, path, body) = (api.clone(), path.clone(), body.clone());
                callers.spawn(async move { told(&api, &path, "one for all", &body).await });
            }
            let answers = callers.join_all().await;
            let new = answers.iter().filter(|(_, [replayed, _], _)| !replayed).count();
            assert_eq!(new, 1, "{backend:?} {path}");
            assert!(answers.iter().all(|(_, [_, other], _)| !other), "{backend:?} {path}");
            let ids: BTreeSet<Option<&str>> =
                answers.iter().map(|(_, _, body)| made(body)).collect();
            let [Some(id)] = ids.iter().copied().collect::<Vec<_>>()[..] else {
                panic!("{backend:?} {path}: {ids:?}")
            };
            firsts.push(id.to_owned());
        }
        service.kill();
        let service = setup.serve();
        let api = Api::new(&service.url, &key);
        for ((path, bodies), first) in making.iter().zip(&firsts) {
            for (body, is_other) in bodies.iter().zip([false, true]) {
                let (status, repeats, answer) = told(&api, path, "one for all", body).await;
                assert_eq!((status, repeats), (200, [true, is_other]), "{backend:?} {path}");
                assert_eq!(made(&answer), Some(first.as_str()), "{backend:?} {path}");
            }
        }
        let replies = networks.live("facebook").await;
        let replies: usize =
            replies.iter().filter(|(text, _)| text.ends_with(": a")).map(|(_, count)| count).sum();
        assert_eq!(replies, 1, "{backend:?}: counted at the network");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_whose_answer_never_came_is_not_sent_again_after_a_kill() {
    for backend in backends().await {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup {
            data: folder.path().into(),
            database: backend.url(),
            sandbox: networks.url().into(),
        };
        let service = setup.serve();
        let key = service.first_key.clone().unwrap();
        let api = service.api();
        let path = commented(&api).await;
        // The network does it, and holds its answer back for longer than anybody waits.
        let held = json!({
            "platform": "facebook", "operation": "comment", "containing": "held",
            "kind": "reset_after", "times": 1, "afterMs": 3_600_000,
        });
        networks.fault(&held).await;
        let reply = json!({"action": "reply", "text": "held"});
        let asking = {
            let (api, path, reply) = (api.clone(), path.clone(), reply.clone());
            tokio::spawn(async move { told(&api, &path, "one for all", &reply).await })
        };
        let count = async || {
            let live = networks.live("facebook").await;
            let ours = live.iter().filter(|(text, _)| text.ends_with(": held"));
            ours.map(|(_, count)| count).sum::<usize>()
        };
        wait_for("the reply at the network", async || (count().await == 1).then_some(())).await;
        service.kill();
        assert!(asking.await.is_err(), "{backend:?}: nobody was answered");
        let service = setup.serve();
        let api = Api::new(&service.url, &key);
        let (status, _, answer) = told(&api, &path, "one for all", &reply).await;
        assert_eq!((status, &answer["error"]["code"]), (409, &json!("in_flight")), "{backend:?}");
        let (status, ..) = told(&api, &path, "another key", &json!({"action": "like"})).await;
        assert_eq!(status, 200, "{backend:?}: the server works on");
        assert_eq!(count().await, 1, "{backend:?}: counted at the network");
    }
}
