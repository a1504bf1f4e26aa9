//! Access tokens that run out.

use chrono::TimeDelta;
use scheduler_core::account::{Account, Credentials};
use scheduler_core::engine::RunOutcome;
use scheduler_core::ids::AccountId;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    AccountStore as _, NetworkError, NetworkErrorKind as Kind, RefreshClaim, Step,
};

use serde_json::json;

use crate::fakes::{live, step};
use crate::publish::{due, error, fails, failure, target};
use crate::support::{World, done};

/// A world whose token runs out at an instant.
fn expiring(at_minute: i64) -> World {
    let world = World::empty();
    *world.network.expires_at.lock().unwrap() = Some(world.now() + TimeDelta::minutes(at_minute));
    world.connect(Platform::Bluesky, "me");
    world.network.take_calls();
    world
}

fn new_token(number: u32) -> Result<Credentials, NetworkError> {
    Ok(Credentials::new(format!("token-{number}"), None))
}

#[test]
fn a_token_is_refreshed_ahead_of_its_end_and_once() {
    for (name, at_minute, calls) in [
        ("soon", 4, vec!["refresh token-1", "advance 0 token-2", "advance 0 token-2"]),
        ("past", -1, vec!["refresh token-1", "advance 0 token-2", "advance 0 token-2"]),
        ("not soon", 6, vec!["advance 0 token-1", "advance 0 token-1"]),
    ] {
        let world = expiring(at_minute);
        world.network.refreshes.lock().unwrap().extend([new_token(2)]);
        due(&world);
        due(&world);
        assert_eq!(world.work(), [RunOutcome::Published, RunOutcome::Published], "{name}");
        assert_eq!(world.network.take_calls(), calls, "{name}");
    }
}

#[test]
fn a_token_that_is_refused_is_refreshed_and_the_step_repeated() {
    let world = World::new();
    world.network.take_calls();
    world.network.script([Ok(Step::Next(step(1))), fails(Kind::TokenExpired), live()]);
    world.network.refreshes.lock().unwrap().extend([new_token(2)]);
    let post = due(&world);
    assert_eq!(world.work(), [RunOutcome::Published]);
    assert_eq!(
        world.network.take_calls(),
        ["advance 0 token-1", "advance 1 token-1", "refresh token-1", "advance 1 token-2"]
    );
    assert_eq!(target(&world, &post).attempts, 1);
}

#[test]
fn what_a_failed_refresh_means() {
    for (name, at_minute, refresh, step, want) in [
        ("ahead, for now: the old token still does", 4, Kind::Temporary, live(), "none"),
        ("ahead, for good", 4, Kind::Reconnect, live(), "account_not_connected true 1"),
        (
            "too late, for now",
            60,
            Kind::Temporary,
            fails(Kind::TokenExpired),
            "network_error false 1",
        ),
        (
            "too late, for good",
            60,
            Kind::Reconnect,
            fails(Kind::TokenExpired),
            "account_not_connected true 1",
        ),
        (
            "its answer is lost: of the post nothing is in doubt",
            60,
            Kind::InDoubt,
            fails(Kind::TokenExpired),
            "network_error false 1",
        ),
    ] {
        let world = expiring(at_minute);
        world.network.refreshes.lock().unwrap().extend([Err(error(refresh))]);
        world.network.script([step]);
        let post = due(&world);
        world.work();
        assert_eq!(failure(&target(&world, &post)), want, "{name}");
        let needs_reconnect = world.account(Platform::Bluesky).needs_reconnect;
        assert_eq!(needs_reconnect, refresh == Kind::Reconnect, "{name}");
    }
}

/// Claims the refresh of an account, as another holder does.
fn claim_elsewhere(world: &World, account: AccountId) {
    let until = world.now() + TimeDelta::seconds(150);
    let claim = done(world.store.claim_refresh(account, 1, world.now(), until)).unwrap();
    assert!(matches!(claim, RefreshClaim::Granted));
}

#[test]
fn while_another_holder_refreshes_the_target_waits_and_nothing_is_used_up() {
    for (name, at_minute, first) in [
        ("the network refuses the token", 60, Some(fails(Kind::TokenExpired))),
        ("the token has run out", -1, None),
    ] {
        let world = expiring(at_minute);
        let account = world.account(Platform::Bluesky).id;
        claim_elsewhere(&world, account);
        world.network.script(first);
        let post = due(&world);
        assert_eq!(world.work(), [RunOutcome::PublishWaits], "{name}");
        for seconds in [1, 1, 2, 4, 8] {
            world.network.script((at_minute > 0).then(|| fails(Kind::TokenExpired)));
            let ran = world.work_after(TimeDelta::seconds(seconds));
            assert_eq!(ran, [RunOutcome::PublishWaits], "{name}: ever more rarely");
        }
        let waiting = target(&world, &post);
        assert_eq!((waiting.attempts, waiting.spent.tries, waiting.spent.rate_limits), (1, 0, 0));
        assert_eq!(failure(&waiting), "none", "{name}");
        let token = Credentials::new("token-2", None);
        let replaced = done(world.store.replace_credentials(&[(account, 1)], &token)).unwrap();
        assert_eq!(replaced, [account]);
        world.network.take_calls();
        assert_eq!(world.work_after(TimeDelta::seconds(16)), [RunOutcome::Published], "{name}");
        assert_eq!(world.network.take_calls(), ["advance 0 token-2"], "{name}: the new token");
    }
}

#[test]
fn a_token_that_lasts_is_used_while_another_holder_refreshes_it_ahead() {
    let world = expiring(4);
    claim_elsewhere(&world, world.account(Platform::Bluesky).id);
    due(&world);
    assert_eq!(world.work(), [RunOutcome::Published]);
    assert_eq!(world.network.take_calls(), ["advance 0 token-1"]);
}

/// A world of two accounts of one network that one token has opened, and a post due for each.
fn sharing(at_minute: i64) -> (World, [Account; 2]) {
    let world = expiring(at_minute);
    world.connect(Platform::Bluesky, "me too");
    let accounts: [Account; 2] = world.accounts().try_into().unwrap();
    world.network.take_calls();
    for account in &accounts {
        let target = json!({ "platform": "bluesky", "accountId": account.id });
        world.create(json!({ "content": "Hello", "targets": [target], "publishNow": true }));
    }
    (world, accounts)
}

#[test]
fn accounts_that_share_a_token_refresh_it_once() {
    let (world, accounts) = sharing(-1);
    world.network.refreshes.lock().unwrap().extend([new_token(2)]);
    assert_eq!(world.work(), [RunOutcome::Published, RunOutcome::Published]);
    let want = ["refresh token-1", "advance 0 token-2", "advance 0 token-2"];
    assert_eq!(world.network.take_calls(), want);
    for account in accounts {
        let stored = done(world.store.credentials(account.id)).unwrap().unwrap();
        assert_eq!((stored.credentials.expose(), stored.version), ("token-2", 2));
    }
}

#[test]
fn an_account_waits_while_its_token_is_refreshed_for_another() {
    let (world, accounts) = sharing(-1);
    let first = accounts.iter().map(|account| account.id).min().unwrap();
    claim_elsewhere(&world, first);
    assert_eq!(world.work(), [RunOutcome::PublishWaits, RunOutcome::PublishWaits]);
    let of = accounts.map(|account| (account.id, 1));
    done(world.store.replace_credentials(&of, &Credentials::new("token-2", None))).unwrap();
    let ran = world.work_after(TimeDelta::seconds(1));
    assert_eq!(ran, [RunOutcome::Published, RunOutcome::Published]);
    assert_eq!(world.network.take_calls(), ["advance 0 token-2", "advance 0 token-2"]);
}

#[test]
fn an_account_that_was_connected_anew_shares_no_longer() {
    let (world, accounts) = sharing(-1);
    let first = accounts.iter().map(|account| account.id).min().unwrap();
    let own = Credentials::new("token-9", None);
    done(world.store.replace_credentials(&[(first, 1)], &own)).unwrap();
    world.network.refreshes.lock().unwrap().extend([new_token(2)]);
    assert_eq!(world.work(), [RunOutcome::Published, RunOutcome::Published]);
    let mut calls = world.network.take_calls();
    calls.sort();
    assert_eq!(calls, ["advance 0 token-2", "advance 0 token-9", "refresh token-1"]);
}

#[test]
fn what_lies_idle_is_refreshed_a_week_after_it_was_due() {
    let minute = TimeDelta::minutes(1);
    for (name, refresh, before, refreshed, calls, needs_reconnect) in [
        ("not yet", None, minute, 0, vec![], false),
        (
            "due for a week",
            Some(new_token(2)),
            TimeDelta::zero(),
            1,
            vec!["refresh token-1"],
            false,
        ),
        (
            "refused",
            Some(Err(error(Kind::Reconnect))),
            TimeDelta::zero(),
            0,
            vec!["refresh token-1"],
            true,
        ),
        (
            "fails for now",
            Some(Err(error(Kind::Temporary))),
            TimeDelta::zero(),
            0,
            vec!["refresh token-1"],
            false,
        ),
    ] {
        let world = expiring(0);
        world.clock.advance(TimeDelta::days(7) - before);
        world.network.refreshes.lock().unwrap().extend(refresh);
        assert_eq!(done(world.scheduler.refresh_idle()).unwrap(), refreshed, "{name}");
        assert_eq!(world.network.take_calls(), calls, "{name}");
        let account = world.account(Platform::Bluesky);
        assert_eq!(account.needs_reconnect, needs_reconnect, "{name}");
        // The lease of the first turn is over; who was refused or has a new token is left alone.
        world.clock.advance(minute * 3);
        let again = usize::from(name == "fails for now");
        world.network.refreshes.lock().unwrap().extend((again > 0).then(|| new_token(3)));
        if before.is_zero() {
            assert_eq!(done(world.scheduler.refresh_idle()).unwrap(), again, "{name}, again");
        }
    }
}

#[test]
fn accounts_that_share_an_idle_token_refresh_it_once() {
    let (world, accounts) = sharing(0);
    world.clock.advance(TimeDelta::days(7));
    let new = Credentials::new("token-2", Some(world.now() + TimeDelta::days(30)));
    world.network.refreshes.lock().unwrap().extend([Ok(new)]);
    assert_eq!(done(world.scheduler.refresh_idle()).unwrap(), 1);
    assert_eq!(world.network.take_calls(), ["refresh token-1"]);
    for account in accounts {
        let stored = done(world.store.credentials(account.id)).unwrap().unwrap();
        assert_eq!(stored.credentials.expose(), "token-2");
    }
}
