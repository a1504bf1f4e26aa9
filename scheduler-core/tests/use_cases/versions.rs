//! What a post has said before, and going back there.

use chrono::TimeDelta;
use scheduler_core::ids::{PostId, PostVersionId};
use scheduler_core::post::{PostInput, PostPart, PostStatus, VERSION_SPAN, VersionKind};
use scheduler_core::uuid::Uuid;
use serde_json::{Value, json};

use crate::support::{World, body, done, outcome, refused};

/// The texts of the versions, newest first, with a `*` before the one that the post says now.
fn texts(world: &World, id: PostId) -> Vec<String> {
    let versions = done(world.scheduler.versions(&world.caller, id)).unwrap();
    let text = |view: &scheduler_core::app::VersionView| {
        format!("{}{}", if view.is_current { "*" } else { "" }, view.post.content)
    };
    versions.iter().map(text).collect()
}

fn version(world: &World, id: PostId, text: &str) -> PostVersionId {
    let versions = done(world.scheduler.versions(&world.caller, id)).unwrap();
    versions.iter().find(|view| view.post.content == text).unwrap().version.id
}

fn input(body: Value) -> PostInput {
    serde_json::from_value(body).unwrap()
}

/// A draft, and a change to it after what is written at a stretch has ended.
fn draft(world: &World) -> PostId {
    let fields = json!({"saveAsDraft": true, "content": "one", "labels": ["a"]});
    let id = world.create(body(&["bluesky", "mastodon"], fields)).id;
    world.clock.advance(VERSION_SPAN);
    let change = json!({"content": "two", "targets": [{"platform": "mastodon", "options": {"caption": "own"}}]});
    world.patch(id, change).unwrap();
    id
}

#[test]
fn each_stretch_of_writing_is_a_version() {
    let world = World::new();
    let id = draft(&world);
    assert_eq!(texts(&world, id), ["*two", "one"]);
    world.clock.advance(TimeDelta::seconds(5));
    world.patch(id, json!({"content": "two and more"})).unwrap();
    assert_eq!(texts(&world, id), ["*two and more", "one"], "written at a stretch");
    let views = done(world.scheduler.versions(&world.caller, id)).unwrap();
    assert_eq!(views[0].changed, [PostPart::Text, PostPart::OwnTexts, PostPart::Accounts]);
    assert_eq!(views[1].changed, [], "the oldest");
    assert!(views.iter().all(|view| view.version.by.is_some()), "who has written it");
    done(world.scheduler.close_version(&world.caller, id)).unwrap();
    world.patch(id, json!({"content": "three"})).unwrap();
    assert_eq!(texts(&world, id), ["*three", "two and more", "one"]);
    world.patch(id, json!({"scheduledAt": "2027-01-01T09:00:00Z"})).unwrap();
    assert_eq!(texts(&world, id).len(), 3, "a time is nothing that is written");
}

#[test]
fn a_post_says_again_what_it_has_said() {
    let world = World::new();
    let id = draft(&world);
    let restored =
        done(world.scheduler.restore_version(&world.caller, id, version(&world, id, "one"), None));
    let restored = restored.unwrap();
    assert_eq!((restored.content.as_str(), restored.targets.len()), ("one", 2));
    assert_eq!(
        (restored.status, &*restored.annotations.labels),
        (PostStatus::Draft, &["a".to_owned()][..])
    );
    assert_eq!(texts(&world, id), ["*one", "two", "one"], "what it said stays");

    // A scheduled post keeps its time, and another's change is not overwritten.
    world.patch(id, json!({"scheduledAt": "2027-01-01T09:00:00Z"})).unwrap();
    let two = version(&world, id, "two");
    let stale = world.scheduler.restore_version(&world.caller, id, two, Some(&[1]));
    assert_eq!(outcome(&refused(done(stale))), "stale");
    let post = done(world.scheduler.restore_version(&world.caller, id, two, None)).unwrap();
    assert_eq!((post.content.as_str(), post.status), ("two", PostStatus::Scheduled));
    assert_eq!(post.targets[0].options["caption"], "own");
    let unknown = PostVersionId(Uuid::nil());
    let unknown = world.scheduler.restore_version(&world.caller, id, unknown, None);
    assert_eq!(outcome(&refused(done(unknown))), "not_found");
}

#[test]
fn what_another_window_has_written_is_kept_beside() {
    let world = World::new();
    let id = draft(&world);
    let mine = input(json!({"content": "mine", "saveAsDraft": true, "allowIssues": true}));
    assert!(!done(world.scheduler.says_already(&world.caller, id, &mine)).unwrap());
    for _ in 0..2 {
        done(world.scheduler.keep_beside(&world.caller, id, &mine)).unwrap();
    }
    assert_eq!(texts(&world, id), ["mine", "*two", "one"], "once");
    let views = done(world.scheduler.versions(&world.caller, id)).unwrap();
    assert_eq!(views[0].version.kind, VersionKind::Beside);
    assert_eq!(world.post(id).content, "two", "the post has never said it");
    world.patch(id, json!({"content": "mine"})).unwrap();
    assert!(done(world.scheduler.says_already(&world.caller, id, &mine)).unwrap());
    assert_eq!(texts(&world, id), ["*mine", "mine", "two", "one"]);
}
