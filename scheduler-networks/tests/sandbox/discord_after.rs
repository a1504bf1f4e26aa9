//! Discord after publishing.

use scheduler_core::ports::{
    Access, CommentAction, CommentRights, LivePost, Metered, Metric, NetworkErrorKind as Kind,
    RemoteEdit,
};
use scheduler_core::target::FailureCode;
use serde_json::{Map, json};

use crate::discord::{Place, after, world};
use crate::support::{World, present};

fn access(world: &World) -> Access {
    let job = world.job(1, "", &json!({}));
    Access {
        account: job.account,
        credentials: job.credentials,
        now: present(),
        meter: Metered::free(),
    }
}

/// Publishes a post, and gives it as it is kept.
async fn live(world: &World, place: Place, options: serde_json::Value) -> LivePost {
    let mut all = place.options();
    all.as_object_mut().unwrap().extend(options.as_object().cloned().unwrap_or_else(Map::new));
    let job = world.job(1, "Hello", &all);
    let (remote, failures) = world.publish(job.clone()).await;
    assert_eq!(failures, [], "{place:?}");
    LivePost {
        target_id: job.target_id,
        remote: remote.unwrap(),
        content: job.content,
        link_url: None,
        file_count: 0,
        options: job.options,
        published_at: present(),
    }
}

#[tokio::test]
async fn a_post_is_changed_and_taken_down_everywhere() {
    for place in Place::ALL {
        let world = world(place).await;
        let (after, access) = (after(&world.sandbox), access(&world));
        let post = live(&world, place, json!({})).await;
        let change = RemoteEdit { content: Some("Changed".to_owned()), title: None };
        for fault in ["", "rate_limited", "error500", "reset_before", "reset_after"] {
            if !fault.is_empty() {
                world.fault(json!({ "operation": "any", "kind": fault })).await;
                let error = after.edit(&access, &post, &change).await.unwrap_err();
                let is_for_now = matches!(error.kind, Kind::Temporary | Kind::RateLimited { .. });
                assert!(is_for_now, "{place:?} {fault}: {error}");
            }
            after.edit(&access, &post, &change).await.unwrap();
            assert_eq!(world.texts().await, ["Changed"], "{place:?} {fault}");
        }
        world.fault(json!({ "operation": "any", "kind": "error500" })).await;
        let error = after.take_down(&access, &post).await.unwrap_err();
        assert_eq!(error.kind, Kind::Temporary, "{place:?}: {error}");
        for _ in 0..2 {
            after.take_down(&access, &post).await.unwrap();
            assert_eq!(world.texts().await, Vec::<String>::new(), "{place:?}");
        }
        let error = after.edit(&access, &post, &change).await.unwrap_err();
        assert_eq!(error.kind, Kind::Permanent, "{place:?}: {error}");
    }
}

#[tokio::test]
async fn comments_are_read_and_moderated() {
    for place in [Place::Text, Place::Forum] {
        let world = world(place).await;
        let (after, access) = (after(&world.sandbox), access(&world));
        let post = live(&world, place, json!({ "threadName": "Talk" })).await;
        let read = async || after.comments(&access, &post).await.unwrap().unwrap();
        let empty = read().await;
        assert_eq!(empty.comments, [], "{place:?}");
        let all = CommentRights { reply: true, edit: true, hide: false, like: true, delete: true };
        assert_eq!(empty.rights, all);

        // The post itself stands in the thread of a forum, and can be answered there.
        let first = match place.is_forum() {
            true => post.remote.id.clone(),
            false => say(&world, &post.remote.id).await,
        };
        let act = async |comment: &str, act: CommentAction| {
            after.act_on_comment(&access, &post, comment, &act).await
        };
        let made = act(&first, CommentAction::Reply("Thanks".to_owned())).await.unwrap().unwrap();
        assert!(made.own && made.text == "Thanks", "{made:?}");
        assert_eq!(act(&made.id, CommentAction::Edit("Thank you".to_owned())).await, Ok(None));
        assert_eq!(act(&made.id, CommentAction::Like).await, Ok(None));
        let seen = read().await.comments.into_iter().find(|known| known.id == made.id).unwrap();
        assert_eq!((seen.text.as_str(), seen.like_count), ("Thank you", Some(1)), "{place:?}");
        assert_eq!(act(&made.id, CommentAction::Unlike).await, Ok(None));
        for (kind, want) in [
            ("error500", Kind::Unsettled),
            ("reset_before", Kind::InDoubt),
            ("permanent", Kind::Permanent),
        ] {
            world.fault(json!({ "operation": "comment", "kind": kind })).await;
            let error = act(&first, CommentAction::Reply("x".to_owned())).await.unwrap_err();
            assert_eq!(error.kind, want, "{place:?} {kind}");
        }
        for _ in 0..2 {
            assert_eq!(act(&made.id, CommentAction::Delete).await, Ok(None), "{place:?}");
        }
        assert!(read().await.comments.iter().all(|known| known.id != made.id));
        let error = act(&made.id, CommentAction::Hide).await.unwrap_err();
        assert_eq!(error.code, FailureCode::Unsupported);
    }
}

/// Says something in a thread, as the bot.
async fn say(world: &World, thread: &str) -> String {
    let kept: serde_json::Value =
        serde_json::from_str(world.connected.credentials.expose()).unwrap();
    let url = format!("{}/discord/api/v10/channels/{thread}/messages", world.sandbox.url());
    let client = reqwest::Client::builder().build().unwrap();
    let said = client
        .post(url)
        .header("user-agent", "DiscordBot (https://a.example, 1.0)")
        .header("authorization", format!("Bot {}", kept["token"].as_str().unwrap()))
        .json(&json!({ "content": "first" }))
        .send()
        .await
        .unwrap();
    let said: serde_json::Value = said.json().await.unwrap();
    said["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn figures_members_limits_and_names() {
    for place in [Place::Text, Place::Announcement, Place::Forum] {
        let world = world(place).await;
        let (after, access) = (after(&world.sandbox), access(&world));
        let post = live(&world, place, json!({ "threadName": "Talk" })).await;
        say(&world, &post.remote.id).await;
        let figures = after.figures(&access, std::slice::from_ref(&post)).await.unwrap();
        let figures = figures.into_iter().next().unwrap().unwrap().0;
        let figures: Vec<(Metric, f64)> = figures.into_iter().collect();
        assert_eq!(figures, [(Metric::Comments, 1.0), (Metric::Reactions, 0.0)], "{place:?}");
        assert_eq!(after.followers(&access).await, Ok(Some(4)));
        let limits = after.limits(&access).await.unwrap().unwrap();
        assert_eq!(limits.is_forum, place.is_forum().then_some(true));
        let names = after.mentions(&access, "@an").await.unwrap();
        let names: Vec<&str> = names.iter().map(|mention| mention.name.as_str()).collect();
        assert_eq!(names[..2], ["Ana of the sandbox", "Anton"]);

        for kind in ["error500", "rate_limited", "reset_before"] {
            world.fault(json!({ "operation": "metrics", "kind": kind })).await;
            let posts = std::slice::from_ref(&post);
            let error = after.figures(&access, posts).await.unwrap_err();
            let is_for_now = matches!(error.kind, Kind::Temporary | Kind::RateLimited { .. });
            assert!(is_for_now, "{place:?} {kind}: {error}");
        }
        after.take_down(&access, &post).await.unwrap();
        let gone = after.figures(&access, std::slice::from_ref(&post)).await;
        assert_eq!(gone, Ok(vec![None]), "{place:?}");
    }
}

#[tokio::test]
async fn a_webhook_reads_nothing() {
    let world = world(Place::Webhook).await;
    let (after, access) = (after(&world.sandbox), access(&world));
    let post = live(&world, Place::Webhook, json!({})).await;
    assert_eq!(after.comments(&access, &post).await, Ok(None));
    assert_eq!(after.figures(&access, std::slice::from_ref(&post)).await, Ok(vec![None]));
    assert_eq!(after.followers(&access).await, Ok(None));
    assert_eq!(after.limits(&access).await, Ok(None));
    assert_eq!(after.mentions(&access, "a").await, Ok(vec![]));
    let error = after.act_on_comment(&access, &post, "1", &CommentAction::Like).await.unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
}
