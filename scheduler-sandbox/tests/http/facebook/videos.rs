//! Videos and reels.

use reqwest::Method;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::{Actor, code, mp4, quick};
use crate::support::{Got, World, send};

const PIECE: usize = 4_194_304;

async fn start(ana: &Actor, world: &World, size: usize) -> Got {
    let size = size.to_string();
    ana.post(world, "videos", &[("upload_phase", "start"), ("file_size", &size)]).await
}

async fn finish(ana: &Actor, world: &World, session: &str) -> Got {
    let form =
        [("upload_phase", "finish"), ("upload_session_id", session), ("description", "A film")];
    ana.post(world, "videos", &form).await
}

#[tokio::test]
async fn a_video_arrives_in_pieces_and_makes_one_post() {
    let world = quick().await;
    let ana = Actor::new(&world, "Ana").await;
    let bytes = mp4(PIECE + 1_000);
    let made = start(&ana, &world, bytes.len()).await;
    let (session, video) = (made.text_of("upload_session_id"), made.text_of("video_id"));
    assert_eq!(made.text_of("end_offset"), PIECE.to_string());
    let wrong = ana.piece(&world, &session, 5, bytes[..10].to_vec()).await;
    assert_eq!(code(&wrong), (6000, 1_363_037));
    assert_eq!(wrong.body["error"]["error_data"]["start_offset"], "0");
    let large = ana.piece(&world, &session, 0, bytes[..PIECE + 1].to_vec()).await;
    assert_eq!(code(&large), (6000, 1_363_033));
    let early = finish(&ana, &world, &session).await;
    assert_eq!(code(&early), (6000, 1_363_045));
    let first = ana.piece(&world, &session, 0, bytes[..PIECE].to_vec()).await;
    assert_eq!(first.text_of("start_offset"), PIECE.to_string());
    assert_eq!(first.text_of("end_offset"), bytes.len().to_string());
    let again = ana.piece(&world, &session, 0, bytes[..PIECE].to_vec()).await;
    assert_eq!(again.body["error"]["error_data"]["start_offset"], json!(PIECE.to_string()));
    let path = format!("/{video}?fields=status,published,permalink_url,post_id");
    let state = ana.get(&world, &path).await.body;
    assert_eq!(state["status"]["video_status"], "uploading");
    assert_eq!(state["status"]["uploading_phase"]["bytes_transferred"], PIECE);
    let last = ana.piece(&world, &session, PIECE as u64, bytes[PIECE..].to_vec()).await;
    assert_eq!(last.text_of("start_offset"), last.text_of("end_offset"));
    assert!(world.posts("facebook").await.is_empty());
    assert_eq!(finish(&ana, &world, &session).await.body["success"], true);
    assert_eq!(code(&finish(&ana, &world, &session).await), (6000, 1_363_021), "once only");
    let state = ana.get(&world, &path).await.body;
    assert_eq!(state["status"]["video_status"], "ready");
    assert_eq!(state["published"], true);
    assert_eq!(state["permalink_url"], json!(format!("/{}/videos/{video}/", ana.id)));
    let posts = world.posts("facebook").await;
    assert_eq!(posts.len(), 1);
    let post = format!("{}_{}", ana.id, state["post_id"].as_str().unwrap());
    assert_eq!(posts[0]["remoteId"], json!(post));
    assert_eq!(posts[0]["text"], "A film");
    // Of several pieces, the hash of their hashes.
    let hashes =
        [Sha256::digest(&bytes[..PIECE]).to_vec(), Sha256::digest(&bytes[PIECE..]).to_vec()];
    let want: String =
        Sha256::digest(hashes.concat()).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(posts[0]["media"][0]["sha256"], json!(want));

    let form = [("description", "Better")];
    let changed = ana.call(&world, Method::POST, &format!("/{video}"), &form).await;
    assert_eq!(changed.body["success"], true);
    assert_eq!(world.posts("facebook").await[0]["text"], "Better");
    ana.call(&world, Method::DELETE, &format!("/{video}"), &[]).await;
    assert_eq!(world.posts("facebook").await[0]["deleted"], true);
}

#[tokio::test]
async fn every_video_that_is_refused() {
    let world = quick().await;
    let ana = Actor::new(&world, "Ana").await;
    for (name, size, want) in [
        ("too small", 999, (6000, 1_363_022)),
        ("too large", 10_000_000_001, (6000, 1_363_023)),
        ("as large as it may be", 10_000_000_000, (0, 0)),
    ] {
        assert_eq!(code(&start(&ana, &world, size).await), want, "{name}");
    }
    let made = start(&ana, &world, 1_000).await;
    let (session, video) = (made.text_of("upload_session_id"), made.text_of("video_id"));
    ana.piece(&world, &session, 0, vec![b'x'; 1_000]).await;
    assert_eq!(finish(&ana, &world, &session).await.status, 200);
    let state = ana.get(&world, &format!("/{video}?fields=status")).await.body;
    assert_eq!(state["status"]["video_status"], "error");
    assert_eq!(state["status"]["processing_phase"]["errors"][0]["code"], 1_363_024);
    assert!(world.posts("facebook").await.is_empty());
}

#[tokio::test]
async fn a_reel_brings_its_bytes_in_one_call_or_in_several() {
    let world = quick().await;
    let ana = Actor::new(&world, "Ana").await;
    let bytes = mp4(1_000);
    let made = ana.post(&world, "video_reels", &[("upload_phase", "start")]).await;
    let (video, url) = (made.text_of("video_id"), made.text_of("upload_url"));
    assert!(url.ends_with(&format!("/facebook/video-upload/v26.0/{video}")), "{url}");
    let send_bytes = async |scheme: &str, offset: usize, end: usize| {
        let request = world.client.post(&url).body(bytes[offset..end].to_vec());
        let request = request.header("authorization", format!("{scheme} {}", ana.token));
        send(request.header("offset", offset).header("file_size", bytes.len())).await
    };
    assert_eq!(send_bytes("Bearer", 0, 1_000).await.status, 401);
    let wrong = send_bytes("OAuth", 5, 1_000).await;
    assert_eq!(wrong.body["debug_info"]["type"], "OffsetInvalidError");
    let partial = send_bytes("OAuth", 0, 400).await;
    assert_eq!(partial.body["debug_info"]["type"], "PartialRequestError");
    let path = format!("/{video}?fields=status");
    let state = ana.get(&world, &path).await.body;
    assert_eq!(state["status"]["uploading_phase"]["bytes_transferred"], 400);
    let finish = [
        ("upload_phase", "finish"),
        ("video_id", video.as_str()),
        ("video_state", "PUBLISHED"),
        ("description", "A reel"),
    ];
    assert_eq!(ana.post(&world, "video_reels", &finish).await.status, 400);
    assert_eq!(send_bytes("OAuth", 400, 1_000).await.body["success"], true);
    let state = ana.get(&world, &path).await.body;
    assert_eq!(state["status"]["video_status"], "upload_complete");
    assert_eq!(ana.post(&world, "video_reels", &finish).await.body["success"], true);
    assert_eq!(ana.post(&world, "video_reels", &finish).await.status, 400, "once only");
    let state = ana.get(&world, &format!("/{video}?fields=permalink_url,post_id")).await.body;
    assert_eq!(state["permalink_url"], json!(format!("/reel/{video}/")));
    assert_eq!(world.posts("facebook").await[0]["text"], "A reel");
}

#[tokio::test]
async fn a_story_is_a_photo_or_a_video_and_stands_on_a_list_of_its_own() {
    let world = quick().await;
    let ana = Actor::new(&world, "Ana").await;
    let photo = ana.photo(&world, crate::support::png(1)).await.text_of("id");
    let made = ana.post(&world, "photo_stories", &[("photo_id", &photo)]).await;
    assert_eq!(made.body["success"], true, "{made:?}");
    let again = ana.post(&world, "photo_stories", &[("photo_id", &photo)]).await;
    assert_eq!(code(&again), (100, 1_366_051), "a photo is part of one post");
    for form in [vec![], vec![("photo_id", "5")]] {
        let refused = ana.post(&world, "photo_stories", &form).await;
        assert_eq!(code(&refused).0, 100, "{refused:?}");
    }
    let bytes = mp4(1_000);
    let start = ana.post(&world, "video_stories", &[("upload_phase", "start")]).await;
    let video = start.text_of("video_id");
    let request = world.client.post(start.text_of("upload_url")).body(bytes.clone());
    let request = request.header("authorization", format!("OAuth {}", ana.token));
    let sent = send(request.header("offset", 0).header("file_size", bytes.len())).await;
    assert_eq!(sent.body["success"], true);
    let finish = [("upload_phase", "finish"), ("video_id", video.as_str())];
    assert_eq!(ana.post(&world, "video_reels", &finish).await.status, 400, "it is no reel");
    assert_eq!(ana.post(&world, "video_stories", &finish).await.body["success"], true);
    let path = format!("/{}/stories?fields=post_id,media_id,media_type,url", ana.id);
    let stories = ana.get(&world, &path).await.body;
    let shown: Vec<_> = stories["data"].as_array().unwrap().iter().collect();
    assert_eq!(
        shown.iter().map(|story| &story["media_id"]).collect::<Vec<_>>(),
        [&json!(video), &json!(photo)]
    );
    assert_eq!(shown[1]["post_id"], made.body["post_id"]);
    let posts = ana.get(&world, &format!("/{}/published_posts?fields=id", ana.id)).await.body;
    assert_eq!(posts["data"], json!([]), "no story is a post of the feed");
    assert_eq!(world.posts("facebook").await.len(), 2);
}

#[tokio::test]
async fn a_video_has_a_title_and_a_picture_to_be_shown_by() {
    let world = quick().await;
    let ana = Actor::new(&world, "Ana").await;
    let bytes = mp4(1_000);
    let made = start(&ana, &world, bytes.len()).await;
    let (session, video) = (made.text_of("upload_session_id"), made.text_of("video_id"));
    ana.piece(&world, &session, 0, bytes).await;
    let long = "t".repeat(256);
    for (title, status) in [(long.as_str(), 400), ("How it is made", 200)] {
        let form =
            [("upload_phase", "finish"), ("upload_session_id", session.as_str()), ("title", title)];
        assert_eq!(ana.post(&world, "videos", &form).await.status, status, "{title}");
    }
    let path = format!("/facebook/v26.0/{video}/thumbnails");
    for (picture, status) in [(b"no picture".to_vec(), 400), (crate::support::png(1), 200)] {
        let part = reqwest::multipart::Part::bytes(picture).file_name("a.png");
        let form = reqwest::multipart::Form::new().text("is_preferred", "true");
        let form = form.part("source", part.mime_str("image/png").unwrap());
        let request = world.request(Method::POST, &path).bearer_auth(&ana.token).multipart(form);
        assert_eq!(send(request).await.status, status);
    }
    let shown = ana.get(&world, &format!("/{video}?fields=title,thumbnails")).await.body;
    assert_eq!(shown["title"], "How it is made");
    assert_eq!(shown["thumbnails"]["data"][0]["is_preferred"], true, "{shown}");
    let wrong = ana.post(&world, "feed", &[("message", "Hi"), ("place", "Berlin")]).await;
    assert_eq!(code(&wrong), (100, 0));
    let placed = ana.post(&world, "feed", &[("message", "Hi"), ("place", "7")]).await;
    assert_eq!(placed.status, 200, "{placed:?}");
}
