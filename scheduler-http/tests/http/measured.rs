//! What was measured of a file decides, whatever was said of it.

use scheduler_core::media::{MediaFacts, MediaKind, VideoCodec};
use scheduler_core::platform::Platform;
use serde_json::{Value, json};

use crate::support::{Client, World};

/// A film as the declaration calls it, which every network here takes.
fn said() -> Value {
    json!({
        "kind": "video",
        "mimeType": "video/mp4",
        "sizeBytes": 4,
        "width": 1_920,
        "height": 1_080,
        "durationSeconds": 30.0,
        "fps": 30.0,
    })
}

/// A film that is as it was called.
fn film() -> MediaFacts {
    MediaFacts {
        mime_type: Some("video/mp4".to_owned()),
        size_bytes: Some(4),
        width: Some(1_920),
        height: Some(1_080),
        duration_seconds: Some(30.0),
        fps: Some(30.0),
        video_codec: Some(VideoCodec::H264),
        ..MediaFacts::of_kind(MediaKind::Video)
    }
}

fn picture(media_type: &str) -> MediaFacts {
    MediaFacts {
        mime_type: Some(media_type.to_owned()),
        size_bytes: Some(4),
        width: Some(640),
        height: Some(480),
        ..MediaFacts::of_kind(MediaKind::Image)
    }
}

/// Uploads a file that is called a film and is what `facts` say.
async fn uploaded(world: &World, client: &Client, facts: MediaFacts) -> Value {
    let declared = client.post("/v1/media", &said()).await.json();
    let id = declared["media"]["id"].as_str().unwrap().to_owned();
    world.files.put(world.original(&id), "four".into());
    client.post(&format!("/v1/media/{id}/uploaded"), &json!({})).await;
    *world.examiner.next.lock().unwrap() = Some(facts);
    world.work().await;
    client.get(&format!("/v1/media/{id}")).await.json()
}

/// The rules and sentences of a list of issues.
fn issues(list: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let issues = list.as_array().unwrap().iter();
    issues.map(|issue| (text(&issue["rule"]), text(&issue["message"]))).collect()
}

#[tokio::test]
async fn what_was_measured_takes_the_place_of_what_was_said() {
    let world = World::new().await;
    let client = world.serve().await;
    let media = uploaded(&world, &client, picture("image/png")).await;
    let found = ["status", "kind", "mimeType", "width", "height", "durationSeconds", "fps"]
        .map(|field| media[field].clone());
    let want = json!(["ready", "image", "image/png", 640, 480, null, null]);
    assert_eq!(json!(found), want);
}

#[tokio::test]
async fn the_dry_run_creating_and_updating_answer_what_was_measured() {
    let world = World::new().await;
    let client = world.serve().await;
    for platform in [Platform::Bluesky, Platform::Mastodon] {
        world.connect(platform, "a").await;
    }
    let plain = uploaded(&world, &client, picture("image/png")).await["id"].clone();
    let animated = MediaFacts { frame_count: Some(12), ..picture("image/gif") };
    for (name, platform, facts, beside, rule, figure, is_refused) in [
        ("as it was said", "mastodon", film(), false, "", "", false),
        (
            "frames",
            "mastodon",
            MediaFacts { fps: Some(121.0), ..film() },
            false,
            "mastodon.media.fps_too_high",
            "121 fps",
            true,
        ),
        (
            "length",
            "bluesky",
            MediaFacts { duration_seconds: Some(600.5), ..film() },
            false,
            "bluesky.media.too_long",
            "600.5 s",
            true,
        ),
        (
            "width and height",
            "mastodon",
            MediaFacts { width: Some(4_000), height: Some(3_000), ..film() },
            false,
            "mastodon.media.too_many_pixels",
            "4000 x 3000",
            true,
        ),
        (
            "size",
            "bluesky",
            MediaFacts { size_bytes: Some(300_000_001), ..film() },
            false,
            "bluesky.media.too_large",
            "300,000,001 bytes",
            true,
        ),
        ("a film beside a picture", "bluesky", film(), true, "bluesky.media.mixed", "", true),
        ("a picture beside a picture", "bluesky", picture("image/png"), true, "", "", false),
        (
            "type",
            "mastodon",
            picture("image/bmp"),
            false,
            "mastodon.media.converted",
            "BMP to JPEG or PNG",
            false,
        ),
        (
            "codec",
            "bluesky",
            MediaFacts { video_codec: Some(VideoCodec::Hevc), ..film() },
            false,
            "bluesky.media.unusual_codec",
            "HEVC",
            false,
        ),
        ("an animation", "bluesky", animated, false, "bluesky.media.gif_stands_still", "", false),
        (
            "a picture that is made smaller",
            "bluesky",
            MediaFacts { size_bytes: Some(2_000_001), ..picture("image/png") },
            false,
            "bluesky.media.converted",
            "2,000,001 to at most 2,000,000 bytes",
            false,
        ),
    ] {
        let id = uploaded(&world, &client, facts).await["id"].clone();
        let files = if beside { vec![&plain, &id] } else { vec![&id] };
        let post = json!({
            "content": "x",
            "mediaIds": files,
            "targets": [{"platform": platform}],
        });
        let checked = client.post("/v1/platforms/validate", &post).await.json();
        let found = issues(&checked["issues"]);
        assert_eq!(checked["ok"], !is_refused, "{name}: {checked}");
        let is_said =
            |(found, message): &(String, String)| found == rule && message.contains(figure);
        assert_eq!(found.iter().any(is_said), !rule.is_empty(), "{name}: {found:?}");

        let with = |timing: Value| {
            let mut body = post.clone();
            body.as_object_mut().unwrap().extend(timing.as_object().unwrap().clone());
            body
        };
        let created = client.post("/v1/posts", &with(json!({"queue": true}))).await;
        let text = json!({
            "content": "x",
            "targets": [{"platform": platform}],
            "queue": true,
        });
        let other = client.post("/v1/posts", &text).await.json()["id"].clone();
        let path = format!("/v1/posts/{}", other.as_str().unwrap());
        let updated = client.patch(&path, &json!({"mediaIds": files})).await;
        for (act, answer, good) in [("create", created, 201), ("update", updated, 200)] {
            if !is_refused {
                assert_eq!(answer.status.as_u16(), good, "{name}: {act}: {answer:?}");
                continue;
            }
            assert_eq!(answer.status.as_u16(), 422, "{name}: {act}: {answer:?}");
            let answer = answer.json();
            let error = &answer["error"];
            assert_eq!(error["code"], "validation_failed", "{name}: {act}");
            let found = issues(&error["issues"]);
            assert!(found.iter().any(is_said), "{name}: {act}: {found:?}");
        }
    }
}
