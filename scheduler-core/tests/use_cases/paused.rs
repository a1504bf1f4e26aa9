//! Publishing through accounts that the plan no longer covers.

use chrono::TimeDelta;
use scheduler_core::engine::RunOutcome;
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::post::Post;
use scheduler_core::webhook::EventKind;
use serde_json::json;

use crate::publish::{fails, failure, target};
use crate::support::{World, body, done};

/// A world whose fourth account, of Discord, is beyond plan free, and a post to it due in an hour.
fn scheduled() -> (World, Post) {
    let world = World::new();
    world.connect(Platform::Discord, "fourth");
    let at = (world.now() + TimeDelta::hours(1)).to_rfc3339();
    let post = world.create(body(&["discord"], json!({"scheduledAt": at})));
    (world, post)
}

fn move_to(world: &World, plan: Plan) {
    done(world.scheduler.set_plan(&world.caller.workspace, plan)).unwrap();
}

/// What came of publishing, in the order of what came.
fn publishes(mut ran: Vec<RunOutcome>) -> Vec<RunOutcome> {
    ran.retain(|ran| {
        matches!(
            ran,
            RunOutcome::Published | RunOutcome::PublishFailed | RunOutcome::PublishDeferred
        )
    });
    ran.sort_by_key(|ran| format!("{ran:?}"));
    ran
}

#[test]
fn a_post_through_an_account_that_was_paused_meanwhile_fails_and_says_why() {
    let (world, post) = scheduled();
    move_to(&world, Plan::Free);
    let ran = world.work_after(TimeDelta::hours(1));
    assert_eq!(publishes(ran), [RunOutcome::PublishFailed]);
    let failed = target(&world, &post);
    assert_eq!(failure(&failed), "channel_limit true 1");
    let message = &failed.failure().unwrap().message;
    assert!(message.contains("is paused. The plan free covers 3 connected accounts."), "{message}");
    assert!(message.contains("move to the plan pro,"), "{message}");
    let events = world.store.events();
    assert_eq!(events.iter().map(|event| event.kind).collect::<Vec<_>>(), [EventKind::Failed]);

    let again = world.retry(post.id).unwrap();
    assert_eq!(
        publishes(world.work()),
        [RunOutcome::PublishFailed],
        "retrying alone does not help"
    );
    move_to(&world, Plan::Pro);
    world.retry(again.id).unwrap();
    assert_eq!(publishes(world.work()), [RunOutcome::Published]);
}

#[test]
fn accounts_that_the_plan_covers_go_on() {
    let (world, _) = scheduled();
    let at = (world.now() + TimeDelta::hours(1)).to_rfc3339();
    world.create(body(&["bluesky"], json!({"scheduledAt": at})));
    move_to(&world, Plan::Free);
    let ran = world.work_after(TimeDelta::hours(1));
    assert_eq!(publishes(ran), [RunOutcome::PublishFailed, RunOutcome::Published]);
}

#[test]
fn a_publish_that_has_begun_is_brought_to_its_end() {
    let (world, post) = scheduled();
    world.network.script([fails(Kind::Temporary)]);
    let ran = world.work_after(TimeDelta::hours(1));
    assert_eq!(publishes(ran), [RunOutcome::PublishDeferred]);
    move_to(&world, Plan::Free);
    let ran = world.work_after(TimeDelta::minutes(2));
    assert_eq!(publishes(ran), [RunOutcome::Published]);
    assert_eq!(failure(&target(&world, &post)), "none");
}

#[test]
fn a_retry_that_a_person_asks_for_begins_anew() {
    let (world, post) = scheduled();
    world.network.script([fails(Kind::Permanent)]);
    let ran = world.work_after(TimeDelta::hours(1));
    assert_eq!(publishes(ran), [RunOutcome::PublishFailed]);
    move_to(&world, Plan::Free);
    world.retry(post.id).unwrap();
    assert_eq!(publishes(world.work()), [RunOutcome::PublishFailed]);
    assert_eq!(failure(&target(&world, &post)), "channel_limit true 2");
}
