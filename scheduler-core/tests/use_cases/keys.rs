//! API keys, and who calls with them.

use chrono::{DurationRound as _, TimeDelta};
use scheduler_core::app::{Caller, Credential, NewKey, NewKeyInput};
use scheduler_core::error::{AccessRefusal, Refusal, RefusalKind};
use scheduler_core::ids::KeyId;
use scheduler_core::key::{Expiry, Preset, Scope};
use scheduler_core::plan::Plan;

use crate::support::{World, done, outcome, refused};

fn create(world: &World, name: &str, preset: Preset, expiry: Expiry) -> Result<NewKey, Refusal> {
    let input = NewKeyInput { expiry, ..NewKeyInput::new(name, preset) };
    refused(done(world.scheduler.create_key(&world.caller.workspace, &input)))
}

fn authenticated(world: &World, key: Option<&str>) -> String {
    outcome(&refused(done(world.scheduler.authenticate(key))))
}

#[test]
fn a_key_opens_its_one_workspace_with_its_scopes() {
    for preset in Preset::ALL {
        let world = World::empty();
        let key = create(&world, "test", preset, Expiry::default()).unwrap();
        let caller = done(world.scheduler.authenticate(Some(key.value.expose()))).unwrap();
        assert_eq!(caller.workspace, world.caller.workspace);
        assert_eq!((caller.by, caller.scopes), (Credential::Key(key.key.id), preset.scopes()));
    }
}

#[test]
fn a_key_is_kept_as_a_hash_and_known_by_its_beginning() {
    let world = World::empty();
    let new = create(&world, " my key ", Preset::Full, Expiry::default()).unwrap();
    let value = new.value.expose();
    assert!(value.starts_with("sk_") && value.len() == 46);
    let keys = done(world.scheduler.keys(world.caller.workspace.id)).unwrap();
    assert_eq!(keys, std::slice::from_ref(&new.key));
    assert_eq!((keys[0].name.as_str(), keys[0].hint.as_str()), ("my key", &value[..8]));
    assert!(!format!("{keys:?}{new:?}").contains(value), "the value is in nothing that prints");
}

#[test]
fn keys_that_open_nothing() {
    let world = World::empty();
    let key = create(&world, "test", Preset::Full, Expiry::Days30).unwrap();
    let value = key.value.expose().to_owned();
    let mut other = value.clone();
    other.replace_range(20..21, if &value[20..21] == "a" { "b" } else { "a" });
    for (name, given, want) in [
        ("the key", Some(value.as_str()), "ok"),
        ("none", None, "unauthorized"),
        ("empty", Some(""), "unauthorized"),
        ("another", Some(other.as_str()), "unauthorized"),
        ("its hint", Some(key.key.hint.as_str()), "unauthorized"),
        ("with a space", Some(&format!("{value} ") as &str), "unauthorized"),
    ] {
        assert_eq!(authenticated(&world, given), want, "{name}");
    }
    done(world.scheduler.revoke_key(key.key.id)).unwrap();
    assert_eq!(authenticated(&world, Some(&value)), "unauthorized", "revoked");
    let again = refused(done(world.scheduler.revoke_key(KeyId(key.key.id.0))));
    assert_eq!(outcome(&again), "not_found");
}

#[test]
fn expiry() {
    for (expiry, days) in [(Expiry::Days30, 30), (Expiry::Days90, 90), (Expiry::Year, 365)] {
        let world = World::empty();
        let key = create(&world, "test", Preset::Full, expiry).unwrap();
        let value = key.value.expose();
        world.clock.advance(TimeDelta::days(days) - TimeDelta::microseconds(1));
        assert_eq!(authenticated(&world, Some(value)), "ok", "{expiry:?}");
        world.clock.advance(TimeDelta::microseconds(1));
        assert_eq!(authenticated(&world, Some(value)), "unauthorized", "{expiry:?}");
    }
}

#[test]
fn the_plan_decides_on_new_keys_only() {
    for (plan, want) in [(Plan::Free, "api_not_on_plan"), (Plan::Pro, "ok"), (Plan::Studio, "ok")] {
        let world = World::empty();
        let old = create(&world, "old", Preset::Full, Expiry::default()).unwrap();
        done(world.scheduler.set_plan(&world.caller.workspace, plan)).unwrap();
        let moved = world.caller_on(plan).workspace;
        let input = NewKeyInput::new("new", Preset::Read);
        let new = refused(done(world.scheduler.create_key(&moved, &input)));
        assert_eq!(outcome(&new), want, "{plan}");
        assert_eq!(authenticated(&world, Some(old.value.expose())), "ok", "{plan}");
    }
}

#[test]
fn a_key_needs_a_name() {
    let world = World::empty();
    let created = create(&world, "  ", Preset::Full, Expiry::default());
    assert_eq!(outcome(&created), "invalid_request name");
}

#[test]
fn a_missing_scope_is_named() {
    let world = World::empty();
    let caller = world.caller_with(&[Scope::MediaRead]);
    let refusal = caller.require(Scope::PostsPublish).unwrap_err();
    assert!(refusal.message().contains("posts:publish"), "{}", refusal.message());
    let refusal = caller.require_any(&[Scope::PostsWrite, Scope::PostsPublish]).unwrap_err();
    assert!(refusal.message().contains("posts:write or posts:publish"), "{}", refusal.message());
}

#[test]
fn the_limit_of_tools_says_what_there_is_to_do() {
    let world = World::empty();
    let with_limit = |limit| {
        let input =
            NewKeyInput { live_per_hour: Some(limit), ..NewKeyInput::new("a", Preset::Full) };
        let made = done(world.scheduler.create_key(&world.caller.workspace, &input)).unwrap();
        done(world.scheduler.authenticate(Some(made.value.expose()))).unwrap()
    };
    let count = |caller: &Caller| refused(done(world.scheduler.count_live_call(caller)));
    let why = |caller: &Caller| match count(caller).unwrap_err().kind {
        RefusalKind::Access(refusal) => refusal,
        other => panic!("{other:?}"),
    };
    let (nothing, one) = (with_limit(0), with_limit(1));
    assert_eq!(why(&nothing), AccessRefusal::NoLiveCalls);
    count(&one).unwrap();
    let until = world.now().duration_trunc(TimeDelta::hours(1)).unwrap() + TimeDelta::hours(1);
    let used_up = |is_of_key| {
        let limit = 1;
        AccessRefusal::LiveCallsUsedUp { limit, until, is_of_key }
    };
    assert_eq!(why(&one), used_up(true));
    let keyless = Caller { by: Credential::Program, ..one };
    count(&keyless).unwrap();
    assert_eq!(why(&keyless), used_up(false));
}
