//! Taking readings: when, of what, and what becomes of failures.

mod budgets;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::engine::{LEASE, RunOutcome};
use scheduler_core::platform::{AccountLimits, Platform};
use scheduler_core::ports::{
    AccountStore as _, NetworkError, NetworkErrorKind as Kind, ReadingStore as _, RefreshOutcome,
};
use scheduler_core::post::Post;
use scheduler_core::reading::Reading;
use scheduler_core::target::FailureCode;
use serde_json::json;

use crate::after::likes;
use crate::publish::error;
use crate::support::{World, at, body, done, target_of};

/// A world with one account, which was looked at when it was connected.
fn world(platform: Platform) -> World {
    let world = World::empty();
    world.connect(platform, "me");
    assert_eq!(world.take_readings(), [RunOutcome::Read]);
    world.after.take_calls();
    world
}

/// Posts of the only account that are live.
fn publish(world: &World, count: usize) -> Vec<Post> {
    let platform = world.accounts()[0].platform;
    let content = |index| format!("number {index}");
    let posts: Vec<Post> = (0..count)
        .map(|index| {
            let fields = json!({"publishNow": true, "content": content(index)});
            world.create(body(&[platform.as_str()], fields))
        })
        .collect();
    assert_eq!(world.work(), vec![RunOutcome::Published; count]);
    posts.iter().map(|post| world.post(post.id)).collect()
}

fn history(world: &World, post: &Post) -> Vec<Reading> {
    done(world.store.readings(post.targets[0].id, None, 1_000)).unwrap()
}

/// Hours after the begin of the world at which a post was read.
fn hours(world: &World, post: &Post) -> Vec<i64> {
    let begun_at = post.targets[0].published_at().unwrap();
    history(world, post).iter().map(|reading| (reading.at - begun_at).num_hours()).collect()
}

/// Takes readings as they become due, for so long.
fn pass(world: &World, time: TimeDelta) -> Vec<RunOutcome> {
    let end = world.now() + time;
    let mut all = world.take_readings();
    while let Some(due_at) = next(world).filter(|due_at| *due_at <= end) {
        assert!(due_at > world.now(), "it spins at {due_at}");
        world.clock.set(due_at);
        all.extend(world.take_readings());
    }
    world.clock.set(end);
    all
}

fn next(world: &World) -> Option<DateTime<Utc>> {
    world.store.work().into_iter().map(|(_, due_at)| due_at).min()
}

/// Minutes until the readings of the only account are due.
fn wait(world: &World) -> i64 {
    (next(world).unwrap() - world.now()).num_minutes()
}

fn unsupported() -> NetworkError {
    error(Kind::Permanent).with_code(FailureCode::Unsupported)
}

#[test]
fn figures_are_read_in_stages_and_shown_with_the_target() {
    let world = world(Platform::Mastodon);
    let post = publish(&world, 1).remove(0);
    assert_eq!(target_of(&post, Platform::Mastodon).reading, None);
    pass(&world, TimeDelta::days(31));
    let days = (1..=14).map(|day| day * 24);
    assert_eq!(hours(&world, &post), [1, 6].into_iter().chain(days).collect::<Vec<_>>());
    let shown = world.post(post.id).targets[0].reading.clone().unwrap();
    assert_eq!(Some(&shown), history(&world, &post).last());
    assert_eq!(shown.figures, likes(16));
    let stored = world.post(post.id);
    assert_eq!(stored.version, post.version, "readings are no change of the post");
    assert_eq!(stored.updated_at, post.updated_at);
}

#[test]
fn posts_are_read_together_as_many_as_the_network_takes() {
    let world = world(Platform::Mastodon);
    *world.after.at_once.lock().unwrap() = 3;
    let posts = publish(&world, 5);
    world.clock.advance(TimeDelta::hours(1));
    assert_eq!(world.take_readings(), [RunOutcome::Read, RunOutcome::Read]);
    assert_eq!(world.after.take_calls(), ["figures token-1 3", "figures token-1 2"]);
    let asked = world.after.asked.lock().unwrap().clone();
    assert_eq!(asked[0][0].content, "number 0");
    assert_eq!(asked[0][0].remote.id, "live");
    assert!(posts.iter().all(|post| history(&world, post).len() == 1));
}

#[test]
fn an_account_is_looked_at_every_day_at_its_time() {
    let world = World::empty();
    let account = world.connect(Platform::Mastodon, "me");
    let limits = AccountLimits { takes_down: Some(false), ..AccountLimits::default() };
    world.after.limits.lock().unwrap().push_back(Ok(Some(limits.clone())));
    world.after.followers.lock().unwrap().extend([Ok(Some(5)), Ok(None), Ok(Some(9))]);
    pass(&world, TimeDelta::days(3) - TimeDelta::hours(1));
    assert_eq!(
        world.after.take_calls(),
        ["followers token-1", "limits token-1"].repeat(3),
        "once a day"
    );
    assert_eq!(world.accounts()[0].limits, limits, "`None` leaves them as they are");
    let from = world.now().date_naive() - TimeDelta::days(30);
    let kept = || {
        let rows = done(world.store.followers(account.workspace_id, from)).unwrap();
        rows.iter().map(|row| (row.day.to_string(), row.count)).collect::<Vec<_>>()
    };
    let want = [("2026-11-21", 5), ("2026-11-23", 9)].map(|(day, count)| (day.to_owned(), count));
    assert_eq!(kept(), want);

    // After a long stop: once, and then at its time again.
    world.clock.set(at("2026-12-01T20:00:00Z"));
    assert_eq!(world.take_readings(), [RunOutcome::Read]);
    assert_eq!(next(&world), Some(at("2026-12-02T12:00:00Z")));
    assert_eq!(kept().len(), 3);
}

#[test]
fn followers_are_kept_for_two_years() {
    let world = World::empty();
    let account = world.connect(Platform::Bluesky, "me");
    pass(&world, TimeDelta::days(735));
    let from = at("2020-01-01T00:00:00Z").date_naive();
    let rows = done(world.store.followers(account.workspace_id, from)).unwrap();
    let today = world.now().date_naive();
    assert_eq!(rows.last().unwrap().day, today);
    assert_eq!(rows.first().unwrap().day, today - TimeDelta::days(730));
    assert_eq!(rows.len(), 731, "one a day");
}

#[test]
fn only_what_a_network_has_is_asked_for() {
    for (platform, looks) in [
        (Platform::Mastodon, vec!["followers token-1", "limits token-1"]),
        (Platform::Bluesky, vec!["followers token-1"]),
        (Platform::Discord, vec!["limits token-1"]),
        (Platform::Telegram, vec!["followers token-1", "limits token-1"]),
    ] {
        let world = World::empty();
        world.connect(platform, "me");
        assert_eq!(world.take_readings(), [RunOutcome::Read]);
        assert_eq!(world.after.take_calls(), looks, "{platform}");
    }
    // It reports no figures, so nobody asks for any.
    let world = world(Platform::Telegram);
    let post = world.create(body(&["telegram"], json!({"publishNow": true})));
    world.work();
    pass(&world, TimeDelta::days(20));
    assert!(!world.after.take_calls().iter().any(|call| call.starts_with("figures")));
    assert_eq!(history(&world, &world.post(post.id)), []);
}

#[test]
fn what_becomes_of_a_failed_call_for_figures() {
    let limited =
        |minutes: Option<i64>| error(Kind::RateLimited { wait: minutes.map(TimeDelta::minutes) });
    for (name, failure, minutes, needs_reconnect, hours_read) in [
        ("a fault", error(Kind::Temporary), 1, false, vec![1, 6]),
        ("a lost answer", error(Kind::InDoubt), 1, false, vec![1, 6]),
        ("a fault of the network", error(Kind::Unsettled), 1, false, vec![1, 6]),
        ("a limit", limited(Some(40)), 40, false, vec![1, 6]),
        ("a limit without a time", limited(None), 15, false, vec![1, 6]),
        ("a limit beyond a stage", limited(Some(6 * 60)), 6 * 60, false, vec![7]),
        ("a limit of a week", limited(Some(7 * 24 * 60)), 24 * 60, false, vec![]),
        ("a refusal", error(Kind::Permanent), 5 * 60, false, vec![6]),
        ("not offered", unsupported(), 23 * 60, false, vec![]),
        ("an account that is refused", error(Kind::Reconnect), 24 * 60, true, vec![]),
    ] {
        let world = world(Platform::Mastodon);
        let post = publish(&world, 1).remove(0);
        world.after.script_figures([Err(failure)]);
        world.clock.advance(TimeDelta::hours(1));
        assert_eq!(world.take_readings(), [RunOutcome::ReadDeferred], "{name}");
        assert_eq!(wait(&world), minutes, "{name}");
        assert_eq!(world.accounts()[0].needs_reconnect, needs_reconnect, "{name}");
        let shown = world.post(post.id);
        assert_eq!(shown, post, "{name}: nothing of it shows on the target");
        assert_eq!(world.store.events().len(), 1 + usize::from(needs_reconnect), "{name}");
        pass(&world, TimeDelta::hours(10));
        assert_eq!(hours(&world, &post), hours_read, "{name}");
    }
}

#[test]
fn waits_grow_until_something_is_read() {
    let world = world(Platform::Mastodon);
    let post = publish(&world, 1).remove(0);
    world.after.script_figures((0..4).map(|_| Err(error(Kind::Temporary))));
    world.clock.advance(TimeDelta::hours(1));
    for minutes in [1, 5, 15] {
        assert_eq!(world.take_readings(), [RunOutcome::ReadDeferred]);
        assert_eq!(wait(&world), minutes);
        world.clock.advance(TimeDelta::minutes(minutes) - TimeDelta::seconds(1));
        assert!(world.take_readings().is_empty(), "before {minutes} minutes have passed");
        world.clock.advance(TimeDelta::seconds(1));
    }
    assert_eq!(world.take_readings(), [RunOutcome::ReadDeferred]);
    // By now others would get their turn first.
    assert_eq!(wait(&world), 120);
    world.clock.advance(TimeDelta::minutes(120));
    assert_eq!(world.take_readings(), [RunOutcome::Read]);
    assert_eq!(history(&world, &post).len(), 1);

    world.clock.set(post.targets[0].published_at().unwrap() + TimeDelta::hours(6));
    world.after.script_figures([Err(error(Kind::Temporary))]);
    assert_eq!(world.take_readings(), [RunOutcome::ReadDeferred]);
    assert_eq!(wait(&world), 1, "a success has forgotten the failures");
}

#[test]
fn a_post_that_makes_the_network_refuse_all_is_found() {
    let world = world(Platform::Bluesky);
    *world.after.at_once.lock().unwrap() = 20;
    let posts = publish(&world, 4);
    let refused = || Err(error(Kind::Permanent));
    let read = |count| Ok(vec![Some(likes(1)); count]);
    world.after.script_figures([refused(), read(1), refused(), read(2)]);
    world.clock.advance(TimeDelta::hours(1));
    let ran = pass(&world, TimeDelta::hours(1));
    assert_eq!(ran.iter().filter(|ran| **ran == RunOutcome::Read).count(), 2);
    let calls = [4, 1, 1, 2].map(|count| format!("figures token-1 {count}"));
    assert_eq!(world.after.take_calls(), calls, "one by one until it is found");
    let counts: Vec<usize> = posts.iter().map(|post| history(&world, post).len()).collect();
    assert_eq!(counts, [1, 0, 1, 1]);
    // The next stage is read together again.
    pass(&world, TimeDelta::hours(5));
    assert_eq!(world.after.take_calls(), ["figures token-1 4"]);
}

#[test]
fn a_post_that_makes_the_network_refuse_all_is_found_where_each_call_takes_a_whole_budget() {
    let world = world(Platform::Twitter);
    *world.after.at_once.lock().unwrap() = 100;
    let posts = publish(&world, 3);
    let refused = || Err(error(Kind::Permanent));
    let read = |count| Ok(vec![Some(likes(1)); count]);
    world.after.script_figures([refused(), read(1), refused()]);
    pass(&world, TimeDelta::hours(22));
    let calls = world.after.take_calls();
    let calls: Vec<_> = calls.iter().filter(|call| call.starts_with("figures")).collect();
    assert_eq!(calls[..2], ["figures token-1 3", "figures token-1 1"], "also after the wait");
    let counts: Vec<usize> = posts.iter().map(|post| history(&world, post).len()).collect();
    assert!(counts[0] > 0 && counts[2] > 0, "{counts:?}: {calls:?}");
}

#[test]
fn a_post_that_fails_for_ever_holds_up_no_other() {
    let world = world(Platform::Mastodon);
    let posts = publish(&world, 2);
    world.clock.advance(TimeDelta::hours(1));
    // The first of them.
    world.after.script_figures((0..4).map(|_| Err(error(Kind::Temporary))));
    pass(&world, TimeDelta::minutes(82));
    let counts: Vec<usize> = posts.iter().map(|post| history(&world, post).len()).collect();
    assert_eq!(counts, [0, 1]);
}

#[test]
fn a_post_that_fails_for_ever_is_given_up() {
    let world = world(Platform::Mastodon);
    publish(&world, 1);
    world.after.script_figures((0..2_000).map(|_| Err(error(Kind::Temporary))));
    let count = || {
        let calls = world.after.take_calls();
        calls.iter().filter(|call| call.starts_with("figures")).count()
    };
    pass(&world, TimeDelta::days(20));
    assert!(count() > 20 * 8, "again and again");
    pass(&world, TimeDelta::days(2));
    count();
    pass(&world, TimeDelta::days(9));
    assert_eq!(count(), 0);
}

#[test]
fn a_post_without_figures_goes_on_to_its_next_stage() {
    let world = world(Platform::Mastodon);
    let post = publish(&world, 1).remove(0);
    // One answer says none, one is too short.
    world.after.script_figures([Ok(vec![None]), Ok(vec![])]);
    pass(&world, TimeDelta::hours(30));
    assert_eq!(hours(&world, &post), [24]);
}

#[test]
fn what_is_not_live_any_more_is_not_read() {
    let world = world(Platform::Mastodon);
    let posts = publish(&world, 2);
    world.clock.advance(TimeDelta::minutes(30));
    world.delete(posts[0].id).unwrap();
    pass(&world, TimeDelta::hours(1));
    assert_eq!(world.after.take_calls(), ["figures token-1 1"]);
    assert_eq!(history(&world, &posts[0]), [], "readings go with the record");
}

#[test]
fn an_account_that_cannot_be_used_is_left_alone_until_it_is_connected_again() {
    let world = world(Platform::Mastodon);
    let posts = publish(&world, 3);
    world.after.script_figures([Err(error(Kind::Reconnect))]);
    let ran = pass(&world, TimeDelta::hours(40));
    assert_eq!(
        ran,
        [RunOutcome::ReadDeferred, RunOutcome::ReadDeferred],
        "once, and once a day later"
    );
    assert_eq!(world.after.take_calls(), ["figures token-1 1"]);
    world.connect(Platform::Mastodon, "me");
    pass(&world, TimeDelta::minutes(1));
    let calls = world.after.take_calls();
    assert_eq!(calls[..2], ["followers token-1", "limits token-1"], "at once");
    assert!(posts.iter().any(|post| !history(&world, post).is_empty()));
    pass(&world, TimeDelta::hours(24));
    assert!(posts.iter().all(|post| !history(&world, post).is_empty()));

    let account = world.account(Platform::Mastodon);
    done(world.scheduler.disconnect_account(&account)).unwrap();
    world.after.take_calls();
    assert!(pass(&world, TimeDelta::days(3)).is_empty());
    assert_eq!(world.after.take_calls(), [""; 0]);
}

#[test]
fn a_token_that_has_run_out_is_refreshed() {
    let world = world(Platform::Mastodon);
    let post = publish(&world, 1).remove(0);
    let new = scheduler_core::account::Credentials::new("token-2", None);
    world.network.refreshes.lock().unwrap().push_back(Ok(new));
    world.after.script_figures([Err(error(Kind::TokenExpired))]);
    world.clock.advance(TimeDelta::hours(1));
    assert_eq!(world.take_readings(), [RunOutcome::Read]);
    assert_eq!(world.after.take_calls(), ["figures token-1 1", "figures token-2 1"]);
    assert_eq!(history(&world, &post).len(), 1);
}

#[test]
fn a_failed_count_of_followers_does_not_keep_limits_from_being_read() {
    for (name, failure, minutes) in [
        ("a refusal", error(Kind::Permanent), 24 * 60),
        ("not offered", unsupported(), 24 * 60),
        ("a limit", error(Kind::RateLimited { wait: Some(TimeDelta::hours(3)) }), 4 * 60),
        ("a fault", error(Kind::Temporary), 61),
    ] {
        let world = World::empty();
        world.connect(Platform::Mastodon, "me");
        let limits = AccountLimits { takes_down: Some(false), ..AccountLimits::default() };
        world.after.followers.lock().unwrap().push_back(Err(failure));
        world.after.limits.lock().unwrap().push_back(Ok(Some(limits.clone())));
        world.take_readings();
        assert_eq!(world.accounts()[0].limits, limits, "{name}");
        assert_eq!(wait(&world), minutes, "{name}");
    }
}

#[test]
fn a_look_that_fails_for_ever_holds_up_no_post() {
    let world = world(Platform::Mastodon);
    let post = publish(&world, 1).remove(0);
    let mut followers = world.after.followers.lock().unwrap();
    followers.extend((0..1_000).map(|_| Err(error(Kind::Temporary))));
    drop(followers);
    pass(&world, TimeDelta::days(4) + TimeDelta::hours(3));
    assert_eq!(history(&world, &post).len(), 6, "all that were due");
}

#[test]
fn a_refresh_makes_posts_due_but_not_what_is_blocked() {
    let world = world(Platform::Mastodon);
    let post = publish(&world, 1).remove(0);
    let since = world.now() - TimeDelta::days(14);
    let refresh = || {
        let workspace = world.caller.workspace.id;
        let every = TimeDelta::minutes(10);
        done(world.store.refresh_readings(workspace, world.now(), since, every)).unwrap()
    };
    world.clock.advance(TimeDelta::minutes(10));
    assert_eq!(refresh(), RefreshOutcome::Queued(1));
    assert_eq!(world.take_readings(), [RunOutcome::Read]);
    assert_eq!(history(&world, &post).len(), 1);
    assert_eq!(wait(&world), 50, "the stages stay as they are");

    world.after.script_figures([Err(error(Kind::RateLimited { wait: Some(TimeDelta::hours(2)) }))]);
    world.clock.advance(TimeDelta::minutes(50));
    assert_eq!(world.take_readings(), [RunOutcome::ReadDeferred]);
    world.clock.advance(TimeDelta::minutes(10));
    assert_eq!(refresh(), RefreshOutcome::Queued(1));
    world.after.take_calls();
    assert_eq!(world.take_readings(), [RunOutcome::Read], "given back");
    assert_eq!(world.after.take_calls(), [""; 0]);
    assert_eq!(wait(&world), 110);
}

#[test]
fn a_holder_that_lost_its_lease_records_nothing() {
    let world = world(Platform::Mastodon);
    let post = publish(&world, 1).remove(0);
    world.clock.advance(TimeDelta::hours(1));
    let stale = world.claim_readings();
    world.clock.advance(LEASE);
    let newer = world.claim_readings();
    assert_eq!(done(world.scheduler.run(&stale[0])).unwrap(), RunOutcome::Lost);
    assert_eq!(history(&world, &post).len(), 0);
    assert_eq!(done(world.scheduler.run(&newer[0])).unwrap(), RunOutcome::Read);
    assert_eq!(history(&world, &post).len(), 1);
}

#[test]
fn readings_that_were_asked_for_often_are_thinned() {
    let world = world(Platform::Mastodon);
    let post = publish(&world, 1).remove(0);
    for minute in 1..=150 {
        let at = world.now() + TimeDelta::seconds(minute);
        let reading = Reading { at, figures: likes(1) };
        done(world.store.add_reading(post.targets[0].id, &reading, &[])).unwrap();
    }
    world.clock.advance(TimeDelta::hours(1));
    assert_eq!(world.take_readings(), [RunOutcome::Read]);
    let kept = history(&world, &post);
    assert_eq!(kept.len(), 101, "the latest hundred, and the last of the hour before");
    assert_eq!(kept.last().unwrap().at, world.now());
}

#[test]
fn an_account_marked_by_somebody_else_is_not_asked() {
    let world = world(Platform::Mastodon);
    publish(&world, 1);
    let account = world.account(Platform::Mastodon);
    let stored = done(world.store.credentials(account.id)).unwrap().unwrap();
    assert!(done(world.store.mark_needs_reconnect(account.id, stored.version, None)).unwrap());
    pass(&world, TimeDelta::days(2));
    assert_eq!(world.after.take_calls(), [""; 0]);
}
