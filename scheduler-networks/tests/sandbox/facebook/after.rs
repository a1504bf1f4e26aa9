//! What can be done with a post once it is live.

use scheduler_core::ports::{
    Comment, CommentAction, LivePost, Metric, NetworkErrorKind as Kind, RemoteEdit,
};
use scheduler_core::target::FailureCode;
use serde_json::json;

use super::{Facebook, mp4, png};

async fn published(facebook: &Facebook, target: u8, form: &str) -> LivePost {
    let bytes = if form == "video/mp4" { mp4(2_000, target) } else { png(target) };
    let is_text = form.is_empty();
    let files = (!is_text).then(|| facebook.world.file(target.into(), form, &bytes));
    let files: Vec<_> = files.into_iter().collect();
    let count = files.len();
    let content = format!("Hello {target}");
    let job = facebook.job(target.into(), &content, files, &json!({}));
    facebook.live_post(facebook.world.publish(job).await.0.unwrap(), count)
}

#[tokio::test]
async fn posts_of_every_form_are_changed_and_taken_down() {
    let facebook = Facebook::new().await;
    let access = facebook.access();
    for (target, form) in [(1, ""), (2, "image/png"), (3, "video/mp4")] {
        let post = published(&facebook, target, form).await;
        let edit = RemoteEdit { content: Some("Better".to_owned()), title: None };
        for _ in 0..2 {
            facebook.after.edit(&access, &post, &edit).await.unwrap();
            assert_eq!(facebook.world.texts().await, ["Better"], "{form}");
        }
        facebook.world.fault(json!({ "operation": "any", "kind": "error500" })).await;
        let failed = facebook.after.take_down(&access, &post).await.unwrap_err();
        assert_eq!(failed.kind, Kind::Temporary, "{form}");
        for _ in 0..2 {
            facebook.after.take_down(&access, &post).await.unwrap();
            assert!(facebook.world.live().await.is_empty(), "{form}");
        }
        let gone = facebook.after.edit(&access, &post, &edit).await.unwrap_err();
        assert_eq!(gone.kind, Kind::Permanent, "{form}");
    }
}

#[tokio::test]
async fn comments_are_read_answered_changed_hidden_liked_and_deleted() {
    let facebook = Facebook::new().await;
    let post = published(&facebook, 1, "").await;
    let (_, bea) = facebook.page("Bea").await;
    let path = format!("/{}/comments", post.remote.id);
    let mut ids = Vec::new();
    for number in 0..60 {
        let text = format!("comment {number}");
        let made = facebook.ask(&bea, &path, &[("message", &text)]).await;
        ids.push(made["id"].as_str().unwrap().to_owned());
    }
    let access = facebook.access();
    let read = async || facebook.after.comments(&access, &post).await.unwrap().unwrap();
    let all = read().await;
    let rights = all.rights;
    assert!(rights.reply && rights.edit && rights.hide && rights.like && rights.delete);
    assert_eq!(all.comments.len(), 60);
    assert_eq!(all.comments[0].text, "comment 59");
    assert_eq!((all.comments[0].author.as_deref(), all.comments[0].own), (Some("Bea"), false));
    let act = async |id: &str, act: CommentAction| {
        facebook.after.act_on_comment(&access, &post, id, &act).await
    };
    let thanks = || CommentAction::Reply("Thank you".to_owned());
    let first = act(&ids[0], thanks()).await.unwrap().unwrap();
    let second = act(&first.id, thanks()).await.unwrap().unwrap();
    let found = async |id: &str| -> Option<Comment> {
        read().await.comments.into_iter().find(|comment| comment.id == id)
    };
    assert!(found(&second.id).await.unwrap().own);
    act(&first.id, CommentAction::Edit("Thanks!".to_owned())).await.unwrap();
    assert_eq!(found(&first.id).await.unwrap().text, "Thanks!");
    let theirs = act(&ids[1], CommentAction::Edit("x".to_owned())).await.unwrap_err();
    assert_eq!(theirs.kind, Kind::Permanent, "{theirs}");
    act(&ids[1], CommentAction::Hide).await.unwrap();
    assert!(found(&ids[1]).await.unwrap().hidden);
    act(&ids[1], CommentAction::Unhide).await.unwrap();
    assert!(!found(&ids[1]).await.unwrap().hidden);
    for (like, count) in [(CommentAction::Like, 1), (CommentAction::Unlike, 0)] {
        for _ in 0..2 {
            act(&ids[2], like.clone()).await.unwrap();
            assert_eq!(found(&ids[2]).await.unwrap().like_count, Some(count));
        }
    }
    for _ in 0..2 {
        act(&ids[3], CommentAction::Delete).await.unwrap();
        assert_eq!(found(&ids[3]).await, None);
    }
    for kind in [CommentAction::Delete, CommentAction::Edit("x".to_owned())] {
        let error = act(&post.remote.id, kind).await.unwrap_err();
        assert_eq!(error.message, "That is not a comment.");
    }
    let own = act(&first.id, CommentAction::Hide).await.unwrap_err();
    assert_eq!(own.kind, Kind::Permanent);
}

#[tokio::test]
async fn what_breaks_at_a_comment_is_said() {
    let facebook = Facebook::new().await;
    let post = published(&facebook, 1, "").await;
    let (_, bea) = facebook.page("Bea").await;
    let path = format!("/{}/comments", post.remote.id);
    let made = facebook.ask(&bea, &path, &[("message", "first")]).await;
    let id = made["id"].as_str().unwrap();
    let access = facebook.access();
    for (kind, want) in [
        ("error500", Kind::Temporary),
        ("reset_after", Kind::Temporary),
        ("timeout", Kind::Temporary),
        ("permanent", Kind::Permanent),
    ] {
        for act in
            [CommentAction::Reply("Hello".to_owned()), CommentAction::Hide, CommentAction::Like]
        {
            let fault = json!({ "operation": "comment", "kind": kind, "afterMs": 20 });
            facebook.world.fault(fault.clone()).await;
            let failed = facebook.after.act_on_comment(&access, &post, id, &act).await;
            assert_eq!(failed.unwrap_err().kind, want, "{kind} {act:?}");
            facebook.world.fault(fault).await;
            let failed = facebook.after.comments(&access, &post).await.unwrap_err();
            assert_eq!(failed.kind, want, "{kind}");
        }
    }
    // Nothing of the replies was left behind.
    assert_eq!(facebook.world.live().await.len(), 2);
}

#[tokio::test]
async fn figures_of_posts_and_videos_and_followers() {
    let facebook = Facebook::new().await;
    let access = facebook.access();
    let every = [
        Metric::Views,
        Metric::Reach,
        Metric::Likes,
        Metric::Comments,
        Metric::Shares,
        Metric::Clicks,
    ];
    for (target, form) in [(1, ""), (2, "image/png"), (3, "video/mp4")] {
        let posts = [published(&facebook, target, form).await];
        let found = facebook.after.figures(&access, &posts).await.unwrap().remove(0).unwrap();
        let mut want = every.to_vec();
        want.extend((form == "video/mp4").then_some(Metric::VideoViews));
        assert_eq!(found.0.keys().copied().collect::<Vec<_>>(), want, "{form}");
        assert_eq!(found.0[&Metric::Likes], 4.0);
        for (kind, want) in [("error500", Kind::Temporary), ("expired_token", Kind::Reconnect)] {
            if kind == "expired_token" && target < 3 {
                continue;
            }
            facebook.world.fault(json!({ "operation": "metrics", "kind": kind })).await;
            let failed = facebook.after.figures(&access, &posts).await.unwrap_err();
            assert_eq!(failed.kind, want, "{form} {kind}");
        }
        if target < 3 {
            assert_eq!(facebook.after.followers(&access).await.unwrap(), Some(96));
        }
    }
    assert_eq!(facebook.after.mentions(&access, "ana").await.unwrap(), []);
    let posts = [facebook.live_post(scheduler_core::target::Remote::new("1_2", None), 0)];
    let insights = facebook.after.insights(&access, &posts[0]).await.unwrap();
    assert_eq!(insights, None);
    let boards = facebook.after.boards(&access).await.unwrap_err();
    assert_eq!(boards.code, FailureCode::Unsupported);
}
