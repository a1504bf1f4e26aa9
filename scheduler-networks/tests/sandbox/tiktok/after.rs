//! What comes after publishing.

use scheduler_core::ports::{Metric, NetworkErrorKind as Kind, RemoteEdit};
use scheduler_core::target::FailureCode;
use serde_json::json;

use super::public;
use crate::tiktok::here::Here;

#[tokio::test]
async fn figures_and_followers() {
    let here = Here::new().await;
    let open = here.publish(here.video(1, "open", 900, &public())).await.result.unwrap();
    let own = json!({ "privacy": "SELF_ONLY" });
    let own = here.publish(here.video(2, "own", 900, &own)).await.result.unwrap();
    let posts = [here.live_post(own), here.live_post(open.clone())];
    let access = here.access();
    let figures = here.after.figures(&access, &posts).await.unwrap();
    assert_eq!(figures[0], None, "nobody else sees it");
    let figures = figures[1].clone().unwrap().0;
    assert_eq!((figures[&Metric::Views], figures.len()), (240.0, 4));
    assert_eq!(here.after.followers(&access).await, Ok(Some(96)));
    for (kind, want) in [("error500", Kind::Temporary), ("reset_before", Kind::Temporary)] {
        here.world.fault(json!({ "operation": "metrics", "kind": kind })).await;
        assert_eq!(here.after.figures(&access, &posts).await.unwrap_err().kind, want, "{kind}");
    }
    here.world.fault(json!({ "operation": "metrics", "kind": "permanent", "times": 2 })).await;
    assert_eq!(here.after.figures(&access, &posts).await, Ok(vec![None, None]));
    assert_eq!(here.after.followers(&access).await, Ok(None));
    here.world.fault(json!({ "operation": "metrics", "kind": "expired_token" })).await;
    let error = here.after.followers(&access).await.unwrap_err();
    assert_eq!(error.kind, Kind::TokenExpired);
}

#[tokio::test]
async fn what_the_account_is_allowed() {
    let here = Here::new().await;
    let access = here.access();
    let creator = here.after.creator(&access).await.unwrap();
    assert_eq!(creator.privacy_levels[2], "SELF_ONLY");
    assert_eq!((creator.stitch_disabled, creator.max_video_duration_seconds), (true, 600));
    let limits = here.after.limits(&access).await.unwrap().unwrap();
    assert_eq!(limits.privacy_levels, Some(creator.privacy_levels));
    here.world.fault(json!({ "operation": "any", "kind": "permanent" })).await;
    let error = here.after.creator(&access).await.unwrap_err();
    assert_eq!(error.kind, Kind::Reconnect);
}

#[tokio::test]
async fn what_the_network_does_not_offer() {
    let here = Here::new().await;
    let remote = here.publish(here.video(1, "open", 900, &public())).await.result.unwrap();
    let (access, post) = (here.access(), here.live_post(remote));
    let edit = RemoteEdit { content: Some("new".to_owned()), title: None };
    let edited = here.after.edit(&access, &post, &edit).await.unwrap_err();
    let taken_down = here.after.take_down(&access, &post).await.unwrap_err();
    for error in [edited, taken_down] {
        assert_eq!(error.code, FailureCode::Unsupported);
    }
    assert_eq!(here.after.comments(&access, &post).await, Ok(None));
    assert_eq!(here.after.mentions(&access, "ana").await, Ok(Vec::new()));
    assert_eq!(here.world.texts().await, ["open"]);
}
