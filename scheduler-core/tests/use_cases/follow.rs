//! What follows once a target is live.

use chrono::TimeDelta;
use scheduler_core::engine::{LEASE, RunOutcome};
use scheduler_core::ports::{Live, Located, NetworkErrorKind as Kind, Step};
use scheduler_core::target::TargetStatus;
use scheduler_core::webhook::EventKind;
use serde_json::{Value, json};

use crate::fakes::{live, remote};
use crate::publish::{due, error, fails, failure, target};
use crate::support::{World, done, statuses};

/// Progress at a step of those that follow, of which 12 is the last.
fn at_step(step: u32) -> Value {
    json!({ "step": step, "last": 12 })
}

/// It is live, and steps from 10 on follow.
fn and_then() -> Step {
    Step::Live(Live { remote: Some(remote("live")), then: Some(at_step(10)) })
}

/// Nothing follows any more; the network calls it something else now.
fn settled(remote_id: Option<&str>) -> Step {
    Step::Live(Live { remote: remote_id.map(remote), then: None })
}

fn events(world: &World) -> Vec<EventKind> {
    world.store.events().iter().map(|event| event.kind).collect()
}

#[test]
fn it_is_told_to_be_live_before_anything_follows() {
    let world = World::new();
    let until = world.now() + TimeDelta::minutes(5);
    let waits = Step::Wait { progress: at_step(11), until };
    world.network.script([Ok(and_then()), Ok(Step::Next(at_step(11))), Ok(waits)]);
    let post = due(&world);
    let claims = world.claim_all();
    assert_eq!(done(world.scheduler.run(&claims[0])).unwrap(), RunOutcome::Published);
    assert_eq!(statuses(&world.post(post.id)), "done: published");
    assert_eq!(events(&world), [EventKind::Published]);

    assert_eq!(world.work(), [RunOutcome::PublishWaits]);
    assert_eq!(target(&world, &post).remote(), Some(&remote("live")));
    assert_eq!(target(&world, &post).due_at(), None, "nothing of it is still to go out");
    world.clock.set(until);
    world.network.script([Ok(settled(Some("its-last-name")))]);
    assert_eq!(world.work(), [RunOutcome::Followed]);
    let found = target(&world, &post);
    assert_eq!((found.status(), found.attempts), (TargetStatus::Published, 1));
    assert_eq!(found.remote(), Some(&remote("its-last-name")));
    assert_eq!((found.failure(), found.progress()), (None, None));
    assert_eq!(events(&world), [EventKind::Published], "told once");
    assert!(world.work_after(TimeDelta::days(2)).is_empty());
}

#[test]
fn what_fails_for_good_is_left_out_and_told() {
    let world = World::new();
    world.network.script([
        Ok(and_then()),
        fails(Kind::Permanent),
        fails(Kind::Permanent),
        Ok(settled(None)),
    ]);
    let post = due(&world);
    let ran = [
        RunOutcome::Published,
        RunOutcome::FollowDeferred,
        RunOutcome::FollowDeferred,
        RunOutcome::Followed,
    ];
    assert_eq!(world.work(), ran);
    let calls = world.network.take_calls();
    assert_eq!(
        calls[calls.len() - 3..],
        ["advance 10 token-1", "advance 11 token-1", "advance 12 token-1"]
    );
    let found = target(&world, &post);
    assert_eq!((found.status(), found.remote()), (TargetStatus::Published, Some(&remote("live"))));
    let message = &found.failure().unwrap().message;
    assert_eq!(message, "The post is live, but something is missing. no no");
    assert_eq!(failure(&target(&world, &post)), "network_refused true 1");
    assert_eq!(events(&world), [EventKind::Published]);
}

#[test]
fn what_fails_for_now_is_tried_again_as_often_as_a_publish() {
    let world = World::new();
    world.network.script([Ok(and_then())]);
    world.network.script((0..6).map(|_| fails(Kind::Temporary)));
    world.network.script([Ok(settled(None))]);
    let post = due(&world);
    assert_eq!(world.work(), [RunOutcome::Published, RunOutcome::FollowDeferred]);
    for wait in [1, 5, 15, 60, 180] {
        assert!(world.work_after(TimeDelta::minutes(wait) - TimeDelta::seconds(1)).is_empty());
        let ran = world.work_after(TimeDelta::seconds(1));
        assert_eq!(ran[0], RunOutcome::FollowDeferred, "after {wait} minutes");
        assert_eq!(target(&world, &post).status(), TargetStatus::Published);
    }
    let found = target(&world, &post);
    assert_eq!((found.progress(), found.attempts), (None, 1));
    assert_eq!(failure(&target(&world, &post)), "network_error true 1");
    let calls = world.network.take_calls();
    assert_eq!(calls.last().unwrap(), "advance 11 token-1", "the next step was taken all the same");
}

#[test]
fn a_step_that_others_can_see_is_looked_up_before_it_is_taken_again() {
    for (name, look, want) in [
        ("it was done", Ok(Located::Live(settled_live())), vec!["locate 10 token-1"]),
        (
            "it was not done",
            Ok(Located::Continue(at_step(10))),
            vec!["locate 10 token-1", "advance 10 token-1"],
        ),
        ("nobody can say", Ok(Located::Unknown), vec!["locate 10 token-1", "advance 11 token-1"]),
    ] {
        let world = World::new();
        world.network.script([Ok(and_then())]);
        let post = due(&world);
        let claims = world.claim_all();
        done(world.scheduler.run(&claims[0])).unwrap();
        world.network.script([fails(Kind::InDoubt), live()]);
        world.network.script_looks([Err(error(Kind::Temporary)), look]);
        world.network.take_calls();
        assert_eq!(world.work(), [RunOutcome::FollowDeferred], "{name}");
        assert_eq!(world.network.take_calls(), ["advance 10 token-1", "locate 10 token-1"]);
        world.clock.advance(TimeDelta::minutes(1));
        world.work();
        assert_eq!(world.network.take_calls(), want, "{name}");
        assert_eq!(target(&world, &post).status(), TargetStatus::Published, "{name}");
        assert_eq!(target(&world, &post).failure().is_some(), name == "nobody can say", "{name}");
        assert!(world.work_after(LEASE).is_empty(), "{name}");
    }
}

fn settled_live() -> Live {
    Live { remote: None, then: None }
}

#[test]
fn an_account_that_is_gone_ends_it() {
    let world = World::new();
    let waits = Step::Wait { progress: at_step(10), until: world.now() + TimeDelta::hours(1) };
    world.network.script([Ok(and_then()), Ok(waits)]);
    let post = due(&world);
    assert_eq!(world.work(), [RunOutcome::Published, RunOutcome::PublishWaits]);
    done(world.scheduler.disconnect_account(&world.accounts()[0])).unwrap();
    assert_eq!(world.work_after(TimeDelta::hours(1)), [RunOutcome::Followed]);
    assert_eq!(failure(&target(&world, &post)), "account_not_connected true 1");
    assert_eq!(target(&world, &post).status(), TargetStatus::Published);
    assert!(world.work_after(TimeDelta::days(2)).is_empty());
}
