//! Videos and pictures by link.

use std::io::{BufRead, BufReader, Write};
use std::time::Duration;

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::Actor;
use crate::support::{Got, World, png, send};

fn mp4() -> Vec<u8> {
    let mut bytes = b"\0\0\0\x20ftypisom".to_vec();
    bytes.resize(3_000_000, 7);
    bytes
}

async fn register(world: &World, ana: &Actor) -> Value {
    let got = ana.post(world, "/media", &json!({ "media_type": "video" })).await;
    assert_eq!(got.status, 201, "{got:?}");
    got.body
}

/// What can be wrong with a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Nothing,
    FileFirst,
    FieldMissing,
    FieldOther,
    NoFile,
    WithToken,
}

async fn upload(world: &World, ana: &Actor, place: &Value, wrong: Wrong) -> Got {
    let file = || Part::bytes(mp4()).file_name("a.mp4").mime_str("video/mp4").unwrap();
    let mut form = Form::new();
    if wrong == Wrong::FileFirst {
        form = form.part("file", file());
    }
    for (name, value) in place["upload_parameters"].as_object().unwrap() {
        let mut value = value.as_str().unwrap().to_owned();
        match (name.as_str(), wrong) {
            ("policy", Wrong::FieldMissing) => continue,
            ("policy", Wrong::FieldOther) => value.push('x'),
            _ => {}
        }
        form = form.text(name.clone(), value);
    }
    if !matches!(wrong, Wrong::FileFirst | Wrong::NoFile) {
        form = form.part("file", file());
    }
    let url = place["upload_url"].as_str().unwrap().strip_prefix(world.sandbox.url()).unwrap();
    let request = world.request(Method::POST, url).multipart(form);
    send(if wrong == Wrong::WithToken { request.bearer_auth(&ana.token) } else { request }).await
}

fn showing(ana: &Actor, place: &Value) -> Value {
    let mut pin = ana.pin("a video");
    pin["media_source"] = json!({
        "source_type": "video_id", "media_id": place["media_id"], "cover_image_key_frame_time": 1,
    });
    pin
}

#[tokio::test]
async fn a_video_is_registered_sent_and_shown() {
    let options = Options { media_processing: Duration::ZERO, ..Options::default() };
    let world = World::start(options).await;
    let ana = Actor::new(&world, "Ana").await;
    let place = register(&world, &ana).await;
    let path = format!("/media/{}", place["media_id"].as_str().unwrap());
    assert_eq!(ana.get(&world, &path).await.body["status"], "registered");
    let early = ana.post(&world, "/pins", &showing(&ana, &place)).await;
    assert_eq!((early.status, &early.body["code"]), (400, &json!(2424)));

    let got = upload(&world, &ana, &place, Wrong::Nothing).await;
    assert_eq!((got.status, got.text.as_str()), (204, ""));
    assert_eq!(ana.get(&world, &path).await.body["status"], "succeeded");
    let mut without = showing(&ana, &place);
    without["media_source"].as_object_mut().unwrap().remove("cover_image_key_frame_time");
    let got = ana.post(&world, "/pins", &without).await;
    assert!(got.status == 400 && got.text.contains("cover_image"), "{got:?}");
    let got = ana.post(&world, "/pins", &showing(&ana, &place)).await;
    assert_eq!((got.status, &got.body["media"]["media_type"]), (201, &json!("video")));
    let media = &world.posts("pinterest").await[0]["media"][0];
    assert_eq!((&media["type"], &media["bytes"]), (&json!("video/mp4"), &json!(mp4().len())));

    for (name, data, status) in
        [("a picture", super::base64(&png(1)), 201), ("none", "YQ==".to_owned(), 400)]
    {
        let mut covered = without.clone();
        covered["media_source"]["cover_image_content_type"] = json!("image/png");
        covered["media_source"]["cover_image_data"] = json!(data);
        assert_eq!(ana.post(&world, "/pins", &covered).await.status, status, "{name}");
    }

    let ben = Actor::new(&world, "Ben").await;
    assert_eq!(ben.get(&world, &path).await.status, 404);
    let got = ben.post(&world, "/pins", &showing(&ben, &place)).await;
    assert_eq!(got.body["code"], 2424);
    assert_eq!(ana.post(&world, "/media", &json!({ "media_type": "image" })).await.status, 400);
}

#[tokio::test]
async fn the_place_of_a_video_is_strict() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let place = register(&world, &ana).await;
    for (wrong, status, code) in [
        (Wrong::FileFirst, 400, "InvalidArgument"),
        (Wrong::NoFile, 400, "InvalidArgument"),
        (Wrong::WithToken, 400, "InvalidArgument"),
        (Wrong::FieldMissing, 403, "AccessDenied"),
        (Wrong::FieldOther, 403, "AccessDenied"),
        (Wrong::Nothing, 204, ""),
    ] {
        let got = upload(&world, &ana, &place, wrong).await;
        assert_eq!(got.status, status, "{wrong:?}: {got:?}");
        assert!(got.text.contains(code), "{wrong:?}: {got:?}");
    }
}

#[tokio::test]
async fn a_picture_is_fetched_by_its_link() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/1.png", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut line = String::new();
        while reader.read_line(&mut line).unwrap() > 2 {}
        let head = b"HTTP/1.0 200 OK\r\ncontent-type: image/png\r\n\r\n";
        stream.write_all(&[head.as_slice(), &png(1)].concat()).unwrap();
    });
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let mut pin = ana.pin("fetched");
    pin["media_source"] = json!({ "source_type": "image_url", "url": url });
    assert_eq!(ana.post(&world, "/pins", &pin).await.status, 201);
    server.join().unwrap();
    loop {
        let media = world.posts("pinterest").await[0]["media"].clone();
        if let Some(file) = media.get(0) {
            assert_eq!(file["bytes"], png(1).len());
            break;
        }
        tokio::task::yield_now().await;
    }
}
