//! The audit log: whose names it has, and how long it is kept.

use chrono::TimeDelta;
use futures_util::FutureExt as _;
use scheduler_core::app::NewKeyInput;
use scheduler_core::audit::{Actor, ActorKind, AuditEntry, AuditFilter};
use scheduler_core::engine::HistoryRemoved;
use scheduler_core::ids::AuditId;
use scheduler_core::key::Preset;
use scheduler_core::ports::AuditStore as _;
use scheduler_core::post::PageInput;
use scheduler_core::session::Role;

use crate::sessions::log_in;
use crate::support::{World, done, outcome, refused};

fn entry(world: &World, by: Actor) -> AuditEntry {
    let at = world.now();
    AuditEntry {
        id: AuditId(world.scheduler.ports().ids.next(at)),
        workspace_id: world.caller.workspace.id,
        at,
        by,
        operation: "create_post".to_owned(),
        path: "/v1/posts".to_owned(),
        call: None,
    }
}

#[test]
fn keys_and_sessions_are_named() {
    let world = World::empty();
    let name = "The website".to_owned();
    let input = NewKeyInput::new(&name, Preset::Full);
    let key = done(world.scheduler.create_key(&world.caller.workspace, &input)).unwrap().key.id;
    let value = log_in(&world, Role::Editor, true);
    let session = done(world.scheduler.member(Some(&value))).unwrap().session.unwrap().id;
    let unknown = world.scheduler.ports().ids.next(world.now());
    let mut entries = [
        entry(&world, Actor::new(ActorKind::Key, Some(key.0), None)),
        entry(&world, Actor::new(ActorKind::Key, Some(unknown), None)),
        entry(&world, Actor::new(ActorKind::Session, Some(session.0), None)),
        entry(&world, Actor::new(ActorKind::Session, Some(session.0), Some("then".to_owned()))),
    ];
    done(world.scheduler.keep_audit(&mut entries)).unwrap();
    let page = done(world.scheduler.audit(
        world.caller.workspace.id,
        &PageInput::default(),
        AuditFilter::default(),
    ));
    let names: Vec<Option<String>> =
        page.unwrap().data.into_iter().map(|one| one.by.name).collect();
    let some = |name: &str| Some(name.to_owned());
    assert_eq!(names, [some("then"), some("a laptop"), None, Some(name)]);
}

#[test]
fn pages_follow_one_another() {
    let world = World::empty();
    let mut entries: Vec<AuditEntry> =
        (0..5).map(|_| entry(&world, Actor::new(ActorKind::Server, None, None))).collect();
    done(world.scheduler.keep_audit(&mut entries)).unwrap();
    let list = |limit: &str, before: Option<String>| {
        let page = PageInput { limit: Some(limit.to_owned()), before };
        done(world.scheduler.audit(world.caller.workspace.id, &page, AuditFilter::default()))
    };
    let (mut seen, mut before) = (Vec::new(), None);
    loop {
        let page = list("2", before).unwrap();
        seen.extend(page.data.iter().map(|one| one.id));
        before = page.next_cursor;
        if before.is_none() {
            break;
        }
    }
    entries.reverse();
    assert_eq!(seen, entries.iter().map(|entry| entry.id).collect::<Vec<_>>());
    for (limit, before, field) in [("201", None, "limit"), ("1", Some("x"), "before")] {
        let refused = refused(list(limit, before.map(str::to_owned)));
        assert_eq!(outcome(&refused), format!("invalid_request {field}"));
    }
}

#[test]
fn old_entries_are_removed() {
    let world = World::empty();
    let old: Vec<AuditEntry> =
        (0..600).map(|_| entry(&world, Actor::new(ActorKind::Server, None, None))).collect();
    done(world.store.add_audit(&old)).unwrap();
    world.clock.advance(TimeDelta::days(90) + TimeDelta::seconds(1));
    done(world.store.add_audit(&[entry(&world, Actor::new(ActorKind::Server, None, None))]))
        .unwrap();
    let mut removing = Box::pin(world.scheduler.remove_history());
    assert!(removing.as_mut().now_or_never().is_none(), "it pauses after 500");
    world.clock.advance(TimeDelta::milliseconds(20));
    let removed = removing.now_or_never().expect("nothing is left").unwrap();
    assert_eq!(removed, HistoryRemoved { audit: 600, ..HistoryRemoved::default() });
    let left = done(world.store.audit(world.caller.workspace.id, 9, None, AuditFilter::default()))
        .unwrap();
    assert_eq!(left.len(), 1);
}
