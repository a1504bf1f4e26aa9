//! Workspaces.

use scheduler_core::app::{NewWorkspace, Settings, WorkspaceChange};
use scheduler_core::error::Refusal;
use scheduler_core::key::Preset;
use scheduler_core::plan::Plan;
use scheduler_core::post::Field;
use scheduler_core::workspace::Workspace;

use crate::support::{World, done, outcome, refused};

fn create(world: &World, name: &str) -> Result<Workspace, Refusal> {
    let input = NewWorkspace { name: name.into(), plan: Plan::Pro };
    refused(done(world.scheduler.create_workspace(&input)))
}

#[test]
fn the_first_start_makes_a_workspace_and_a_key_once() {
    let world = World::bare(Settings::default());
    let first = done(world.first_start()).unwrap().unwrap();
    assert_eq!(first.workspace.plan, Plan::Studio);
    let caller = done(world.authenticate(Some(first.key.value.expose()))).unwrap();
    assert_eq!(caller.scopes, Preset::Full.scopes());
    assert!(done(world.first_start()).unwrap().is_none());
    assert_eq!(done(world.workspaces()).unwrap().len(), 1);
}

#[test]
fn names_are_needed_and_unique() {
    let world = World::empty();
    for (name, want) in [
        ("", "invalid_request name"),
        ("  ", "invalid_request name"),
        ("home", "invalid_request name"),
        (" home ", "invalid_request name"),
        ("work", "ok"),
    ] {
        assert_eq!(outcome(&create(&world, name)), want, "{name:?}");
    }
}

/// Pages stand at an address that is made of the name.
#[test]
fn two_names_never_make_one_address() {
    let world = World::empty();
    for (name, want) in [
        ("Müller", "ok"),
        ("Möller", "invalid_request name"),
        ("M LLER", "invalid_request name"),
        ("Mueller", "ok"),
        ("Home.", "invalid_request name"),
        ("山田", "ok"),
        ("鈴木", "ok"),
    ] {
        assert_eq!(outcome(&create(&world, name)), want, "{name:?}");
    }
    let mueller = done(world.scheduler.workspace_named(Some("Mueller"))).unwrap();
    let rename = |to: &str| {
        let change = WorkspaceChange { name: Some(to.to_owned()), ..WorkspaceChange::default() };
        refused(done(world.scheduler.change_workspace(&mueller, change)))
    };
    assert_eq!(outcome(&rename("Möller")), "invalid_request name");
    assert_eq!(outcome(&rename("MUELLER")), "ok", "it has this address already");
}

#[test]
fn found_by_name_or_id_or_because_there_is_no_other() {
    let bare = World::bare(Settings::default());
    let none = refused(done(bare.workspace_named(None)));
    assert_eq!(outcome(&none), "not_found");
    let world = World::empty();
    let named = |name: Option<&str>| refused(done(world.scheduler.workspace_named(name)));
    assert_eq!(named(None).unwrap(), world.caller.workspace);
    let work = create(&world, "work").unwrap();
    assert_eq!(outcome(&named(None)), "invalid_request workspace");
    assert_eq!(named(Some("work")).unwrap(), work);
    assert_eq!(named(Some(&work.id.to_string())).unwrap(), work);
    assert_eq!(outcome(&named(Some("play"))), "not_found");
}

#[test]
fn plan_and_zone_change_one_at_a_time() {
    let world = World::empty();
    let work = create(&world, "work").unwrap();
    let stored = || done(world.scheduler.workspace_named(Some("work"))).unwrap();
    done(world.scheduler.set_plan(&work, Plan::Free)).unwrap();
    assert_eq!(stored().plan, Plan::Free);
    let berlin = "Europe/Berlin".parse().unwrap();
    let change = |change| done(world.scheduler.change_workspace(&stored(), change));
    let zone = |timezone| WorkspaceChange { timezone, ..WorkspaceChange::default() };
    change(zone(Field::Value(berlin))).unwrap();
    assert_eq!((stored().plan, stored().timezone), (Plan::Free, Some(berlin)));
    change(WorkspaceChange::default()).unwrap();
    assert_eq!((stored().plan, stored().timezone), (Plan::Free, Some(berlin)));
    change(zone(Field::Null)).unwrap();
    assert_eq!(stored().timezone, None);
    let id = scheduler_core::ids::WorkspaceId(uuid::Uuid::nil());
    let unknown = Workspace { id, name: "unknown".to_owned(), ..stored() };
    assert_eq!(outcome(&refused(done(world.scheduler.set_plan(&unknown, Plan::Pro)))), "not_found");
}

#[test]
fn a_workspace_is_renamed_unless_its_name_is_taken() {
    let world = World::empty();
    let work = create(&world, "work").unwrap();
    create(&world, "play").unwrap();
    let rename = |name: &str| {
        let change = WorkspaceChange { name: Some(name.to_owned()), ..WorkspaceChange::default() };
        refused(done(world.scheduler.change_workspace(&work, change)))
    };
    for (name, to, want) in [
        ("taken", "play", "invalid_request name"),
        ("empty", " ", "invalid_request name"),
        ("too long", &"n".repeat(101), "invalid_request name"),
        ("its own", "work", "ok"),
        ("the longest", &"n".repeat(100), "ok"),
        ("another", " a client ", "ok"),
    ] {
        assert_eq!(outcome(&rename(to)), want, "{name}");
    }
    assert_eq!(done(world.scheduler.workspace_named(Some("a client"))).unwrap().id, work.id);
}
