//! Files that the network fetches.

use std::time::Duration;

use reqwest::Method;
use scheduler_sandbox::Options;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::{Actor, code};
use crate::support::{World, png};

/// Serves the same bytes to whoever asks, so often.
async fn serve(media_type: &'static str, bytes: Vec<u8>, times: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/file", listener.local_addr().unwrap());
    tokio::spawn(async move {
        for _ in 0..times {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(stream.read_u8().await.unwrap());
            }
            let answer = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: {media_type}\r\ncontent-length: {}\r\n\r\n",
                bytes.len()
            );
            stream.write_all(&[answer.as_bytes(), &bytes].concat()).await.unwrap();
        }
    });
    url
}

/// Asks until a container is processed; what it is then.
async fn processed(world: &World, actor: &Actor, container: &str) -> Value {
    loop {
        let status = actor.status(world, container).await;
        if status["status"] != "IN_PROGRESS" {
            return status;
        }
        tokio::task::yield_now().await;
    }
}

async fn quick() -> World {
    let media_processing = Duration::from_millis(20);
    World::start(Options { media_processing, ..Options::default() }).await
}

fn shown(media_type: &str, bytes: &[u8]) -> Value {
    let sha256 = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    json!({"type": media_type, "bytes": bytes.len(), "sha256": sha256})
}

#[tokio::test]
async fn pictures_and_videos_are_fetched_and_shown() {
    let world = quick().await;
    let ana = Actor::new(&world, "ana").await;
    let video = b"\0\0\0\x20ftypisom\0\0\x02\0".to_vec();
    let image_url = serve("image/png", png(1), 2).await;
    let video_url = serve("video/mp4", video.clone(), 2).await;
    let image = [("media_type", "IMAGE"), ("image_url", image_url.as_str()), ("text", "one")];
    let clip = [("media_type", "VIDEO"), ("video_url", video_url.as_str()), ("text", "two")];
    for form in [image, clip] {
        let container = ana.make(&world, &form).await.text_of("id");
        assert_eq!(processed(&world, &ana, &container).await["status"], "FINISHED");
        assert_eq!(ana.publish(&world, &container).await.status, 200);
    }
    let mut children = Vec::new();
    for form in [[image[0], image[1]], [clip[0], clip[1]]] {
        let form = [form[0], form[1], ("is_carousel_item", "true")];
        children.push(ana.make(&world, &form).await.text_of("id"));
    }
    let children = children.join(",");
    let form = [("media_type", "CAROUSEL"), ("children", &children), ("text", "three")];
    let container = ana.make(&world, &form).await.text_of("id");
    assert_eq!(processed(&world, &ana, &container).await["status"], "FINISHED");
    ana.publish(&world, &container).await;
    let posts = world.posts("threads").await;
    let (image, clip) = (shown("image/png", &png(1)), shown("video/mp4", &video));
    let media: Vec<&Value> = posts.iter().map(|post| &post["media"]).collect();
    assert_eq!(media, [&json!([image]), &json!([clip]), &json!([image, clip])]);
}

#[tokio::test]
async fn files_that_cannot_be_used() {
    let world = quick().await;
    let ana = Actor::new(&world, "ana").await;
    let gif = serve("image/gif", b"GIF89a".to_vec(), 2).await;
    // Nobody listens there any more.
    let gone = format!(
        "http://{}/x",
        TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap()
    );
    for (name, kind, member, url, want) in [
        ("a GIF", "IMAGE", "image_url", &gif, "UNKNOWN"),
        ("a picture as a video", "VIDEO", "video_url", &gif, "FAILED_PROCESSING_VIDEO"),
        ("a video that is gone", "VIDEO", "video_url", &gone, "FAILED_DOWNLOADING_VIDEO"),
        ("a picture that is gone", "IMAGE", "image_url", &gone, "UNKNOWN"),
    ] {
        let form = [("media_type", kind), (member, url.as_str())];
        let container = ana.make(&world, &form).await.text_of("id");
        let status = processed(&world, &ana, &container).await;
        assert_eq!(
            (&status["status"], &status["error_message"]),
            (&json!("ERROR"), &json!(want)),
            "{name}"
        );
        assert_eq!(code(&ana.publish(&world, &container).await).0, 24, "{name}");
    }
    let form = [("media_type", "IMAGE"), ("image_url", "https://a.example/x.png")];
    assert_eq!(code(&ana.make(&world, &form).await), (9004, 2_207_052));
}

#[tokio::test]
async fn a_video_is_not_published_before_it_is_processed() {
    let media_processing = Duration::from_secs(3_600);
    let world = World::start(Options { media_processing, ..Options::default() }).await;
    let ana = Actor::new(&world, "ana").await;
    let url = serve("video/mp4", b"\0\0\0\x20ftypisom\0\0\x02\0".to_vec(), 1).await;
    let form = [("media_type", "VIDEO"), ("video_url", url.as_str())];
    let container = ana.make(&world, &form).await.text_of("id");
    assert_eq!(ana.status(&world, &container).await["status"], "IN_PROGRESS");
    assert_eq!(code(&ana.publish(&world, &container).await), (24, 2_207_006));
    let got =
        crate::support::send(ana.request(&world, Method::GET, &format!("/{container}"))).await;
    assert_eq!(got.body, json!({"id": container}));
}
