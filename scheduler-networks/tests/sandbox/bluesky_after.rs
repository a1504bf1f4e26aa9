//! Bluesky after publishing: what only it offers.

use scheduler_core::platform::Platform;
use scheduler_core::ports::{CommentAction, Metric, NetworkErrorKind as Kind, RemoteEdit};
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};

use crate::fediverse::Side;

#[tokio::test]
async fn comments_are_hidden_and_shown_again_and_the_rules_of_the_thread_stay() {
    let side = Side::new(Platform::Bluesky).await;
    let post = side.live(side.world.job(1, "one", &json!({}))).await;
    let ben = side.another("ben").await;
    let mut said = Vec::new();
    for text in ["rude", "ruder"] {
        side.say(&ben, &post.remote.id, text).await;
    }
    for comment in side.comments(&post).await {
        said.push(comment.id);
    }
    let access = side.access();
    let hidden = async || -> Vec<bool> {
        side.comments(&post).await.into_iter().map(|comment| comment.hidden).collect()
    };
    let act = async |at: usize, act: CommentAction| {
        side.after.act_on_comment(&access, &post, &said[at], &act).await
    };
    for (at, what, want) in [
        (0, CommentAction::Hide, [true, false]),
        (0, CommentAction::Hide, [true, false]),
        (1, CommentAction::Hide, [true, true]),
        (0, CommentAction::Unhide, [false, true]),
        (0, CommentAction::Unhide, [false, true]),
        (1, CommentAction::Unhide, [false, false]),
    ] {
        for kind in ["error500", "reset_before", "reset_after"] {
            side.world.fault(json!({ "operation": "metrics", "kind": kind })).await;
            let error = act(at, what.clone()).await.unwrap_err();
            assert_eq!(error.kind, Kind::Temporary, "{what:?} {kind}");
        }
        assert_eq!(act(at, what.clone()).await, Ok(None));
        assert_eq!(hidden().await, want, "{what:?} {at}");
    }
    let rules = side.world.bodies("putRecord").await;
    let rules: Vec<&Value> =
        rules.iter().filter(|body| body["collection"] == "app.bsky.feed.threadgate").collect();
    assert_eq!(rules.len(), 4, "what was so already was not written again");
    assert_eq!(rules[0]["swapRecord"], Value::Null);
    assert!(rules[1..].iter().all(|body| body["swapRecord"].is_string()));
}

#[tokio::test]
async fn comments_below_the_end_of_a_long_thread_are_read() {
    let side = Side::new(Platform::Bluesky).await;
    let thread: Vec<String> = (2..=25).map(|part| format!("part {part}")).collect();
    let post = side.live(side.world.job(1, "part 1", &json!({ "thread": thread }))).await;
    let ben = side.another("ben").await;
    let mut parent = post.remote.record["parts"][24].as_str().unwrap().to_owned();
    for level in 1..=6 {
        parent = side.say(&ben, &parent, &format!("level {level}")).await;
    }
    let found = side.comments(&post).await;
    let texts: Vec<&str> = found.iter().map(|comment| comment.text.as_str()).collect();
    assert_eq!(texts, ["level 1", "level 2", "level 3", "level 4", "level 5", "level 6"]);
    side.after.take_down(&side.access(), &post).await.unwrap();
    let left = side.world.texts().await;
    assert_eq!(left.len(), 6, "{left:?}");
    assert_eq!(side.comments(&post).await, []);
}

#[tokio::test]
async fn figures_of_twenty_five_posts_take_one_call() {
    let side = Side::new(Platform::Bluesky).await;
    let mut posts = Vec::new();
    for target in 1..=25 {
        posts.push(side.live(side.world.job(target, "post", &json!({}))).await);
    }
    assert_eq!(side.after.figures_at_once(), 25);
    let figures = side.after.figures(&side.access(), &posts).await.unwrap();
    assert!(figures.iter().all(|figures| {
        let figures = &figures.as_ref().unwrap().0;
        figures.len() == 5 && figures[&Metric::Saves] == 0.0
    }));
    assert_eq!(side.world.bodies("getPosts").await.len(), 1);
}

#[tokio::test]
async fn a_thread_of_which_no_parts_were_kept_is_taken_down_whole() {
    let side = Side::new(Platform::Bluesky).await;
    let mut post =
        side.live(side.world.job(1, "one", &json!({ "thread": ["two", "three"] }))).await;
    post.remote.record = Value::Null;
    assert_eq!(side.comments(&post).await, []);
    side.after.take_down(&side.access(), &post).await.unwrap();
    assert_eq!(side.world.texts().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_reply_mentions_whoever_is_there() {
    let side = Side::new(Platform::Bluesky).await;
    let post = side.live(side.world.job(1, "one", &json!({}))).await;
    let ben = side.another("ben").await;
    side.say(&ben, &post.remote.id, "Well said").await;
    let said = side.comments(&post).await.remove(0).id;
    let reply = CommentAction::Reply("@ben.test @nobody.test thanks".to_owned());
    side.after.act_on_comment(&side.access(), &post, &said, &reply).await.unwrap();
    let bodies = side.world.bodies("putRecord").await;
    let facets = &bodies.last().unwrap()["record"]["facets"];
    assert_eq!(facets.as_array().map(Vec::len), Some(1));
    assert_eq!(facets[0]["features"][0]["did"], json!(ben.id));

    let too_long = CommentAction::Reply("a".repeat(301));
    let error = side.after.act_on_comment(&side.access(), &post, &said, &too_long).await;
    let error = error.unwrap_err();
    assert_eq!((error.kind, error.code), (Kind::Permanent, FailureCode::ValidationFailed));
}

#[tokio::test]
async fn nothing_is_changed() {
    let side = Side::new(Platform::Bluesky).await;
    let post = side.live(side.world.job(1, "one", &json!({}))).await;
    let edit = RemoteEdit { content: Some("new".to_owned()), title: None };
    let error = side.after.edit(&side.access(), &post, &edit).await.unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
    let edit = CommentAction::Edit("new".to_owned());
    let error = side.after.act_on_comment(&side.access(), &post, "did:plc:x~3m", &edit).await;
    assert_eq!(error.unwrap_err().code, FailureCode::Unsupported);
}
