//! What the posts of an account of X may cost in a month, whoever publishes them.

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{Api, Networks, Setup, backends, wait_for};

const POSTS: usize = 20;

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_spend_no_more_than_the_cap() {
    for backend in backends().await {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let database = backend.url();
        let is_shared = database.is_some();
        let setup = Setup { data: folder.path().into(), database, sandbox: networks.url().into() };
        // 13 posts of 0.015 dollars each.
        let capped = [("SCHEDULER_ACCOUNT_MONTHLY_CAP", "0.2")];
        let first = setup.serve_with(&capped);
        let _second = is_shared.then(|| setup.serve_with(&capped));
        let api = Api::new(&first.url, first.first_key.as_deref().unwrap());
        let mut callers = JoinSet::new();
        for number in 0..POSTS {
            let api = api.clone();
            callers.spawn(async move {
                let targets = [json!({"platform": "twitter"}), json!({"platform": "mastodon"})];
                let content = format!("post {number:02}");
                let body = json!({"content": content, "publishNow": true, "targets": targets});
                api.create(&body).await;
            });
        }
        callers.join_all().await;
        let of_twitter = wait_for("every target to end", async || {
            let posts = api.get("/posts?limit=500").await["data"].as_array().unwrap().clone();
            let of = |index: usize| -> Vec<Value> {
                posts.iter().map(|post| post["targets"][index].clone()).collect()
            };
            let has_ended =
                |target: &Value| target["status"] != "pending" && target["status"] != "publishing";
            let all = [of(0), of(1)];
            let ended = all.iter().flatten().all(has_ended) && posts.len() == POSTS;
            let [of_twitter, _] = all;
            ended.then_some(of_twitter)
        })
        .await;
        let failed: Vec<&Value> =
            of_twitter.iter().filter(|target| target["status"] == "failed").collect();
        assert_eq!(failed.len(), POSTS - 13);
        for target in failed {
            assert_eq!(
                (&target["errorCode"], &target["errorPermanent"]),
                (&json!("rate_limited"), &json!(true))
            );
        }
        assert_eq!(networks.live("twitter").await.len(), 13);
        assert_eq!(networks.live("mastodon").await.len(), POSTS, "which charges nothing");
    }
}
