//! Disconnecting an account for which something is due.

use chrono::TimeDelta;
use scheduler_core::app::DueChoice;
use scheduler_core::error::{ErrorBody, Refusal};
use scheduler_core::ids::AccountId;
use scheduler_core::platform::Platform;
use scheduler_core::ports::Step;
use serde_json::json;
use uuid::Uuid;

use crate::fakes::step;
use crate::support::{World, body, done, outcome, refused, statuses, target_of};

fn leave(world: &World, choice: Option<DueChoice>) -> Result<u64, Refusal> {
    let account = world.account(Platform::Mastodon);
    refused(done(world.scheduler.disconnect(&world.caller, &account, choice)))
}

#[test]
fn what_is_due_asks_for_a_choice() {
    let world = World::new();
    assert_eq!(leave(&world, None).unwrap(), 0, "nothing is due");
    let world = World::new();
    let later = json!({"scheduledAt": "2026-12-01T09:00:00Z"});
    for _ in 0..3 {
        world.create(body(&["mastodon", "bluesky"], later.clone()));
    }
    world.create(body(&["bluesky"], later));
    let refusal = leave(&world, None).unwrap_err();
    assert_eq!(outcome(&Err::<(), _>(refusal.clone())), "in_use");
    let error = ErrorBody::from(refusal).error;
    assert_eq!(error.due, Some(3));
    assert!(error.message.starts_with("3 posts are to come through mastodon @me"), "{error:?}");
    assert_eq!(world.accounts().len(), 3, "it is still connected");
}

#[test]
fn what_is_due_is_kept_cancelled_or_moved() {
    for (name, want) in [
        ("keep", ["scheduled: pending pending", "scheduled: pending"]),
        ("cancel", ["scheduled: skipped pending", "canceled: skipped"]),
        ("move", ["scheduled: pending pending", "scheduled: pending"]),
    ] {
        let world = World::new();
        let mine = world.account(Platform::Mastodon);
        let later = json!({"scheduledAt": "2026-12-01T09:00:00Z"});
        let both = world.create(body(&["mastodon", "bluesky"], later.clone()));
        let alone = world.create(body(&["mastodon"], later));
        let other = world.connect(Platform::Mastodon, "other").id;
        let choice = match name {
            "keep" => DueChoice::Keep,
            "cancel" => DueChoice::Cancel,
            _ => DueChoice::Move(other),
        };
        let left = refused(done(world.scheduler.disconnect(&world.caller, &mine, Some(choice))));
        assert_eq!(left.unwrap(), 2, "{name}");
        let told = [both.id, alone.id].map(|id| statuses(&world.post(id)));
        assert_eq!(told, want, "{name}");
        let account = target_of(&world.post(both.id), Platform::Mastodon).account_id;
        assert_eq!(account, if name == "move" { other } else { mine.id }, "{name}");
        assert!(world.accounts().iter().all(|account| account.id != mine.id), "{name}");
    }
}

#[test]
fn an_account_stays_when_something_cannot_be_done() {
    let world = World::new();
    world.create(body(&["mastodon"], json!({"scheduledAt": "2026-12-01T09:00:00Z"})));
    let elsewhere = world.account(Platform::Bluesky).id;
    for (name, to, want) in [
        ("another network", elsewhere, "invalid_request accountId"),
        ("no account", AccountId(Uuid::nil()), "not_found accountId"),
    ] {
        assert_eq!(outcome(&leave(&world, Some(DueChoice::Move(to)))), want, "{name}");
    }
    let until = world.now() + TimeDelta::minutes(1);
    world.network.script([Ok(Step::Wait { progress: step(1), until })]);
    world.create(body(&["mastodon"], json!({"publishNow": true})));
    world.work();
    assert_eq!(outcome(&leave(&world, Some(DueChoice::Cancel))), "in_flight");
    assert_eq!(world.accounts().len(), 3, "it is still connected");
}
