//! Images and videos.

use std::time::Duration;

use reqwest::Method;
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::{Actor, code, encoded, post};
use crate::support::{Got, World, png, send};

const VIDEO_BYTES: usize = 5_000_000;

fn mp4() -> Vec<u8> {
    let mut bytes = b"\0\0\0\x20ftypisom".to_vec();
    bytes.resize(VIDEO_BYTES, 7);
    bytes
}

/// The path of an address of this sandbox.
fn path_of(world: &World, url: &Value) -> String {
    url.as_str().unwrap().strip_prefix(world.sandbox.url()).unwrap().to_owned()
}

async fn announce(world: &World, ana: &Actor, kind: &str, bytes: usize) -> Got {
    let body =
        json!({ "initializeUploadRequest": { "owner": ana.member, "fileSizeBytes": bytes } });
    ana.post(world, &format!("/rest/{kind}?action=initializeUpload"), &body).await
}

async fn put(
    world: &World,
    token: Option<&str>,
    media_type: &str,
    url: &Value,
    bytes: Vec<u8>,
) -> Got {
    let request = world.request(Method::PUT, &path_of(world, url));
    let request = request.header("content-type", media_type.to_owned()).body(bytes);
    send(match token {
        Some(token) => request.bearer_auth(token),
        None => request,
    })
    .await
}

/// Sends a video whole and returns its name and the body that puts it together.
async fn sent(world: &World, ana: &Actor) -> (String, Value) {
    let announced = announce(world, ana, "videos", VIDEO_BYTES).await.body["value"].clone();
    let mut tags = Vec::new();
    for piece in announced["uploadInstructions"].as_array().unwrap() {
        let at = |name: &str| usize::try_from(piece[name].as_u64().unwrap()).unwrap();
        let bytes = mp4()[at("firstByte")..=at("lastByte")].to_vec();
        let got = put(world, None, "application/octet-stream", &piece["uploadUrl"], bytes).await;
        assert_eq!(got.status, 200, "{got:?}");
        tags.push(got.header("etag").unwrap().to_owned());
    }
    assert_eq!(tags.len(), 2);
    let urn = announced["video"].as_str().unwrap().to_owned();
    let body = json!({ "finalizeUploadRequest": {
        "video": urn, "uploadToken": announced["uploadToken"], "uploadedPartIds": tags,
    } });
    (urn, body)
}

fn showing(ana: &Actor, urn: &str) -> Value {
    let mut body = post(&ana.member, "");
    body["content"] = json!({ "media": { "id": urn, "altText": "A dot" } });
    body
}

#[tokio::test]
async fn an_image_is_sent_with_the_token_and_shown() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let announced = announce(&world, &ana, "images", 0).await.body["value"].clone();
    let urn = announced["image"].as_str().unwrap();
    let state = format!("/rest/images/{}", encoded(urn));
    assert_eq!(ana.get(&world, &state).await.body["status"], "WAITING_UPLOAD");
    let early = ana.publish(&world, &showing(&ana, urn)).await;
    assert_eq!((early.status, code(&early)), (400, "MEDIA_ASSET_WAITING_UPLOAD"));

    let url = &announced["uploadUrl"];
    assert_eq!(put(&world, None, "image/png", url, png(1)).await.status, 401);
    assert_eq!(
        put(&world, Some(&ana.token), "image/png", url, b"hello".to_vec()).await.status,
        415
    );
    assert_eq!(put(&world, Some(&ana.token), "image/png", url, png(1)).await.status, 201);
    assert_eq!(ana.get(&world, &state).await.body["status"], "AVAILABLE");
    assert_eq!(ana.publish(&world, &showing(&ana, urn)).await.status, 201);
    let media = &world.posts("linkedin").await[0]["media"];
    assert_eq!(
        (&media[0]["type"], &media[0]["bytes"]),
        (&json!("image/png"), &json!(png(1).len()))
    );
}

#[tokio::test]
async fn a_video_is_put_together_and_processed() {
    let options = Options { media_processing: Duration::from_secs(3600), ..Options::default() };
    let world = World::start(options).await;
    let ana = Actor::new(&world, "Ana").await;
    let (urn, whole) = sent(&world, &ana).await;
    let finalize = "/rest/videos?action=finalizeUpload";
    let mut swapped = whole.clone();
    swapped["finalizeUploadRequest"]["uploadedPartIds"].as_array_mut().unwrap().reverse();
    let mut token = whole.clone();
    token["finalizeUploadRequest"]["uploadToken"] = json!("x");
    for wrong in [swapped, token] {
        assert_eq!(ana.post(&world, finalize, &wrong).await.status, 400);
    }
    for _ in 0..2 {
        assert_eq!(ana.post(&world, finalize, &whole).await.status, 200, "and a repeat");
    }
    let state = ana.get(&world, &format!("/rest/videos/{}", encoded(&urn))).await;
    assert_eq!(state.body["status"], "PROCESSING");
    let early = ana.publish(&world, &showing(&ana, &urn)).await;
    assert_eq!((early.status, code(&early)), (400, "MEDIA_ASSET_WAITING_UPLOAD"));

    let options = Options { media_processing: Duration::ZERO, ..Options::default() };
    let world = World::start(options).await;
    let ana = Actor::new(&world, "Ana").await;
    let (urn, whole) = sent(&world, &ana).await;
    assert_eq!(ana.post(&world, finalize, &whole).await.status, 200);
    let got = ana.publish(&world, &showing(&ana, &urn)).await;
    assert!(got.header("x-restli-id").unwrap().starts_with("urn:li:ugcPost:"), "{got:?}");
    let media = &world.posts("linkedin").await[0]["media"];
    assert_eq!(media[0]["bytes"], VIDEO_BYTES);
}

#[tokio::test]
async fn pieces_and_sizes_that_are_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    for (bytes, status) in [(74_999, 400), (75_000, 200), (500_000_000, 200), (500_000_001, 400)] {
        assert_eq!(announce(&world, &ana, "videos", bytes).await.status, status, "{bytes}");
    }
    let announced = announce(&world, &ana, "videos", VIDEO_BYTES).await.body["value"].clone();
    let last = &announced["uploadInstructions"][1];
    let length = VIDEO_BYTES - 4_194_304;
    let octets = "application/octet-stream";
    for (name, token, media_type, length, status) in [
        ("too short", None, octets, length - 1, 400),
        ("too long", None, octets, length + 1, 400),
        ("with a token", Some(ana.token.as_str()), octets, length, 400),
        ("another type", None, "video/mp4", length, 415),
        ("right", None, octets, length, 200),
    ] {
        let got = put(&world, token, media_type, &last["uploadUrl"], vec![7; length]).await;
        assert_eq!(got.status, status, "{name}");
    }
    let tags = json!(["only one"]);
    let body = json!({ "finalizeUploadRequest": {
        "video": announced["video"], "uploadToken": "", "uploadedPartIds": tags,
    } });
    assert_eq!(ana.post(&world, "/rest/videos?action=finalizeUpload", &body).await.status, 400);
}

#[tokio::test]
async fn files_of_others_cannot_be_shown() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    let announced = announce(&world, &ana, "images", 0).await.body["value"].clone();
    let got = put(&world, Some(&ana.token), "image/png", &announced["uploadUrl"], png(1)).await;
    assert_eq!(got.status, 201);
    let mut body = post(&ben.member, "x");
    body["content"] = json!({ "media": { "id": announced["image"] } });
    let got = ben.publish(&world, &body).await;
    assert_eq!((got.status, code(&got)), (400, "INVALID_URN_ID"));
    let owner = json!({ "initializeUploadRequest": { "owner": ana.member } });
    let got = ben.post(&world, "/rest/images?action=initializeUpload", &owner).await;
    assert_eq!(got.status, 403);
}
