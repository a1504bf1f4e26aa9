//! Mastodon after publishing: what only it offers.

use scheduler_core::platform::Platform;
use scheduler_core::ports::{CommentAction, NetworkErrorKind as Kind, RemoteEdit};
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};

use crate::fediverse::Side;
use crate::support::png;

fn to(content: &str) -> RemoteEdit {
    RemoteEdit { content: Some(content.to_owned()), title: None }
}

#[tokio::test]
async fn an_edit_keeps_files_descriptions_warning_and_link() {
    let side = Side::new(Platform::Mastodon).await;
    let options = json!({ "caption": "old", "spoilerText": "CW", "thread": ["two"] });
    let mut job = side.world.job(1, "unused", &options);
    job.link_url = Some("https://blog.example.com/post".to_owned());
    job.files =
        vec![side.world.file(1, "image/png", &png(1)), side.world.file(2, "image/png", &png(2))];
    let post = side.live(job).await;
    let media = side.world.live().await[0]["media"].clone();
    assert_eq!(media.as_array().map(Vec::len), Some(2));
    for kind in ["", "error500", "rate_limited", "reset_before", "reset_after", "timeout"] {
        if !kind.is_empty() {
            let fault = json!({ "operation": "any", "kind": kind, "afterMs": 20 });
            side.world.fault(fault).await;
            let error = side.after.edit(&side.access(), &post, &to(kind)).await.unwrap_err();
            let is_for_now = matches!(error.kind, Kind::Temporary | Kind::RateLimited { .. });
            assert!(is_for_now, "{kind}: {error}");
        }
        let new = format!("new {kind}").trim().to_owned();
        for _ in 0..2 {
            side.after.edit(&side.access(), &post, &to(&new)).await.unwrap();
        }
        let live = side.world.live().await;
        let text = format!("CW\n\n{new}\nhttps://blog.example.com/post");
        assert_eq!((&live[0]["text"], &live[0]["media"]), (&json!(text), &media), "{kind}");
        assert_eq!(live[1]["text"], "CW\n\ntwo", "only the first part is changed");
    }
    let bodies = side.world.bodies(&format!("/statuses/{}", post.remote.id)).await;
    let edits: Vec<&Value> = bodies.iter().filter(|body| body["status"].is_string()).collect();
    let descriptions: Vec<&Value> = edits[0]["media_attributes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|attributes| &attributes["description"])
        .collect();
    assert_eq!(descriptions, ["file 1", "file 2"]);

    let error = side.after.edit(&side.access(), &post, &to(&"a".repeat(501))).await.unwrap_err();
    assert_eq!((error.kind, error.code), (Kind::Permanent, FailureCode::ValidationFailed));
    side.after.take_down(&side.access(), &post).await.unwrap();
    let error = side.after.edit(&side.access(), &post, &to("gone")).await.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
}

#[tokio::test]
async fn a_reply_speaks_to_its_author_and_can_be_changed() {
    let side = Side::new(Platform::Mastodon).await;
    let post = side.live(side.world.job(1, "one", &json!({}))).await;
    let ben = side.another("ben").await;
    let said = side.say(&ben, &post.remote.id, "Well said").await;
    let access = side.access();
    let act = async |comment: &str, act: CommentAction| {
        side.after.act_on_comment(&access, &post, comment, &act).await
    };
    let reply = CommentAction::Reply("Thanks".to_owned());
    let made = act(&said, reply).await.unwrap().unwrap();
    assert_eq!(made.text, "@ben Thanks");
    let bodies = side.world.bodies("/api/v1/statuses").await;
    assert_eq!(bodies.last().unwrap()["visibility"], "unlisted", "as the comment");

    for kind in ["", "error500", "reset_before", "reset_after"] {
        let edit = CommentAction::Edit(format!("Thank you {kind}"));
        if !kind.is_empty() {
            side.world.fault(json!({ "operation": "any", "kind": kind })).await;
            let error = act(&made.id, edit.clone()).await.unwrap_err();
            assert_eq!(error.kind, Kind::Temporary, "{kind}");
        }
        assert_eq!(act(&made.id, edit).await, Ok(None), "{kind}");
        let texts = side.world.texts().await;
        let want = format!("@ben Thank you {kind}");
        assert_eq!(texts.last().map(String::as_str), Some(want.trim()), "{kind}");
    }
    let error = act(&said, CommentAction::Edit("x".to_owned())).await.unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported, "another's");
    let error = act(&said, CommentAction::Hide).await.unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
}

#[tokio::test]
async fn a_post_that_the_filter_for_spam_drops_is_told_and_not_sent_again() {
    let side = Side::new(Platform::Mastodon).await;
    let thread = json!({ "thread": ["cheap watches"] });
    for (target, content, options) in [(1, "@ben cheap watches", json!({})), (2, "one", thread)] {
        let before = side.world.bodies("/api/v1/statuses").await.len();
        let job = side.world.job(target, content, &options);
        let (remote, failures) = side.world.publish(job).await;
        assert_eq!(failures, [Kind::Permanent], "{content}");
        let error = remote.unwrap_err();
        assert!(error.message.contains("filter for spam"), "{content}: {error}");
        let parts = if target == 1 { 1 } else { 2 };
        assert_eq!(side.world.bodies("/api/v1/statuses").await.len(), before + parts);
    }
    assert_eq!(side.world.texts().await, ["one"]);
    let (remote, failures) = side.world.publish(side.world.job(3, "@ben hello", &json!({}))).await;
    assert!(remote.is_ok(), "{remote:?}");
    assert_eq!(failures, []);
}

#[tokio::test]
async fn figures_of_twenty_posts_take_one_call() {
    let side = Side::new(Platform::Mastodon).await;
    let mut posts = Vec::new();
    for target in 1..=20 {
        posts.push(side.live(side.world.job(target, "post", &json!({}))).await);
    }
    assert_eq!(side.after.figures_at_once(), 20);
    let before = side.world.bodies("/api/v1/statuses").await.len();
    let figures = side.after.figures(&side.access(), &posts).await.unwrap();
    assert!(figures.iter().all(|figures| figures.as_ref().unwrap().0.len() == 4));
    assert_eq!(side.world.bodies("/api/v1/statuses").await.len(), before + 1);
}
