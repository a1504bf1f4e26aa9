//! Calls that others can see, while they may still be under way: nobody makes a second one, and
//! nobody concludes that the first has done nothing.

use std::pin::pin;
use std::sync::atomic::Ordering;

use chrono::TimeDelta;
use futures_util::FutureExt as _;
use scheduler_core::account::Credentials;
use scheduler_core::engine::RunOutcome;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    AccountStore as _, Claim, Located, NetworkError, NetworkErrorKind as Kind, Step, WorkKind,
};
use serde_json::json;

use crate::fakes::{live, remote, step};
use crate::publish::{due, fails, failure, target};
use crate::support::{World, done, statuses};

/// A world whose visible calls last 40 seconds at most.
fn world() -> World {
    let world = World::new();
    *world.network.call_seconds.lock().unwrap() = 40;
    world.network.take_calls();
    world
}

fn seconds(count: i64) -> TimeDelta {
    TimeDelta::seconds(count)
}

fn claim_the_publish(world: &World) -> Claim {
    let claims = world.claim_all();
    claims.into_iter().find(|claim| claim.kind == WorkKind::Publish).unwrap()
}

/// Begins a publish and loses its process in the middle of the call.
fn lose_the_process(world: &World) {
    let claim = claim_the_publish(world);
    *world.network.hangs.lock().unwrap() = Some("advance");
    assert!(world.scheduler.run(&claim).now_or_never().is_none(), "the call is under way");
    *world.network.hangs.lock().unwrap() = None;
}

#[test]
fn nobody_takes_up_a_publish_whose_call_may_be_under_way() {
    let world = world();
    let post = due(&world);
    lose_the_process(&world);
    assert!(world.work_after(seconds(39)).is_empty(), "the lease lasts as long as the call");
    world.network.script_looks([Ok(Located::Live(remote("found").into()))]);
    assert_eq!(world.work_after(seconds(1)), [RunOutcome::Published]);
    assert_eq!(world.network.take_calls(), ["advance 0 token-1", "locate 0 token-1"]);
    assert_eq!(target(&world, &post).remote(), Some(&remote("found")));
}

#[test]
fn a_look_concludes_nothing_before_the_call_must_have_ended() {
    let none = || Ok(Located::Absent(step(0)));
    for (name, look, early, late) in [
        (
            "it is live",
            Ok(Located::Live(remote("found").into())),
            vec![RunOutcome::Published],
            vec![],
        ),
        (
            "its effect was found",
            Ok(Located::Continue(step(1))),
            vec![RunOutcome::Published],
            vec![],
        ),
        ("nothing is there", none(), vec![RunOutcome::PublishWaits], vec!["locate 0", "advance 0"]),
        (
            "a repeat would be recognised",
            Ok(Located::Repeat(step(0))),
            vec![RunOutcome::PublishWaits],
            vec!["locate 0", "advance 0"],
        ),
        ("nobody can know", Ok(Located::Unknown), vec![RunOutcome::PublishWaits], vec!["locate 0"]),
    ] {
        let world = world();
        world.network.script([fails(Kind::InDoubt)]);
        world.network.script_looks([look.clone(), look]);
        let post = due(&world);
        assert_eq!(world.work(), early, "{name}");
        world.network.take_calls();
        if !late.is_empty() {
            assert!(world.work_after(seconds(39)).is_empty(), "{name}");
            world.work_after(seconds(1));
            let late: Vec<String> = late.iter().map(|call| format!("{call} token-1")).collect();
            assert_eq!(world.network.take_calls(), late, "{name}");
        }
        let want = if name == "nobody can know" { "in_doubt false 1" } else { "none" };
        assert_eq!(failure(&target(&world, &post)), want, "{name}");
    }
}

#[test]
fn a_clock_that_was_set_back_is_waited_for_no_longer_than_the_call_lasts() {
    let world = world();
    world.network.script([fails(Kind::InDoubt)]);
    let none = || Ok(Located::Absent(step(0)));
    world.network.script_looks([Err(fails(Kind::Temporary).unwrap_err()), none(), none(), none()]);
    due(&world);
    assert_eq!(world.work(), [RunOutcome::PublishDeferred]);
    // A person does not wait for the clock either: the retry is due now.
    world.clock.advance(TimeDelta::hours(-2));
    let looked = done(world.scheduler.run(&{
        world.clock.advance(TimeDelta::hours(2) + TimeDelta::minutes(1));
        let claim = claim_the_publish(&world);
        world.clock.advance(TimeDelta::hours(-2));
        claim
    }))
    .unwrap();
    assert_eq!(looked, RunOutcome::PublishWaits);
    assert!(world.work_after(seconds(39)).is_empty());
    assert_eq!(world.work_after(seconds(1)), [RunOutcome::Published]);
}

#[test]
fn a_panic_of_an_adapter_is_an_attempt_and_the_network_is_asked_before_the_next() {
    let world = world();
    let post = due(&world);
    *world.network.hangs.lock().unwrap() = Some("panic");
    assert_eq!(world.work(), [RunOutcome::PublishDeferred]);
    *world.network.hangs.lock().unwrap() = None;
    assert_eq!(failure(&target(&world, &post)), "network_error false 1");
    assert_eq!(statuses(&world.post(post.id)), "publishing: pending");
    world.network.script_looks([Ok(Located::Absent(step(0)))]);
    world.network.take_calls();
    assert_eq!(world.work_after(TimeDelta::minutes(1)), [RunOutcome::Published]);
    assert_eq!(world.network.take_calls(), ["locate 0 token-1", "advance 0 token-1"]);
}

#[test]
fn panics_without_an_end_use_up_the_attempts() {
    let world = World::new();
    let post = due(&world);
    *world.network.hangs.lock().unwrap() = Some("panic");
    world.network.script_looks((0..5).map(|_| Ok(Located::Absent(step(0)))));
    let ran = world.work_to_the_end();
    assert_eq!(ran.last(), Some(&RunOutcome::PublishFailed));
    assert_eq!(target(&world, &post).attempts, 6);
}

/// The exchange of a token goes on when the process stops waiting for it, and what it gave is
/// stored.
#[test]
fn a_refreshed_token_is_stored_whoever_stops_waiting() {
    let world = World::empty();
    *world.network.expires_at.lock().unwrap() = Some(world.now() + TimeDelta::minutes(4));
    let account = world.connect(Platform::Bluesky, "me");
    world.network.refreshes.lock().unwrap().push_back(Ok(Credentials::new("token-2", None)));
    due(&world);
    let claim = claim_the_publish(&world);
    *world.network.hangs.lock().unwrap() = Some("refresh");
    {
        // The work is dropped, as when its lease is lost or the process stops.
        let mut work = pin!(world.scheduler.run(&claim));
        assert!(work.as_mut().now_or_never().is_none());
    }
    assert_eq!(world.tasks.run(), 1, "the exchange is under way");
    *world.network.hangs.lock().unwrap() = None;
    assert_eq!(world.tasks.run(), 0);
    let stored = done(world.store.credentials(account.id)).unwrap().unwrap();
    assert_eq!((stored.credentials.expose(), stored.version), ("token-2", 2));
    assert_eq!(world.work_after(seconds(10)), [RunOutcome::Published]);
    let refreshes = world.network.take_calls();
    assert_eq!(refreshes.iter().filter(|call| call.starts_with("refresh")).count(), 1);
}

/// Two loops at once, and the clock moves past the lease while the first is in its call.
#[test]
fn run_due_twice_at_once_publishes_once() {
    let world = world();
    due(&world);
    *world.network.hangs.lock().unwrap() = Some("advance");
    let (first, second) = (world.scheduler.clone(), world.scheduler.clone());
    let mut first = pin!(first.run_due());
    let mut second = pin!(second.run_due());
    assert!(first.as_mut().now_or_never().is_none());
    for _ in 0..5 {
        world.clock.advance(seconds(11));
        assert!(second.as_mut().now_or_never().is_none(), "one runs at a time");
        assert!(first.as_mut().now_or_never().is_none(), "the lease is renewed");
    }
    *world.network.hangs.lock().unwrap() = None;
    assert!(done(first).unwrap().contains(&RunOutcome::Published));
    assert!(!done(second).unwrap().contains(&RunOutcome::Published));
    let calls = world.network.take_calls();
    assert_eq!(calls.iter().filter(|call| call.starts_with("advance")).count(), 1);
}

/// The same over two schedulers, as in two processes.
#[test]
fn another_process_leaves_a_call_that_is_under_way_alone() {
    let world = world();
    due(&world);
    *world.network.hangs.lock().unwrap() = Some("advance");
    let other = scheduler_core::app::Scheduler::new(
        world.scheduler.ports().clone(),
        scheduler_core::app::Settings::default(),
    );
    let mut first = pin!(world.scheduler.run_due());
    assert!(first.as_mut().now_or_never().is_none());
    for _ in 0..5 {
        world.clock.advance(seconds(11));
        assert!(first.as_mut().now_or_never().is_none());
        assert!(!done(other.run_due()).unwrap().contains(&RunOutcome::Published));
    }
    *world.network.hangs.lock().unwrap() = None;
    assert!(done(first).unwrap().contains(&RunOutcome::Published));
}

#[test]
fn what_follows_a_live_post_waits_for_its_calls_as_well() {
    let world = world();
    let then = json!({"step": 1, "last": 1});
    world.network.script([
        Ok(Step::Live(scheduler_core::ports::Live {
            remote: Some(remote("live")),
            then: Some(then.clone()),
        })),
        Err(NetworkError::new(Kind::InDoubt, "lost")),
        live(),
    ]);
    world.network.script_looks([Ok(Located::Absent(then.clone())), Ok(Located::Absent(then))]);
    let post = due(&world);
    assert_eq!(world.work(), [RunOutcome::Published, RunOutcome::PublishWaits]);
    assert_eq!(world.work_after(seconds(40)), [RunOutcome::Followed]);
    assert_eq!(failure(&target(&world, &post)), "none");
}

/// Each reading of the clock comes four seconds after the one before, so that no call can begin in
/// time.
#[test]
fn what_a_slow_server_never_sent_is_not_in_doubt() {
    let world = world();
    let post = due(&world);
    world.clock.each.store(4, Ordering::Relaxed);
    assert_eq!(world.work(), [RunOutcome::PublishDeferred]);
    world.clock.each.store(0, Ordering::Relaxed);
    assert_eq!(world.network.take_calls(), [""; 0]);
    assert_eq!(failure(&target(&world, &post)), "network_error false 1");
    assert_eq!(world.work_after(TimeDelta::minutes(5)), [RunOutcome::Published]);
    assert_eq!(world.network.take_calls(), ["advance 0 token-1"], "no look is needed");
}

/// A network that fails for a second does not keep the next attempt waiting for a lease.
#[test]
fn a_refresh_that_failed_can_be_tried_again_at_once() {
    let world = World::empty();
    *world.network.expires_at.lock().unwrap() = Some(world.now() - seconds(1));
    world.connect(Platform::Bluesky, "me");
    world.network.refreshes.lock().unwrap().extend([
        Err(NetworkError::new(Kind::Temporary, "down")),
        Ok(Credentials::new("token-2", None)),
    ]);
    due(&world);
    assert_eq!(world.work(), [RunOutcome::PublishDeferred]);
    world.network.take_calls();
    assert_eq!(world.work_after(TimeDelta::minutes(1)), [RunOutcome::Published]);
    assert_eq!(world.network.take_calls(), ["refresh token-1", "advance 0 token-2"]);
}
