//! Trying failed targets again.

use chrono::TimeDelta;
use scheduler_core::engine::RunOutcome;
use scheduler_core::key::Scope;
use scheduler_core::media::{MediaKind, MediaStatus};
use scheduler_core::ports::{NetworkError, NetworkErrorKind as Kind};
use scheduler_core::target::{RetriesUsed, TargetStatus as T};
use serde_json::json;

use crate::states::{post_that_is, post_with_targets};
use crate::support::{World, body, done, outcome, refused, statuses};

#[test]
fn by_status_of_the_post() {
    for (name, want) in [
        ("draft", "nothing_to_retry"),
        ("scheduled", "nothing_to_retry"),
        ("publishing", "in_flight"),
        ("done", "nothing_to_retry"),
        ("canceled", "nothing_to_retry"),
    ] {
        let world = World::new();
        let post = post_that_is(&world, name);
        assert_eq!(outcome(&world.retry(post.id)), want, "{name}");
        assert_eq!(world.post(post.id), post, "{name}: nothing changes");
    }
}

#[test]
fn by_statuses_of_the_targets() {
    for (targets, want, after) in [
        ([T::Failed, T::Published], "ok", "publishing: pending published"),
        ([T::Published, T::Failed], "ok", "publishing: published pending"),
        ([T::Failed, T::Failed], "ok", "publishing: pending pending"),
        ([T::Failed, T::Pending], "ok", "publishing: pending pending"),
        ([T::Failed, T::Publishing], "in_flight", "publishing: failed publishing"),
        ([T::Published, T::Publishing], "in_flight", "publishing: published publishing"),
        ([T::Published, T::Pending], "nothing_to_retry", "publishing: published pending"),
        ([T::Published, T::Published], "nothing_to_retry", "done: published published"),
    ] {
        let world = World::new();
        let post = post_with_targets(&world, targets);
        assert_eq!(outcome(&world.retry(post.id)), want, "{targets:?}");
        assert_eq!(statuses(&world.post(post.id)), after, "{targets:?}");
    }
}

#[test]
fn a_retried_target_is_due_now_with_a_fresh_budget_and_keeps_count() {
    let world = World::new();
    let temporary = || Err(NetworkError::new(Kind::Temporary, "no"));
    world.network.script((0..6).map(|_| temporary()));
    let post = world.create(body(&["bluesky"], json!({"publishNow": true})));
    world.work_to_the_end();
    assert_eq!(statuses(&world.post(post.id)), "done: failed");
    let woken = world.wake.count();
    let retried = world.retry(post.id).unwrap();
    assert_eq!(world.wake.count(), woken + 1);
    let target = &retried.targets[0];
    assert_eq!((target.due_at(), target.spent), (Some(world.now()), RetriesUsed::NOTHING));
    assert_eq!((target.attempts, target.failure()), (6, None));
    world.network.script((0..6).map(|_| temporary()));
    let ran = world.work_to_the_end();
    assert_eq!(ran.iter().filter(|ran| **ran == RunOutcome::PublishDeferred).count(), 5);
    assert_eq!(world.post(post.id).targets[0].attempts, 12);
    assert_eq!(world.store.events().len(), 2, "trying has stopped twice");
}

#[test]
fn published_targets_are_left_alone() {
    let world = World::new();
    let post = post_with_targets(&world, [T::Published, T::Failed]);
    let retried = world.retry(post.id).unwrap();
    assert_eq!(retried.targets[0], post.targets[0]);
    world.work();
    let after = world.post(post.id);
    assert_eq!(after.targets[0], post.targets[0]);
    assert_eq!(statuses(&after), "done: published published");
}

#[test]
fn a_permanent_failure_fails_again_until_it_is_mended() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"queue": true})));
    let account = world.accounts()[0].clone();
    done(world.scheduler.disconnect_account(&account)).unwrap();
    world.work_to_the_end();
    for _ in 0..2 {
        let failure = world.post(post.id).targets[0].failure().cloned().unwrap();
        assert!(failure.permanent);
        world.retry(post.id).unwrap();
        assert_eq!(world.work(), [RunOutcome::PublishFailed]);
    }
    world.connect(account.platform, "me");
    world.retry(post.id).unwrap();
    assert_eq!(world.work(), [RunOutcome::Published]);
}

#[test]
fn a_post_whose_file_was_deleted() {
    let world = World::new();
    let file = world.file(MediaStatus::Ready);
    world.network.script([Err(NetworkError::new(Kind::Permanent, "no"))]);
    let fields = json!({"mediaIds": [file], "publishNow": true});
    let post = world.create(body(&["bluesky"], fields));
    world.work();
    world.put_file(&world.caller, file, MediaKind::Image, MediaStatus::Deleted);
    assert_eq!(outcome(&world.retry(post.id)), "media_unusable");
    assert_eq!(statuses(&world.post(post.id)), "done: failed");
}

#[test]
fn a_cancelled_post_is_not_retried() {
    let world = World::new();
    let post = post_with_targets(&world, [T::Failed, T::Pending]);
    world.delete(post.id).unwrap();
    assert_eq!(statuses(&world.post(post.id)), "canceled: failed skipped");
    let retried = world.retry(post.id);
    assert_eq!(outcome(&retried), "already_started");
    assert_eq!(retried.unwrap_err().message(), "This post is canceled and cannot go out any more.");
    assert!(world.work_after(TimeDelta::days(2)).is_empty());
}

#[test]
fn scopes() {
    let (write, publish) = (Scope::PostsWrite, Scope::PostsPublish);
    for (scopes, want) in [
        (vec![write], "forbidden"),
        (vec![publish], "forbidden"),
        (vec![write, publish], "ok"),
        (vec![Scope::All], "ok"),
    ] {
        let world = World::new();
        let post = post_with_targets(&world, [T::Published, T::Failed]);
        let caller = world.caller_with(&scopes);
        let retried = refused(done(world.scheduler.retry_post(&caller, post.id)));
        assert_eq!(outcome(&retried), want, "{scopes:?}");
        let stranger = world.stranger();
        let retried = refused(done(world.scheduler.retry_post(&stranger, post.id)));
        assert_eq!(outcome(&retried), "not_found");
    }
}
