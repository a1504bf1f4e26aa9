//! Containers whose files are fetched, and posts that come of them.

use std::time::Duration;

use reqwest::Method;
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::{Actor, code, jpeg, mp4, serve};
use crate::support::{World, send};

#[tokio::test]
async fn a_picture_is_fetched_and_published() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let (url, asked) = serve("image/jpeg", jpeg(1080, 1080)).await;
    let link = format!("{url}/file?sign=1");
    let form = [("image_url", link.as_str()), ("caption", "Hello #rust"), ("alt_text", "a dot")];
    let made = ana.container(&world, &form).await;
    assert_eq!(made.status, 200, "{made:?}");
    let id = made.text_of("id");
    assert!(world.posts("instagram").await.is_empty(), "a container is invisible");
    let settled = ana.settled(&world, &id).await;
    assert_eq!(settled.text_of("status_code"), "FINISHED", "{settled:?}");
    assert_eq!(asked.lock().unwrap().as_slice(), ["GET /file?sign=1 HTTP/1.0"]);
    let published = ana.publish(&world, &id).await;
    assert_eq!(published.status, 200, "{published:?}");
    let posts = world.posts("instagram").await;
    assert_eq!((posts.len(), &posts[0]["text"]), (1, &json!("Hello #rust")));
    assert_eq!(posts[0]["media"][0]["type"], "image/jpeg");
    assert_eq!(ana.settled(&world, &id).await.text_of("status_code"), "PUBLISHED");
    assert_eq!(ana.publish(&world, &id).await.status, 400, "once only");
    let path = format!("/{}?fields=permalink,shortcode", published.text_of("id"));
    let shown = ana.call(&world, Method::GET, &path, &[]).await;
    let want = format!("https://www.instagram.com/p/{}/", shown.text_of("shortcode"));
    assert_eq!(shown.text_of("permalink"), want);
    let list = format!("/{}/media?fields=id,caption,timestamp&limit=25", ana.id);
    let listed = ana.call(&world, Method::GET, &list, &[]).await;
    assert_eq!(listed.body["data"][0]["id"], published.body["id"]);
}

#[tokio::test]
async fn a_carousel_takes_files_that_are_finished() {
    let options = Options { media_processing: Duration::ZERO, ..Options::default() };
    let world = World::start(options).await;
    let ana = Actor::new(&world, "ana").await;
    let (picture, _) = serve("image/jpeg", jpeg(1080, 1080)).await;
    let (film, _) = serve("video/mp4", mp4()).await;
    let first = [("is_carousel_item", "true"), ("image_url", picture.as_str())];
    let second =
        [("is_carousel_item", "true"), ("media_type", "VIDEO"), ("video_url", film.as_str())];
    let mut children = Vec::new();
    for form in [first.as_slice(), second.as_slice()] {
        let made = ana.container(&world, form).await;
        let id = made.text_of("id");
        assert_eq!(ana.settled(&world, &id).await.text_of("status_code"), "FINISHED");
        assert_eq!(ana.publish(&world, &id).await.status, 400, "a part is no post");
        children.push(id);
    }
    let children = children.join(",");
    let parent = [("media_type", "CAROUSEL"), ("children", &children), ("caption", "two")];
    let parent = ana.container(&world, &parent).await;
    assert_eq!(parent.status, 200, "{parent:?}");
    assert_eq!(ana.publish(&world, &parent.text_of("id")).await.status, 200);
    let posts = world.posts("instagram").await;
    let types: Vec<&Value> =
        posts[0]["media"].as_array().unwrap().iter().map(|file| &file["type"]).collect();
    assert_eq!(types, ["image/jpeg", "video/mp4"]);
}

#[tokio::test]
async fn every_file_that_is_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let padded = |length: usize| {
        let mut bytes = jpeg(1080, 1080);
        bytes.resize(length, 0);
        bytes
    };
    for (name, media_type, bytes, want) in [
        ("at its size", "image/jpeg", padded(8_388_608), ""),
        ("too large", "image/jpeg", padded(8_388_609), "2207004"),
        ("no JPEG", "image/jpeg", b"\x89PNG\r\n\x1a\n".to_vec(), "2207005"),
        ("as tall as it may be", "image/jpeg", jpeg(750, 1000), ""),
        ("too tall", "image/jpeg", jpeg(700, 1000), "2207009"),
        ("too wide", "image/jpeg", jpeg(2000, 1000), "2207009"),
        ("no film", "video/mp4", b"hello".to_vec(), "2207026"),
    ] {
        let (url, _) = serve(media_type, bytes).await;
        let is_video = media_type == "video/mp4";
        let form = if is_video {
            vec![("media_type", "REELS"), ("video_url", url.as_str())]
        } else {
            vec![("image_url", url.as_str())]
        };
        let made = ana.container(&world, &form).await;
        let settled = ana.settled(&world, &made.text_of("id")).await;
        let is_error = settled.text_of("status_code") == "ERROR";
        assert_eq!(is_error, !want.is_empty(), "{name}: {settled:?}");
        assert!(settled.text_of("status").contains(want), "{name}: {settled:?}");
    }
    let nobody = [("image_url", "http://127.0.0.1:1/a")];
    let made = ana.container(&world, &nobody).await;
    let settled = ana.settled(&world, &made.text_of("id")).await;
    assert!(settled.text_of("status").contains("2207052"), "{settled:?}");
    let published = ana.publish(&world, &made.text_of("id")).await;
    assert_eq!(code(&published.body), (9004, 2_207_052));
}

#[tokio::test]
async fn a_video_brings_its_bytes_through_a_page() {
    let options = Options { media_processing: Duration::ZERO, ..Options::default() };
    let world = World::start(options).await;
    let ana = Actor::new(&world, "ana").await;
    let form = [("media_type", "REELS"), ("upload_type", "resumable"), ("caption", "film")];
    let refused = ana.container(&world, &form).await;
    assert_eq!(code(&refused.body), (100, 0), "not by Instagram's own login");
    let path = format!("/instagram/v26.0/{}/media", ana.id);
    let made = world.request(Method::POST, &path).bearer_auth(&ana.page).form(&form);
    let made = send(made).await;
    let upload = |offset: &'static str, size: usize| {
        let upload = world.client.post(made.text_of("uri")).body(mp4());
        let token = format!("OAuth {}", ana.page);
        upload.header("authorization", token).header("offset", offset).header("file_size", size)
    };
    for (offset, size) in [("1", mp4().len()), ("0", 1)] {
        let got = send(upload(offset, size)).await;
        assert_eq!(code(&got.body), (-1, 2_207_082), "{offset} {size}");
    }
    assert_eq!(ana.publish(&world, &made.text_of("id")).await.status, 400, "it is empty");
    let taken = send(upload("0", mp4().len()).header("content-type", "video/mp4")).await;
    assert_eq!(taken.body["success"], true, "{taken:?}");
    assert_eq!(ana.publish(&world, &made.text_of("id")).await.status, 200);
    let posts = world.posts("instagram").await;
    assert_eq!(posts[0]["media"][0]["bytes"], mp4().len());
}

#[tokio::test]
async fn options_that_are_not_of_the_form_are_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let (picture, _) = serve("image/jpeg", jpeg(1080, 1080)).await;
    let (film, _) = serve("video/mp4", mp4()).await;
    let picture = ("image_url", picture.as_str());
    let reel = [("media_type", "REELS"), ("video_url", film.as_str())];
    let trial = ("trial_params", r#"{"graduation_strategy":"MANUAL"}"#);
    let tag = ("user_tags", r#"[{"username":"ben","x":0.5,"y":1}]"#);
    let many =
        serde_json::to_string(&vec![json!({"username": "ben", "x": 0, "y": 0}); 21]).unwrap();
    for (name, form) in [
        ("a place that is a name", vec![picture, ("location_id", "Berlin")]),
        ("the place of a story", vec![picture, ("media_type", "STORIES"), ("location_id", "7")]),
        ("the place of a part", vec![picture, ("is_carousel_item", "true"), ("location_id", "7")]),
        ("a trial of a picture", vec![picture, trial]),
        ("a trial without an end", vec![reel[0], reel[1], ("trial_params", "{}")]),
        ("the cover of a picture", vec![picture, ("cover_url", picture.1)]),
        ("the frame of a picture", vec![picture, ("thumb_offset", "0")]),
        ("a frame before the begin", vec![reel[0], reel[1], ("thumb_offset", "-1")]),
        ("a label that is none", vec![picture, ("is_ai_generated", "perhaps")]),
        ("tags that are no list", vec![picture, ("user_tags", "ben")]),
        ("a tag of nobody", vec![picture, ("user_tags", r#"[{"x":0,"y":0}]"#)]),
        ("a tag without a place", vec![picture, ("user_tags", r#"[{"username":"ben"}]"#)]),
        (
            "a tag off the picture",
            vec![picture, ("user_tags", r#"[{"username":"ben","x":2,"y":0}]"#)],
        ),
        ("a place in a video", vec![reel[0], reel[1], tag]),
        ("21 tags", vec![picture, ("user_tags", &many)]),
    ] {
        let got = ana.container(&world, &form).await;
        assert_eq!((got.status, code(&got.body).0), (400, 100), "{name}: {got:?}");
    }
    for form in
        [vec![picture, tag], vec![reel[0], reel[1], ("user_tags", r#"[{"username":"ben"}]"#)]]
    {
        assert_eq!(ana.container(&world, &form).await.status, 200, "{form:?}");
    }
    for (name, cover, want) in [
        ("a picture", picture.1, "FINISHED"),
        ("a film", film.as_str(), "ERROR"),
        ("nothing", "http://127.0.0.1:1/a", "ERROR"),
    ] {
        let form = [reel[0], reel[1], trial, ("location_id", "7"), ("cover_url", cover)];
        let made = ana.container(&world, &form).await;
        let settled = ana.settled(&world, &made.text_of("id")).await;
        assert_eq!(settled.text_of("status_code"), want, "{name}: {settled:?}");
    }
}

#[tokio::test]
async fn comments_have_bounds_and_can_be_turned_off() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let (picture, _) = serve("image/jpeg", jpeg(1080, 1080)).await;
    let made = ana.container(&world, &[("image_url", &picture)]).await;
    let container = made.text_of("id");
    ana.settled(&world, &container).await;
    let post = ana.publish(&world, &container).await.text_of("id");
    let path = format!("/{post}/comments");
    for (text, want) in [
        ("#a #b #c #d", 200),
        ("#a #b #c #d #e", 400),
        ("see https://a.example", 200),
        ("see https://a.example https://b.example", 400),
        ("BUY 2", 400),
        ("100 %", 200),
    ] {
        let got = ana.call(&world, Method::POST, &path, &[("message", text)]).await;
        assert_eq!(got.status, want, "{text}: {got:?}");
    }
    let shown = format!("/{post}?fields=is_comment_enabled");
    for (is_open, status) in [("false", 400), ("true", 200)] {
        let form = [("comment_enabled", is_open)];
        let changed = ana.call(&world, Method::POST, &format!("/{post}"), &form).await;
        assert_eq!(changed.body["success"], true, "{changed:?}");
        let got = ana.call(&world, Method::GET, &shown, &[]).await;
        assert_eq!(got.body["is_comment_enabled"], json!(is_open == "true"));
        let got = ana.call(&world, Method::POST, &path, &[("message", "Hi")]).await;
        assert_eq!(got.status, status, "{is_open}");
    }
}
