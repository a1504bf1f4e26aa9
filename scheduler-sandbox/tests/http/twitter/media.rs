//! Files: whole, in segments, and shown by posts.

use std::time::Duration;

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::Actor;
use crate::support::{Got, World, png, send};

const MEDIA: &str = "/2/media/upload";

fn mp4() -> Vec<u8> {
    b"\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41".to_vec()
}

fn gif() -> Vec<u8> {
    b"GIF89a\x01\0\x01\0\x80\0\0".to_vec()
}

fn bytes_of(bytes: Vec<u8>) -> Part {
    Part::bytes(bytes).file_name("file").mime_str("application/octet-stream").unwrap()
}

async fn whole(world: &World, actor: &Actor, bytes: Vec<u8>) -> Got {
    let form = Form::new().part("media", bytes_of(bytes)).text("media_category", "tweet_image");
    send(actor.request(world, Method::POST, MEDIA).multipart(form)).await
}

async fn announce(world: &World, actor: &Actor, category: &str, bytes: usize) -> Got {
    let body = json!({
        "media_type": if category == "tweet_gif" { "image/gif" } else { "video/mp4" },
        "media_category": category,
        "total_bytes": bytes,
    });
    send(actor.request(world, Method::POST, &format!("{MEDIA}/initialize")).json(&body)).await
}

async fn append(world: &World, actor: &Actor, id: &str, index: &str, bytes: Vec<u8>) -> Got {
    let form = Form::new().text("segment_index", index.to_owned()).part("media", bytes_of(bytes));
    let path = format!("{MEDIA}/{id}/append");
    send(actor.request(world, Method::POST, &path).multipart(form)).await
}

async fn finalize(world: &World, actor: &Actor, id: &str) -> Got {
    send(actor.request(world, Method::POST, &format!("{MEDIA}/{id}/finalize"))).await
}

async fn describe(world: &World, actor: &Actor, id: &str, metadata: Value) -> Got {
    let body = json!({ "id": id, "metadata": metadata });
    send(actor.request(world, Method::POST, "/2/media/metadata").json(&body)).await
}

fn id_of(got: &Got) -> String {
    assert_eq!(got.status, 200, "{got:?}");
    got.body["data"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_image_is_shown_by_a_post() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let uploaded = whole(&world, &ana, png(1)).await;
    let id = id_of(&uploaded);
    assert_eq!(uploaded.body["data"]["media_key"], format!("3_{id}"));
    let described = describe(
        &world,
        &ana,
        &id,
        json!({
            "alt_text": { "text": "A crab" },
            "sensitive_media_warning": { "adult_content": true },
        }),
    );
    assert_eq!(described.await.status, 200);
    let body = json!({ "text": "see", "media": { "media_ids": [id] }, "made_with_ai": true });
    let posted = ana.publish(&world, &body).await;
    let post = super::id_of(&posted);
    assert_eq!(world.posts("twitter").await[0]["media"][0]["bytes"], png(1).len());
    let path = format!("/2/tweets/{post}?tweet.fields=attachments,entities");
    let shown = ana.get(&world, &path).await.body["data"].clone();
    assert_eq!(shown["attachments"]["media_keys"], json!([format!("3_{id}")]));
    let link = shown["entities"]["urls"][0]["url"].as_str().unwrap();
    assert_eq!(shown["text"], format!("see {link}"));
    let again = ana.publish(&world, &body).await;
    assert_eq!(again.status, 201, "the link makes it another text: {again:?}");
    let alone = ana.publish(&world, &json!({ "media": { "media_ids": [id] } })).await;
    assert_eq!(alone.status, 201, "{alone:?}");
}

#[tokio::test]
async fn a_video_comes_in_segments_and_is_worked_on() {
    for (processing, want) in
        [(Duration::ZERO, "succeeded"), (Duration::from_secs(3600), "in_progress")]
    {
        let world = World::start(Options { media_processing: processing, ..Options::default() });
        let world = world.await;
        let ana = Actor::new(&world, "ana").await;
        let (bytes, rest) = (mp4(), vec![7; 10]);
        let announced = announce(&world, &ana, "tweet_video", bytes.len() + rest.len()).await;
        let id = id_of(&announced);
        assert_eq!(append(&world, &ana, &id, "1", rest).await.status, 200);
        let early = finalize(&world, &ana, &id).await;
        assert_eq!(early.status, 400, "a segment is missing: {early:?}");
        assert_eq!(append(&world, &ana, &id, "0", bytes).await.status, 200);
        let whole = finalize(&world, &ana, &id).await;
        assert_eq!(whole.body["data"]["processing_info"]["state"], want);
        let asked = ana.get(&world, &format!("{MEDIA}?command=STATUS&media_id={id}")).await;
        assert_eq!(asked.body["data"]["processing_info"]["state"], want);
        let body = json!({ "text": "see", "media": { "media_ids": [id] } });
        let posted = ana.publish(&world, &body).await;
        assert_eq!(posted.status == 201, want == "succeeded", "{posted:?}");
    }
}

#[tokio::test]
async fn what_is_refused() {
    let world =
        World::start(Options { media_processing: Duration::ZERO, ..Options::default() }).await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    assert_eq!(whole(&world, &ana, mp4()).await.status, 400, "no image");
    assert_eq!(whole(&world, &ana, vec![]).await.status, 400, "nothing");
    assert_eq!(announce(&world, &ana, "tweet_video", 0).await.status, 400);
    assert_eq!(announce(&world, &ana, "tweet_video", 512_000_001).await.status, 400);
    assert_eq!(announce(&world, &ana, "dm_video", 10).await.status, 400);
    let image = id_of(&whole(&world, &ana, png(1)).await);
    let long = json!({ "alt_text": { "text": "a".repeat(1_001) } });
    assert_eq!(describe(&world, &ana, &image, long).await.status, 400);
    let unknown = json!({ "sensitive_media_warning": { "gore": true } });
    assert_eq!(describe(&world, &ana, &image, unknown).await.status, 400);
    assert_eq!(describe(&world, &ben, &image, json!({})).await.status, 404, "another's");
    let animation = id_of(&announce(&world, &ana, "tweet_gif", gif().len()).await);
    assert_eq!(append(&world, &ana, &animation, "1000", gif()).await.status, 400);
    assert_eq!(append(&world, &ana, &animation, "0", gif()).await.status, 200);
    assert_eq!(finalize(&world, &ana, &animation).await.status, 200);
    let post = |media_ids: Value| json!({ "text": "x", "media": { "media_ids": media_ids } });
    for (name, actor, body) in [
        ("another's file", &ben, post(json!([image]))),
        ("an animation beside an image", &ana, post(json!([animation, image]))),
        ("no file", &ana, post(json!([]))),
        ("five files", &ana, post(json!([image, image, image, image, image]))),
        ("a file that is not there", &ana, post(json!(["1"]))),
        (
            "a poll",
            &ana,
            json!({
                "text": "x", "media": { "media_ids": [image] },
                "poll": { "options": ["a", "b"], "duration_minutes": 60 },
            }),
        ),
        ("tags", &ana, json!({ "text": "x", "media": { "tagged_user_ids": ["1"] } })),
    ] {
        let got = actor.publish(&world, &body).await;
        assert_eq!(got.status, 400, "{name}: {got:?}");
    }
    let alone = ana.publish(&world, &post(json!([animation]))).await;
    assert_eq!(alone.status, 201, "{alone:?}");
}
