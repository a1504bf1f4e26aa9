//! Taking a post down everywhere at once.

use chrono::TimeDelta;
use scheduler_core::app::{TakeDownReport, TakenDown};
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Clock as _, Live, NetworkError, Step};
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::target::{FailureCode, TargetStatus};
use serde_json::json;

use crate::after_support::{ScriptedAfter, world_after};
use crate::fakes::{remote, step};
use crate::support::{World, body, done, outcome, refused, statuses};

fn take_down(world: &World, post: &Post) -> Result<TakeDownReport, Refusal> {
    refused(done(world.scheduler.take_down_post(&world.caller, post.id)))
}

fn outcomes(report: &TakeDownReport) -> Vec<TakenDown> {
    report.results.iter().map(|result| result.outcome).collect()
}

/// A world with accounts on these networks.
fn world_of(networks: &[Platform]) -> (World, std::sync::Arc<ScriptedAfter>) {
    let (world, after) = world_after();
    for network in networks {
        world.connect(*network, "me");
    }
    (world, after)
}

const THREE: [Platform; 3] = [Platform::Bluesky, Platform::Mastodon, Platform::Facebook];

#[test]
fn what_is_live_is_taken_down_on_all_networks() {
    let (world, after) = world_of(&THREE);
    let post =
        world.create(body(&["bluesky", "mastodon", "facebook"], json!({"publishNow": true})));
    world.work();
    assert_eq!(statuses(&world.post(post.id)), "done: published published published");
    after.take_calls();
    let report = take_down(&world, &post).unwrap();
    assert_eq!(outcomes(&report), [TakenDown::TakenDown; 3]);
    assert_eq!(after.take_calls().len(), 3);
    assert_eq!(statuses(&world.post(post.id)), "done: skipped skipped skipped");
    assert_eq!(outcomes(&take_down(&world, &post).unwrap()), [TakenDown::NotLive; 3]);
    assert_eq!(after.take_calls(), [""; 0], "nobody is asked again");
}

#[test]
fn what_is_due_is_cancelled() {
    let (world, after) = world_of(&THREE);
    let due = json!({"scheduledAt": "2031-01-01T09:00:00Z"});
    let post = world.create(body(&["bluesky", "mastodon"], due));
    let report = take_down(&world, &post).unwrap();
    assert_eq!(outcomes(&report), [TakenDown::Canceled; 2]);
    assert_eq!(world.post(post.id).status, PostStatus::Canceled);
    assert_eq!(after.take_calls(), [""; 0]);
}

#[test]
fn a_draft_stays() {
    let (world, _) = world_of(&THREE);
    let post = world.create(body(&["bluesky"], json!({"saveAsDraft": true})));
    assert_eq!(outcomes(&take_down(&world, &post).unwrap()), [TakenDown::NotLive]);
    assert_eq!(world.post(post.id).status, PostStatus::Draft);
}

#[test]
fn what_a_network_refuses_is_left_and_a_repeat_goes_on() {
    let (world, after) = world_of(&THREE);
    let post = world.create(body(&["bluesky", "mastodon"], json!({"publishNow": true})));
    world.work();
    after.take_calls();
    after.fail(NetworkError::permanent("not today").with_code(FailureCode::NetworkRefused));
    let report = take_down(&world, &post).unwrap();
    assert_eq!(outcomes(&report), [TakenDown::Left, TakenDown::TakenDown]);
    let left = &report.results[0];
    assert!(
        left.error.as_ref().is_some_and(|error| error.code == ErrorCode::NetworkRefused),
        "{left:?}"
    );
    assert!(left.remote_url.is_some());
    let again = take_down(&world, &post).unwrap();
    assert_eq!(outcomes(&again), [TakenDown::TakenDown, TakenDown::NotLive]);
    assert_eq!(statuses(&world.post(post.id)), "done: skipped skipped");
}

#[test]
fn what_cannot_be_taken_down_says_where_it_is() {
    let (world, after) = world_of(&[Platform::Tiktok, Platform::Mastodon]);
    let (post, _) = crate::after_support::live_on(&world, Platform::Tiktok);
    after.take_calls();
    let report = take_down(&world, &post).unwrap();
    assert_eq!(outcomes(&report), [TakenDown::Left]);
    let error = report.results[0].error.as_ref().unwrap();
    assert_eq!(error.code, ErrorCode::Unsupported);
    assert_eq!(after.take_calls(), [""; 0]);
}

#[test]
fn what_is_going_out_is_said_and_the_rest_is_cancelled() {
    let (world, after) = world_of(&THREE);
    let until = world.clock.now() + TimeDelta::hours(1);
    world.network.script([Ok(Step::Wait { progress: step(1), until })]);
    let post = world.create(body(&["bluesky", "mastodon"], json!({"publishNow": true})));
    let claims = world.claim_all();
    let first = claims.iter().find(|claim| claim.subject == post.targets[0].id.0).unwrap();
    done(world.scheduler.run(first)).unwrap();
    assert_eq!(statuses(&world.post(post.id)), "publishing: publishing pending");
    let report = take_down(&world, &post).unwrap();
    assert_eq!(outcomes(&report), [TakenDown::GoingOut, TakenDown::Canceled]);
    assert_eq!(statuses(&world.post(post.id)), "publishing: publishing skipped");
    // Once it is live, a repeat takes it down.
    world.network.script([Ok(Step::Live(Live { remote: Some(remote("live")), then: None }))]);
    world.work_after(TimeDelta::hours(1));
    assert_eq!(statuses(&world.post(post.id)), "done: published skipped");
    after.take_calls();
    let again = take_down(&world, &post).unwrap();
    assert_eq!(outcomes(&again), [TakenDown::TakenDown, TakenDown::NotLive]);
    assert_eq!(after.take_calls(), ["take_down live"]);
}

#[test]
fn what_is_in_doubt_is_said() {
    let (world, _) = world_of(&THREE);
    world.network.script([Err(NetworkError::permanent("no").with_code(FailureCode::InDoubt))]);
    let post = world.create(body(&["bluesky", "mastodon"], json!({"publishNow": true})));
    world.work();
    let report = take_down(&world, &post).unwrap();
    assert_eq!(outcomes(&report), [TakenDown::InDoubt, TakenDown::TakenDown]);
}

#[test]
fn the_live_part_of_a_thread_that_has_not_ended_is_left() {
    let (world, _) = world_of(&THREE);
    for error in [NetworkError::permanent("no"), NetworkError::temporary("not now")] {
        world.network.script([Ok(Step::Next(step(1))), Err(error)]);
        let post = world.create(body(&["bluesky"], json!({"publishNow": true})));
        world.work();
        let report = take_down(&world, &post).unwrap();
        assert_eq!(outcomes(&report), [TakenDown::Left], "{:?}", world.post(post.id));
        assert!(report.results[0].remote_url.is_some() && report.results[0].error.is_none());
        let after = world.post(post.id).targets[0].status();
        assert!(matches!(after, TargetStatus::Failed | TargetStatus::Skipped), "{after:?}");
        assert_eq!(outcomes(&take_down(&world, &post).unwrap()), [TakenDown::Left], "and stays");
    }
}

#[test]
fn what_somebody_else_takes_down_meanwhile_is_down() {
    let (world, after) = world_of(&THREE);
    let post = world.create(body(&["mastodon"], json!({"publishNow": true})));
    world.work();
    let (scheduler, caller, id) = (world.scheduler.clone(), world.caller.clone(), post.id);
    let (target, network) = (post.targets[0].id, after.clone());
    *after.meanwhile.lock().unwrap() = Some(Box::new(move || {
        done(scheduler.take_down(&caller, id, target)).unwrap();
        network.fail(NetworkError::permanent("gone").with_code(FailureCode::NetworkRefused));
    }));
    assert_eq!(outcomes(&take_down(&world, &post).unwrap()), [TakenDown::TakenDown]);
}

#[test]
fn a_post_that_is_not_there() {
    let (world, _) = world_of(&THREE);
    let mut post = world.create(body(&["bluesky"], json!({"publishNow": true})));
    post.id = scheduler_core::ids::PostId(scheduler_core::uuid::Uuid::nil());
    assert_eq!(outcome(&take_down(&world, &post)), "not_found");
}
