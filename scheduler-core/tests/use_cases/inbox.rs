//! The inbox: what others have written under live posts, and who is told.

use chrono::TimeDelta;
use scheduler_core::app::{CommentInput, WebhookInput};
use scheduler_core::engine::{LEASE, RunOutcome};
use scheduler_core::ids::TargetId;
use scheduler_core::inbox::{InboxInput, InboxPage, MarkInput};
use scheduler_core::platform::{Metric, Platform};
use scheduler_core::ports::{Comment, Comments, Figures, NetworkErrorKind as Kind};
use scheduler_core::post::Post;

use crate::after_support::{ScriptedAfter, comment, live_on, world_after};
use crate::publish::error;
use crate::support::{World, done, outcome, refused};

/// The network counts so many comments, and tells of these.
fn told(after: &ScriptedAfter, count: f64, comments: Vec<Comment>) {
    let counted = [(Metric::Likes, 3.0), (Metric::Comments, count)];
    *after.figures.lock().unwrap() = Some(Figures(counted.into()));
    let comments = Comments { comments, ..Comments::default() };
    *after.comments.lock().unwrap() = Some(comments);
}

fn inbox(world: &World) -> InboxPage {
    done(world.scheduler.inbox(&world.caller, &InboxInput::default())).unwrap()
}

/// What stands in the inbox, newest first; what is unread with a star.
fn shown(world: &World) -> String {
    let page = inbox(world);
    let unread = page.data.iter().filter(|comment| comment.unread).count() as u64;
    assert_eq!(page.unread, unread);
    let one = |comment: &scheduler_core::inbox::CommentView| {
        let star = if comment.unread { "*" } else { "" };
        format!("{}{star}", comment.comment_id)
    };
    page.data.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Takes the readings that are due after so many hours; what networks were asked.
fn after_hours(world: &World, after: &ScriptedAfter, hours: i64) -> Vec<String> {
    after.take_calls();
    world.clock.advance(TimeDelta::hours(hours));
    world.take_readings();
    after.take_calls()
}

fn live(platform: Platform) -> (World, std::sync::Arc<ScriptedAfter>, Post, TargetId) {
    let (world, after) = world_after();
    let (post, target) = live_on(&world, platform);
    world.take_readings();
    (world, after, post, target)
}

#[test]
fn comments_are_read_when_their_number_changes() {
    let (world, after, post, target) = live(Platform::Mastodon);
    let own = Comment { own: true, ..comment("mine", "Hello") };
    told(&after, 0.0, vec![]);
    assert_eq!(after_hours(&world, &after, 1), ["figures"], "there is none");
    told(&after, 2.0, vec![comment("c1", "First"), own.clone()]);
    assert_eq!(after_hours(&world, &after, 5), ["figures", "comments"]);
    assert_eq!(shown(&world), "c1*");
    let page = inbox(&world);
    let found = &page.data[0];
    assert_eq!((found.post_id, found.target_id), (post.id, target));
    assert_eq!((found.author.as_deref(), found.text.as_str()), (Some("somebody"), "First"));
    assert_eq!(found.at, world.now(), "the network does not say when it was written");
    assert_eq!(after_hours(&world, &after, 18), ["figures"], "as many as before");
    told(&after, 3.0, vec![comment("c1", "First"), comment("c2", "Second"), own]);
    assert_eq!(after_hours(&world, &after, 24), ["figures", "comments"]);
    assert_eq!(shown(&world), "c2* c1*");
    told(&after, 1.0, vec![comment("c2", "Second")]);
    assert_eq!(after_hours(&world, &after, 24), ["figures", "comments"], "one was taken back");
    assert_eq!(shown(&world), "c2* c1*", "what was there stays");
}

#[test]
fn comments_that_cannot_be_read_are_read_the_next_time() {
    let (world, after, ..) = live(Platform::Mastodon);
    told(&after, 1.0, vec![comment("c1", "First")]);
    // The call for figures succeeds; that for comments does not.
    let inner = std::sync::Arc::clone(&after);
    *after.meanwhile.lock().unwrap() = Some(Box::new(move || {
        let next = std::sync::Arc::clone(&inner);
        // The failure of the call after this one.
        *inner.meanwhile.lock().unwrap() =
            Some(Box::new(move || next.fail(error(Kind::Temporary))));
    }));
    assert_eq!(after_hours(&world, &after, 1), ["figures", "comments"]);
    assert_eq!(shown(&world), "");
    assert_eq!(after_hours(&world, &after, 5), ["figures", "comments"]);
    assert_eq!(shown(&world), "c1*");
}

#[test]
fn networks_whose_comments_cannot_be_read_are_not_asked() {
    for platform in Platform::ALL {
        let sheet = platform.sheet();
        let counts = sheet.metric_fields.contains(&Metric::Comments);
        assert!(counts || !sheet.can_read_comments, "{platform}: it would never be known");
    }
    let (world, after, ..) = live(Platform::Tiktok);
    told(&after, 1.0, vec![comment("c1", "First")]);
    assert_eq!(after_hours(&world, &after, 1), ["figures"]);
    assert_eq!(shown(&world), "");
}

#[test]
fn webhooks_that_name_it_are_told_once() {
    let (world, after, post, target) = live(Platform::Mastodon);
    let input = r#"{"url": "https://receiver.example/", "events": ["comment.received"]}"#;
    let input: WebhookInput = serde_json::from_str(input).unwrap();
    done(world.scheduler.create_webhook(&world.caller, input, None)).unwrap();
    told(&after, 1.0, vec![comment("c1", "First")]);
    after_hours(&world, &after, 1);
    told(&after, 2.0, vec![comment("c1", "First"), comment("c2", "Second")]);
    after_hours(&world, &after, 5);
    // The runs of readings have claimed the deliveries as well.
    world.clock.advance(LEASE);
    assert_eq!(world.work(), vec![RunOutcome::Delivered; 2]);
    let received = world.receiver.received.lock().unwrap();
    let bodies: Vec<serde_json::Value> =
        received.iter().map(|request| serde_json::from_str(&request.body).unwrap()).collect();
    let data = &bodies[0]["data"];
    assert_eq!(bodies[0]["event"], "comment.received");
    assert_eq!(data["postId"], post.id.to_string());
    assert_eq!(data["targetId"], target.to_string());
    assert_eq!((&data["commentId"], &data["text"]), (&"c1".into(), &"First".into()));
    assert_eq!(bodies[1]["data"]["commentId"], "c2");
}

#[test]
fn what_is_done_about_a_comment_shows() {
    let (world, after, post, target) = live(Platform::Mastodon);
    told(&after, 2.0, vec![comment("c1", "First"), comment("c2", "Second")]);
    after_hours(&world, &after, 1);
    let act = |id: &str, input: &str| {
        let input: CommentInput = serde_json::from_str(input).unwrap();
        let act = world.scheduler.act_on_comment(&world.caller, post.id, target, id, input, None);
        done(act).unwrap();
    };
    act("c1", r#"{"action": "reply", "text": "Thanks"}"#);
    assert_eq!(shown(&world).split(' ').filter(|one| one.ends_with('*')).count(), 1);
    act("c1", r#"{"action": "hide"}"#);
    let hidden = |world: &World| inbox(world).data.iter().filter(|one| one.hidden).count();
    assert_eq!(hidden(&world), 1);
    act("c1", r#"{"action": "unhide"}"#);
    assert_eq!(hidden(&world), 0);
    act("c1", r#"{"action": "like"}"#);
    act("c2", r#"{"action": "delete"}"#);
    assert_eq!(shown(&world), "c1");
}

#[test]
fn comments_are_marked_and_found() {
    let (world, after, ..) = live(Platform::Mastodon);
    let comments = (0..5).map(|index| comment(&format!("c{index}"), "text"));
    told(&after, 5.0, comments.collect());
    after_hours(&world, &after, 1);
    let mark = |input: &str| {
        let input: MarkInput = serde_json::from_str(input).unwrap();
        done(world.scheduler.mark_comments(&world.caller, input))
    };
    let first = inbox(&world).data[0].id;
    let marked = mark(&format!(r#"{{"ids": ["{first}"]}}"#)).unwrap();
    assert_eq!((marked.changed, marked.unread), (1, 4));
    let marked = mark(r#"{"all": true}"#).unwrap();
    assert_eq!((marked.changed, marked.unread), (4, 0));
    let marked = mark(&format!(r#"{{"ids": ["{first}"], "unread": true}}"#)).unwrap();
    assert_eq!((marked.changed, marked.unread), (1, 1));
    for (name, input) in [
        ("nothing", "{}"),
        ("none", r#"{"ids": []}"#),
        ("both", r#"{"ids": ["019d3608-3200-7000-8000-000000000001"], "all": true}"#),
        ("all: false", r#"{"all": false}"#),
    ] {
        assert_eq!(outcome(&refused(mark(input))), "invalid_request ids", "{name}");
    }

    let list = |input: InboxInput| done(world.scheduler.inbox(&world.caller, &input));
    let unread = InboxInput { unread: Some("true".to_owned()), ..InboxInput::default() };
    assert_eq!(list(unread).unwrap().data[0].id, first);
    let mut seen = Vec::new();
    let mut before = None;
    loop {
        let limit = Some("2".to_owned());
        let page = list(InboxInput { limit, before, ..InboxInput::default() }).unwrap();
        seen.extend(page.data.iter().map(|comment| comment.id));
        before = page.next_cursor;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(seen, inbox(&world).data.iter().map(|comment| comment.id).collect::<Vec<_>>());
    let text = |text: &str| Some(text.to_owned());
    for (field, input) in [
        ("unread", InboxInput { unread: text("yes"), ..InboxInput::default() }),
        ("accountId", InboxInput { account_id: text("me"), ..InboxInput::default() }),
        ("platform", InboxInput { platform: text("agora"), ..InboxInput::default() }),
        ("limit", InboxInput { limit: text("201"), ..InboxInput::default() }),
        ("before", InboxInput { before: text("x"), ..InboxInput::default() }),
    ] {
        assert_eq!(outcome(&refused(list(input))), format!("invalid_request {field}"));
    }
}

#[test]
fn comments_of_many_posts_are_read_in_several_runs() {
    let (world, after, ..) = live(Platform::Mastodon);
    *after.at_once.lock().unwrap() = 50;
    for _ in 0..11 {
        live_on(&world, Platform::Mastodon);
    }
    told(&after, 1.0, vec![comment("c1", "First")]);
    let asked = |calls: Vec<String>| calls.iter().filter(|call| *call == "comments").count();
    assert_eq!(asked(after_hours(&world, &after, 1)), 10);
    world.clock.advance(TimeDelta::minutes(10));
    world.take_readings();
    assert_eq!(after.take_calls(), ["figures", "comments", "comments"], "of the two others");
    assert_eq!(inbox(&world).data.len(), 12);
    assert_eq!(asked(after_hours(&world, &after, 5)), 0);
}
