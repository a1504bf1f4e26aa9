//! Large videos: what has arrived is not sent again.

use scheduler_core::ports::{Network, NetworkErrorKind as Kind, PublishJob, Step};
use serde_json::{Value, json};

use super::{Facebook, mp4};

/// A video of six pieces of the sandbox's network.
const VIDEO_BYTES: usize = 22_000_000;
const PIECE_BYTES: u64 = 4_194_304;

/// Takes steps until one fails or the post is live; each step begins with what was stored of the
/// one before, as it does in another process.
async fn run(network: &dyn Network, job: &mut PublishJob, stored: &mut String) -> Result<(), Kind> {
    loop {
        let progress: Value = serde_json::from_str(stored).unwrap();
        match network.advance(job, &progress).await {
            Ok(Step::Next(next)) => *stored = next.to_string(),
            Ok(Step::Wait { progress, until }) => {
                *stored = progress.to_string();
                job.now = job.now.max(until);
            }
            Ok(Step::Live(_)) => return Ok(()),
            Ok(Step::Failed { error, .. }) | Err(error) => return Err(error.kind),
        }
    }
}

#[tokio::test]
async fn a_video_goes_on_behind_the_piece_that_was_lost() {
    let facebook = Facebook::new().await;
    let file = facebook.world.file(1, "video/mp4", &mp4(VIDEO_BYTES, 7));
    let mut job = facebook.job(1, "a film", vec![file], &json!({}));
    let network = &*facebook.world.network;
    let mut stored = network.begin(&job).to_string();
    // Announced, and two pieces.
    for _ in 0..3 {
        let progress: Value = serde_json::from_str(&stored).unwrap();
        let Ok(Step::Next(next)) = network.advance(&job, &progress).await else {
            panic!("no step")
        };
        stored = next.to_string();
    }
    // The network has the third, and nobody heard of it.
    facebook.world.fault(json!({ "operation": "upload", "kind": "reset_after" })).await;
    let lost = run(network, &mut job, &mut stored).await;
    assert_eq!(lost, Err(Kind::Temporary));
    assert_eq!(run(network, &mut job, &mut stored).await, Ok(()));

    let live = facebook.world.live().await;
    assert_eq!(live.len(), 1);
    assert_eq!(live[0]["media"][0]["bytes"], VIDEO_BYTES);
    let requests = facebook.requests().await;
    let sent: Vec<u64> = requests
        .iter()
        .filter(|request| request["path"].as_str().unwrap().ends_with("/videos"))
        .filter_map(|request| request["bodyBytes"].as_u64())
        .filter(|bytes| *bytes > 10_000)
        .collect();
    // Six pieces, and the lost one once more, which the network tells.
    assert_eq!(sent.len(), 7, "{sent:?}");
    let all: u64 = sent.iter().sum();
    assert!(all < VIDEO_BYTES as u64 + PIECE_BYTES + 10_000, "{all}");
}

#[tokio::test]
async fn a_reel_goes_on_where_the_network_stopped() {
    let facebook = Facebook::new().await;
    let bytes = mp4(5_000, 7);
    let file = facebook.world.file(1, "video/mp4", &bytes);
    let mut job = facebook.job(1, "a reel", vec![file], &json!({ "asReel": true }));
    let network = &*facebook.world.network;
    let progress = network.begin(&job);
    let Ok(Step::Next(progress)) = network.advance(&job, &progress).await else {
        panic!("no step")
    };
    // Another process has sent some of it before it died.
    let video = progress["film"]["upload"]["video"].as_str().unwrap();
    let kept: Value = serde_json::from_str(job.credentials.expose()).unwrap();
    let token = format!("OAuth {}", kept["accessToken"].as_str().unwrap());
    let url = format!("{}/facebook/video-upload/v26.0/{video}", facebook.world.sandbox.url());
    let call = facebook.control.post(url).header("authorization", token);
    let call = call.header("offset", "0").header("file_size", "5000");
    assert_eq!(call.body(bytes[..2_000].to_vec()).send().await.unwrap().status(), 400);
    let mut stored = progress.to_string();
    assert_eq!(run(network, &mut job, &mut stored).await, Ok(()));
    let live = facebook.world.live().await;
    assert_eq!(live[0]["media"][0]["bytes"], 5_000);
    let requests = facebook.requests().await;
    let rest = requests
        .iter()
        .rfind(|request| request["path"].as_str().unwrap().contains("/video-upload/"));
    assert_eq!(rest.unwrap()["bodyBytes"], 3_000);
}
