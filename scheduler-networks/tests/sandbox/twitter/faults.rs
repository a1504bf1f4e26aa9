//! Refusals, looks and limits, beyond what every network is put through.

use chrono::TimeDelta;
use scheduler_core::ports::{Located, NetworkErrorKind as Kind, Step};
use scheduler_core::target::FailureCode;
use scheduler_sandbox::Options;
use serde_json::json;

use crate::twitter::here::Here;

#[tokio::test]
async fn a_refusal_of_a_part_names_it_and_the_publish_goes_on_there() {
    let here = Here::new().await;
    let job = here.world.job(1, "first", &json!({ "thread": ["second", "third"] }));
    let network = &here.world.network;
    let first = match network.advance(&job, &network.begin(&job)).await.unwrap() {
        Step::Next(progress) => progress,
        other => panic!("{other:?}"),
    };
    assert!(network.live_part(&first).is_some());
    here.world.fault(json!({ "operation": "publish", "kind": "permanent" })).await;
    let error = network.advance(&job, &first).await.unwrap_err();
    assert_eq!((error.kind, error.code), (Kind::Permanent, FailureCode::ValidationFailed));
    assert!(error.message.starts_with("Part 2 of 3 of the thread: "), "{error}");
    let mut progress = first;
    while let Step::Next(next) = network.advance(&job, &progress).await.unwrap() {
        progress = next;
    }
    assert_eq!(here.world.texts().await, ["first", "second", "third"]);
}

#[tokio::test]
async fn a_look_that_breaks_is_repeated() {
    let here = Here::new().await;
    let mut job = here.world.job(1, "once & https://a.example.com/?x=1", &json!({}));
    let network = &here.world.network;
    let progress = network.begin(&job);
    here.world.fault(json!({ "operation": "publish", "kind": "reset_after" })).await;
    assert_eq!(network.advance(&job, &progress).await.unwrap_err().kind, Kind::InDoubt);
    for (kind, want) in [
        ("error500", Kind::Temporary),
        ("reset_before", Kind::Temporary),
        ("expired_token", Kind::TokenExpired),
    ] {
        here.world.fault(json!({ "operation": "any", "kind": kind })).await;
        let error = network.locate(&job, &progress).await.unwrap_err();
        assert_eq!(error.kind, want, "{kind}");
    }
    job.credentials = network.refresh(&job.account, &job.credentials).await.unwrap();
    // A list that may not be read tells nothing, and so nothing is sent again.
    here.world.fault(json!({ "operation": "any", "kind": "permanent", "times": 2 })).await;
    let Ok(Located::Wait { progress: looked, until }) = network.locate(&job, &progress).await
    else {
        panic!("not looked for again")
    };
    job.now = until;
    assert_eq!(network.locate(&job, &looked).await, Ok(Located::Unknown));
    let located = network.locate(&job, &progress).await.unwrap();
    let Located::Live(live) = located else { panic!("{located:?}") };
    assert_eq!(live.remote.unwrap().id, here.world.live().await[0]["remoteId"]);
    assert_eq!(here.world.texts().await.len(), 1);
}

#[tokio::test]
async fn a_repeat_that_the_network_knows_is_taken_over() {
    let here = Here::new().await;
    let mut job = here.world.job(1, "once", &json!({}));
    let network = &here.world.network;
    let progress = network.begin(&job);
    // Nothing is found twice, and then it arrives after all.
    let Ok(Located::Wait { progress: looked, until }) = network.locate(&job, &progress).await
    else {
        panic!("not looked for again")
    };
    assert!(matches!(network.advance(&job, &progress).await, Ok(Step::Live(_))));
    let Step::Live(live) = network.advance(&job, &looked).await.unwrap() else {
        panic!("not taken over")
    };
    assert_eq!(live.remote.unwrap().id, here.world.live().await[0]["remoteId"]);
    job.now = until;
    assert!(matches!(network.locate(&job, &looked).await, Ok(Located::Live(_))));
    assert_eq!(here.world.texts().await, ["once"]);
}

#[tokio::test]
async fn limits_and_credits_are_told() {
    let here = Here::with(Options { quotas: true, ..Options::default() }).await;
    for number in 0..100 {
        let text = format!("https://a.example.com/{number}");
        let (remote, failures) =
            here.world.publish(here.world.job(number, &text, &json!({}))).await;
        assert!(remote.is_ok(), "{number}: {remote:?} {failures:?}");
    }
    let network = &here.world.network;
    let job = here.world.job(101, "one too many", &json!({}));
    let error = network.advance(&job, &network.begin(&job)).await.unwrap_err();
    let Kind::RateLimited { wait: Some(wait) } = error.kind else { panic!("{error}") };
    assert!((TimeDelta::minutes(10)..=TimeDelta::minutes(16)).contains(&wait), "{wait}");

    // 20 of 25 dollars are spent. Another account spends the rest.
    let made = here.http.post(format!("{}/_sandbox/accounts", here.world.sandbox.url()));
    let made = made.json(&json!({ "platform": "twitter" })).send().await.unwrap();
    let account: serde_json::Value = made.json().await.unwrap();
    let connected = network.connect(&crate::support::input(&account)).await.unwrap().remove(0);
    let mut job = job;
    job.credentials = connected.credentials;
    job.account.network_id = connected.network_id;
    let mut last = None;
    for number in 0..25 {
        job.content = format!("https://b.example.com/{number}");
        last = Some(network.advance(&job, &network.begin(&job)).await);
    }
    let error = last.unwrap().unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
    assert!(error.message.contains("no credits"), "{error}");
}
