//! Pinterest.

mod after;
mod faults;
mod here;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::png;
use here::Here;

fn mp4(seed: u8) -> Vec<u8> {
    let mut bytes = b"\0\0\0\x20ftypisom".to_vec();
    bytes.resize(3_000_000, seed);
    bytes
}

fn shown(media_type: &str, bytes: &[u8]) -> Value {
    let sha256 = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    json!({ "type": media_type, "bytes": bytes.len(), "sha256": sha256 })
}

#[tokio::test]
async fn pins_of_every_kind_arrive_whole() {
    let here = Here::new().await;
    let mut large = png(9);
    large.resize(7_000_001, 3);
    for (target, name, files) in [
        (1, "an image", vec![("image/png", png(1))]),
        (2, "a large image", vec![("image/png", large)]),
        (3, "two images", vec![("image/png", png(1)), ("image/png", png(2))]),
        (4, "five images", (1..=5).map(|seed| ("image/png", png(seed))).collect()),
        (5, "a video", vec![("video/mp4", mp4(7))]),
    ] {
        let (remote, failures) = here.world.publish(here.job(target, name, &files)).await;
        assert_eq!(failures, [], "{name}");
        let remote = remote.unwrap();
        assert!(remote.url.unwrap().ends_with(&format!("/pinterest/pin/{}/", remote.id)));
        let live = here.world.live().await;
        let last = live.last().unwrap();
        assert_eq!((&last["text"], &last["remoteId"]), (&json!(name), &json!(remote.id)));
        let want: Vec<Value> =
            files.iter().map(|(media_type, bytes)| shown(media_type, bytes)).collect();
        assert_eq!(last["media"], json!(want), "{name}");
    }
    assert_eq!(here.world.live().await.len(), 5);
}

#[tokio::test]
async fn the_cards_of_a_carousel_arrive_with_their_words() {
    let here = Here::new().await;
    let mut pin = here.job(1, "Soups", &[("image/png", png(1)), ("image/png", png(2))]);
    let card =
        json!({ "title": "Hot", "description": "Of two", "link": "https://example.com/hot" });
    pin.files[1].details = serde_json::from_value(card.clone()).unwrap();
    here.world.publish(pin).await.0.unwrap();
    let sent = here.world.bodies("/pins").await;
    let items = sent.last().unwrap()["media_source"]["items"].clone();
    let words = |item: &Value| ["title", "description", "link"].map(|key| item[key].clone());
    assert_eq!(words(&items[1]), words(&card));
    assert_eq!(words(&items[0]), [Value::Null, Value::Null, Value::Null]);
}

#[tokio::test]
async fn what_was_received_is_what_the_documentation_shows() {
    let here = Here::new().await;
    let pin = here.job(1, "Ten minutes. #soup", &[("image/png", png(1))]);
    here.world.publish(pin).await.0.unwrap();
    let video = here.job(2, "", &[("video/mp4", mp4(1))]);
    here.world.publish(video).await.0.unwrap();
    let bodies = here.world.bodies("/v5/pins").await;
    let bodies: Vec<&Value> = bodies.iter().filter(|body| body.is_object()).collect();
    let mut image = bodies[0].clone();
    let data = image["media_source"].as_object_mut().unwrap().remove("data").unwrap();
    assert!(data.as_str().unwrap().starts_with("iVBORw0KGgo"), "{data}");
    assert_eq!(
        image,
        json!({
            "board_id": here.board,
            "title": "Soup",
            "description": "Ten minutes. #soup",
            "link": "https://example.com/soup",
            "alt_text": "file 0",
            "media_source": { "source_type": "image_base64", "content_type": "image/png" },
        })
    );
    let source = &bodies[1]["media_source"];
    assert_eq!(
        (&source["source_type"], &source["cover_image_key_frame_time"]),
        (&json!("video_id"), &json!(1))
    );
    assert_eq!(here.world.bodies("/v5/media").await, [json!({ "media_type": "video" })]);
    let upload = &here.requests("/media-upload/").await[0];
    assert_eq!(upload["headers"]["authorization"], Value::Null, "the place knows no token");
    let length: u64 = upload["headers"]["content-length"].as_str().unwrap().parse().unwrap();
    assert_eq!(upload["bodyBytes"], length, "sent with its length");
}
