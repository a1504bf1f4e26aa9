//! Tokens that have run out while many posts are due.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{Api, Networks, Setup, backends, post_ended, wait_for};

const POSTS: usize = 50;

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_refresh_an_expired_token_once_for_fifty_posts() {
    let Some(backend) = backends().await.into_iter().find(|backend| backend.url().is_some()) else {
        return;
    };
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup {
        data: folder.path().into(),
        database: backend.url(),
        sandbox: networks.url().into(),
    };
    let first = setup.serve();
    let key = first.first_key.clone().unwrap();
    let second = setup.serve();
    let api = Api::new(&second.url, &key);
    #[expect(clippy::disallowed_methods, reason = "a caller reads its own clock")]
    let now = DateTime::<Utc>::from(std::time::SystemTime::now());
    let due = now + TimeDelta::seconds(3);
    let mut callers = JoinSet::new();
    for number in 0..POSTS {
        let api = api.clone();
        callers.spawn(async move {
            let body = json!({
                "content": format!("post {number:02}"),
                "scheduledAt": due.to_rfc3339(),
                "targets": [{"platform": "bluesky"}],
            });
            api.create(&body).await;
        });
    }
    callers.join_all().await;
    networks.fault_publish("bluesky", "expired_token", 1).await;

    wait_for("every post to end", async || {
        let posts = api.get("/posts?limit=500").await;
        let posts = posts["data"].as_array().unwrap().clone();
        posts.iter().all(post_ended).then_some(())
    })
    .await;
    let posts = api.get("/posts?limit=500").await;
    let is_live = |post: &&Value| post["targets"][0]["status"] == "published";
    assert_eq!(posts["data"].as_array().unwrap().iter().filter(is_live).count(), POSTS);
    let live = networks.live("bluesky").await;
    assert_eq!((live.len(), live.values().max()), (POSTS, Some(&1)), "each once");
    let refreshes = networks.requests("bluesky").await;
    let refreshes = refreshes.iter().filter(|path| path.ends_with("server.refreshSession"));
    assert_eq!(refreshes.count(), 1);
}
