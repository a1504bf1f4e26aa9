//! Taking back that a post was edited or cancelled.

use chrono::TimeDelta;
use scheduler_core::error::Refusal;
use scheduler_core::ids::PostId;
use scheduler_core::media::{MediaKind, MediaStatus};
use scheduler_core::platform::Platform;
use scheduler_core::post::{ChangeKind, Post, PostStatus, UNDO_WITHIN, Verdict};
use serde_json::{Value, json};

use crate::approvals::{say, show};
use crate::support::{World, at, body, done, outcome, refused, statuses};

fn undo(world: &World, id: PostId) -> Result<Post, Refusal> {
    refused(done(world.scheduler.undo_post(&world.caller, id, None)))
}

/// What can be undone: each post and what was done to it.
fn changes(world: &World) -> Vec<(PostId, ChangeKind)> {
    let changes = done(world.scheduler.changes_to_undo(&world.caller)).unwrap();
    changes.iter().map(|change| (change.post_id, change.change)).collect()
}

/// What a caller sees of a post but its revision and when it was changed.
fn shown(post: &Post) -> Value {
    let targets = post.targets.iter().map(|target| {
        json!([target.id, target.options, target.files, target.due_at(), target.slot_at()])
    });
    json!({
        "status": post.status, "content": post.content, "linkUrl": post.link_url,
        "mediaIds": post.media_ids, "altTexts": post.alt_texts, "disclosure": post.disclosure,
        "annotations": post.annotations, "timing": post.timing, "unfinished": post.unfinished,
        "scheduledAt": post.scheduled_at, "targets": targets.collect::<Vec<_>>(),
    })
}

#[test]
fn what_another_has_changed_since_is_not_taken_back() {
    let world = World::new();
    let id = world.create(body(&["bluesky"], json!({"saveAsDraft": true}))).id;
    world.patch(id, json!({"content": "mine"})).unwrap();
    let mine = world.post(id).revision;
    world.patch(id, json!({"content": "theirs"})).unwrap();
    let undone = |seen: i64| {
        let seen = [seen];
        let undone = world.scheduler.undo_post(&world.caller, id, Some(&seen));
        refused(done(undone)).map(|post| post.content)
    };
    assert_eq!(outcome(&undone(mine)), "stale");
    assert_eq!(world.post(id).content, "theirs");
    assert_eq!(undone(world.post(id).revision), Ok("mine".to_owned()));
}

#[test]
fn a_post_is_what_it_was_before() {
    for (name, fields) in [
        ("scheduled", json!({"scheduledAt": "2026-11-22T09:00:00Z", "labels": ["a"], "note": "n"})),
        ("at a local time", json!({"scheduledLocal": "2026-11-22T09:00"})),
        ("queued", json!({"queue": true, "metadata": {"k": "v"}, "linkUrl": "https://e.example/"})),
        ("a draft", json!({"saveAsDraft": true})),
        ("an unfinished draft", json!({"saveAsDraft": true, "allowIssues": true, "content": ""})),
    ] {
        let world = World::new();
        let networks = ["bluesky", "mastodon"];
        let before = world.create(body(&networks, fields));
        let edit = json!({
            "content": "Other", "linkUrl": null, "labels": ["b"], "note": null,
            "targets": [{"platform": "mastodon", "options": {"visibility": "unlisted"}}],
            "scheduledAt": "2026-11-25T09:00:00Z",
        });
        let edited = world.patch(before.id, edit).unwrap();
        assert_eq!(changes(&world), [(before.id, ChangeKind::Edited)], "{name}");
        let undone = undo(&world, before.id).unwrap();
        assert_eq!(shown(&undone), shown(&before), "{name}");
        assert_eq!(undone.revision, edited.revision + 1, "{name}");
        assert_eq!(world.post(before.id), undone, "{name}: it is stored");

        let again = undo(&world, before.id).unwrap();
        assert_eq!(shown(&again), shown(&edited), "{name}: the edit is brought back");
    }
}

#[test]
fn a_cancelled_post_goes_out_after_all() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"scheduledAt": "2026-11-22T09:00:00Z"})));
    world.delete(post.id).unwrap();
    assert_eq!(changes(&world), [(post.id, ChangeKind::Canceled)]);
    let undone = undo(&world, post.id).unwrap();
    assert_eq!(shown(&undone), shown(&post));
    assert!(changes(&world).is_empty(), "it can be cancelled again instead");
    world.clock.set(at("2026-11-22T09:00:01Z"));
    world.work_to_the_end();
    assert_eq!(statuses(&world.post(post.id)), "done: published");
}

#[test]
fn only_the_last_change_is_taken_back_and_only_for_ten_minutes() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"scheduledAt": "2026-11-22T09:00:00Z"})));
    assert_eq!(outcome(&undo(&world, post.id)), "not_found", "nothing was changed");
    world.patch(post.id, json!({"content": "Two"})).unwrap();
    world.patch(post.id, json!({"content": "Three"})).unwrap();
    assert_eq!(undo(&world, post.id).unwrap().content, "Two");

    world.patch(post.id, json!({"content": "Four"})).unwrap();
    world.clock.advance(UNDO_WITHIN);
    assert_eq!(undo(&world, post.id).unwrap().content, "Two");
    world.patch(post.id, json!({"content": "Five"})).unwrap();
    world.clock.advance(UNDO_WITHIN + TimeDelta::seconds(1));
    assert_eq!(outcome(&undo(&world, post.id)), "not_found");
    assert!(changes(&world).is_empty());
    assert_eq!(world.post(post.id).content, "Five");
}

#[test]
fn what_has_begun_is_not_taken_back() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"scheduledAt": "2026-11-21T12:05:00Z"})));
    world.patch(post.id, json!({"content": "Two"})).unwrap();
    world.clock.set(at("2026-11-21T12:05:01Z"));
    world.work_to_the_end();
    assert_eq!(outcome(&undo(&world, post.id)), "already_started");
    world.delete(post.id).unwrap();
    assert_eq!(outcome(&undo(&world, post.id)), "not_found", "its record is gone");
}

#[test]
fn a_post_whose_time_has_passed_is_a_draft() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"scheduledAt": "2026-11-21T12:05:00Z"})));
    world.delete(post.id).unwrap();
    world.clock.set(at("2026-11-21T12:06:00Z"));
    let undone = undo(&world, post.id).unwrap();
    assert_eq!((undone.status, undone.scheduled_at), (PostStatus::Draft, None));
    assert_eq!(undone.content, post.content);
    assert!(world.work_after(TimeDelta::days(1)).is_empty(), "it does not go out by itself");
}

#[test]
fn what_waits_for_its_client_past_its_time_waits_again() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"scheduledAt": "2026-11-21T12:05:00Z"})));
    let asked = show(&world, post.id).unwrap();
    world.clock.set(at("2026-11-21T12:06:00Z"));
    world.work();
    let waiting = world.post(post.id);
    assert!(waiting.targets[0].waits_for_approval() && waiting.scheduled_at == post.scheduled_at);
    world.delete(post.id).unwrap();

    let undone = undo(&world, post.id).unwrap();
    assert_eq!((undone.status, undone.scheduled_at), (PostStatus::Scheduled, post.scheduled_at));
    world.work();
    let again = world.post(post.id);
    assert!(again.targets[0].waits_for_approval(), "the client is still asked");
    say(&world, &asked.pass, Verdict::Approve, "").unwrap();
    world.work_to_the_end();
    assert_eq!(statuses(&world.post(post.id)), "done: published");
}

#[test]
fn a_slot_that_another_post_took_is_not_taken_back() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"queue": true})));
    world.delete(post.id).unwrap();
    let other = world.create(body(&["bluesky"], json!({"queue": true})));
    assert_eq!(other.targets[0].slot_at(), post.targets[0].slot_at());
    assert_eq!(outcome(&undo(&world, post.id)), "slot_taken");
    assert_eq!(statuses(&world.post(post.id)), "canceled: skipped");
    world.delete(other.id).unwrap();
    assert_eq!(shown(&undo(&world, post.id).unwrap()), shown(&post));
}

#[test]
fn what_was_is_checked_as_a_new_post_is() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"scheduledAt": "2026-11-22T09:00:00Z"})));
    world.delete(post.id).unwrap();
    let account = world.account(Platform::Bluesky);
    done(world.scheduler.disconnect_account(&account)).unwrap();
    assert_eq!(outcome(&undo(&world, post.id)), "account_not_connected");

    let file = world.file(MediaStatus::Ready);
    let with_file = json!({"saveAsDraft": true, "mediaIds": [file]});
    let with_file = world.create(body(&["mastodon"], with_file));
    let timed = json!({"scheduledAt": "2026-11-22T09:00:00Z"});
    world.patch(with_file.id, timed).unwrap();
    world.patch(with_file.id, json!({"mediaIds": null})).unwrap();
    world.put_file(&world.caller, file, MediaKind::Image, MediaStatus::Failed);
    assert_eq!(outcome(&undo(&world, with_file.id)), "validation_failed", "its file has failed");
    assert_eq!(world.post(with_file.id).media_ids, []);

    let elsewhere = world.stranger();
    let theirs = refused(done(world.scheduler.undo_post(&elsewhere, post.id, None)));
    assert_eq!(outcome(&theirs), "not_found");
    assert!(done(world.scheduler.changes_to_undo(&elsewhere)).unwrap().is_empty());
}
