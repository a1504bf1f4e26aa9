//! Pointing a target at another account.

use chrono::TimeDelta;
use scheduler_core::engine::RunOutcome;
use scheduler_core::error::Refusal;
use scheduler_core::ids::{AccountId, TargetId};
use scheduler_core::key::Scope;
use scheduler_core::media::{MediaKind, MediaStatus};
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{NetworkError, NetworkErrorKind, PostStore as _, SaveOutcome, Step};
use scheduler_core::post::Post;
use serde_json::json;

use crate::fakes::{live, step};
use crate::support::{World, body, done, outcome, refused, statuses, target_of};

fn moved(world: &World, post: &Post, target: TargetId, to: AccountId) -> Result<Post, Refusal> {
    let caller = &world.caller;
    let answered = refused(done(world.scheduler.move_target(caller, post.id, target, to)))?;
    assert_eq!(answered.targets, world.post(post.id).targets, "what is answered is what is stored");
    Ok(answered)
}

/// A post of which the first target is going out and the second waits for its time.
fn half_way(world: &World) -> Post {
    let until = world.now() + TimeDelta::minutes(1);
    world.network.script([Ok(Step::Wait { progress: step(1), until })]);
    let berlin = "Europe/Berlin".parse().unwrap();
    let bluesky = world.account(Platform::Bluesky);
    done(world.scheduler.set_account_timezone(&bluesky, Some(berlin))).unwrap();
    // Now in Berlin, in an hour in UTC.
    let post =
        world.create(body(&["bluesky", "mastodon"], json!({"scheduledLocal": "2026-11-21T13:00"})));
    assert_eq!(world.work(), [RunOutcome::PublishWaits]);
    let post = world.post(post.id);
    assert_eq!(statuses(&post), "publishing: publishing pending");
    post
}

#[test]
fn a_target_that_is_going_out_keeps_its_work_when_another_is_moved() {
    let world = World::new();
    let post = half_way(&world);
    let other = world.connect(Platform::Mastodon, "other");
    let waiting = target_of(&post, Platform::Mastodon).id;
    moved(&world, &post, waiting, other.id).unwrap();
    world.network.script([live(), live()]);
    world.work_to_the_end();
    assert_eq!(statuses(&world.post(post.id)), "done: published published");
}

#[test]
fn a_target_that_is_going_out_keeps_what_its_holder_wrote_down_meanwhile() {
    let world = World::new();
    let read = half_way(&world);
    let until = world.now() + TimeDelta::minutes(10);
    world.network.script([Ok(Step::Wait { progress: step(2), until })]);
    world.work_after(TimeDelta::minutes(1));
    assert_eq!(done(world.store.save_post(&read, u64::MAX)).unwrap(), SaveOutcome::Saved);
    let post = world.post(read.id);
    let progress = target_of(&post, Platform::Bluesky).progress().cloned().unwrap();
    assert_eq!(progress.state, step(2));
}

#[test]
fn by_status_of_the_post() {
    for (name, want) in [
        ("draft", "ok"),
        ("scheduled", "ok"),
        ("publishing", "already_started"),
        ("done", "already_started"),
        ("canceled", "already_started"),
    ] {
        let world = World::new();
        let post = crate::states::post_that_is(&world, name);
        let other = world.connect(Platform::Bluesky, "other");
        let result = moved(&world, &post, post.targets[0].id, other.id);
        assert_eq!(outcome(&result), want, "{name}");
    }
}

#[test]
fn scopes() {
    let (write, publish) = (Scope::PostsWrite, Scope::PostsPublish);
    for (status, scopes, want) in [
        ("draft", vec![write], "ok"),
        ("draft", vec![publish], "forbidden"),
        ("scheduled", vec![write], "forbidden"),
        ("scheduled", vec![publish], "forbidden"),
        ("scheduled", vec![write, publish], "ok"),
        ("failed", vec![write], "ok"),
        ("failed", vec![publish], "forbidden"),
    ] {
        let world = World::new();
        let post = if status == "failed" {
            failed(&world)
        } else {
            crate::states::post_that_is(&world, status)
        };
        let other = world.connect(Platform::Bluesky, "other");
        let caller = world.caller_with(&scopes);
        let target = post.targets[0].id;
        let moving = world.scheduler.move_target(&caller, post.id, target, other.id);
        let result = refused(done(moving));
        assert_eq!(outcome(&result), want, "{status} {scopes:?}");
    }
}

fn failed(world: &World) -> Post {
    world.network.script([Err(NetworkError::new(NetworkErrorKind::Permanent, "no"))]);
    let post = world.create(body(&["bluesky"], json!({"publishNow": true})));
    world.work();
    let post = world.post(post.id);
    assert_eq!(statuses(&post), "done: failed");
    post
}

#[test]
fn to_accounts_that_cannot_be_taken() {
    let world = World::new();
    let post = world.create(body(&["bluesky", "mastodon"], json!({"queue": true})));
    let target = target_of(&post, Platform::Bluesky).id;
    let gone = world.connect(Platform::Bluesky, "gone");
    done(world.scheduler.disconnect_account(&gone)).unwrap();
    let theirs = world.connect_for(&world.stranger(), Platform::Bluesky, "theirs");
    let of_mastodon = world.account(Platform::Mastodon);
    let unknown = AccountId(uuid::Uuid::nil());
    for (name, to, want) in [
        ("disconnected", gone.id, "account_not_connected"),
        ("of another workspace", theirs.id, "not_found accountId"),
        ("unknown", unknown, "not_found accountId"),
        ("of another network", of_mastodon.id, "invalid_request accountId"),
    ] {
        assert_eq!(outcome(&moved(&world, &post, target, to)), want, "{name}");
    }
    let other = world.connect(Platform::Bluesky, "other");
    let free = world.caller_on(Plan::Free);
    let paused = refused(done(world.scheduler.move_target(&free, post.id, target, other.id)));
    assert_eq!(outcome(&paused), "channel_limit");
    assert_eq!(paused.unwrap_err().upgrade_to().map(Plan::as_str), Some("pro"));
    let no_target = moved(&world, &post, TargetId(uuid::Uuid::nil()), other.id);
    assert_eq!(outcome(&no_target), "not_found");
    let stranger = world.caller_with(&[]);
    let forbidden =
        refused(done(world.scheduler.move_target(&stranger, post.id, target, other.id)));
    assert_eq!(outcome(&forbidden), "forbidden");
    assert_eq!(world.post(post.id), post, "nothing changes");
}

#[test]
fn a_moved_target_keeps_its_time_gives_up_its_slot_and_goes_out_there() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"queue": true})));
    let other = world.connect(Platform::Bluesky, "other");
    let new = moved(&world, &post, post.targets[0].id, other.id).unwrap();
    assert_eq!(new.targets[0].due_at(), post.targets[0].due_at());
    assert_eq!(new.targets[0].slot_at(), None);
    let first = world.accounts()[0].id;
    let target = json!([{"platform": "bluesky", "accountId": first}]);
    let next = world.create(json!({"content": "Hello", "queue": true, "targets": target}));
    assert_eq!(next.scheduled_at, post.scheduled_at, "the slot is free again");
    world.clock.set(post.scheduled_at.unwrap());
    world.work();
    let names: Vec<String> = world
        .network
        .jobs
        .lock()
        .unwrap()
        .iter()
        .filter(|job| job.target_id == post.targets[0].id)
        .map(|job| job.account.network_id.clone())
        .collect();
    assert_eq!(names, ["other"]);
}

#[test]
fn a_failed_target_stays_failed_and_begins_anew_on_a_retry() {
    let world = World::new();
    world.network.script([
        Ok(Step::Next(step(1))),
        Err(NetworkError::new(NetworkErrorKind::Permanent, "no")),
    ]);
    let post = world.create(body(&["bluesky"], json!({"publishNow": true})));
    world.work();
    let other = world.connect(Platform::Bluesky, "other");
    let new = moved(&world, &post, post.targets[0].id, other.id).unwrap();
    assert_eq!(statuses(&new), "done: failed");
    assert_eq!((new.targets[0].revision, new.targets[0].remote()), (1, None));
    world.network.take_calls();
    world.retry(post.id).unwrap();
    world.work();
    assert_eq!(world.network.take_calls(), ["advance 0 token-1"], "from the first step");
    assert_eq!(statuses(&world.post(post.id)), "done: published");
}

#[test]
fn a_video_that_youtube_holds_is_not_uploaded_twice() {
    let world = World::empty();
    world.connect(Platform::Youtube, "me");
    let video = world.file_of(&world.caller, MediaKind::Video, MediaStatus::Ready);
    world.network.script([
        Ok(Step::Next(step(1))),
        Err(NetworkError::new(NetworkErrorKind::Permanent, "no")),
    ]);
    let fields = json!({"mediaIds": [video], "publishNow": true});
    let post = world.create(body(&["youtube"], fields));
    world.work();
    let other = world.connect(Platform::Youtube, "other");
    let result = moved(&world, &post, post.targets[0].id, other.id);
    assert_eq!(outcome(&result), "video_on_youtube");
}
