//! Pictures and videos.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::{Actor, code, id};
use crate::support::{Got, World, png, send};

fn mp4() -> Vec<u8> {
    b"\0\0\0\x20ftypisom0000".to_vec()
}

fn image(identifier: &str) -> Value {
    let media = json!({ "type": "image/png", "identifier": identifier, "width": 64, "height": 48 });
    json!({ "type": "image", "alt_text": "a fox", "media": [media] })
}

fn video(identifier: &str) -> Value {
    json!({ "type": "video", "media": { "type": "video/mp4", "identifier": identifier } })
}

async fn upload(
    world: &World,
    actor: &Actor,
    state: &str,
    content: Vec<Value>,
    files: Vec<(&'static str, Vec<u8>)>,
) -> Got {
    let body = json!({ "state": state, "content": content }).to_string();
    let mut form = Form::new().part("json", Part::text(body).mime_str("application/json").unwrap());
    for (identifier, bytes) in files {
        let is_video = bytes[4..].starts_with(b"ftyp");
        let kind = if is_video { "video/mp4" } else { "image/png" };
        let part = Part::bytes(bytes).file_name("file").mime_str(kind).unwrap();
        form = form.part(identifier, part);
    }
    let path = format!("/blog/{}/posts", actor.blog);
    send(actor.request(world, Method::POST, &path).multipart(form)).await
}

#[tokio::test]
async fn pictures_get_addresses_and_stay_when_their_draft_is_published() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let files = vec![("m0", png(1)), ("m1", png(2))];
    let made = upload(&world, &ana, "draft", vec![image("m0"), image("m1")], files).await;
    assert_eq!(made.status, 201, "{made:?}");
    let draft = id(&made);
    let stored = ana.read(&world, &format!("posts/{draft}")).await;
    let content = stored.body["response"]["content"].clone();
    let media = &content[0]["media"][0];
    assert!(media["url"].as_str().unwrap().starts_with("https://64.media.tumblr.com/"));
    assert_eq!((&media["width"], &media["identifier"]), (&json!(64), &Value::Null));
    let body = json!({ "state": "published", "content": content });
    assert_eq!(ana.put(&world, &draft, &body).await.status, 200);
    let live = world.posts("tumblr").await;
    assert_eq!(live[0]["media"].as_array().unwrap().len(), 2);
    assert_eq!(live[0]["media"][1]["bytes"], png(2).len());
    let limits = ana.get(&world, "/user/limits").await;
    assert_eq!(limits.body["response"]["user"]["photos"]["remaining"], 248);
    assert_eq!(limits.body["response"]["user"]["posts"]["remaining"], 249);
}

#[tokio::test]
async fn files_that_do_not_fit_are_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let mut long = image("m0");
    long["alt_text"] = json!("a".repeat(4097));
    let big = || [png(1), vec![0; 20 * 1024 * 1024]].concat();
    let foreign = json!({ "type": "image", "media": [{ "url": "https://a.example/x.png" }] });
    for (name, content, files, want) in [
        ("no part", vec![image("m0")], vec![("m1", png(1))], 8001),
        ("no picture", vec![image("m0")], vec![("m0", b"hello there".to_vec())], 8005),
        ("a video as a picture", vec![image("m0")], vec![("m0", mp4())], 8005),
        ("a picture as a video", vec![video("m0")], vec![("m0", png(1))], 8005),
        ("too large", vec![image("m0")], vec![("m0", big())], 8005),
        ("a long text", vec![long], vec![("m0", png(1))], 8001),
        ("31 pictures", vec![image("m0"); 31], vec![("m0", png(1))], 8001),
        ("two videos", vec![video("m0"), video("m0")], vec![("m0", mp4())], 8001),
        ("an address elsewhere", vec![foreign], vec![], 8005),
    ] {
        let got = upload(&world, &ana, "draft", content, files).await;
        assert_eq!((got.status, code(&got)), (400, want), "{name}");
    }
    let path = format!("/blog/{}/posts", ana.blog);
    let form = Form::new().part("m0", Part::bytes(png(1)).file_name("x"));
    let got = send(ana.request(&world, Method::POST, &path).multipart(form)).await;
    assert_eq!(code(&got), 8001, "there is no JSON");
}

/// As tumblr.js 5 sends a picture: its part first, and the media as an object.
#[tokio::test]
async fn a_picture_as_the_networks_own_library_sends_it() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let block = json!({ "type": "image", "media": { "identifier": "0" }, "alt_text": "Alt" });
    let body = json!({ "content": [block] }).to_string();
    let file = Part::bytes(png(1)).file_name("0").mime_str("image/png").unwrap();
    let form = Form::new().part("0", file).text("json", body);
    let path = format!("/blog/{}/posts", ana.blog);
    let made = send(ana.request(&world, Method::POST, &path).multipart(form)).await;
    assert_eq!(made.status, 201, "{made:?}");
    let live = world.posts("tumblr").await;
    assert_eq!(live[0]["media"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn one_video_at_a_time() {
    let media_processing = std::time::Duration::from_secs(60);
    let world = World::start(Options { media_processing, ..Options::default() }).await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let send = async |actor: &Actor| {
        let content = vec![image("m0"), video("m1")];
        let files = vec![("m0", png(1)), ("m1", mp4())];
        upload(&world, actor, "published", content, files).await
    };
    let taken = send(&ana).await;
    assert_eq!((taken.status, &taken.body["response"]["state"]), (201, &json!("transcoding")));
    let busy = send(&ana).await;
    assert_eq!((busy.status, code(&busy)), (403, 8010));
    assert_eq!(send(&ben).await.status, 201, "another user's");
    assert_eq!(world.posts("tumblr").await, Vec::<Value>::new());
    let body = json!({ "advanceMilliseconds": 60_000 });
    assert_eq!(world.post("/_sandbox/clock", &body).await.status, 200);
    let listed = ana.read(&world, "posts?npf=true&limit=5").await;
    let post = &listed.body["response"]["posts"][0];
    assert_eq!(post["genesis_post_id"], id(&taken).as_str());
    assert_eq!(world.posts("tumblr").await.len(), 2);
    assert_eq!(send(&ana).await.status, 201);
}
