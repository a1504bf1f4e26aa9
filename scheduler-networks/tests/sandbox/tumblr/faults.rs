//! Refusals, looks and limits, beyond what every network is put through.

use std::time::Duration;

use chrono::TimeDelta;
use scheduler_core::ports::{Located, NetworkErrorKind as Kind, Step};
use scheduler_core::target::FailureCode;
use serde_json::json;

use crate::tumblr::here::Here;

#[tokio::test]
async fn a_refusal_is_said_in_the_networks_words() {
    let here = Here::new().await;
    let world = &here.world;
    for (operation, said) in [
        ("publish", "does not accept how the post is made"),
        ("upload", "cannot use a file"),
        ("poll", "cannot be given out"),
    ] {
        world.fault(json!({ "operation": operation, "kind": "permanent" })).await;
        let (remote, failures) = world.publish(here.job(1, operation, &json!({}), &[])).await;
        let error = remote.unwrap_err();
        assert_eq!(failures, [Kind::Permanent], "{operation}");
        assert_eq!(error.code, FailureCode::ValidationFailed, "{operation}: {error}");
        assert!(error.message.contains(said), "{operation}: {error}");
    }
    assert_eq!(world.texts().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_lost_video_is_waited_for_and_never_sent_twice() {
    for (kind, minutes) in [("reset_after", 0), ("reset_after", 8), ("reset_before", 0)] {
        let here = Here::with(Duration::from_secs(60 * minutes)).await;
        let world = &here.world;
        world.fault(json!({ "operation": "publish", "kind": kind })).await;
        let job = here.job(1, "video", &json!({}), &["video/mp4"]);
        let (remote, failures) = world.publish(job).await;
        let name = format!("{kind} {minutes}: {failures:?}");
        assert!(remote.unwrap().url.is_some(), "{name}");
        assert_eq!(failures[0], Kind::InDoubt, "{name}");
        assert_eq!(world.texts().await, ["video"], "{name}");
    }
}

#[tokio::test]
async fn a_draft_that_somebody_else_has_published_is_found() {
    let here = Here::new().await;
    let world = &here.world;
    let job = here.job(1, "mine", &json!({}), &[]);
    let progress = here.network.begin(&job);
    let step = here.network.advance(&job, &progress).await.unwrap();
    let Step::Next(progress) = step else { panic!("{step:?}") };
    let located = here.network.locate(&job, &progress).await.unwrap();
    assert_eq!(located, Located::Repeat(progress.clone()));
    let (published, _) = world.publish(here.job(2, "other", &json!({}), &[])).await;
    let Step::Live(live) = here.network.advance(&job, &progress).await.unwrap() else {
        panic!("not live")
    };
    let Located::Live(found) = here.network.locate(&job, &progress).await.unwrap() else {
        panic!("not found")
    };
    assert_eq!(found.remote.as_ref().unwrap().id, live.remote.unwrap().id);
    assert_ne!(found.remote.unwrap().id, published.unwrap().id);
    let again = here.network.advance(&job, &progress).await.unwrap_err();
    assert_eq!(again.kind, Kind::InDoubt);
    assert_eq!(world.texts().await, ["other", "mine"]);
}

#[tokio::test]
async fn the_days_budget_is_asked_for_before_a_video_is_sent() {
    let options = scheduler_sandbox::Options {
        quotas: true,
        media_processing: Duration::ZERO,
        ..scheduler_sandbox::Options::default()
    };
    let platform = scheduler_core::platform::Platform::Tumblr;
    let world = crate::support::World::with(platform, options).await;
    let video = |target: u128| {
        let mut job = world.job(target, &format!("{target}"), &json!({}));
        job.files = vec![world.file(target, "video/mp4", &crate::tumblr::here::mp4()[..100])];
        job
    };
    for target in 1..=20 {
        let (remote, failures) = world.publish(video(target)).await;
        assert!(remote.is_ok() && failures.is_empty(), "{target}: {failures:?}");
    }
    let job = video(21);
    let progress = world.network.begin(&job);
    let error = world.network.advance(&job, &progress).await.unwrap_err();
    let Kind::RateLimited { wait: Some(wait) } = error.kind else { panic!("{error:?}") };
    assert!(wait > TimeDelta::zero() && wait <= TimeDelta::days(1), "until midnight: {wait}");
    assert_eq!(world.texts().await.len(), 20);
}
