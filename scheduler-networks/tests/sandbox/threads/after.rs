//! What comes after publishing.

use scheduler_core::ports::{Comment, CommentAction, Metric, NetworkErrorKind as Kind, RemoteEdit};
use scheduler_core::target::{FailureCode, Remote};
use serde_json::{Value, json};

use crate::threads::here::Here;

async fn published(here: &Here, options: Value) -> Remote {
    let (remote, failures) = here.world.publish(here.world.job(1, "one", &options)).await;
    assert_eq!(failures, []);
    remote.unwrap()
}

#[tokio::test]
async fn a_thread_is_taken_down_whole_and_once_more_is_no_error() {
    let here = Here::new().await;
    let remote = published(&here, json!({ "thread": ["two", "three"] })).await;
    let (access, post) = (here.access(), here.live_post(remote));
    here.world.fault(json!({ "operation": "any", "kind": "reset_after" })).await;
    let error = here.after.take_down(&access, &post).await.unwrap_err();
    assert_eq!(error.kind, Kind::Temporary);
    for _ in 0..2 {
        here.after.take_down(&access, &post).await.unwrap();
        assert_eq!(here.world.texts().await, Vec::<String>::new());
    }
    let edit = RemoteEdit { content: Some("new".to_owned()), title: None };
    let error = here.after.edit(&access, &post, &edit).await.unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
}

async fn comments(here: &Here, remote: &Remote) -> Vec<Comment> {
    let post = here.live_post(remote.clone());
    let comments = here.after.comments(&here.access(), &post).await.unwrap().unwrap();
    let rights = comments.rights;
    assert!(rights.reply && rights.hide && rights.delete && !rights.edit && !rights.like);
    comments.comments
}

#[tokio::test]
async fn comments_are_read_answered_hidden_and_deleted() {
    let here = Here::new().await;
    let remote = published(&here, json!({ "thread": ["two"] })).await;
    assert_eq!(comments(&here, &remote).await, []);
    let said = here.reply_of_another("ben", &remote.id, "Well said").await;
    let found = comments(&here, &remote).await;
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].id.as_str(), found[0].text.as_str()), (said.as_str(), "Well said"));
    assert_eq!((found[0].author.as_deref(), found[0].own), (Some("ben"), false));

    let (access, post) = (here.access(), here.live_post(remote.clone()));
    let act = |act: CommentAction, comment: String| {
        let (here, access, post) = (&here, &access, &post);
        async move { here.after.act_on_comment(access, post, &comment, &act).await }
    };
    let answer =
        act(CommentAction::Reply("Thanks".to_owned()), said.clone()).await.unwrap().unwrap();
    assert!(answer.own);
    let found = comments(&here, &remote).await;
    assert_eq!(
        found.iter().map(|comment| &comment.text).collect::<Vec<_>>(),
        ["Thanks", "Well said"]
    );
    assert_eq!((&found[0].id, found[0].own), (&answer.id, true));

    for (what, is_hidden) in [(CommentAction::Hide, true), (CommentAction::Unhide, false)] {
        assert_eq!(act(what, said.clone()).await, Ok(None));
        assert_eq!(comments(&here, &remote).await[1].hidden, is_hidden);
    }
    let error = act(CommentAction::Delete, said.clone()).await.unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported, "another's");
    assert_eq!(act(CommentAction::Delete, answer.id.clone()).await, Ok(None));
    assert_eq!(comments(&here, &remote).await.len(), 1);
    let error = act(CommentAction::Delete, remote.id.clone()).await.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent, "the post itself");
    assert_eq!(here.world.texts().await, ["one", "two", "Well said"]);
}

#[tokio::test]
async fn a_reply_that_breaks_before_its_publishing_is_not_live() {
    let here = Here::new().await;
    let remote = published(&here, json!({})).await;
    let said = here.reply_of_another("ben", &remote.id, "Well said").await;
    let (access, post) = (here.access(), here.live_post(remote));
    let reply = CommentAction::Reply("Thanks".to_owned());
    for (kind, want) in [
        ("error500", Kind::Temporary),
        ("reset_after", Kind::Temporary),
        ("permanent", Kind::Permanent),
    ] {
        here.world.fault(json!({ "operation": "comment", "kind": kind })).await;
        let error = here.after.act_on_comment(&access, &post, &said, &reply).await.unwrap_err();
        assert_eq!(error.kind, want, "{kind}: {error}");
    }
    assert_eq!(here.world.texts().await, ["one", "Well said"]);
}

#[tokio::test]
async fn figures_followers_and_names() {
    let here = Here::new().await;
    let remote = published(&here, json!({})).await;
    here.reply_of_another("ben", &remote.id, "Well said").await;
    let (access, post) = (here.access(), here.live_post(remote));
    let figures = here.after.figures(&access, std::slice::from_ref(&post)).await.unwrap();
    let figures = figures[0].clone().unwrap().0;
    assert_eq!(figures[&Metric::Comments], 1.0);
    assert_eq!(figures.len(), 6);
    assert_eq!(here.after.followers(&access).await, Ok(Some(96)));
    let names = here.after.mentions(&access, "@ben").await.unwrap();
    assert_eq!((names[0].handle.as_str(), names[0].name.as_str()), ("@ben", "ben"));
    assert_eq!(here.after.mentions(&access, "nobody").await, Ok(Vec::new()));

    here.world.fault(json!({ "operation": "metrics", "kind": "permanent" })).await;
    assert_eq!(here.after.followers(&access).await, Ok(None));
    here.after.take_down(&access, &post).await.unwrap();
    assert_eq!(here.after.figures(&access, &[post]).await, Ok(vec![None]));
}
