//! Posts that come again.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{Api, Networks, Setup, backends, wait_for};

/// The posts that wait, and the instants at which they are due.
async fn waiting(api: &Api) -> (usize, BTreeSet<String>) {
    let posts = api.get("/posts?status=scheduled&limit=500").await;
    let posts = posts["data"].as_array().unwrap().clone();
    let at = |post: &Value| post["scheduledAt"].as_str().unwrap().to_owned();
    (posts.len(), posts.iter().map(at).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_they_are_made_each_is_made_once() {
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
        let rule = "FREQ=DAILY;BYHOUR=3,12,21";
        let add =
            ["recurring", "add", "Bread", "--text", "Rye", "--text", "Spelt", "--to", "mastodon"];
        let when = ["--rule", rule, "--start", "2026-01-01T00:30"];
        let added = setup.json(&[], &[add.as_slice(), when.as_slice()].concat());
        let id = added["id"].as_str().unwrap().to_owned();

        // Killed when the first are made, and the same again for what is taken back.
        let api = Api::new(&service.url, &key);
        wait_for("some to be made", async || (waiting(&api).await.0 > 0).then_some(())).await;
        let service = service.kill().serve();
        let api = Api::new(&service.url, &key);
        let made = wait_for("all to be made", async || {
            let (count, instants) = waiting(&api).await;
            assert_eq!(count, instants.len(), "none twice");
            // Three a day for 14 days; the first or the last of them may have passed.
            (41..=43).contains(&count).then_some(instants)
        })
        .await;
        setup.run(&["recurring", "pause", &id]);
        wait_for("some to be taken back", async || {
            (waiting(&api).await.0 < made.len()).then_some(())
        })
        .await;
        let service = service.kill().serve();
        let api = Api::new(&service.url, &key);
        wait_for("all to be taken back", async || (waiting(&api).await.0 == 0).then_some(())).await;
        setup.run(&["recurring", "resume", &id]);
        let again = wait_for("all to be made again", async || {
            let (count, instants) = waiting(&api).await;
            assert_eq!(count, instants.len(), "none twice");
            (41..=43).contains(&count).then_some(instants)
        })
        .await;
        assert!(again.intersection(&made).count() >= 41, "{backend:?}");
    }
}
