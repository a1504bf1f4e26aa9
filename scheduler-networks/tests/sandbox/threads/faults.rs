//! Refusals, looks and limits, beyond what every network is put through.

use std::time::Duration;

use scheduler_core::ports::{Located, NetworkErrorKind as Kind, Step};
use scheduler_core::target::FailureCode;
use scheduler_sandbox::Options;
use serde_json::json;

use super::before_publishing;
use crate::threads::here::Here;

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
