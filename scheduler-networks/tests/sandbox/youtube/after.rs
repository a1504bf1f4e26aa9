//! What comes after publishing.

use scheduler_core::ports::{
    Comment, CommentAction, Figures, Metric, NetworkErrorKind as Kind, PlaylistPrivacy, RemoteEdit,
};
use scheduler_core::target::FailureCode;
use serde_json::json;

use super::here::Here;

#[tokio::test]
async fn a_video_is_changed_and_taken_down_once_and_for_all() {
    let here = Here::new().await;
    let options = json!({ "tags": ["kept"], "firstComment": "goes with it" });
    let post = here.published(1, &options).await;
    let edit = RemoteEdit { content: Some("New text".to_owned()), title: Some("New".to_owned()) };
    for _ in 0..2 {
        assert_eq!(here.after.edit(&here.access(), &post, &edit).await, Ok(()));
    }
    assert_eq!(here.world.texts().await, ["New\n\nNew text", "goes with it"]);
    let path = format!("/youtube/v3/videos?part=snippet&id={}", post.remote.id);
    let snippet = here.get(&path).await["items"][0]["snippet"].clone();
    assert_eq!(snippet["tags"], json!(["kept"]), "what was not changed is still there");
    let refused = RemoteEdit { title: Some("a < b".to_owned()), content: None };
    let error = here.after.edit(&here.access(), &post, &refused).await.unwrap_err();
    assert_eq!(error.code, FailureCode::ValidationFailed, "{error}");
    for _ in 0..2 {
        assert_eq!(here.after.take_down(&here.access(), &post).await, Ok(()));
        assert_eq!(here.world.texts().await, Vec::<String>::new());
    }
    let error = here.after.edit(&here.access(), &post, &edit).await.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
}

#[tokio::test]
async fn comments_are_read_answered_changed_hidden_and_deleted() {
    let here = Here::new().await;
    let post = here.published(1, &json!({ "firstComment": "First" })).await;
    let (ben, access) = (here.other().await, here.access());
    let after = &here.after;
    let read = || async { after.comments(&access, &post).await.unwrap().unwrap() };
    let act = async |comment: &Comment, act: CommentAction| {
        after.act_on_comment(&access, &post, &comment.id, &act).await
    };
    let bens = here.access_of(&ben);
    let first = read().await.comments.remove(0);
    assert_eq!((first.text.as_str(), first.own, first.hidden), ("First", true, false));
    let reply = CommentAction::Reply("Hello & hi".to_owned());
    let others = after.act_on_comment(&bens, &post, &first.id, &reply).await.unwrap().unwrap();
    assert!(others.own && others.id.starts_with(&format!("{}.", first.id)));

    let mine = act(&others, CommentAction::Reply("Thanks".to_owned())).await.unwrap().unwrap();
    assert_eq!(act(&mine, CommentAction::Edit("Thank you".to_owned())).await, Ok(None));
    let all = read().await;
    assert!(all.rights.reply && all.rights.hide && all.rights.delete && !all.rights.like);
    let mut texts: Vec<(&str, bool)> =
        all.comments.iter().map(|comment| (comment.text.as_str(), comment.own)).collect();
    texts.sort_unstable();
    assert_eq!(texts, [("First", true), ("Hello & hi", false), ("Thank you", true)]);

    assert_eq!(act(&first, CommentAction::Hide).await, Ok(None));
    let held = read().await.comments;
    let first_now = held.iter().find(|comment| comment.id == first.id).unwrap();
    assert!(first_now.hidden);
    assert_eq!(act(&first, CommentAction::Unhide).await, Ok(None));
    assert!(read().await.comments.iter().all(|comment| !comment.hidden));
    // Another's is rejected, one's own is deleted, and both may be asked for again.
    for comment in [&others, &mine] {
        for _ in 0..2 {
            assert_eq!(act(comment, CommentAction::Delete).await, Ok(None));
        }
    }
    assert_eq!(read().await.comments.len(), 1);
    let error = act(&first, CommentAction::Like).await.unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);

    for (kind, want) in [
        ("error500", Kind::Unsettled),
        ("reset_after", Kind::InDoubt),
        ("permanent", Kind::Permanent),
    ] {
        here.world.fault(json!({ "operation": "comment", "kind": kind })).await;
        let error = act(&first, CommentAction::Reply("x".to_owned())).await.unwrap_err();
        assert_eq!(error.kind, want, "{kind}");
    }
    here.world.fault(json!({ "operation": "comment", "kind": "permanent" })).await;
    assert_eq!(read().await, scheduler_core::ports::Comments::default(), "switched off");
}

#[tokio::test]
async fn figures_followers_and_insights() {
    let here = Here::new().await;
    let (first, second) = (
        here.published(1, &json!({ "firstComment": "x" })).await,
        here.published(2, &json!({})).await,
    );
    let (access, after) = (here.access(), &here.after);
    let posts = [second.clone(), first.clone()];
    let figures = after.figures(&access, &posts).await.unwrap();
    let of = |comments: f64| {
        let pairs = [(Metric::Views, 240.0), (Metric::Likes, 12.0), (Metric::Comments, comments)];
        Some(Figures(pairs.into_iter().collect()))
    };
    assert_eq!(figures, [of(0.0), of(1.0)]);
    assert_eq!(after.followers(&access).await, Ok(Some(512)));
    let insights = after.insights(&access, &first).await.unwrap().unwrap();
    assert_eq!(insights.retention.len(), 100);
    assert_eq!(insights.traffic_sources[0].source, "YT_SEARCH");
    for (kind, want) in [
        ("error500", Kind::Temporary),
        ("reset_before", Kind::Temporary),
        ("rate_limited", Kind::RateLimited { wait: None }),
        ("permanent", Kind::Permanent),
        ("expired_token", Kind::TokenExpired),
    ] {
        here.world.fault(json!({ "operation": "metrics", "kind": kind })).await;
        assert_eq!(after.figures(&access, &posts).await.unwrap_err().kind, want, "{kind}");
    }
    let uploads = "https://www.googleapis.com/auth/youtube.upload https://www.googleapis.com/auth/youtube.readonly";
    let alone = Here::granting(Some(uploads)).await;
    let post = alone.published(1, &json!({})).await;
    assert_eq!(alone.after.insights(&alone.access(), &post).await, Ok(None));
    assert_eq!(alone.after.comments(&alone.access(), &post).await, Ok(None));
    assert_eq!(alone.after.mentions(&alone.access(), "x").await, Ok(Vec::new()));
}

#[tokio::test]
async fn a_playlist_is_made_once() {
    let here = Here::new().await;
    let (access, after) = (here.access(), &here.after);
    let create =
        async |title: &str| after.create_playlist(&access, title, PlaylistPrivacy::Unlisted).await;
    let made = create("Walks").await.unwrap();
    assert!(!made.duplicate);
    assert_eq!(made.playlist.privacy, PlaylistPrivacy::Unlisted);
    let again = create("Walks").await.unwrap();
    assert!(again.duplicate);
    assert_eq!(again.playlist, made.playlist);
    for number in 0..51 {
        assert!(!create(&format!("List {number}")).await.unwrap().duplicate);
    }
    assert!(create("List 50").await.unwrap().duplicate, "also on another page");
    assert_eq!(after.playlists(&access).await.unwrap().len(), 52);
    let error = create(" ").await.unwrap_err();
    assert_eq!(error.code, FailureCode::ValidationFailed, "{error}");
}
