//! What a failure says, where a matrix of all networks only sees what comes of it.

use scheduler_core::platform::Platform;
use scheduler_core::ports::{NetworkErrorKind as Kind, Step};
use scheduler_core::target::FailureCode;
use serde_json::json;

use crate::support::World;

const PLATFORMS: [Platform; 2] = [Platform::Bluesky, Platform::Mastodon];

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
