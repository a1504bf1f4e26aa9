//! A document from its upload to the networks.

use reqwest::StatusCode;
use scheduler_core::media::MediaKind;
use serde_json::{Value, json};

use crate::everywhere::upload;
use crate::files::{id_of, post, put, setup};
use crate::support::{Networks, client, document, wait_for};

#[tokio::test(flavor = "multi_thread")]
async fn a_document_goes_to_the_network_that_takes_it_and_to_no_other() {
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let service = setup(folder.path(), &networks).serve();
    let api = service.api();
    let accounts = api.get("/oauth/accounts").await["data"].as_array().unwrap().clone();
    let target = |platform: &str| {
        let found = accounts.iter().find(|account| account["platform"] == platform).unwrap();
        json!({"platform": platform, "accountId": found["id"], "options": {}})
    };
    let media = upload(&api, MediaKind::Document).await;
    let shown = api.get(&format!("/media/{media}")).await;
    assert_eq!((&shown["kind"], &shown["status"]), (&json!("document"), &json!("ready")));
    assert_eq!(shown["mimeType"], "application/pdf");

    let mut linkedin = target("linkedin");
    linkedin["options"] = json!({"documentTitle": "Our year"});
    let targets = [linkedin, target("mastodon"), target("twitter")];
    let body = json!({"content": "Slides", "mediaIds": [media], "targets": targets});
    let (status, report) = post(&api, "/platforms/validate", &body).await;
    assert_eq!(status, StatusCode::OK, "{report}");
    let issues = report["issues"].as_array().unwrap();
    let told: Vec<&str> = issues.iter().map(|issue| issue["message"].as_str().unwrap()).collect();
    assert_eq!(
        told,
        [
            "Mastodon takes no documents here; remove the files or leave Mastodon out.",
            "X takes no documents here; remove the files or leave X out.",
        ]
    );

    // The others get the text alone.
    let mut body = body;
    for other in [1, 2] {
        body["targets"][other]["mediaIds"] = json!([]);
    }
    body["publishNow"] = true.into();
    let created = api.create(&body).await;
    let ended = api.ended(created["id"].as_str().unwrap()).await;
    for target in ended["targets"].as_array().unwrap() {
        assert_eq!(target["status"], "published", "{target}");
    }
    let url = format!("{}/_sandbox/posts?platform=linkedin&deleted=false", networks.url());
    let live: Value = client().get(url).send().await.unwrap().json().await.unwrap();
    let got = &live["data"][0]["media"][0];
    let bytes = document::bytes();
    assert_eq!(
        (&got["type"], &got["bytes"]),
        (&json!("application/pdf"), &json!(bytes.len())),
        "{live}"
    );

    // Whoever declares a picture is told, as before.
    let declared = json!({"kind": "image", "sizeBytes": bytes.len(), "fileName": "slides.pdf"});
    let (_, declared) = post(&api, "/media", &declared).await;
    put(&declared["upload"]["uploadUrl"], &bytes).await;
    let path = format!("/media/{}", id_of(&declared));
    post(&api, &format!("{path}/uploaded"), &json!({})).await;
    let failed = wait_for("the file to fail", async || {
        let media = api.get(&path).await;
        (media["status"] == "failed").then_some(media)
    })
    .await;
    assert_eq!(failed["error"], "The file is a document; declare it with kind document.");
    assert_eq!(service.stop(), Some(0));
}
