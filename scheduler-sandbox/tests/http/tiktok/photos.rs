//! Photos, which the network fetches.

use std::time::Duration;

use scheduler_sandbox::Options;
use serde_json::{Value, json};
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

/// A picture of these sides.
fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08".to_vec();
    bytes.extend(height.to_be_bytes());
    bytes.extend(width.to_be_bytes());
    bytes
}

fn named(links: &[&str], mode: &str) -> Value {
    json!({
        "media_type": "PHOTO",
        "post_mode": mode,
        "post_info": {
            "title": "",
            "description": "Three views",
            "privacy_level": "PUBLIC_TO_EVERYONE",
            "disable_comment": true,
            "auto_add_music": false,
            "brand_content_toggle": false,
            "brand_organic_toggle": false,
        },
        "source_info": {
            "source": "PULL_FROM_URL",
            "photo_cover_index": 0,
            "photo_images": links,
        },
    })
}

/// Asks until a publish is done; what it is then.
async fn done(world: &World, actor: &Actor, publish_id: &str) -> Value {
    loop {
        let status = actor.status(world, publish_id).await.body["data"].clone();
        if status["status"] != "PROCESSING_DOWNLOAD" {
            return status;
        }
        tokio::task::yield_now().await;
    }
}

async fn quick() -> World {
    World::start(Options { media_processing: Duration::ZERO, ..Options::default() }).await
}

#[tokio::test]
async fn photos_are_fetched_and_posted() {
    let world = quick().await;
    let ana = Actor::new(&world, "ana").await;
    let link = serve("image/jpeg", jpeg(1920, 1080), 4).await;
    for (mode, want) in
        [("DIRECT_POST", "PUBLISH_COMPLETE"), ("MEDIA_UPLOAD", "SEND_TO_USER_INBOX")]
    {
        let body = named(&[&link, &link], mode);
        let init = ana.post(&world, "post/publish/content/init/", &body).await;
        assert_eq!(code(&init), "ok", "{init:?}");
        let id = init.body["data"]["publish_id"].as_str().unwrap();
        assert_eq!(done(&world, &ana, id).await["status"], want);
    }
    let posts = world.posts("tiktok").await;
    assert_eq!(posts.len(), 2);
    assert_eq!(
        (&posts[0]["text"], posts[0]["media"].as_array().unwrap().len()),
        (&json!("Three views"), 2)
    );
    assert_eq!(posts[0]["media"][1]["type"], "image/jpeg");
}

#[tokio::test]
async fn photos_that_cannot_be_used_fail_later_and_links_elsewhere_at_once() {
    let world = quick().await;
    let ana = Actor::new(&world, "ana").await;
    for (name, bytes, want) in [
        ("png", png(1), "file_format_check_failed"),
        ("text", b"hello".to_vec(), "file_format_check_failed"),
        ("too large", jpeg(1921, 1080), "picture_size_check_failed"),
        ("too large, upright", jpeg(1081, 1920), "picture_size_check_failed"),
    ] {
        let link = serve("image/jpeg", bytes, 1).await;
        let init =
            ana.post(&world, "post/publish/content/init/", &named(&[&link], "DIRECT_POST")).await;
        let id = init.body["data"]["publish_id"].as_str().unwrap().to_owned();
        assert_eq!(done(&world, &ana, &id).await["fail_reason"], want, "{name}");
    }
    let dead = "http://127.0.0.1:9/gone";
    let init = ana.post(&world, "post/publish/content/init/", &named(&[dead], "DIRECT_POST")).await;
    let id = init.body["data"]["publish_id"].as_str().unwrap().to_owned();
    assert_eq!(done(&world, &ana, &id).await["fail_reason"], "photo_pull_failed");

    let many = vec![dead; 36];
    let mut cover = named(&[dead], "DIRECT_POST");
    cover["source_info"]["photo_cover_index"] = json!(1);
    let mut text = named(&[dead], "DIRECT_POST");
    text["post_info"]["description"] = json!("a".repeat(4001));
    for (name, body, want) in [
        (
            "elsewhere",
            named(&["https://media.example.com/1.jpg"], "DIRECT_POST"),
            "url_ownership_unverified",
        ),
        ("none", named(&[], "DIRECT_POST"), "invalid_params"),
        ("36", named(&many, "DIRECT_POST"), "invalid_params"),
        ("no such cover", cover, "invalid_params"),
        ("4001", text, "invalid_params"),
        ("another mode", named(&[dead], "x"), "invalid_params"),
    ] {
        let got = ana.post(&world, "post/publish/content/init/", &body).await;
        assert_eq!(code(&got), want, "{name}");
    }
    assert_eq!(world.posts("tiktok").await, Vec::<Value>::new());
}
