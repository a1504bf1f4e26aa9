//! Files through the built server and a bucket: their bytes never pass through it on the way in.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::files::{
    again, declare, files_below, id_of, picture, post, preview, put, put_parts, ready, setup,
};
use crate::support::{Bucket, Networks, wait_for};

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_sent_straight_to_the_bucket() {
    let (networks, bucket) = (Networks::start().await, Bucket::start().await);
    let folder = tempfile::tempdir().unwrap();
    let service = setup(folder.path(), &networks).serve_with(&bucket.variables());
    let api = service.api();
    let file = picture(800, 600);
    let declared = declare(&api, &file).await;
    let link = &declared["upload"]["uploadUrl"];
    assert!(link.as_str().unwrap().starts_with(bucket.address()), "{}", bucket.address());
    let id = id_of(&declared);
    put(link, &file).await;
    let (status, confirmed) = post(&api, &format!("/media/{id}/uploaded"), &json!({})).await;
    assert_eq!(status, StatusCode::OK, "{confirmed}");
    let media = ready(&api, &id).await;
    assert_eq!((&media["width"], &media["height"]), (&json!(800), &json!(600)));
    let preview = preview(&api, &media, &file).await;
    assert_eq!((preview.width(), preview.height()), (512, 384));
    let listed = api.get("/media").await;
    assert_eq!(
        (&listed["data"][0]["id"], &listed["data"][0]["status"]),
        (&json!(id), &json!("ready"))
    );
    assert!(files_below(&folder.path().join("files")).is_empty(), "nothing is kept here");

    assert!(!files_below(&bucket.objects()).is_empty());
    let deleted = api.send(Method::DELETE, &format!("/media/{id}"), None, None).await;
    assert_eq!(deleted.status(), StatusCode::OK);
    let objects = bucket.objects();
    wait_for("the bytes to go", async || files_below(&objects).is_empty().then_some(())).await;
    assert_eq!(service.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_sends_files_whole_and_in_parts_to_the_bucket() {
    let (networks, bucket) = (Networks::start().await, Bucket::start().await);
    let folder = tempfile::tempdir().unwrap();
    let setup = setup(folder.path(), &networks);
    let service = setup.serve_with(&bucket.variables());
    let (api, key) = (service.api(), service.first_key.clone().unwrap());
    let (small, large) = (picture(800, 600), picture(2_500, 2_300));
    std::fs::write(folder.path().join("small.png"), &small).unwrap();
    std::fs::write(folder.path().join("large.png"), &large).unwrap();
    let state = folder.path().join("state");
    let url = service.url.clone();
    let ran = tokio::task::spawn_blocking(move || {
        let state = state.to_str().unwrap();
        let server = ["--url", &url, "--api-key", &key, "--state", state, "--json"];
        setup.run(&[&["media", "upload", "small.png", "large.png"][..], &server].concat())
    });
    let said = String::from_utf8(ran.await.unwrap().stdout).unwrap();
    let media: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let sizes: Vec<&Value> = media.iter().map(|media| &media["sizeBytes"]).collect();
    assert_eq!(sizes, [&json!(small.len()), &json!(large.len())], "{said}");
    for (media, file) in media.iter().zip([&small, &large]) {
        assert_eq!(media["status"], "ready", "{media}");
        preview(&api, media, file).await;
    }
    assert_eq!(bucket.open_uploads(), 0);
    assert!(files_below(&folder.path().join("files")).is_empty(), "nothing is kept here");
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_in_the_bucket_outlive_a_server_that_is_killed_after_their_completion() {
    let (networks, bucket) = (Networks::start().await, Bucket::start().await);
    let folder = tempfile::tempdir().unwrap();
    // Nobody examines it in this process.
    let api_alone = [&bucket.variables()[..], &[("SCHEDULER_ROLE", "api")]].concat();
    let service = setup(folder.path(), &networks).serve_with(&api_alone);
    let key = service.first_key.clone().unwrap();
    let api = service.api();
    let file = picture(2_500, 2_300);
    let declared = declare(&api, &file).await;
    let (id, upload) = (id_of(&declared), &declared["upload"]);
    assert_eq!(upload["parts"].as_array().map(Vec::len), Some(2), "{}", upload["mode"]);
    let mut parts = put_parts(upload, &file).await;
    let complete = format!("/media/{id}/complete");
    let second = parts["parts"].as_array_mut().unwrap().pop().unwrap();
    let (status, early) = post(&api, &complete, &parts).await;
    assert!(status.is_client_error(), "a part is missing: {early}");
    parts["parts"].as_array_mut().unwrap().push(second);
    let (status, completed) = post(&api, &complete, &parts).await;
    assert_eq!((status, &completed["status"]), (StatusCode::OK, &json!("processing")));

    let service = service.kill().serve_with(&bucket.variables());
    let api = again(&service, &key);
    let media = ready(&api, &id).await;
    assert_eq!((&media["width"], &media["height"]), (&json!(2_500), &json!(2_300)));
    assert_eq!(media["sizeBytes"], file.len());
    let preview = preview(&api, &media, &file).await;
    assert_eq!((preview.width(), preview.height()), (512, 471));
    assert_eq!(bucket.open_uploads(), 0);
    let deleted = api.send(Method::DELETE, &format!("/media/{id}"), None, None).await;
    assert_eq!(deleted.status(), StatusCode::OK);
    let objects = bucket.objects();
    wait_for("the bytes to go", async || files_below(&objects).is_empty().then_some(())).await;
}
