//! Pointing a target at another account.

use chrono::TimeDelta;
use scheduler_core::engine::Ran;
use scheduler_core::error::Refusal;
use scheduler_core::ids::{AccountId, TargetId};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{PostStore as _, SaveOutcome, Step};
use scheduler_core::post::Post;
use serde_json::json;

use crate::fakes::{live, step};
use crate::support::{World, body, done, refused, statuses, target_of};

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
    assert_eq!(world.work(), [Ran::PublishWaits]);
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
    let progress = target_of(&post, Platform::Bluesky).progress.clone().unwrap();
    assert_eq!(progress.state, step(2));
}
