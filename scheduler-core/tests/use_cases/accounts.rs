//! Connecting, changing and disconnecting accounts.

use chrono::TimeDelta;
use scheduler_core::app::{Caller, ConnectedAccount, Scheduler, Settings};
use scheduler_core::error::Refusal;
use scheduler_core::ids::AccountId;
use scheduler_core::plan::Plan;
use scheduler_core::platform::{AccountLimits, Platform};
use scheduler_core::ports::{AccountStore as _, NetworkError, NetworkErrorKind, Networks};
use scheduler_core::timing::WeeklySchedule;
use serde_json::json;

use crate::support::{World, at, body, done, named, outcome, refused};

fn connect(
    scheduler: &Scheduler,
    caller: &Caller,
    platform: Platform,
    name: &str,
) -> Result<ConnectedAccount, Refusal> {
    refused(done(scheduler.connect_account(&caller.workspace, platform, &named(name))))
}

fn connected(world: &World, platform: Platform, name: &str) -> Result<bool, Refusal> {
    connect(&world.scheduler, &world.caller, platform, name).map(|connected| connected.was_known)
}

#[test]
fn x_is_not_offered_to_new_accounts_but_existing_ones_are_connected_again() {
    let world = World::with(Settings::default());
    assert_eq!(outcome(&connected(&world, Platform::Twitter, "new")), "unsupported");
    assert!(world.network.take_calls().is_empty(), "nothing was asked of the network");
    let allowing = Scheduler::new(
        world.scheduler.ports().clone(),
        Settings { connect_twitter: true, ..Settings::default() },
    );
    let old = connect(&allowing, &world.caller, Platform::Twitter, "old").unwrap().account;
    done(world.store.mark_needs_reconnect(old.id, 1, None)).unwrap();
    assert_eq!(connected(&world, Platform::Twitter, "old"), Ok(true));
    assert!(!world.account(Platform::Twitter).needs_reconnect);
    assert_eq!(outcome(&connected(&world, Platform::Twitter, "new")), "unsupported");
    assert_eq!(world.accounts().len(), 1);
}

#[test]
fn a_new_account_posts_three_times_a_day() {
    let world = World::new();
    let account = world.account(Platform::Bluesky);
    assert_eq!(account.schedule, WeeklySchedule::default());
    assert_eq!(account.schedule.to_string(), "daily 09:00,13:00,18:00");
    assert_eq!((account.timezone, account.connected_at), (None, at(crate::support::NOW)));
}

#[test]
fn connecting_again_keeps_id_zone_schedule_and_place() {
    let world = World::new();
    let old = world.account(Platform::Bluesky);
    done(world.scheduler.set_account_timezone(&old, Some("Asia/Tokyo".parse().unwrap()))).unwrap();
    let old = world.account(Platform::Bluesky);
    done(world.scheduler.set_account_schedule(&old, "mon 08:00".parse().unwrap())).unwrap();
    let old = world.account(Platform::Bluesky);
    done(world.store.mark_needs_reconnect(old.id, 1, None)).unwrap();
    world.clock.advance(TimeDelta::days(1));
    *world.network.limits.lock().unwrap() =
        AccountLimits { text_limit: Some(7), ..AccountLimits::default() };
    for disconnects_before in [false, true] {
        if disconnects_before {
            done(world.scheduler.disconnect_account(&old)).unwrap();
            assert_eq!(world.accounts().len(), 2);
        }
        assert_eq!(connected(&world, Platform::Bluesky, "me"), Ok(true));
        let new = world.account(Platform::Bluesky);
        assert_eq!(new.id, old.id);
        assert_eq!((new.timezone, &new.schedule), (old.timezone, &old.schedule));
        assert_eq!(new.connected_at, old.connected_at);
        assert!(!new.needs_reconnect);
        assert_eq!(new.limits.text_limit, Some(7), "what the network says is read again");
        assert_eq!(world.accounts()[0].id, new.id, "its place is the same");
    }
}

#[test]
fn the_plan_bounds_connected_accounts() {
    let world = World::new();
    let free = world.caller_on(Plan::Free);
    let connect = |platform, name: &str| connect(&world.scheduler, &free, platform, name);
    let fourth = connect(Platform::Discord, "fourth");
    assert_eq!(outcome(&fourth), "channel_limit");
    let refusal = fourth.unwrap_err();
    assert_eq!((refusal.limit(), refusal.upgrade_to().map(Plan::as_str)), (Some(3), Some("pro")));
    assert_eq!(outcome(&connect(Platform::Bluesky, "me")), "ok", "it is connected already");
    done(world.scheduler.disconnect_account(&world.account(Platform::Bluesky))).unwrap();
    assert_eq!(outcome(&connect(Platform::Discord, "fourth")), "ok", "a place is free");
    assert_eq!(outcome(&connect(Platform::Bluesky, "me")), "channel_limit", "and taken");
}

#[test]
fn accounts_beyond_the_plan_are_paused_in_the_order_of_connection() {
    let world = World::new();
    for name in ["fourth", "fifth"] {
        world.clock.advance(TimeDelta::seconds(1));
        world.connect(Platform::Discord, name);
    }
    let paused = |plan| -> Vec<bool> {
        let views = done(world.scheduler.account_views(&world.caller_on(plan))).unwrap();
        views.iter().map(|view| view.paused).collect()
    };
    assert_eq!(paused(Plan::Studio), [false; 5]);
    assert_eq!(paused(Plan::Free), [false, false, false, true, true]);
    done(world.scheduler.disconnect_account(&world.accounts()[0])).unwrap();
    assert_eq!(paused(Plan::Free), [false, false, false, true]);
}

#[test]
fn what_a_network_refuses_is_told() {
    let world = World::empty();
    let error = NetworkError::new(NetworkErrorKind::Permanent, "The app password is wrong.");
    world.network.connects_as(|network| {
        network.expect_connect().return_once(|_| Err(error));
    });
    let refusal = connected(&world, Platform::Bluesky, "me").unwrap_err();
    assert_eq!(outcome::<()>(&Err(refusal.clone())), "account_not_connected");
    assert_eq!(refusal.message(), "The app password is wrong.");
    assert!(world.accounts().is_empty());
}

#[test]
fn a_network_that_is_not_built_in_cannot_be_connected() {
    let world = World::empty();
    let mut ports = world.scheduler.ports().clone();
    ports.networks = Networks::default();
    let bare = Scheduler::new(ports, Settings::default());
    let result = connect(&bare, &world.caller, Platform::Bluesky, "me");
    assert_eq!(outcome(&result), "unsupported");
}

#[test]
fn names() {
    let world = World::new();
    let second = world.connect(Platform::Telegram, "second");
    let workspace = world.caller.workspace.id;
    for (name, want) in [
        ("bluesky", "ok"),
        ("telegram:@second", "ok"),
        ("telegram:second", "ok"),
        (&second.id.to_string() as &str, "ok"),
        ("telegram", "invalid_request account"),
        ("tumblr", "not_found"),
        ("bluesky:@you", "not_found"),
        ("", "not_found"),
    ] {
        let found = refused(done(world.scheduler.account_named(workspace, name)));
        assert_eq!(outcome(&found), want, "{name:?}");
    }
    let elsewhere = world.stranger().workspace.id;
    let found = refused(done(world.scheduler.account_named(elsewhere, "bluesky")));
    assert_eq!(outcome(&found), "not_found");
}

#[test]
fn changing_a_zone_does_not_move_what_is_scheduled() {
    let world = World::new();
    let local = json!({"scheduledLocal": "2026-12-01T09:00"});
    let before = world.create(body(&["bluesky"], local.clone()));
    let account = world.account(Platform::Bluesky);
    let tokyo = "Asia/Tokyo".parse().unwrap();
    done(world.scheduler.set_account_timezone(&account, Some(tokyo))).unwrap();
    assert_eq!(world.post(before.id), before);
    let after = world.create(body(&["bluesky"], local));
    assert_eq!(after.scheduled_at, Some(at("2026-12-01T00:00:00Z")));
}

#[test]
fn what_is_gone_cannot_be_changed() {
    let world = World::new();
    let account = world.account(Platform::Bluesky);
    done(world.scheduler.disconnect_account(&account)).unwrap();
    let again = refused(done(world.scheduler.disconnect_account(&account)));
    assert_eq!(outcome(&again), "not_found");
    let unknown =
        scheduler_core::account::Account { id: AccountId(uuid::Uuid::nil()), ..account.clone() };
    let changed = refused(done(world.scheduler.set_account_timezone(&unknown, None)));
    assert_eq!(outcome(&changed), "not_found");
    assert!(done(world.store.credentials(account.id)).unwrap().is_none(), "its secrets are gone");
}
