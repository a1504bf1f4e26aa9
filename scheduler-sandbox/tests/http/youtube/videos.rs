//! Videos once they are there, and what is attached to them.

use std::time::Duration;

use reqwest::Method;
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::{Actor, about, mp4, piece, reason};
use crate::support::{Got, World, png, send};

async fn quick() -> World {
    let media_processing = Duration::ZERO;
    World::start(Options { media_processing, ..Options::default() }).await
}

async fn status(world: &World, ana: &Actor, id: &str) -> Value {
    let path = format!("/youtube/v3/videos?part=status,processingDetails,fileDetails&id={id}");
    ana.get(world, &path).await.body["items"][0].clone()
}

#[tokio::test]
async fn a_video_is_processed_in_its_time() {
    let media_processing = Duration::from_secs(3600);
    let world = World::start(Options { media_processing, ..Options::default() }).await;
    let ana = Actor::new(&world, "Ana").await;
    let id = ana.publish(&world, "Harbour").await;
    let video = status(&world, &ana, &id).await;
    assert_eq!(video["status"]["uploadStatus"], "uploaded");
    assert_eq!(video["processingDetails"]["processingStatus"], "processing");
    assert_eq!(video["fileDetails"], Value::Null, "nothing is known of the file yet");

    let world = quick().await;
    let ana = Actor::new(&world, "Ana").await;
    let id = ana.publish(&world, "Harbour").await;
    let video = status(&world, &ana, &id).await;
    assert_eq!(video["status"]["uploadStatus"], "processed");
    assert_eq!(video["fileDetails"]["fileSize"], mp4().len().to_string());
    assert_eq!(video["fileDetails"]["fileName"], "a.mp4");
    let ben = Actor::new(&world, "Ben").await;
    assert_eq!(status(&world, &ben, &id).await["fileDetails"], Value::Null);

    let opened = ana.open(&world, &about("Text"), 5).await;
    let got = piece(&world, &opened, None, b"hello".to_vec()).await;
    let video = status(&world, &ana, &got.text_of("id")).await;
    assert_eq!(video["status"]["uploadStatus"], "failed");
    assert_eq!(video["status"]["failureReason"], "invalidFile");
}

#[tokio::test]
async fn a_change_deletes_what_it_does_not_send() {
    let world = quick().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    let id = ana.publish(&world, "Old").await;
    let snippet = async || {
        let path = format!("/youtube/v3/videos?part=snippet&id={id}");
        ana.get(&world, &path).await.body["items"][0]["snippet"].clone()
    };
    let path = "/youtube/v3/videos?part=snippet";
    let body = json!({ "id": id, "snippet": { "title": "New", "categoryId": "27" } });
    assert_eq!(ana.put(&world, path, &body).await.status, 200);
    let changed = snippet().await;
    assert_eq!((&changed["title"], &changed["description"]), (&json!("New"), &json!("")));
    for (name, actor, body, status, want) in [
        ("another's", &ben, body.clone(), 403, "forbidden"),
        (
            "no category",
            &ana,
            json!({ "id": id, "snippet": { "title": "x" } }),
            400,
            "invalidCategoryId",
        ),
        (
            "no title",
            &ana,
            json!({ "id": id, "snippet": { "categoryId": "22" } }),
            400,
            "invalidTitle",
        ),
        ("nothing", &ana, json!({ "id": "x", "snippet": {} }), 404, "videoNotFound"),
    ] {
        let got = actor.put(&world, path, &body).await;
        assert_eq!((got.status, reason(&got)), (status, want), "{name}");
    }
    let path = format!("/youtube/v3/videos?id={id}");
    assert_eq!(ben.delete(&world, &path).await.status, 403);
    assert_eq!(ana.delete(&world, &path).await.status, 204);
    assert_eq!(reason(&ana.delete(&world, &path).await), "videoNotFound");
    assert_eq!(world.posts("youtube").await[0]["deleted"], true);
    let page = world.get(&format!("/youtube/watch?v={id}")).await;
    assert_eq!(page.status, 302);
}

#[tokio::test]
async fn a_thumbnail_and_captions() {
    let world = quick().await;
    let ana = Actor::new(&world, "Ana").await;
    let id = ana.publish(&world, "Harbour").await;
    let set = async |media_type: &str, bytes: Vec<u8>| {
        let path = format!("/upload/youtube/v3/thumbnails/set?videoId={id}&uploadType=media");
        let request = ana.request(&world, Method::POST, &path).body(bytes);
        send(request.header("content-type", media_type.to_owned())).await
    };
    assert_eq!(set("image/png", png(1)).await.status, 200);
    assert_eq!(set("image/png", png(2)).await.status, 200, "another takes its place");
    let refused = set("image/png", b"hello".to_vec()).await;
    assert_eq!(reason(&refused), "imageFormatUnsupported");
    let media = &world.posts("youtube").await[0]["media"];
    assert_eq!((&media[1]["type"], media.as_array().unwrap().len()), (&json!("image/png"), 2));

    let caption = async |language: &str, content: &str| {
        let about = json!({ "snippet": { "videoId": id, "language": language, "name": "" } });
        let body = format!(
            "--b\r\nContent-Type: application/json\r\n\r\n{about}\r\n--b\r\nContent-Type: application/octet-stream\r\n\r\n{content}\r\n--b--\r\n"
        );
        let path = "/upload/youtube/v3/captions?part=snippet&uploadType=multipart";
        let request = ana.request(&world, Method::POST, path).body(body);
        send(request.header("content-type", "multipart/related; boundary=b")).await
    };
    assert_eq!(caption("en", "1\n00:00").await.status, 200);
    let again = caption("en", "2").await;
    assert_eq!((again.status, reason(&again)), (409, "captionExists"));
    assert_eq!(reason(&caption("de", " ").await), "contentRequired");
    assert_eq!(reason(&caption("", "x").await), "invalidMetadata");
    let path = "/upload/youtube/v3/captions?part=snippet&uploadType=multipart";
    let about = json!({ "snippet": { "videoId": id, "language": "fr", "name": "" } });
    let of_python = related("\n", &about, "application/octet-stream", b"1\n\n00:00");
    let request = ana.request(&world, Method::POST, path).body(of_python);
    let declared = "multipart/related; boundary=\"===============1==\"";
    let got = send(request.header("content-type", declared)).await;
    assert_eq!((got.status, got.body["snippet"]["bytes"].as_u64()), (200, Some(8)), "{got:?}");
    let path = format!("/youtube/v3/captions?part=snippet&videoId={id}");
    let tracks: Got = ana.get(&world, &path).await;
    assert_eq!(tracks.body["items"].as_array().unwrap().len(), 2);
    assert_eq!(tracks.body["items"][0]["snippet"]["bytes"], 7);
}

/// A body as Google's libraries write it: the one for Python ends lines with LF.
fn related(end: &str, about: &Value, media_type: &str, content: &[u8]) -> Vec<u8> {
    let headers = |media_type| format!("Content-Type: {media_type}{end}MIME-Version: 1.0{end}");
    let delimiter = "--===============1==";
    let mut body = format!(
        "{delimiter}{end}{}{end}{about}{end}{delimiter}{end}{}{end}",
        headers("application/json"),
        headers(media_type),
    )
    .into_bytes();
    body.extend(content);
    body.extend(format!("{end}{delimiter}--").bytes());
    body
}

/// Source: <https://developers.google.com/youtube/v3/docs/videos/insert>, and how
/// `google-api-python-client` sends a file that is not resumable.
#[tokio::test]
async fn a_video_comes_with_what_is_said_of_it() {
    let world = quick().await;
    let ana = Actor::new(&world, "Ana").await;
    let path = "/upload/youtube/v3/videos?uploadType=multipart&part=snippet,status";
    let upload = async |body: Vec<u8>| {
        let declared = "multipart/related; boundary=\"===============1==\"";
        let request = ana.request(&world, Method::POST, path).body(body);
        send(request.header("content-type", declared)).await
    };
    for end in ["\n", "\r\n"] {
        let got = upload(related(end, &about("Harbour"), "video/mp4", &mp4())).await;
        assert_eq!(
            (got.status, &got.body["snippet"]["title"]),
            (200, &json!("Harbour")),
            "{got:?}"
        );
    }
    let posts = world.posts("youtube").await;
    assert_eq!((posts.len(), &posts[0]["media"][0]["bytes"]), (2, &json!(1_000)));
    for (name, body, want) in [
        ("no content", related("\n", &about("T"), "video/mp4", b""), "mediaBodyRequired"),
        ("a picture", related("\n", &about("T"), "image/png", &png(1)), "badContent"),
        ("no title", related("\n", &about(" "), "video/mp4", &mp4()), "invalidTitle"),
        ("no end", b"--===============1==\n\n{}\n".to_vec(), "badRequest"),
        ("too large", related("\n", &about("T"), "video/mp4", &vec![7; 3_000_000]), "badRequest"),
    ] {
        assert_eq!(reason(&upload(body).await), want, "{name}");
    }
}

#[tokio::test]
async fn lists_of_videos() {
    let world = quick().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    let channel = ana.get(&world, "/youtube/v3/channels?part=contentDetails&mine=true").await;
    let uploads = &channel.body["items"][0]["contentDetails"]["relatedPlaylists"]["uploads"];
    let path = format!(
        "/youtube/v3/playlistItems?part=snippet,contentDetails&playlistId={}",
        uploads.as_str().unwrap()
    );
    assert_eq!(reason(&ana.get(&world, &path).await), "playlistNotFound", "before the first");
    let first = ana.publish(&world, "One").await;
    let mut hidden = about("Two");
    hidden["status"]["privacyStatus"] = json!("private");
    let opened = ana.open(&world, &hidden, 1_000).await;
    let second = piece(&world, &opened, None, mp4()).await.text_of("id");
    let ids = |got: &Got| -> Vec<String> {
        let items = got.body["items"].as_array().unwrap().iter();
        items.map(|item| item["contentDetails"]["videoId"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&ana.get(&world, &path).await), [second.clone(), first.clone()]);
    assert_eq!(ids(&ben.get(&world, &path).await), std::slice::from_ref(&first));
    let search = "/youtube/v3/search?part=snippet&forMine=true&type=video&maxResults=1";
    let found = ana.get(&world, search).await;
    assert_eq!(found.body["items"][0]["id"]["videoId"], json!(second));
    assert_eq!(found.body["nextPageToken"], "P1");
    let both = format!("/youtube/v3/videos?part=statistics&id={first},{second}");
    assert_eq!(ana.get(&world, &both).await.body["items"].as_array().unwrap().len(), 2);
    // The client for Node.js names one after the other.
    let apart = format!("/youtube/v3/videos?part=snippet&part=statistics&id={first}&id={second}");
    let apart = ana.get(&world, &apart).await;
    let shown: Vec<&Value> = apart.body["items"].as_array().unwrap().iter().collect();
    assert_eq!(shown.len(), 2);
    assert!(shown.iter().all(|item| item["snippet"].is_object() && item["statistics"].is_object()));
    let others = ben.get(&world, &both).await;
    assert_eq!(others.body["items"].as_array().unwrap().len(), 1, "one is private");
    assert_eq!(others.body["items"][0]["statistics"]["viewCount"], "240");
}

/// Source: <https://developers.google.com/youtube/v3/docs/videos/insert>, "You can set values for
/// these properties".
#[tokio::test]
async fn what_else_is_said_of_a_video_is_shown() {
    let world = quick().await;
    let ana = Actor::new(&world, "Ana").await;
    let path = |parts: &str| {
        format!(
            "/upload/youtube/v3/videos?uploadType=resumable&part={parts}&notifySubscribers=false"
        )
    };
    let open = async |parts: &str, body: &Value| {
        let request = ana.request(&world, Method::POST, &path(parts)).json(body);
        let request = request.header("x-upload-content-length", mp4().len().to_string());
        send(request.header("x-upload-content-type", "video/mp4")).await
    };
    let with = |changes: Value| {
        let mut body = about("Harbour");
        for (part, members) in changes.as_object().unwrap() {
            for (name, value) in members.as_object().unwrap() {
                body[part][name] = value.clone();
            }
        }
        body
    };
    let all = "snippet,status,localizations,recordingDetails,paidProductPlacementDetails";
    let said = json!({
        "snippet": { "defaultLanguage": "en", "defaultAudioLanguage": "pt-BR" },
        "status": {
            "selfDeclaredMadeForKids": true,
            "containsSyntheticMedia": true,
            "license": "creativeCommon",
            "embeddable": false,
            "publicStatsViewable": false,
        },
        "localizations": { "de": { "title": "Hafen", "description": "" } },
        "recordingDetails": { "recordingDate": "2026-11-20T00:00:00Z" },
        "paidProductPlacementDetails": { "hasPaidProductPlacement": true },
    });
    let opened = open(all, &with(said.clone())).await;
    let id = piece(&world, &opened, None, mp4()).await.text_of("id");
    let shown = ana.get(&world, &format!("/youtube/v3/videos?part={all}&id={id}")).await;
    for (part, members) in said.as_object().unwrap() {
        for (name, value) in members.as_object().unwrap() {
            assert_eq!(&shown.body["items"][0][part][name], value, "{part} {name}: {shown:?}");
        }
    }
    let comment = json!({ "snippet": {
        "videoId": id, "topLevelComment": { "snippet": { "textOriginal": "First" } },
    } });
    let got = ana.post(&world, "/youtube/v3/commentThreads?part=snippet", &comment).await;
    assert_eq!(reason(&got), "commentsDisabled", "on a video for children");

    let unnamed = open("snippet,status", &with(said)).await;
    let id = piece(&world, &unnamed, None, mp4()).await.text_of("id");
    let shown = ana.get(&world, &format!("/youtube/v3/videos?part={all}&id={id}")).await;
    assert_eq!(shown.body["items"][0]["localizations"], json!({}), "parts have to be named");
    let paid = "/paidProductPlacementDetails/hasPaidProductPlacement";
    assert_eq!(shown.body["items"][0].pointer(paid), Some(&json!(false)));
    let mut forgotten =
        with(json!({ "paidProductPlacementDetails": { "hasPaidProductPlacement": true } }));
    forgotten["snippet"]["description"] = json!("#no_promotion");
    let id = piece(&world, &open(all, &forgotten).await, None, mp4()).await.text_of("id");
    let shown = ana.get(&world, &format!("/youtube/v3/videos?part={all}&id={id}")).await;
    assert_eq!(shown.body["items"][0].pointer(paid), Some(&json!(false)), "sent, and not kept");

    for (name, parts, changes, want) in [
        ("an unknown part", "snippet,status,player", json!({}), "unexpectedPart"),
        ("a licence", all, json!({ "status": { "license": "CC" } }), "invalidVideoMetadata"),
        ("a flag", all, json!({ "status": { "embeddable": "no" } }), "invalidVideoMetadata"),
        (
            "a language",
            all,
            json!({ "snippet": { "defaultLanguage": "english language" } }),
            "invalidVideoMetadata",
        ),
        (
            "localizations without a language",
            all,
            json!({ "localizations": { "de": { "title": "Hafen" } } }),
            "defaultLanguageNotSet",
        ),
        (
            "a localization without a title",
            all,
            json!({ "snippet": { "defaultLanguage": "en" }, "localizations": { "de": { "title": "" } } }),
            "invalidVideoMetadata",
        ),
        (
            "a date",
            all,
            json!({ "recordingDetails": { "recordingDate": "yesterday" } }),
            "invalidRecordingDetails",
        ),
    ] {
        assert_eq!(reason(&open(parts, &with(changes)).await), want, "{name}");
    }
}
