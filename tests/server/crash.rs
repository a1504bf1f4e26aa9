//! kill -9 in the middle.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use crate::support::{Networks, Setup, post_ended, wait_for};

const POSTS: usize = 100;

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_two_hundred_targets_go_out() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::new(folder.path(), networks.url());
    let service = setup.serve();
    let api = service.api();
    let key = service.first_key.clone().unwrap();
    // All at one instant, so that they really are going out when the process is killed.
    #[expect(clippy::disallowed_methods, reason = "a caller reads its own clock")]
    let now = DateTime::<Utc>::from(std::time::SystemTime::now());
    let due = (now + TimeDelta::seconds(6)).to_rfc3339();
    for number in 0..POSTS {
        api.create(&json!({
            "content": format!("post {number:03}"),
            "scheduledAt": due,
            "targets": [{"platform": "bluesky"}, {"platform": "mastodon"}],
        }))
        .await;
    }
    let live = async || {
        let (bluesky, mastodon) = (networks.live("bluesky").await, networks.live("mastodon").await);
        bluesky.len() + mastodon.len()
    };
    wait_for("the first posts", async || (live().await >= 20).then_some(())).await;
    let setup = service.kill();
    assert!(live().await < 2 * POSTS, "it was killed in the middle");

    let service = setup.serve();
    assert_eq!(service.first_key, None, "the workspace was there already");
    let api = crate::support::Api::new(&service.url, &key);
    wait_for("every target to end", async || {
        let posts = api.get("/posts?limit=500").await;
        let posts = posts["data"].as_array().unwrap().clone();
        assert_eq!(posts.len(), POSTS, "no post is lost");
        posts.iter().all(post_ended).then_some(())
    })
    .await;
    for platform in ["bluesky", "mastodon"] {
        let live = networks.live(platform).await;
        assert_eq!(live.len(), POSTS, "{platform}: each is live");
        assert!(live.values().all(|count| *count == 1), "{platform}: each is live once: {live:?}");
    }
    let posts = api.get("/posts?limit=500").await;
    for post in posts["data"].as_array().unwrap() {
        for target in post["targets"].as_array().unwrap() {
            assert_eq!(target["status"], "published", "{target}");
        }
    }
}
