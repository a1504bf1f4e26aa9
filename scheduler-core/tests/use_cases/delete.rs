//! Deleting and cancelling posts.

use chrono::TimeDelta;
use scheduler_core::key::Scope;
use scheduler_core::platform::Platform;
use scheduler_core::post::PostStatus;
use scheduler_core::target::TargetStatus;
use serde_json::json;

use crate::states::{post_that_is, post_with_targets};
use crate::support::{World, at, body, done, outcome, refused, statuses};

#[test]
fn by_status() {
    for (name, want, after) in [
        ("draft", "ok", None),
        ("scheduled", "ok", Some("canceled: skipped")),
        ("publishing", "in_flight", Some("publishing: publishing")),
        ("done", "ok", None),
        ("canceled", "ok", None),
    ] {
        let world = World::new();
        let post = post_that_is(&world, name);
        assert_eq!(outcome(&world.delete(post.id)), want, "{name}");
        assert_eq!(world.is_stored(post.id), after.is_some(), "{name}");
        if let Some(after) = after {
            assert_eq!(statuses(&world.post(post.id)), after, "{name}");
        } else {
            assert_eq!(outcome(&world.delete(post.id)), "not_found", "{name}: it is gone");
        }
    }
}

#[test]
fn what_is_left_of_a_post_that_has_begun_is_skipped() {
    let world = World::new();
    let post = post_with_targets(&world, [TargetStatus::Published, TargetStatus::Pending]);
    world.clock.advance(TimeDelta::seconds(30));
    world.delete(post.id).unwrap();
    let after = world.post(post.id);
    assert_eq!(statuses(&after), "canceled: published skipped");
    assert_eq!(after.updated_at, world.now());
    assert!(world.work_after(TimeDelta::days(2)).is_empty());
    assert_eq!(world.store.events().len(), 1, "a skipped target tells nothing");
}

#[test]
fn a_cancelled_post_frees_its_slots_and_is_still_shown() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"queue": true})));
    world.delete(post.id).unwrap();
    let shown = refused(done(world.scheduler.post(&world.caller, post.id))).unwrap();
    assert_eq!(shown.status, PostStatus::Canceled);
    assert_eq!((shown.targets[0].due_at(), shown.targets[0].slot_at()), (None, None));
    let next = world.create(body(&["bluesky"], json!({"queue": true})));
    assert_eq!(next.scheduled_at, Some(at("2026-11-21T13:00:00Z")));
}

#[test]
fn the_key_of_a_removed_post_can_be_used_again() {
    let world = World::new();
    let draft = || body(&["bluesky"], json!({"saveAsDraft": true}));
    let first = world.create_keyed(&world.caller, draft(), Some("one and only")).unwrap();
    world.delete(first.value.id).unwrap();
    let second = world.create_keyed(&world.caller, draft(), Some("one and only")).unwrap();
    assert!(second.is_new());
}

#[test]
fn what_is_refused() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"saveAsDraft": true})));
    for scope in Scope::ALL {
        let want = match scope {
            Scope::PostsWrite | Scope::All => continue,
            _ => "forbidden",
        };
        let caller = world.caller_with(&[scope]);
        let deleted = refused(done(world.scheduler.delete_post(&caller, post.id, None)));
        assert_eq!(outcome(&deleted), want, "{scope}");
    }
    let deleted = refused(done(world.scheduler.delete_post(&world.stranger(), post.id, None)));
    assert_eq!(outcome(&deleted), "not_found");
    assert!(world.is_stored(post.id));
    let scheduled = world.create(body(&[Platform::Bluesky.as_str()], json!({"queue": true})));
    let write = world.caller_with(&[Scope::PostsWrite]);
    let canceled = refused(done(world.scheduler.delete_post(&write, scheduled.id, None)));
    assert_eq!(outcome(&canceled), "ok", "cancelling needs no more than posts:write");
}
