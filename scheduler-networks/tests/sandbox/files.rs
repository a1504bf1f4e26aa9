//! Files: what is live has the bytes that were kept, once, whatever breaks.

use scheduler_core::platform::Platform;
use scheduler_core::ports::{NetworkErrorKind as Kind, PublishJob};
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::{World, mp4, png};

const PLATFORMS: [Platform; 3] = [Platform::Bluesky, Platform::Mastodon, Platform::Twitter];

fn shown(media_type: &str, bytes: &[u8]) -> Value {
    let sha256 = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    json!({ "type": media_type, "bytes": bytes.len(), "sha256": sha256 })
}

/// What a network shows of a picture: Bluesky gets what the recipe made of it.
fn shown_png(platform: Platform, seed: u8) -> Value {
    let bytes = png(seed);
    let is_derived = platform == Platform::Bluesky;
    let length = if is_derived { bytes.len().div_ceil(2) } else { bytes.len() };
    shown("image/png", &bytes[..length])
}

fn with_pictures(world: &World, mut job: PublishJob, count: u8) -> PublishJob {
    let files = (0..count).map(|number| world.file(number.into(), "image/png", &png(number)));
    job.files = files.collect();
    job
}

#[tokio::test]
async fn pictures_arrive_in_their_order_with_their_alternative_texts() {
    for (platform, count) in [
        (Platform::Bluesky, 4),
        (Platform::Bluesky, 10),
        (Platform::Mastodon, 4),
        (Platform::Twitter, 4),
    ] {
        let world = World::new(platform).await;
        let job = world.job(1, "", &json!({ "thread": ["second"] }));
        let (remote, failures) = world.publish(with_pictures(&world, job, count)).await;
        assert!(remote.is_ok(), "{platform}: {remote:?}");
        assert_eq!(failures, [], "{platform}");
        let live = world.live().await;
        let want: Vec<Value> = (0..count).map(|number| shown_png(platform, number)).collect();
        assert_eq!(live[0]["media"], Value::Array(want), "{platform}");
        assert_eq!(live[1]["media"], json!([]), "{platform}");
        assert_eq!(live.len(), 2, "{platform}");
        if platform == Platform::Bluesky {
            let embed = &world.bodies("putRecord").await[0]["record"]["embed"];
            let list = if count > 4 { &embed["items"] } else { &embed["images"] };
            assert_eq!(list[3]["alt"], "file 3");
        }
    }
}

#[tokio::test]
async fn a_video_is_waited_for_and_then_live() {
    for platform in PLATFORMS {
        let world = World::new(platform).await;
        let mut job = world.job(1, "a film", &json!({}));
        job.files = vec![world.file(1, "video/mp4", &mp4())];
        let (remote, failures) = world.publish(job).await;
        assert!(remote.is_ok(), "{platform}: {remote:?}");
        assert_eq!(failures, [], "{platform}");
        let live = world.live().await;
        let mut want = shown("video/mp4", &mp4());
        if platform == Platform::Twitter {
            // The hash of several segments is that of their hashes.
            want["sha256"] = live[0]["media"][0]["sha256"].clone();
        }
        assert_eq!(live[0]["media"], json!([want]), "{platform}");
    }
}

#[tokio::test]
async fn a_file_that_the_network_refuses_is_said_in_its_words() {
    for (platform, words) in [
        (Platform::Bluesky, "request entity too large"),
        (Platform::Mastodon, "is invalid"),
        (Platform::Twitter, "too large or of another type"),
    ] {
        let world = World::new(platform).await;
        let job = world.job(1, "never", &json!({}));
        let job = with_pictures(&world, job, 1);
        world.fault(json!({ "operation": "upload", "kind": "permanent" })).await;
        let (remote, failures) = world.publish(job).await;
        let error = remote.unwrap_err();
        assert_eq!(failures, [Kind::Permanent], "{platform}");
        assert_eq!(error.code, FailureCode::ValidationFailed, "{platform}: {error}");
        assert!(error.message.contains(words), "{platform}: {error}");
        assert_eq!(world.live().await, Vec::<Value>::new());
    }
}

#[tokio::test]
async fn each_part_of_a_thread_shows_its_own_pictures() {
    for platform in PLATFORMS {
        let world = World::new(platform).await;
        let parts = json!({ "thread": [{ "text": "second", "mediaIds": [] }, "third"] });
        let mut job = with_pictures(&world, world.job(1, "first", &parts), 1);
        let of_second = [1, 2].map(|seed: u8| world.file(seed.into(), "image/png", &png(seed)));
        job.thread_files = vec![of_second.to_vec(), Vec::new()];
        let (remote, failures) = world.publish(job).await;
        assert!(remote.is_ok(), "{platform}: {remote:?}");
        assert_eq!(failures, [], "{platform}");
        let live = world.live().await;
        let shown: Vec<&Value> = live.iter().map(|post| &post["media"]).collect();
        let want = |seeds: &[u8]| -> Value {
            seeds.iter().map(|seed| shown_png(platform, *seed)).collect()
        };
        assert_eq!(shown, [&want(&[0]), &want(&[1, 2]), &want(&[])], "{platform}");
    }
}

#[tokio::test]
async fn the_point_that_stays_in_sight_arrives() {
    let world = World::new(Platform::Mastodon).await;
    let mut job = with_pictures(&world, world.job(1, "first", &json!({})), 1);
    job.files[0].details =
        serde_json::from_value(json!({ "focus": { "x": 0.5, "y": -0.25 } })).unwrap();
    let (remote, failures) = world.publish(job).await;
    assert!(remote.is_ok(), "{remote:?}");
    assert_eq!(failures, []);
}
