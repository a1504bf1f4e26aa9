//! Many callers at once.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{Networks, Setup, backends};

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
