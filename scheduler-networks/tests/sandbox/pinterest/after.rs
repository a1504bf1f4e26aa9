//! What comes after a Pin is live.

use scheduler_core::ports::{Metric, NetworkErrorKind as Kind, RemoteEdit};
use scheduler_core::target::FailureCode;
use serde_json::json;

use super::here::Here;
use super::{mp4, png};

#[tokio::test]
async fn a_pin_is_taken_down_once_and_for_all() {
    let here = Here::new().await;
    let access = here.access();
    for (target, file) in [(1, ("image/png", png(1))), (2, ("video/mp4", mp4(1)))] {
        let (remote, _) = here.world.publish(here.job(target, "short", &[file])).await;
        let post = here.live_post(remote.unwrap());
        assert_eq!(here.world.texts().await, ["short"]);
        for (kind, want) in
            [("error500", Some(Kind::Temporary)), ("reset_after", Some(Kind::Temporary))]
        {
            here.world.fault(json!({ "operation": "any", "kind": kind })).await;
            let error = here.after.take_down(&access, &post).await.err();
            assert_eq!(error.map(|error| error.kind), want, "{kind}");
        }
        for _ in 0..2 {
            assert_eq!(here.after.take_down(&access, &post).await, Ok(()));
            assert_eq!(here.world.texts().await, Vec::<String>::new());
        }
    }
}

#[tokio::test]
async fn figures_of_images_of_videos_and_of_old_pins() {
    let here = Here::new().await;
    let access = here.access();
    let image = here.job(1, "image", &[("image/png", png(1))]);
    let video = here.job(2, "video", &[("video/mp4", mp4(1))]);
    let image = here.live_post(here.world.publish(image).await.0.unwrap());
    let video = here.live_post(here.world.publish(video).await.0.unwrap());
    let mut old = image.clone();
    old.published_at -= chrono::TimeDelta::days(91);
    let posts = [image, video, old];
    let figures = here.after.figures(&access, &posts).await.unwrap();
    let figures: Vec<_> = figures.into_iter().map(|figures| figures.unwrap().0).collect();
    for figures in &figures {
        assert_eq!(figures[&Metric::Impressions], 240.0);
        assert_eq!(figures[&Metric::Clicks], 12.0);
        assert_eq!(figures[&Metric::OutboundClicks], 5.0);
        assert_eq!(figures[&Metric::Likes], 7.0);
        assert_eq!(figures[&Metric::Comments], 3.0);
    }
    let of = |metric: Metric| figures.iter().map(|it| it.get(&metric).copied()).collect::<Vec<_>>();
    assert_eq!(of(Metric::Saves), [Some(9.0), Some(9.0), None]);
    assert_eq!(of(Metric::VideoViews), [None, Some(31.0), None]);

    for (kind, want) in [("error500", Kind::Temporary), ("reset_before", Kind::Temporary)] {
        here.world.fault(json!({ "operation": "metrics", "kind": kind })).await;
        let error = here.after.figures(&access, &posts).await.unwrap_err();
        assert_eq!(error.kind, want, "{kind}");
    }
    here.world.fault(json!({ "operation": "metrics", "kind": "rate_limited" })).await;
    let error = here.after.figures(&access, &posts).await.unwrap_err();
    let Kind::RateLimited { wait: Some(wait) } = error.kind else { panic!("{error:?}") };
    assert_eq!(wait.num_seconds(), 2);
    here.world.fault(json!({ "operation": "metrics", "kind": "permanent", "times": 3 })).await;
    let without = here.after.figures(&access, &posts).await.unwrap();
    assert_eq!(without, [None, None, None], "what may not be read is no failure");
    here.world.fault(json!({ "operation": "metrics", "kind": "expired_token" })).await;
    let error = here.after.figures(&access, &posts).await.unwrap_err();
    assert_eq!(error.kind, Kind::TokenExpired);
}

#[tokio::test]
async fn boards_followers_and_what_is_not_offered() {
    let here = Here::new().await;
    let access = here.access();
    for number in 0..300 {
        let url = format!("{}/pinterest/v5/boards", here.world.sandbox.url());
        let kept: serde_json::Value = serde_json::from_str(access.credentials.expose()).unwrap();
        let made = here.http.post(url).bearer_auth(kept["accessToken"].as_str().unwrap());
        let made = made.json(&json!({ "name": format!("Board {number}") }));
        assert_eq!(made.send().await.unwrap().status(), 201);
    }
    let boards = here.after.boards(&access).await.unwrap();
    assert_eq!(boards.len(), 301, "those of two pages, without the secret one");
    assert_eq!((boards[0].id.as_str(), boards[0].name.as_str()), (here.board.as_str(), "Finds"));
    assert_eq!(boards[300].name, "Board 299");
    assert_eq!(here.after.followers(&access).await, Ok(Some(163)));

    let job = here.job(1, "x", &[("image/png", png(1))]);
    let post = here.live_post(here.world.publish(job).await.0.unwrap());
    let edit = RemoteEdit { content: Some("y".to_owned()), title: None };
    let error = here.after.edit(&access, &post, &edit).await.unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
    assert_eq!(here.after.comments(&access, &post).await, Ok(None));
    assert_eq!(here.after.mentions(&access, "ana").await, Ok(vec![]));
}
