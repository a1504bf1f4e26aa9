//! TikTok.

mod after;
mod connecting;
mod faults;
mod here;

use std::time::Duration;

use scheduler_core::ports::{NetworkErrorKind as Kind, Step};
use scheduler_core::target::FailureCode;
use scheduler_sandbox::Options;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use here::{Here, jpeg, mp4};

fn public() -> Value {
    json!({ "privacy": "PUBLIC_TO_EVERYONE" })
}

fn shown(media_type: &str, bytes: &[u8]) -> Value {
    let sha256 = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    json!({ "type": media_type, "bytes": bytes.len(), "sha256": sha256 })
}

#[tokio::test]
async fn a_video_is_live_before_it_has_its_page() {
    let here = Here::new().await;
    let done = here.publish(here.video(1, "Harbour walk #sea", 200_000, &public())).await;
    let remote = done.result.unwrap();
    assert_eq!(done.failures, []);
    let live = here.world.live().await;
    assert_eq!(live.len(), 1);
    assert_eq!(live[0]["remoteId"], json!(remote.id));
    assert_eq!(live[0]["account"], json!(here.world.connected.network_id));
    assert_eq!(live[0]["text"], "Harbour walk #sea");
    let bytes = mp4("Harbour walk #sea", 200_000);
    assert_eq!(live[0]["media"], json!([shown("video/mp4", &bytes)]));
    let page = remote.url.unwrap();
    assert!(page.ends_with(&format!("/tiktok/@sandbox_1/video/{}", remote.id)), "{page}");
    assert_eq!(here.http.get(page).send().await.unwrap().status(), 302);
    assert_eq!(done.ids.len(), 2, "first the publish, then the post: {:?}", done.ids);
    assert_eq!(json!(done.ids[0]), remote.record["publishId"]);
    let init = &here.world.bodies("/video/init/").await[0];
    assert_eq!(
        init["post_info"],
        json!({
            "title": "Harbour walk #sea",
            "privacy_level": "PUBLIC_TO_EVERYONE",
            "disable_comment": true,
            "disable_duet": true,
            "disable_stitch": true,
            "brand_content_toggle": false,
            "brand_organic_toggle": false,
        })
    );
    assert_eq!(here.requests("/creator_info/query/").await.len(), 2, "for connecting and the post");
}

#[tokio::test]
async fn an_id_that_is_never_told_is_found_among_the_accounts_posts() {
    let here = Here::with(Options { media_processing: Duration::ZERO, ..Options::default() }).await;
    let text = "Harbour walk #no_id";
    let done = here.publish_with_waits(here.video(1, text, 5_000, &public())).await;
    let remote = done.result.unwrap();
    assert_eq!(json!(remote.id), here.world.live().await[0]["remoteId"]);
    assert!(remote.url.unwrap().ends_with(&format!("/video/{}", remote.id)));
    assert_eq!(json!(done.ids[0]), remote.record["publishId"]);
    assert_eq!(here.requests("/video/list/").await.len(), 1, "once an hour has passed");
}

#[tokio::test]
async fn every_kind_of_post() {
    let here = Here::new().await;
    let own = json!({ "privacy": "SELF_ONLY" });
    let draft = json!({ "asDraft": true });
    for (number, name, job, prefix, media, text) in [
        (1, "public photos", here.photos(1, "one", 3, &public()), "7", 3, "one"),
        (2, "photos for oneself", here.photos(2, "two", 1, &own), "p_pub_url~", 1, "two"),
        (3, "a draft of photos", here.photos(3, "three", 2, &draft), "p_inbox_url~", 2, "three"),
        (4, "a video for oneself", here.video(4, "four", 5_000, &own), "v_pub_file~", 1, "four"),
        (5, "a draft of a video", here.video(5, "five", 5_000, &draft), "v_inbox_file~", 1, ""),
        (6, "no text", here.video(6, "", 5_000, &public()), "7", 1, ""),
    ] {
        let done = here.publish(job).await;
        let remote = done.result.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(done.failures, [], "{name}");
        assert!(remote.id.starts_with(prefix), "{name}: {}", remote.id);
        assert_eq!(remote.url.is_some(), prefix == "7", "{name}");
        let live = here.world.live().await;
        assert_eq!(live.len(), number, "{name}");
        let last = live.iter().find(|post| post["remoteId"] == json!(remote.id)).unwrap();
        assert_eq!(last["text"], text, "{name}");
        assert_eq!(last["media"].as_array().unwrap().len(), media, "{name}");
    }
    let first = here.world.live().await.into_iter().find(|post| post["text"] == "one").unwrap();
    let want: Vec<Value> = (0..3).map(|at| shown("image/jpeg", &jpeg(at))).collect();
    assert_eq!(first["media"], Value::Array(want), "in their order");
}

#[tokio::test]
async fn a_long_video_goes_in_chunks_and_goes_on_where_a_process_died() {
    let here = Here::new().await;
    let size = 30_000_123;
    let mut job = here.video(1, "long", size, &public());
    let network = &here.world.network;
    let mut progress = network.begin(&job);
    // Two chunks are there; the process that sent the second did not store it.
    let mut stored = progress.clone();
    while here.requests("/video/").await.len() < 2 {
        stored.clone_from(&progress);
        match network.advance(&job, &progress).await.unwrap() {
            Step::Next(next) => progress = next,
            other => panic!("{other:?}"),
        }
    }
    progress = stored;
    loop {
        match network.advance(&job, &progress).await.unwrap() {
            Step::Next(next) => progress = next,
            Step::Wait { progress: next, .. } => {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                (progress, job.now) = (next, job.now);
            }
            Step::Live(_) => break,
            Step::Failed { error, .. } => panic!("{error}"),
        }
    }
    let ranges: Vec<String> = here
        .requests("/video/")
        .await
        .iter()
        .map(|entry| entry["headers"]["content-range"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        ranges,
        [
            "bytes 0-9999999/30000123",
            "bytes 10000000-19999999/30000123",
            "bytes 10000000-19999999/30000123",
            "bytes 20000000-30000122/30000123",
        ],
        "what was not stored is asked for, and the rest is sent"
    );
    assert_eq!(here.world.live().await[0]["media"][0]["bytes"], size);
    for entry in here.requests("/video/").await {
        assert_eq!(entry["headers"].get("authorization"), None, "its address alone lets it in");
    }
}

#[tokio::test]
async fn what_the_network_refuses_is_told_and_nothing_is_live() {
    let here = Here::new().await;
    let (refused, later) = (Kind::Permanent, Kind::Temporary);
    for (name, job, failures, words) in [
        (
            "a level",
            here.video(1, "x", 900, &json!({ "privacy": "FOLLOWER_OF_CREATOR" })),
            vec![refused],
            "This account allows PUBLIC_TO_EVERYONE",
        ),
        (
            "too long a text",
            here.video(2, &"a".repeat(2_201), 9_000, &public()),
            vec![refused],
            "2200 UTF-16",
        ),
        (
            "its length",
            here.video(3, "#fail_duration_check_failed", 900, &public()),
            vec![refused],
            "3 seconds to 10 minutes",
        ),
        ("spam", here.video(4, "#fail_spam_risk_text", 900, &public()), vec![refused], "spam"),
        (
            "taken back",
            here.video(5, "#fail_auth_removed", 900, &public()),
            vec![Kind::Reconnect],
            "Connect it again",
        ),
    ] {
        let done = here.publish(job).await;
        let error = done.result.unwrap_err();
        assert_eq!(done.failures, failures, "{name}");
        assert!(error.message.contains(words), "{name}: {error}");
    }
    let mut job = here.world.job(6, "no video", &public());
    job.files = vec![here.file(6, "video/mp4", vec![7; 900])];
    let error = here.publish(job).await.result.unwrap_err();
    assert_eq!(error.code, FailureCode::ValidationFailed, "{error}");
    let mut job = here.world.job(7, "a photo of another type", &public());
    job.files = vec![here.file(7, "image/png", b"\x89PNG\r\n\x1a\n".to_vec())];
    let error = here.publish(job).await.result.unwrap_err();
    assert_eq!(error.code, FailureCode::ValidationFailed, "{error}");
    // One that fails at the network's own fault is begun anew, again and again.
    let job = here.video(8, "#fail_internal", 900, &public());
    let network = &here.world.network;
    let mut progress = network.begin(&job);
    let mut failures = Vec::new();
    while failures.len() < 3 {
        match network.advance(&job, &progress).await {
            Ok(Step::Next(next)) => progress = next,
            Ok(Step::Wait { progress: next, .. }) => {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                progress = next;
            }
            Ok(Step::Failed { progress: next, error }) => {
                failures.push(error.kind);
                progress = next;
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(failures, [later; 3]);
    assert_eq!(here.world.texts().await, Vec::<String>::new());
}
