//! Faults in the words of Facebook.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, code, mp4, quick};
use crate::support::World;

fn fault(operation: &str, kind: &str) -> Value {
    json!({
        "platform": "facebook",
        "operation": operation,
        "kind": kind,
        "afterMs": 10,
        "retryAfterSeconds": 120,
    })
}

#[tokio::test]
async fn each_operation_is_told_from_the_others() {
    let world = quick().await;
    let ana = Actor::new(&world, "Ana").await;
    let page = &ana.id;
    let post = ana.publish(&world, "Hello").await;
    let path = format!("/{post}/comments");
    let comment = ana.call(&world, Method::POST, &path, &[("message", "hi")]).await.text_of("id");
    let start = [("upload_phase", "start"), ("file_size", "1000")];
    let made = ana.post(&world, "videos", &start).await;
    let (video, session) = (made.text_of("video_id"), made.text_of("upload_session_id"));
    let phase = |phase: &'static str| vec![("upload_phase", phase)];
    for (name, method, path, form, want) in [
        ("a post", Method::POST, format!("/{page}/feed"), vec![], "publish"),
        ("a photo", Method::POST, format!("/{page}/photos"), vec![], "upload"),
        ("start", Method::POST, format!("/{page}/videos"), phase("start"), "upload"),
        ("transfer", Method::POST, format!("/{page}/videos"), phase("transfer"), "upload"),
        ("finish", Method::POST, format!("/{page}/videos"), phase("finish"), "publish"),
        ("a reel", Method::POST, format!("/{page}/video_reels"), phase("start"), "upload"),
        ("its end", Method::POST, format!("/{page}/video_reels"), phase("finish"), "publish"),
        ("state", Method::GET, format!("/{video}?fields=status"), vec![], "poll"),
        ("comments", Method::GET, format!("/{post}/comments"), vec![], "comment"),
        ("reply", Method::POST, format!("/{comment}/comments"), vec![], "comment"),
        ("hide", Method::POST, format!("/{comment}"), vec![], "comment"),
        ("like", Method::POST, format!("/{comment}/likes"), vec![], "comment"),
        ("figures", Method::GET, format!("/{post}/insights"), vec![], "metrics"),
        (
            "counts",
            Method::GET,
            format!("/{post}?fields=reactions.summary(true)"),
            vec![],
            "metrics",
        ),
        ("followers", Method::GET, format!("/{page}"), vec![], "metrics"),
        ("token", Method::GET, "/oauth/access_token".to_owned(), vec![], "token"),
        ("link", Method::GET, format!("/{post}?fields=permalink_url"), vec![], "other"),
        ("list", Method::GET, format!("/{page}/published_posts"), vec![], "other"),
        ("change", Method::POST, format!("/{post}"), vec![("message", "New")], "other"),
        ("take down", Method::DELETE, format!("/{post}"), vec![], "other"),
    ] {
        if want != "other" {
            world.arm(fault(want, "error500")).await;
        }
        let got = ana.call(&world, method, &path, &form).await;
        assert_eq!(world.requests().await.last().unwrap()["operation"], want, "{name}");
        assert_eq!(got.status == 500, want != "other", "{name}: {got:?}");
    }
    // A piece says what it is in a form with files.
    world.arm(fault("upload", "error500")).await;
    assert_eq!(ana.piece(&world, &session, 0, mp4(1_000)).await.status, 500);
    assert_eq!(ana.piece(&world, &session, 0, mp4(1_000)).await.status, 200);
}

#[tokio::test]
async fn every_fault_is_in_the_words_of_the_network() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let post = async || ana.post(&world, "feed", &[("message", "Hello")]).await;
    for (kind, status, want) in [
        ("error500", 500, (2, 0)),
        ("rate_limited", 400, (32, 0)),
        ("permanent", 400, (100, 1_346_003)),
    ] {
        world.arm(fault("publish", kind)).await;
        let got = post().await;
        assert_eq!((got.status, code(&got)), (status, want), "{kind}");
        if kind == "rate_limited" {
            let usage: Value =
                serde_json::from_str(got.header("x-business-use-case-usage").unwrap()).unwrap();
            assert_eq!(usage[&ana.id][0]["estimated_time_to_regain_access"], 2);
        }
    }
    assert!(world.posts("facebook").await.is_empty());
    assert_eq!(post().await.status, 200);
    world.arm(fault("metrics", "expired_token")).await;
    for attempt in ["the fault", "and after it"] {
        let got = ana.get(&world, &format!("/{}", ana.id)).await;
        assert_eq!((got.status, code(&got)), (401, (190, 463)), "{attempt}");
    }
}
