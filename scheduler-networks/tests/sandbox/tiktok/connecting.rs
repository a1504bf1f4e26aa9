//! Connecting, and tokens that end.

use chrono::TimeDelta;
use scheduler_core::ports::NetworkErrorKind as Kind;
use serde_json::json;

use crate::support::{input, present};
use crate::tiktok::here::Here;

const CALLBACK: &str = "https://post.example/connect/tiktok/callback";

#[tokio::test]
async fn an_account_is_connected_by_its_page() {
    let here = Here::new().await;
    // On the person's own computer there is a proof key, which the network checks.
    for callback in [CALLBACK, "http://127.0.0.1:8080/connect/tiktok"] {
        let connected = here.let_in("new", callback, None).await.unwrap().remove(0);
        assert!(connected.username.unwrap().starts_with("sandbox_"));
        assert_eq!(connected.lacks, Vec::<String>::new());
        assert_eq!(connected.limits.max_video_duration_seconds, Some(600.0));
        let levels = connected.limits.privacy_levels.unwrap();
        assert_eq!(levels, ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"]);
        let life = connected.credentials.expires_at.unwrap() - present();
        assert!((life - TimeDelta::minutes(80)).abs() < TimeDelta::minutes(1), "{life}");
    }
    let used = json!({ "code": "used", "redirectUri": CALLBACK });
    let error = here.world.network.connect(&input(&used)).await.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
}

#[tokio::test]
async fn what_was_not_allowed_is_told() {
    let here = Here::new().await;
    let connected =
        here.let_in("new", CALLBACK, Some("user.info.basic,video.upload")).await.unwrap().remove(0);
    assert_eq!(connected.username, None);
    assert_eq!(connected.lacks.len(), 4, "{:?}", connected.lacks);
    let mut job = here.video(1, "", 900, &json!({ "asDraft": true }));
    job.credentials = connected.credentials.clone();
    let done = here.publish(job).await;
    assert!(done.result.is_ok(), "drafts need no more: {:?}", done.result);
    let mut job = here.video(2, "", 900, &json!({ "privacy": "SELF_ONLY" }));
    job.credentials = connected.credentials;
    let done = here.publish(job).await;
    assert_eq!(done.failures, [Kind::Reconnect]);
}

#[tokio::test]
async fn an_account_is_connected_by_its_tokens() {
    let here = Here::new().await;
    let connected = &here.world.connected;
    assert_eq!(connected.username.as_deref(), Some("sandbox_1"));
    assert_eq!(connected.lacks, Vec::<String>::new());
    let error = here.world.network.connect(&input(&json!({ "accessToken": "x" }))).await;
    assert_eq!(error.unwrap_err().kind, Kind::Permanent);
}

#[tokio::test]
async fn a_lost_refresh_has_burned_the_token() {
    for (fault, first, second) in [
        ("error500", Some(Kind::Temporary), None),
        ("reset_before", Some(Kind::Temporary), None),
        ("reset_after", Some(Kind::Temporary), Some(Kind::Reconnect)),
        ("permanent", Some(Kind::Reconnect), None),
        ("expired_token", Some(Kind::Reconnect), Some(Kind::Reconnect)),
    ] {
        let here = Here::new().await;
        let access = here.access();
        here.world.fault(json!({ "operation": "token", "kind": fault })).await;
        for want in [first, second] {
            let refreshed = here.world.network.refresh(&access.account, &access.credentials).await;
            assert_eq!(refreshed.err().map(|error| error.kind), want, "{fault}");
        }
    }
}
