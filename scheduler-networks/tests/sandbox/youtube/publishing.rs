//! Publishing: a video is there once, with all that goes with it, whatever breaks.

use scheduler_core::platform::Platform;
use scheduler_core::ports::{NetworkErrorKind as Kind, Step};
use scheduler_core::target::FailureCode;
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::here::{Here, VIDEO_BYTES, mp4, png};
use crate::support::World;

#[tokio::test]
async fn a_video_with_everything_that_goes_with_it() {
    let here = Here::new().await;
    let playlist = here
        .after
        .create_playlist(&here.access(), "Walks", scheduler_core::ports::PlaylistPrivacy::Public)
        .await
        .unwrap()
        .playlist;
    let options = json!({
        "title": "Harbour walk",
        "tags": ["harbour", "dusk"],
        "categoryId": "19",
        "privacy": "unlisted",
        "playlistId": playlist.id,
        "firstComment": "More at https://a.example",
        "subtitles": [
            { "language": "en", "name": "English", "format": "srt", "content": "1\nscheduler\n" },
            { "language": "de", "format": "vtt", "content": "WEBVTT\n" },
        ],
    });
    let mut job = here.job(1, "At dusk: é 日", &options);
    job.link_url = Some("https://a.example/b".to_owned());
    job.thumbnail = Some(here.world.file(99, "image/png", &png()));
    let (remote, failures) = here.world.publish(job).await;
    let remote = remote.unwrap();
    assert_eq!(failures, []);
    let live = here.world.live().await;
    assert_eq!(live.len(), 2);
    assert_eq!(live[0]["text"], "Harbour walk\n\nAt dusk: é 日\nhttps://a.example/b");
    let sizes: Vec<&Value> =
        live[0]["media"].as_array().unwrap().iter().map(|file| &file["bytes"]).collect();
    assert_eq!(sizes, [&json!(VIDEO_BYTES), &json!(png().len())], "video and thumbnail");
    assert_eq!(live[1]["replyTo"], json!(remote.id));
    assert_eq!(remote.record["firstComment"], live[1]["remoteId"]);
    assert!(remote.url.as_ref().unwrap().ends_with(&format!("/watch?v={}", remote.id)));
    let path = format!("/youtube/v3/videos?part=snippet,status,fileDetails&id={}", remote.id);
    let video = here.get(&path).await["items"][0].clone();
    assert_eq!(video["snippet"]["tags"], json!(["harbour", "dusk"]));
    assert_eq!(video["snippet"]["categoryId"], "19");
    assert_eq!(video["status"]["privacyStatus"], "unlisted");
    assert_eq!(video["status"]["selfDeclaredMadeForKids"], false);
    assert_eq!(video["fileDetails"]["fileName"], "00000000-0000-0000-0000-000000000001.mp4");
    let tracks = here.get(&format!("/youtube/v3/captions?videoId={}", remote.id)).await;
    let languages: Vec<&Value> = tracks["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|track| &track["snippet"]["language"])
        .collect();
    assert_eq!(languages, ["en", "de"]);
    let items = here
        .get(&format!("/youtube/v3/playlistItems?part=snippet&playlistId={}", playlist.id))
        .await;
    assert_eq!(items["items"][0]["snippet"]["resourceId"]["videoId"], json!(remote.id));
}

#[tokio::test]
async fn a_session_that_ends_in_the_middle_is_followed_by_another() {
    let here = Here::new().await;
    let job = here.job(1, "again", &json!({}));
    let network = &here.world.network;
    let opened = match network.advance(&job, &network.begin(&job)).await.unwrap() {
        Step::Next(progress) => progress,
        other => panic!("{other:?}"),
    };
    here.world.fault(json!({ "operation": "upload", "kind": "permanent" })).await;
    let again = match network.advance(&job, &opened).await.unwrap() {
        Step::Next(progress) => progress,
        other => panic!("{other:?}"),
    };
    assert!(again["opening"].is_object(), "{again}");
    let (remote, failures) = here.world.publish(job).await;
    assert!(remote.is_ok() && failures.is_empty());
    assert_eq!(here.world.texts().await, ["again"]);
}

#[tokio::test]
async fn another_process_goes_on_where_the_session_stands() {
    let here = Here::new().await;
    let job = here.job(1, "resumed", &json!({}));
    let network = &here.world.network;
    let mut progress = network.begin(&job);
    for _ in 0..2 {
        let step = network.advance(&job, &progress).await.unwrap();
        let Step::Next(next) = step else { panic!("{step:?}") };
        progress = next;
    }
    assert_eq!(progress["sending"]["offset"], 8_388_608);
    // Whoever stored only the session finds out what it has.
    progress["sending"]["offset"] = json!(0);
    let step = network.advance(&job, &progress).await.unwrap();
    let Step::Next(mut progress) = step else { panic!("{step:?}") };
    assert_eq!(progress["sending"]["offset"], 8_388_608, "nothing is sent again");
    loop {
        match network.advance(&job, &progress).await.unwrap() {
            Step::Next(next) => progress = next,
            Step::Live(live) => {
                assert!(live.remote.is_some());
                break;
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(here.world.live().await[0]["media"][0]["bytes"], mp4("resumed").len());
}

#[tokio::test]
async fn a_lost_first_comment_is_found() {
    for kind in ["reset_after", "reset_before", "error500", "rate_limited"] {
        let here = Here::new().await;
        here.world.fault(json!({ "operation": "comment", "kind": kind })).await;
        let job = here.job(1, kind, &json!({ "firstComment": "More" }));
        let (remote, failures) = here.world.publish(job).await;
        assert_eq!(failures.len(), 1, "{kind}: {failures:?}");
        assert!(remote.is_ok(), "{kind}: {remote:?}");
        assert_eq!(here.world.texts().await, [kind, "More"]);
    }
}

#[tokio::test]
async fn a_refusal_is_said_in_the_networks_words() {
    let here = Here::new().await;
    for (operation, said, code) in [
        ("upload", "invalid or empty video title", FailureCode::ValidationFailed),
        ("publish", "request metadata is invalid", FailureCode::ValidationFailed),
    ] {
        here.world.fault(json!({ "operation": operation, "kind": "permanent" })).await;
        let (remote, failures) = here.world.publish(here.job(1, operation, &json!({}))).await;
        let error = remote.unwrap_err();
        assert_eq!(failures, [Kind::Permanent], "{operation}");
        assert_eq!(error.code, code, "{operation}: {error}");
        assert!(error.message.contains(said), "{operation}: {error}");
    }
    assert_eq!(here.world.texts().await, Vec::<String>::new());
    here.world.fault(json!({ "operation": "poll", "kind": "permanent" })).await;
    let (remote, _) = here.world.publish(here.job(2, "too long", &json!({}))).await;
    let error = remote.unwrap_err();
    assert!(error.message.contains("verify the channel by phone"), "{error}");
    assert_eq!(here.world.texts().await, ["too long"], "it is there all the same");
}

#[tokio::test]
async fn a_thumbnail_that_is_refused_is_said_and_left_out() {
    let here = Here::new().await;
    let mut job = here.job(1, "plain", &json!({}));
    job.thumbnail = Some(here.world.file(99, "image/png", &png()));
    let network = &here.world.network;
    let mut progress = network.begin(&job);
    let then = loop {
        match network.advance(&job, &progress).await.unwrap() {
            Step::Next(next) => progress = next,
            Step::Live(live) => break live.then.unwrap(),
            other => panic!("{other:?}"),
        }
    };
    here.world.fault(json!({ "operation": "upload", "kind": "permanent" })).await;
    let error = network.advance(&job, &then).await.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
    assert!(error.message.contains("verified by phone"), "{error}");
    let rest = network.skip(&then).unwrap();
    let step = network.advance(&job, &rest).await.unwrap();
    assert!(matches!(step, Step::Wait { .. }), "{step:?}");
}

#[tokio::test]
async fn a_day_of_uploads_ends_at_midnight_in_the_west() {
    let options = Options { quotas: true, ..Options::default() };
    let world = World::with(Platform::Youtube, options).await;
    let mut job = world.job(1, "x", &json!({}));
    job.files = vec![world.file(1, "video/mp4", &mp4("x"))];
    let progress = world.network.begin(&job);
    for _ in 0..100 {
        assert!(world.network.advance(&job, &progress).await.is_ok());
    }
    let error = world.network.advance(&job, &progress).await.unwrap_err();
    let Kind::RateLimited { wait: Some(wait) } = error.kind else { panic!("{error:?}") };
    assert!(wait.num_hours() <= 25, "{wait}");
    assert!(error.message.contains("used up for today"), "{error}");
}
