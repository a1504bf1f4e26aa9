//! What can be done with a post once it is live.

use scheduler_core::ports::{CommentAction, LivePost, Metric, NetworkErrorKind as Kind};
use scheduler_core::target::FailureCode;
use serde_json::json;

use super::world::World;

const JPEG: &[u8] = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\x03\x20\x04\xb0";
const MP4: &[u8] = b"\0\0\0\x20ftypisom";

async fn published(world: &World, media_type: &str, placement: &str) -> LivePost {
    let bytes = if media_type == "video/mp4" { MP4 } else { JPEG };
    let file = world.file(1, media_type, bytes);
    let job = world.job("Hello", vec![file], &json!({ "placement": placement }));
    world.live_post(world.publish(job).await.0.unwrap())
}

#[tokio::test]
async fn a_post_is_taken_down_through_its_page() {
    let world = World::new("via_page").await;
    let post = published(&world, "image/jpeg", "feed").await;
    for _ in 0..2 {
        world.after.take_down(&world.access(), &post).await.unwrap();
        assert!(world.live().await.is_empty());
    }
    let world = World::new("direct").await;
    let post = published(&world, "image/jpeg", "feed").await;
    let error = world.after.take_down(&world.access(), &post).await.unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
    assert_eq!(world.live().await.len(), 1);
}

#[tokio::test]
async fn comments_are_read_answered_hidden_and_deleted() {
    for way in ["direct", "via_page"] {
        let world = World::new(way).await;
        let post = published(&world, "image/jpeg", "feed").await;
        let bea = world.account("bea").await;
        let token = bea["instagramToken"].as_str().unwrap();
        let path = format!("/v26.0/{}/comments", post.remote.id);
        let mut ids = Vec::new();
        for number in 0..60 {
            let text = format!("comment {number}");
            let made = world.ask(token, &path, &[("message", &text)]).await;
            ids.push(made["id"].as_str().unwrap().to_owned());
        }
        let access = world.access();
        let read = async || world.after.comments(&access, &post).await.unwrap().unwrap().comments;
        let comments = read().await;
        assert_eq!(comments.len(), 60, "{way}");
        assert_eq!(comments[0].text, "comment 59");
        assert_eq!((comments[0].author.as_deref(), comments[0].own), (Some("bea"), false));

        let act = async |id: &str, act: CommentAction| {
            world.after.act_on_comment(&access, &post, id, &act).await
        };
        let thanks = CommentAction::Reply("Thank you".to_owned());
        let first = act(&ids[0], thanks.clone()).await.unwrap().unwrap();
        let second = act(&first.id, thanks).await.unwrap().unwrap();
        assert_eq!(second.text, "@ana Thank you");
        let comments = read().await;
        let own: Vec<&str> = comments
            .iter()
            .filter(|comment| comment.own)
            .map(|comment| comment.id.as_str())
            .collect();
        assert_eq!(own, [first.id.as_str(), second.id.as_str()], "{way}");

        act(&ids[1], CommentAction::Hide).await.unwrap();
        let hidden = |comments: &[scheduler_core::ports::Comment]| {
            comments.iter().filter(|comment| comment.hidden).count()
        };
        assert_eq!(hidden(&read().await), 1);
        let error = act(&ids[1], CommentAction::Reply("Hello".to_owned())).await.unwrap_err();
        assert_eq!(error.kind, Kind::Permanent, "{error}");
        act(&ids[1], CommentAction::Unhide).await.unwrap();
        assert_eq!(hidden(&read().await), 0);
        for _ in 0..2 {
            act(&ids[1], CommentAction::Delete).await.unwrap();
        }
        assert_eq!(read().await.len(), 61);
        let error = act(&ids[2], CommentAction::Like).await.unwrap_err();
        assert_eq!(error.code, FailureCode::Unsupported);
    }
}

#[tokio::test]
async fn no_post_is_deleted_as_a_comment() {
    let world = World::new("via_page").await;
    let post = published(&world, "image/jpeg", "feed").await;
    let token = world.made["instagramToken"].as_str().unwrap();
    let path = format!("/v26.0/{}/comments", post.remote.id);
    let made = world.ask(token, &path, &[("message", "first")]).await;
    let id = made["id"].as_str().unwrap();
    let other = scheduler_core::target::Remote::new("18000000000000099", None);
    let other = LivePost { remote: other, ..post.clone() };
    let access = world.access();
    let before = world.live().await;
    for (name, below, id) in [
        ("the post itself", &post, post.remote.id.as_str()),
        ("another post", &other, &post.remote.id),
        ("a comment on another post", &other, id),
    ] {
        let act = &CommentAction::Delete;
        let error = world.after.act_on_comment(&access, below, id, act).await.unwrap_err();
        assert_eq!(error.kind, Kind::Permanent, "{name}: {error}");
    }
    assert_eq!(world.live().await, before);
}

#[tokio::test]
async fn what_breaks_before_a_reply_leaves_nothing_behind() {
    let world = World::new("direct").await;
    let post = published(&world, "image/jpeg", "feed").await;
    let token = world.made["instagramToken"].as_str().unwrap();
    let path = format!("/v26.0/{}/comments", post.remote.id);
    let made = world.ask(token, &path, &[("message", "first")]).await;
    let id = made["id"].as_str().unwrap();
    let reply = CommentAction::Reply("Hello".to_owned());
    let access = world.access();
    // The look before it is broken first.
    for (times, kind, want) in [
        (1, "error500", Kind::Temporary),
        (1, "reset_after", Kind::Temporary),
        (1, "timeout", Kind::Temporary),
    ] {
        let fault = json!({ "operation": "comment", "kind": kind, "times": times, "afterMs": 20 });
        world.fault(fault).await;
        let error = world.after.act_on_comment(&access, &post, id, &reply).await.unwrap_err();
        assert_eq!(error.kind, want, "{kind}");
    }
    let made = world.after.act_on_comment(&access, &post, id, &reply).await.unwrap();
    assert!(made.is_some());
    assert_eq!(world.live().await.len(), 3);
    world.fault(json!({ "operation": "comment", "kind": "permanent" })).await;
    // The account has not allowed to read comments.
    assert_eq!(world.after.comments(&access, &post).await, Ok(None));
}

#[tokio::test]
async fn figures_of_every_product() {
    let world = World::new("via_page").await;
    let lasting = vec![
        Metric::Views,
        Metric::Reach,
        Metric::Likes,
        Metric::Comments,
        Metric::Shares,
        Metric::Saves,
        Metric::Interactions,
    ];
    let passing = vec![Metric::Views, Metric::Reach, Metric::Shares, Metric::Interactions];
    for (media_type, placement, want) in [
        ("image/jpeg", "feed", &lasting),
        ("video/mp4", "reel", &lasting),
        ("image/jpeg", "story", &passing),
    ] {
        let post = published(&world, media_type, placement).await;
        let posts = [post];
        let figures = world.after.figures(&world.access(), &posts).await.unwrap().remove(0);
        let found: Vec<Metric> = figures.unwrap().0.into_keys().collect();
        assert_eq!(&found, want, "{placement}");
        let comments = world.after.comments(&world.access(), &posts[0]).await.unwrap();
        assert_eq!(comments.is_some(), placement != "story", "{placement}");
        world.fault(json!({ "operation": "metrics", "kind": "error500" })).await;
        let error = world.after.figures(&world.access(), &posts).await.unwrap_err();
        assert_eq!(error.kind, Kind::Temporary, "{placement}");
    }
}

#[tokio::test]
async fn followers_and_names() {
    for (way, found) in [("direct", 0), ("via_page", 1)] {
        let world = World::new(way).await;
        world.account("bea").await;
        let access = world.access();
        assert_eq!(world.after.followers(&access).await.unwrap(), Some(96), "{way}");
        let names = world.after.mentions(&access, "@bea").await.unwrap();
        assert_eq!(names.len(), found, "{way}");
        assert!(names.iter().all(|name| name.handle == "@bea"));
        assert_eq!(world.after.mentions(&access, "nobody").await.unwrap(), []);
    }
}
