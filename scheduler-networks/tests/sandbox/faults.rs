//! Every kind of fault at a publish: the post is there once, or not at all and said to be.

use chrono::TimeDelta;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{NetworkErrorKind as Kind, Step};
use scheduler_core::target::FailureCode;
use serde_json::json;

use crate::support::World;

const PLATFORMS: [Platform; 2] = [Platform::Bluesky, Platform::Mastodon];

#[tokio::test]
async fn whatever_breaks_the_post_is_there_once() {
    let limited = Kind::RateLimited { wait: Some(TimeDelta::seconds(7)) };
    for platform in PLATFORMS {
        let world = World::new(platform).await;
        let mut target = 0;
        for (kind, times, want) in [
            ("error500", 1, Kind::Unsettled),
            ("error500", 3, Kind::Unsettled),
            ("rate_limited", 1, limited),
            ("timeout", 1, Kind::InDoubt),
            ("reset_before", 1, Kind::InDoubt),
            ("reset_after", 1, Kind::InDoubt),
            ("reset_after", 2, Kind::InDoubt),
        ] {
            target += 1;
            let content = format!("{kind} {times}");
            world
                .fault(json!({
                    "operation": "publish",
                    "kind": kind,
                    "times": times,
                    "afterMs": 20,
                    "retryAfterSeconds": 7,
                }))
                .await;
            let job = world.job(target, &content, &json!({ "thread": ["second"] }));
            let (remote, failures) = world.publish(job).await;
            assert!(remote.is_ok(), "{platform} {kind}: {remote:?}");
            for failure in &failures {
                match (failure, want) {
                    // The wait is counted by clocks of whole seconds.
                    (Kind::RateLimited { wait: Some(wait) }, Kind::RateLimited { .. }) => {
                        assert!((5..=8).contains(&wait.num_seconds()), "{platform}: {wait}");
                    }
                    (failure, want) => assert_eq!(*failure, want, "{platform} {kind}"),
                }
            }
            assert_eq!(failures.len(), times, "{platform} {kind}: {failures:?}");
            let texts = world.texts().await;
            let made = &texts[2 * (usize::try_from(target).unwrap() - 1)..];
            assert_eq!(made, [content.as_str(), "second"], "{platform} {kind}");
        }
        world.sandbox.stop().await;
    }
}

#[tokio::test]
async fn a_slow_network_is_waited_for() {
    for platform in PLATFORMS {
        let world = World::new(platform).await;
        world.fault(json!({ "operation": "publish", "kind": "slow", "afterMs": 100 })).await;
        let (remote, failures) = world.publish(world.job(1, "slow", &json!({}))).await;
        assert!(remote.is_ok(), "{platform}: {remote:?}");
        assert_eq!(failures, [], "{platform}");
        assert_eq!(world.texts().await, ["slow"], "{platform}");
    }
}

#[tokio::test]
async fn a_refusal_of_a_part_names_it_and_the_publish_goes_on_there() {
    for platform in PLATFORMS {
        let world = World::new(platform).await;
        let job = world.job(1, "first", &json!({ "thread": ["second", "third"] }));
        let network = &world.network;
        let progress = network.begin(&job);
        let first = match network.advance(&job, &progress).await.unwrap() {
            Step::Next(progress) => progress,
            other => panic!("{platform}: {other:?}"),
        };
        assert!(network.live_part(&first).is_some());
        world.fault(json!({ "operation": "publish", "kind": "permanent" })).await;
        let error = network.advance(&job, &first).await.unwrap_err();
        assert_eq!(
            (error.kind, error.code),
            (Kind::Permanent, FailureCode::ValidationFailed),
            "{platform}"
        );
        assert!(error.message.starts_with("Part 2 of 3 of the thread: "), "{platform}: {error}");

        let mut progress = first;
        while let Step::Next(next) = network.advance(&job, &progress).await.unwrap() {
            progress = next;
        }
        assert_eq!(world.texts().await, ["first", "second", "third"], "{platform}");
    }
}

#[tokio::test]
async fn a_network_that_is_not_there_is_a_temporary_failure() {
    for platform in PLATFORMS {
        let world = World::new(platform).await;
        let job = world.job(1, "never", &json!({}));
        let network = world.network.clone();
        let progress = network.begin(&job);
        world.sandbox.stop().await;
        let error = network.advance(&job, &progress).await.unwrap_err();
        assert_eq!(error.kind, Kind::Temporary, "{platform}: {error}");
    }
}
