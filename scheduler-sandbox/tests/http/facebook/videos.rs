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
    assert_eq!(state["status"]["uploading_phase"]["bytes_transfered"], PIECE);
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
    assert_eq!(state["status"]["uploading_phase"]["bytes_transfered"], 400);
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
