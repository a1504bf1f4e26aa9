//! Refusals, looks and limits, beyond what every network is put through.

use std::time::Duration;

use scheduler_core::ports::{Located, NetworkErrorKind as Kind, Step};
use scheduler_core::target::FailureCode;
use scheduler_sandbox::Options;
use serde_json::json;

use super::public;
use crate::tiktok::here::Here;

#[tokio::test]
async fn refusals_for_good_are_told_and_nothing_is_live() {
    let here = Here::new().await;
    for (operation, code) in [
        ("upload", FailureCode::ValidationFailed),
        ("publish", FailureCode::NetworkRefused),
        ("poll", FailureCode::ValidationFailed),
    ] {
        here.world.fault(json!({ "operation": operation, "kind": "permanent" })).await;
        let done = here.publish(here.video(1, operation, 900, &public())).await;
        assert_eq!(done.failures, [Kind::Permanent], "{operation}");
        let error = done.result.unwrap_err();
        assert_eq!(error.code, code, "{operation}: {error}");
    }
    here.world.fault(json!({ "operation": "publish", "kind": "permanent" })).await;
    let error = here.publish(here.photos(2, "x", 1, &public())).await.result.unwrap_err();
    assert_eq!(error.code, FailureCode::ValidationFailed, "{error}");
    assert_eq!(here.world.texts().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_process_that_dies_at_the_last_byte_publishes_once() {
    let here = Here::new().await;
    for (target, kind) in [(1, "reset_before"), (2, "reset_after")] {
        let job = here.video(target, kind, 20_000, &public());
        let network = &here.world.network;
        let mut progress = network.begin(&job);
        while !network.is_visible(&progress) {
            match network.advance(&job, &progress).await.unwrap() {
                Step::Next(next) => progress = next,
                other => panic!("{other:?}"),
            }
        }
        here.world.fault(json!({ "operation": "publish", "kind": kind })).await;
        let error = network.advance(&job, &progress).await.unwrap_err();
        assert_eq!(error.kind, Kind::InDoubt);
        // Whoever comes later has the same progress, and looks first.
        match network.locate(&job, &progress).await.unwrap() {
            Located::Repeat(next) => {
                assert_eq!(kind, "reset_before");
                assert!(matches!(network.advance(&job, &next).await, Ok(Step::Wait { .. })));
                // And once more, which the network knows.
                let again = network.advance(&job, &next).await;
                assert!(matches!(again, Ok(Step::Wait { .. })), "{again:?}");
            }
            Located::Continue(next) => {
                assert_eq!(kind, "reset_after");
                assert!(!network.is_visible(&next));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(here.world.texts().await.len(), usize::try_from(target).unwrap());
    }
}

#[tokio::test]
async fn an_expired_token_is_refreshed_once_and_the_old_one_is_burned() {
    let here = Here::new().await;
    for (target, operation) in [(1, "upload"), (2, "poll")] {
        here.world.fault(json!({ "operation": operation, "kind": "expired_token" })).await;
        let mut job = here.video(target, operation, 900, &public());
        if target == 2 {
            // The first refresh has burned what the account began with.
            let account = &here.world.connected.network_id;
            let anew = here.let_in(account, "https://s.example/connect/tiktok", None).await;
            job.credentials = anew.unwrap().remove(0).credentials;
        }
        let done = here.publish(job).await;
        assert!(done.result.is_ok(), "{operation}: {:?}", done.result);
        assert_eq!(done.failures, [Kind::TokenExpired], "{operation}");
    }
    let job = here.video(3, "never", 900, &public());
    let refreshed = here.world.network.refresh(&job.account, &job.credentials).await;
    assert_eq!(refreshed.unwrap_err().kind, Kind::Reconnect);
}

#[tokio::test]
async fn used_up_limits_are_told_before_anything_is_announced() {
    let media_processing = Duration::ZERO;
    let here = Here::with(Options { quotas: true, media_processing, ..Options::default() }).await;
    let draft = json!({ "asDraft": true });
    for target in 1..=5 {
        let done = here.publish(here.video(target, "", 900, &draft)).await;
        assert!(done.result.is_ok(), "{:?}", done.result);
    }
    let network = &here.world.network;
    let job = here.video(6, "", 900, &draft);
    let error = network.advance(&job, &network.begin(&job)).await.unwrap_err();
    assert!(error.message.contains("Five drafts"), "{error}");
    assert!(matches!(error.kind, Kind::RateLimited { wait: Some(_) }));
    assert_eq!(here.world.texts().await.len(), 5);
}

#[tokio::test]
async fn links_that_lead_nowhere_are_said_and_tried_again() {
    let here = Here::new().await;
    here.unserve();
    let job = here.photos(1, "never", 1, &public());
    let network = &here.world.network;
    let mut progress = network.begin(&job);
    let (anew, error) = loop {
        match network.advance(&job, &progress).await.unwrap() {
            Step::Next(next) => progress = next,
            Step::Wait { progress: next, .. } => {
                tokio::time::sleep(Duration::from_millis(5)).await;
                progress = next;
            }
            Step::Live(live) => panic!("{live:?}"),
            Step::Failed { progress, error } => break (progress, error),
        }
    };
    assert_eq!(error.kind, Kind::Temporary);
    assert!(error.message.contains("could not fetch a file"), "{error}");
    assert_eq!(anew["stage"]["is"], "creator");
    here.serve();
    let done = here.publish(job).await;
    assert!(done.result.is_ok(), "{:?}", done.result);
    assert_eq!(here.world.texts().await, ["never"]);
}
