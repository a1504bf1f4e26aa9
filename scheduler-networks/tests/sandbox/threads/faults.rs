//! Every kind of fault at every operation: the post is there once, or not at all and said to be.

use std::time::Duration;

use chrono::TimeDelta;
use scheduler_core::ports::{Located, NetworkErrorKind as Kind, Step};
use scheduler_core::target::FailureCode;
use scheduler_sandbox::Options;
use serde_json::{Value, json};

use super::{before_publishing, mp4, shown};
use crate::threads::here::Here;

#[tokio::test]
async fn whatever_breaks_the_post_is_there_once_with_its_file() {
    let here = Here::new().await;
    let mut target = 0;
    for operation in ["upload", "poll", "publish"] {
        for (kind, times, want) in [
            ("error500", 1, Kind::Temporary),
            ("error500", 3, Kind::Temporary),
            ("rate_limited", 1, Kind::RateLimited { wait: Some(TimeDelta::minutes(1)) }),
            ("timeout", 1, Kind::Temporary),
            ("reset_before", 1, Kind::Temporary),
            ("reset_after", 1, Kind::Temporary),
            ("reset_after", 2, Kind::Temporary),
        ] {
            target += 1;
            let want = match (operation, kind) {
                ("publish", "error500") => Kind::Unsettled,
                ("publish", "timeout" | "reset_before" | "reset_after") => Kind::InDoubt,
                _ => want,
            };
            // A publish that was done is found by the look, and not sent again.
            let times_met = if (operation, kind) == ("publish", "reset_after") { 1 } else { times };
            let fault = json!({
                "operation": operation,
                "kind": kind,
                "times": times_met,
                "afterMs": 20,
                "retryAfterSeconds": 7,
            });
            here.world.fault(fault).await;
            let name = format!("{operation} {kind} {times}");
            let mut job = here.world.job(target, &name, &json!({ "thread": ["second"] }));
            let bytes = mp4(u8::try_from(target).unwrap());
            job.files = vec![here.file(target, "video/mp4", &bytes).await];
            let (remote, failures) = here.world.publish(job).await;
            assert!(remote.is_ok(), "{name}: {remote:?}");
            assert_eq!(failures, vec![want; times_met], "{name}");
            let live = here.world.live().await;
            let made = &live[2 * (usize::try_from(target).unwrap() - 1)..];
            let texts: Vec<&Value> = made.iter().map(|post| &post["text"]).collect();
            assert_eq!(texts, [name.as_str(), "second"], "{name}");
            assert_eq!(made[0]["media"], json!([shown("video/mp4", &bytes)]), "{name}");
        }
    }
    here.world.sandbox.stop().await;
}

#[tokio::test]
async fn a_slow_network_is_waited_for() {
    let here = Here::new().await;
    here.world.fault(json!({ "operation": "publish", "kind": "slow", "afterMs": 100 })).await;
    let (remote, failures) = here.world.publish(here.world.job(1, "slow", &json!({}))).await;
    assert!(remote.is_ok(), "{remote:?}");
    assert_eq!(failures, []);
    assert_eq!(here.world.texts().await, ["slow"]);
}

#[tokio::test]
async fn refusals_for_good_are_told_and_nothing_is_live() {
    let here = Here::new().await;
    for operation in ["upload", "poll", "publish"] {
        here.world.fault(json!({ "operation": operation, "kind": "permanent" })).await;
        let job = here.world.job(1, "never", &json!({}));
        let (remote, failures) = here.world.publish(job).await;
        assert_eq!(failures, [Kind::Permanent], "{operation}");
        let error = remote.unwrap_err();
        assert_eq!(error.code, FailureCode::ValidationFailed, "{operation}: {error}");
    }
    assert_eq!(here.world.texts().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_lost_publish_that_never_arrived_is_sent_again() {
    let here = Here::new().await;
    let mut job = here.world.job(1, "once", &json!({}));
    let progress = before_publishing(&here, &mut job).await;
    here.world.fault(json!({ "operation": "publish", "kind": "reset_before" })).await;
    let network = &here.world.network;
    let error = network.advance(&job, &progress).await.unwrap_err();
    assert_eq!(error.kind, Kind::InDoubt);
    let located = network.locate(&job, &progress).await.unwrap();
    assert_eq!(located, Located::Repeat(progress.clone()));
    assert!(matches!(network.advance(&job, &progress).await, Ok(Step::Live(_))));
    assert_eq!(here.world.texts().await, ["once"]);
    // It was not lost at all, as is found out by whoever comes later.
    let located = network.locate(&job, &progress).await.unwrap();
    let Located::Live(live) = located else { panic!("{located:?}") };
    assert_eq!(live.remote.unwrap().id, here.world.live().await[0]["remoteId"]);
    // And a repeat is refused by the network, and made nothing of.
    let step = network.advance(&job, &progress).await.unwrap();
    assert!(matches!(step, Step::Wait { .. }), "{step:?}");
    assert_eq!(here.world.texts().await, ["once"]);
}

#[tokio::test]
async fn a_used_up_quota_is_waited_for_before_anything_is_made() {
    let options = Options { quotas: true, media_processing: Duration::ZERO, ..Options::default() };
    let here = Here::with(options).await;
    let options = json!({ "thread": vec!["more"; 24] });
    // 40 threads of 25 parts: 40 posts and 960 replies.
    for target in 0..40 {
        let (remote, failures) = here.world.publish(here.world.job(target, "x", &options)).await;
        assert!(remote.is_ok(), "{target}: {remote:?} {failures:?}");
    }
    let (remote, failures) = here.world.publish(here.world.job(41, "x", &options)).await;
    assert!(remote.is_ok(), "{remote:?} {failures:?}");
    let job = here.world.job(42, "one too many", &options);
    let network = &here.world.network;
    let progress = network.begin(&job);
    let error = network.advance(&job, &progress).await.unwrap_err();
    assert!(matches!(error.kind, Kind::RateLimited { wait: Some(_) }), "{error}");
    assert_eq!(here.world.live().await.len(), 41 * 25);
}
