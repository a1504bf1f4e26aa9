//! What comes after publishing.

use std::time::Duration;

use scheduler_core::ports::{CommentAction, CommentRights, Metric, NetworkErrorKind as Kind};
use scheduler_core::target::{FailureCode, Remote};
use serde_json::{Value, json};

use crate::tumblr::here::Here;

async fn published(here: &Here, text: &str) -> Remote {
    here.world.publish(here.job(1, text, &json!({}), &[])).await.0.unwrap()
}

/// Reblogs a post as another user.
async fn reblog(here: &Here, user: &Value, of: &Remote, text: &str) {
    let url = format!(
        "{}/tumblr/v2/blog/{}/posts?id={}&api_key=key",
        here.world.sandbox.url(),
        here.world.connected.network_id,
        of.id
    );
    let post: Value = here.http.get(url).send().await.unwrap().json().await.unwrap();
    let key = &post["response"]["posts"][0]["reblog_key"];
    let body = json!({
        "content": [{ "type": "text", "text": text }],
        "parent_tumblelog_uuid": here.world.connected.network_id,
        "parent_post_id": of.id,
        "reblog_key": key,
    });
    here.call(user, &format!("/blog/{}/posts", user["blog"].as_str().unwrap()), &body).await;
    let body = json!({ "id": of.id, "reblog_key": key });
    here.call(user, "/user/like", &body).await;
}

#[tokio::test]
async fn comments_and_figures() {
    let here = Here::new().await;
    let remote = published(&here, "hi").await;
    let quiet = published(&here, "quiet").await;
    let ben = here.another("ben").await;
    for number in 0..25 {
        reblog(&here, &ben, &remote, &format!("Well said {number}")).await;
    }
    let (access, post) = (here.access(), here.live_post(remote));
    let read = here.after.comments(&access, &post).await.unwrap().unwrap();
    assert_eq!(read.rights, CommentRights::default());
    assert_eq!(read.comments.len(), 25);
    let newest = &read.comments[0];
    assert_eq!((newest.text.as_str(), newest.own), ("Well said 24", false));
    assert_eq!(newest.author.as_deref(), Some("ben"));
    assert!(newest.id.starts_with("reblog:ben:"), "{}", newest.id);
    let act = CommentAction::Reply("x".to_owned());
    let error = here.after.act_on_comment(&access, &post, &newest.id, &act).await.unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);

    let posts = [post, here.live_post(quiet), here.live_post(Remote::new("1", None))];
    let figures = here.after.figures(&access, &posts).await.unwrap();
    let counts = |at: usize| {
        let figures = &figures[at].as_ref().unwrap().0;
        [Metric::Notes, Metric::Likes, Metric::Shares, Metric::Comments].map(|one| figures[&one])
    };
    assert_eq!(counts(0), [26.0, 1.0, 25.0, 0.0]);
    assert_eq!(counts(1), [0.0; 4]);
    assert_eq!(figures[2], None, "it is gone");
    for (kind, want) in [
        ("error500", Kind::Temporary),
        ("reset_before", Kind::Temporary),
        ("permanent", Kind::Permanent),
        ("expired_token", Kind::TokenExpired),
    ] {
        here.world.fault(json!({ "operation": "metrics", "kind": kind })).await;
        let error = here.after.figures(&access, &posts).await.unwrap_err();
        assert_eq!(error.kind, want, "{kind}");
    }
}

#[tokio::test]
async fn followers_and_names() {
    let here = Here::new().await;
    let access = here.access();
    assert_eq!(here.after.followers(&access).await, Ok(Some(128)));
    here.another("ben").await;
    let found = here.after.mentions(&access, "@ben").await.unwrap();
    assert_eq!((found[0].handle.as_str(), found[0].name.as_str()), ("@ben", "ben"));
    assert_eq!(here.after.mentions(&access, "nobody").await, Ok(vec![]));
    assert_eq!(
        here.after.insights(&access, &here.live_post(Remote::new("1", None))).await,
        Ok(None)
    );
}

#[tokio::test]
async fn a_post_is_taken_down_once_and_for_all() {
    let here = Here::new().await;
    let access = here.access();
    let post = here.live_post(published(&here, "short").await);
    assert_eq!(here.world.texts().await, ["short"]);
    for _ in 0..2 {
        assert_eq!(here.after.take_down(&access, &post).await, Ok(()));
        assert_eq!(here.world.texts().await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_video_is_taken_down_although_only_its_first_id_is_known() {
    let here = Here::with(Duration::from_secs(30)).await;
    let world = &here.world;
    let mut job = here.job(1, "video", &json!({}), &["video/mp4"]);
    let mut progress = world.network.begin(&job);
    let live = loop {
        match world.network.advance(&job, &progress).await.unwrap() {
            scheduler_core::ports::Step::Next(next) => progress = next,
            scheduler_core::ports::Step::Live(live) => break live,
            other => panic!("{other:?}"),
        }
    };
    let remote = live.remote.unwrap();
    assert_eq!((remote.url.as_deref(), world.live().await.len()), (None, 0));
    let until = job.now + chrono::TimeDelta::seconds(30);
    world.engine().wait(&mut job, until).await;
    let access = here.access();
    let listed = here.after.figures(&access, &[here.live_post(remote.clone())]).await.unwrap();
    assert_eq!(listed, [None], "nothing is known under its first id");
    assert_eq!(world.texts().await, ["video"]);
    assert_eq!(here.after.take_down(&access, &here.live_post(remote)).await, Ok(()));
    assert_eq!(world.texts().await, Vec::<String>::new());
}
