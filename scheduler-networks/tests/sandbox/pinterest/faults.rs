//! Refusals, looks and limits, beyond what every network is put through.

use scheduler_core::platform::Platform;
use scheduler_core::ports::{ConnectInput, NetworkErrorKind as Kind, PublishJob};
use scheduler_core::target::FailureCode;
use serde_json::json;

use super::here::{Here, adapters_of};
use super::{mp4, png};

#[tokio::test]
async fn a_lost_answer_is_found_and_an_equal_pin_of_another_target_is_not_taken_for_it() {
    let here = Here::new().await;
    let world = &here.world;
    let job = |target| here.job(target, "the same", &[("image/png", png(1))]);
    let (first, _) = world.publish(job(1)).await;
    for (target, kind, want) in [
        (2, "reset_after", Kind::InDoubt),
        (3, "reset_before", Kind::InDoubt),
        (4, "error500", Kind::Unsettled),
    ] {
        world.fault(json!({ "operation": "publish", "kind": kind })).await;
        let (remote, failures) = world.publish(job(target)).await;
        assert_eq!(failures, [want], "{kind}");
        assert_ne!(remote.unwrap().id, first.clone().unwrap().id, "{kind}");
        assert_eq!(world.live().await.len() as u128, target, "{kind}");
    }
}

#[tokio::test]
async fn a_refusal_is_said_in_the_networks_words() {
    let here = Here::new().await;
    let world = &here.world;
    let image = |content: &str| here.job(1, content, &[("image/png", png(1))]);
    let video = || here.job(2, "x", &[("video/mp4", mp4(1))]);
    let linked = |link: &str| PublishJob { link_url: Some(link.to_owned()), ..image("x") };
    let elsewhere = || {
        let mut job = image("x");
        job.options.insert("boardId".to_owned(), json!("12"));
        job
    };
    let broken = || here.job(3, "x", &[("video/mp4", b"no video".to_vec())]);
    let kinds = || here.job(4, "x", &[("image/png", png(1)), ("image/png", b"GIF89a".to_vec())]);
    for (name, operation, job, said, code) in [
        ("the fault", Some("publish"), image("x"), "does not exist", FailureCode::ValidationFailed),
        ("upload", Some("upload"), video(), "media_type", FailureCode::ValidationFailed),
        ("poll", Some("poll"), video(), "not permitted", FailureCode::NetworkRefused),
        ("too long", None, image(&"a".repeat(801)), "too long", FailureCode::ValidationFailed),
        (
            "a board",
            None,
            elsewhere(),
            "does not exist or is not yours",
            FailureCode::ValidationFailed,
        ),
        (
            "a link",
            None,
            linked("https://blocked.example/"),
            "another link",
            FailureCode::ValidationFailed,
        ),
        (
            "spam",
            None,
            linked("https://spam.example/"),
            "wait a day",
            FailureCode::ValidationFailed,
        ),
        ("no video", None, broken(), "could not process the video", FailureCode::ValidationFailed),
        ("no picture", None, kinds(), "could not use this image", FailureCode::ValidationFailed),
    ] {
        if let Some(operation) = operation {
            world.fault(json!({ "operation": operation, "kind": "permanent" })).await;
        }
        let (remote, failures) = world.publish(job).await;
        let error = remote.unwrap_err();
        assert_eq!(failures, [Kind::Permanent], "{name}: {error}");
        assert_eq!(error.code, code, "{name}: {error}");
        assert!(error.message.contains(said), "{name}: {error}");
    }
    assert_eq!(world.texts().await, Vec::<String>::new());
}

#[tokio::test]
async fn an_application_on_trial_is_told_to_the_operator() {
    let mut here = Here::new().await;
    let files = std::sync::Arc::new(scheduler_core::memory::MemoryFiles::new());
    let adapters = adapters_of(&here.world, "trial-app", files);
    let network = adapters.networks.network(Platform::Pinterest).unwrap();
    let connected = network.connect(&here.code(&adapters).await).await.unwrap().remove(0);
    assert_eq!(connected.lacks, Vec::<String>::new());
    here.world.connected = connected;
    let (remote, failures) = here.world.publish(here.job(1, "x", &[("image/png", png(1))])).await;
    assert_eq!(failures, [Kind::Permanent]);
    assert!(remote.unwrap_err().message.contains("Trial access"));
}

#[tokio::test]
async fn a_refresh_replaces_both_tokens_and_its_refusal_asks_for_a_connection() {
    let mut here = Here::new().await;
    let files = std::sync::Arc::new(scheduler_core::memory::MemoryFiles::new());
    let adapters = adapters_of(&here.world, "app", files);
    let network = adapters.networks.network(Platform::Pinterest).unwrap();
    let connected = network.connect(&here.code(&adapters).await).await.unwrap().remove(0);
    assert_eq!(connected.network_id, here.world.connected.network_id);
    let expires_at = connected.credentials.expires_at.unwrap();
    assert_eq!((expires_at - crate::support::present()).num_hours(), 20 * 24 - 1);
    here.world.connected = connected;
    let account = here.world.job(1, "", &json!({})).account;
    let old = here.world.connected.credentials.clone();
    for kind in ["error500", "reset_before", "rate_limited"] {
        here.world.fault(json!({ "operation": "token", "kind": kind })).await;
        let error = here.world.network.refresh(&account, &old).await.unwrap_err();
        assert!(
            matches!(error.kind, Kind::Temporary | Kind::RateLimited { .. }),
            "{kind}: {error}"
        );
    }
    let new = here.world.network.refresh(&account, &old).await.unwrap();
    let again = here.world.network.refresh(&account, &old).await.unwrap_err();
    assert_eq!(again.kind, Kind::Reconnect, "what it was made of is used up: {again}");
    let newer = here.world.network.refresh(&account, &new).await.unwrap();
    assert_ne!(newer.expose(), new.expose());
    here.world.connected.credentials = newer.clone();
    let (remote, _) = here.world.publish(here.job(1, "x", &[("image/png", png(1))])).await;
    assert!(remote.is_ok(), "{remote:?}");

    here.world.fault(json!({ "operation": "token", "kind": "expired_token" })).await;
    let error = here.world.network.refresh(&account, &newer).await.unwrap_err();
    assert_eq!(error.kind, Kind::Reconnect);
    let empty = here.world.network.connect(&ConnectInput::default()).await.unwrap_err();
    assert_eq!(empty.kind, Kind::Permanent);
}
