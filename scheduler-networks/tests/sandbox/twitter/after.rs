//! What comes after publishing.

use scheduler_core::ports::{Metric, NetworkErrorKind as Kind, RemoteEdit};
use scheduler_core::target::{FailureCode, Remote};
use serde_json::{Value, json};

use crate::twitter::here::Here;

async fn published(here: &Here, target: u128, text: &str, options: Value) -> Remote {
    let (remote, failures) = here.world.publish(here.world.job(target, text, &options)).await;
    assert_eq!(failures, []);
    remote.unwrap()
}

#[tokio::test]
async fn a_thread_is_taken_down_whole_and_once_more_is_no_error() {
    let here = Here::new().await;
    let remote = published(&here, 1, "one", json!({ "thread": ["two", "three"] })).await;
    let (access, post) = (here.access(), here.live_post(remote));
    for (kind, want) in [
        ("reset_after", Kind::Temporary),
        ("reset_before", Kind::Temporary),
        ("error500", Kind::Temporary),
        ("permanent", Kind::Permanent),
    ] {
        here.world.fault(json!({ "operation": "any", "kind": kind })).await;
        let error = here.after.take_down(&access, &post).await.unwrap_err();
        assert_eq!(error.kind, want, "{kind}");
    }
    assert_eq!(here.world.texts().await, ["one", "two"]);
    for _ in 0..2 {
        here.after.take_down(&access, &post).await.unwrap();
        assert_eq!(here.world.texts().await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn figures_of_many_posts_and_followers() {
    let here = Here::new().await;
    let first = published(&here, 1, "one", json!({ "thread": ["two"] })).await;
    let second = published(&here, 2, "three", json!({})).await;
    let gone = Remote::new("1", None);
    let posts = [first, gone, second].map(|remote| here.live_post(remote));
    let access = here.access();
    let figures = here.after.figures(&access, &posts).await.unwrap();
    let [Some(first), None, Some(second)] = figures.as_slice() else { panic!("{figures:?}") };
    let told: Vec<(Metric, f64)> =
        first.0.iter().map(|(metric, count)| (*metric, *count)).collect();
    assert_eq!(
        told,
        [
            (Metric::Impressions, 240.0),
            (Metric::Likes, 12.0),
            // The second part of the thread is no comment.
            (Metric::Comments, 0.0),
            (Metric::Shares, 3.0),
            (Metric::Quotes, 1.0),
            (Metric::Saves, 2.0),
        ]
    );
    assert_eq!(second.0[&Metric::Comments], 0.0);
    assert_eq!(here.after.followers(&access).await, Ok(Some(96)));

    for (kind, want) in [
        ("reset_after", Kind::Temporary),
        ("reset_before", Kind::Temporary),
        ("error500", Kind::Temporary),
        ("permanent", Kind::Permanent),
        ("expired_token", Kind::TokenExpired),
    ] {
        for is_followers in [false, true] {
            here.world.fault(json!({ "operation": "metrics", "kind": kind })).await;
            let error = match is_followers {
                false => here.after.figures(&access, &posts).await.unwrap_err(),
                true => here.after.followers(&access).await.unwrap_err(),
            };
            assert_eq!(error.kind, want, "{kind}");
        }
    }
}

#[tokio::test]
async fn what_x_does_not_offer() {
    let here = Here::new().await;
    let remote = published(&here, 1, "one", json!({})).await;
    let (access, post) = (here.access(), here.live_post(remote));
    let edit = RemoteEdit { content: Some("new".to_owned()), title: None };
    let error = here.after.edit(&access, &post, &edit).await.unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
    assert_eq!(here.after.comments(&access, &post).await, Ok(None));
    assert_eq!(here.after.mentions(&access, "ana").await, Ok(Vec::new()));
}
