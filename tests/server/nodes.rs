//! Several servers on one PostgreSQL.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::{Api, Networks, Setup, backends, post_ended, wait_for};

const ACCOUNTS_OF_A_NETWORK: usize = 4;
const POSTS: usize = 250;

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_publish_two_thousand_targets_once_though_one_is_killed() {
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
    // `serve --sandbox` has connected one account of each.
    for platform in ["bluesky", "mastodon"] {
        for _ in 1..ACCOUNTS_OF_A_NETWORK {
            setup.run(&["accounts", "connect", platform, "--sandbox"]);
        }
    }
    let second = setup.serve();
    let api = Api::new(&second.url, &key);
    let accounts = api.get("/oauth/accounts").await;
    let targets: Vec<Value> = accounts["data"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|account| matches!(account["platform"].as_str(), Some("bluesky" | "mastodon")))
        .map(|account| json!({"platform": account["platform"], "accountId": account["id"]}))
        .collect();
    assert_eq!(targets.len(), 2 * ACCOUNTS_OF_A_NETWORK);

    #[expect(clippy::disallowed_methods, reason = "a caller reads its own clock")]
    let now = DateTime::<Utc>::from(std::time::SystemTime::now());
    let due = now + TimeDelta::seconds(4);
    let mut callers = JoinSet::new();
    for caller in 0..10 {
        let (api, targets) = (api.clone(), targets.clone());
        callers.spawn(async move {
            for number in (caller..POSTS).step_by(10) {
                let body = json!({
                    "content": format!("post {number:03}"),
                    "scheduledAt": due.to_rfc3339(),
                    "targets": targets,
                });
                api.create(&body).await;
            }
        });
    }
    callers.join_all().await;
    let wanted = POSTS * 2 * ACCOUNTS_OF_A_NETWORK;
    let live =
        async || networks.live("bluesky").await.len() + networks.live("mastodon").await.len();
    wait_for("a good part to be live", async || (live().await >= wanted / 4).then_some(())).await;
    first.kill();

    wait_for("every post to end", async || {
        let posts = api.get("/posts?limit=500").await;
        let posts = posts["data"].as_array().unwrap().clone();
        assert_eq!(posts.len(), POSTS, "no post is lost");
        posts.iter().all(post_ended).then_some(())
    })
    .await;
    let mut found = 0;
    for platform in ["bluesky", "mastodon"] {
        let live = networks.live(platform).await;
        found += live.len();
        let doubled: Vec<_> = live.iter().filter(|(_, count)| **count != 1).collect();
        assert!(doubled.is_empty(), "{platform}: {doubled:?}");
    }
    assert_eq!(found, wanted, "each target is live");
}
