//! Connecting a channel, and keeping it connected.

use scheduler_core::ports::NetworkErrorKind as Kind;
use serde_json::json;

use super::here::{Here, lives_an_hour};

#[tokio::test]
async fn the_networks_page_opens_one_channel() {
    let here = Here::new().await;
    let connected = &here.world.connected;
    assert!(connected.network_id.starts_with("UC"));
    assert!(connected.username.is_some() && connected.display_name.is_some());
    assert_eq!(connected.lacks, Vec::<String>::new());
    assert!(lives_an_hour(connected.credentials.expires_at));

    let uploads = "https://www.googleapis.com/auth/youtube.upload https://www.googleapis.com/auth/youtube.readonly";
    let here = Here::granting(Some(uploads)).await;
    assert_eq!(here.world.connected.lacks.len(), 3, "{:?}", here.world.connected.lacks);
}

#[tokio::test]
async fn an_expired_token_is_refreshed_and_a_refused_refresh_asks_for_a_connection() {
    let mut here = Here::new().await;
    for operation in ["upload", "publish", "poll"] {
        here.world.fault(json!({ "operation": operation, "kind": "expired_token" })).await;
        // The adapter that has the files knows no application.
        let job = here.job(1, operation, &json!({}));
        let renewed = here.network.refresh(&job.account, &job.credentials).await.unwrap();
        assert!(lives_an_hour(renewed.expires_at));
        let (remote, failures) = here.world.publish(job).await;
        assert_eq!(failures, [Kind::TokenExpired], "{operation}");
        let error = remote.unwrap_err();
        assert_eq!(error.kind, Kind::Permanent, "{error}");
        let job = here.job(2, operation, &json!({}));
        here.world.connected.credentials =
            here.network.refresh(&job.account, &job.credentials).await.unwrap();
    }
    let job = here.job(3, "never", &json!({}));
    for (kind, want) in [
        ("error500", Kind::Temporary),
        ("rate_limited", Kind::RateLimited { wait: None }),
        ("reset_after", Kind::Temporary),
        ("expired_token", Kind::Reconnect),
    ] {
        here.world.fault(json!({ "operation": "token", "kind": kind })).await;
        let error = here.network.refresh(&job.account, &job.credentials).await.unwrap_err();
        assert_eq!(error.kind, want, "{kind}: {error}");
    }
}
