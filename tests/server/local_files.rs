//! Files that lie on the machine of a server of one's own.

use std::path::Path;

use scheduler_core::media::MediaKind;
use serde_json::{Value, json};

use crate::everywhere::upload;
use crate::files::setup;
use crate::support::{Networks, client, wait_for};

/// What the request that makes a post says, once there is one.
async fn sent(networks: &Networks) -> String {
    let url = format!("{}/_sandbox/requests?platform=telegram", networks.url());
    wait_for("a photo to be sent", async || {
        let seen: Value = client().get(&url).send().await.unwrap().json().await.unwrap();
        let seen = seen["data"].as_array().unwrap().clone();
        let made = seen.into_iter().find(|request| {
            request["path"].as_str().is_some_and(|path| path.ends_with("/sendPhoto"))
        });
        made.map(|made| made["body"].to_string())
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_reads_paths_gets_the_path_of_the_file() {
    for (reads, is_near) in [("true", true), ("false", false)] {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let variables = [("SCHEDULER_TELEGRAM_READS_LOCAL_FILES", reads)];
        let service = setup(folder.path(), &networks).serve_with(&variables);
        let api = service.api();
        let media = upload(&api, MediaKind::Image).await;
        let targets = json!([{"platform": "telegram"}]);
        api.create(&json!({
            "content": "Look", "mediaIds": [media], "publishNow": true, "targets": targets,
        }))
        .await;
        let body = sent(&networks).await;
        let path =
            body.split_once("file://").map(|(_, rest)| rest.split(['"', '\\']).next().unwrap());
        assert_eq!(path.is_some(), is_near, "{body}");
        if let Some(path) = path {
            assert!(
                Path::new(path).starts_with(folder.path()) && Path::new(path).exists(),
                "{path}"
            );
        }
    }
}
