//! Uploading files and waiting for them.

use std::time::Duration;

use reqwest::Method;
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::{Actor, mp4};
use crate::support::{World, png, send};

#[tokio::test]
async fn an_image_is_ready_at_once_and_belongs_to_one_status() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let media = ana.upload(&world, "image/png", png(1)).await;
    assert_eq!(media.status, 200, "{media:?}");
    assert_eq!(
        (&media.body["type"], &media.body["description"]),
        (&json!("image"), &json!("a dot"))
    );
    assert_eq!(media.body["meta"]["original"]["size"], "64x48");
    let path = format!("/api/v1/media/{}", media.text_of("id"));
    assert_eq!(ana.get(&world, &path).await.status, 200);
    let changed = ana
        .call(&world, Method::PUT, &path, &json!({"description": "two dots", "focus": "0.5,-2"}))
        .await;
    assert_eq!(
        (&changed.body["description"], &changed.body["meta"]["focus"]),
        (&json!("two dots"), &json!({"x": 0.5, "y": -1.0}))
    );
    let status =
        ana.publish(&world, &json!({"status": "x", "media_ids": [media.body["id"]]})).await;
    assert_eq!(status.body["media_attachments"][0]["id"], media.body["id"]);
    assert_eq!(ana.get(&world, &path).await.status, 404, "a status shows it");
    assert_eq!(world.posts("mastodon").await[0]["media"][0]["bytes"], png(1).len());
}

#[tokio::test]
async fn a_video_is_processed_first() {
    let options = Options { media_processing: Duration::from_secs(3600), ..Options::default() };
    let world = World::start(options).await;
    let ana = Actor::new(&world, "ana").await;
    let media = ana.upload(&world, "video/mp4", mp4()).await;
    assert_eq!((media.status, &media.body["url"]), (202, &Value::Null));
    let path = format!("/api/v1/media/{}", media.text_of("id"));
    let waiting = ana.get(&world, &path).await;
    assert_eq!((waiting.status, &waiting.body["url"]), (206, &Value::Null));

    let world =
        World::start(Options { media_processing: Duration::ZERO, ..Options::default() }).await;
    let ana = Actor::new(&world, "ana").await;
    let media = ana.upload(&world, "video/mp4", mp4()).await;
    assert_eq!(media.status, 202);
    let ready = ana.get(&world, &format!("/api/v1/media/{}", media.text_of("id"))).await;
    assert_eq!(ready.status, 200);
    assert!(ready.body["url"].is_string(), "{ready:?}");
    let status = ana.publish(&world, &json!({"status": "", "media_ids": [media.body["id"]]})).await;
    assert_eq!(
        (status.status, &status.body["media_attachments"][0]["type"]),
        (200, &json!("video"))
    );
}

#[tokio::test]
async fn every_file_that_is_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let sized_png = |width: u32, height: u32| {
        let mut bytes = png(1);
        bytes[16..20].copy_from_slice(&width.to_be_bytes());
        bytes[20..24].copy_from_slice(&height.to_be_bytes());
        bytes
    };
    let gif = |width: u16, height: u16| {
        let mut bytes = b"GIF89a".to_vec();
        bytes.extend_from_slice(&width.to_le_bytes());
        bytes.extend_from_slice(&height.to_le_bytes());
        bytes
    };
    let padded = |mut bytes: Vec<u8>, length: usize| {
        bytes.resize(length, 0);
        bytes
    };
    for (name, mime_type, bytes, status, want) in [
        ("image at its size", "image/png", padded(png(1), 16_777_215), 200, ""),
        (
            "image too big",
            "image/png",
            padded(png(1), 16_777_216),
            422,
            "Validation failed: File file size must be less than 16 MB",
        ),
        ("video at its size", "video/mp4", padded(mp4(), 103_809_023), 202, ""),
        (
            "video too big",
            "video/mp4",
            padded(mp4(), 103_809_024),
            422,
            "Validation failed: File file size must be less than 99 MB",
        ),
        ("image at its pixels", "image/png", sized_png(7680, 4320), 200, ""),
        (
            "image of too many pixels",
            "image/png",
            sized_png(7681, 4320),
            422,
            "7681x4320 images are not supported",
        ),
        ("animation at its pixels", "image/gif", gif(1280, 720), 202, ""),
        (
            "animation of too many pixels",
            "image/gif",
            gif(1281, 720),
            422,
            "1281x720 GIF files are not supported",
        ),
        (
            "no picture at all",
            "image/png",
            b"hello".to_vec(),
            422,
            "Validation failed: File content type is invalid, File is invalid",
        ),
    ] {
        let got = ana.upload(&world, mime_type, bytes).await;
        assert_eq!((got.status, got.text_of("error").as_str()), (status, want), "{name}");
    }
    let empty = send(
        ana.request(&world, Method::POST, "/api/v2/media")
            .multipart(reqwest::multipart::Form::new()),
    )
    .await;
    assert_eq!(
        (empty.status, empty.text_of("error").as_str()),
        (422, "Validation failed: File can't be blank")
    );
    let file = reqwest::multipart::Part::bytes(png(1)).file_name("x");
    let form =
        reqwest::multipart::Form::new().part("file", file).text("description", "d".repeat(10_001));
    let long = send(ana.request(&world, Method::POST, "/api/v2/media").multipart(form)).await;
    assert_eq!(
        (long.status, long.text_of("error").as_str()),
        (422, "Validation failed: Description is too long (maximum is 10000 characters)")
    );
}
