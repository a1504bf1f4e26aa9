//! A copy that is made while posts are created and go out.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::support::{Api, Networks, Setup, backends, post_ended, wait_for};

fn ids(posts: &Value, fits: impl Fn(&Value) -> bool) -> BTreeSet<String> {
    let posts = posts["data"].as_array().unwrap().iter().filter(|post| fits(post));
    posts.map(|post| post["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_a_running_server() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let setup = Setup::new(data, networks.url());
    let service = setup.serve();
    let (api, key) = (service.api(), service.first_key.clone().unwrap());
    let answered = Arc::new(Mutex::new(BTreeSet::new()));
    let creating = tokio::spawn({
        let (api, answered) = (api.clone(), Arc::clone(&answered));
        async move {
            for number in 0.. {
                let post = json!({
                    "content": format!("post {number:04}"), "publishNow": true,
                    "targets": [{"platform": "bluesky"}, {"platform": "mastodon"}],
                });
                let post = api.create(&post).await;
                answered.lock().unwrap().insert(post["id"].as_str().unwrap().to_owned());
            }
        }
    });
    let done_before = wait_for("the first posts to be live", async || {
        let posts = api.get("/posts?limit=500").await;
        let done = ids(&posts, post_ended);
        (done.len() >= 15).then_some(done)
    })
    .await;
    let answered_before = answered.lock().unwrap().clone();
    let copy = folder.path().join("copy");
    let printed = setup.json(&[], &["backup", copy.to_str().unwrap(), "--with-key"]);
    creating.abort();
    assert_eq!(printed["secretKey"], true);
    assert!(answered_before.len() as u64 <= printed["database"]["rows"]["posts"].as_u64().unwrap());
    assert!(!folder.path().join("copy.partial").exists());
    drop(service.kill());

    // The copy is a data folder of its own, with the key of the original.
    let setup = Setup::new(copy, networks.url());
    let service = setup.serve();
    assert_eq!(service.first_key, None);
    let api = Api::new(&service.url, &key);
    let posts = wait_for("every post of the copy to end", async || {
        let posts = api.get("/posts?limit=500").await;
        posts["data"].as_array().unwrap().iter().all(post_ended).then_some(posts)
    })
    .await;
    let there = ids(&posts, |_| true);
    assert!(answered_before.is_subset(&there), "what was answered before is in the copy");
    let (bluesky, mastodon) = (networks.live("bluesky").await, networks.live("mastodon").await);
    for post in posts["data"].as_array().unwrap() {
        assert!(
            post["targets"]
                .as_array()
                .unwrap()
                .iter()
                .all(|target| target["status"] == "published"),
            "{post}"
        );
        if !done_before.contains(post["id"].as_str().unwrap()) {
            continue;
        }
        for live in [&bluesky, &mastodon] {
            let text = format!(": {}", post["content"].as_str().unwrap());
            let times: usize =
                live.iter().filter(|(name, _)| name.ends_with(&text)).map(|(_, times)| times).sum();
            assert_eq!(times, 1, "what had gone out before is not sent again:{text}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_postgres_by_its_own_program() {
    for backend in backends().await {
        let Some(database) = backend.url() else { continue };
        if std::process::Command::new("pg_dump").arg("--version").output().is_err() {
            eprintln!("LEFT OUT: pg_dump is not installed");
            continue;
        }
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        let setup = Setup { data, database: Some(database), sandbox: networks.url().into() };
        let service = setup.serve();
        let post = json!({
            "content": "text", "saveAsDraft": true, "targets": [{"platform": "bluesky"}],
        });
        service.api().create(&post).await;
        let copy = folder.path().join("copy");
        setup.run(&["backup", copy.to_str().unwrap()]);
        let mut names: Vec<String> = std::fs::read_dir(&copy)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        assert_eq!(names, ["database.dump", "files"]);
        let dump = std::fs::read(copy.join("database.dump")).unwrap();
        assert!(dump.starts_with(b"PGDMP"), "PostgreSQL's own format");
    }
}
