//! The audit log.

use std::sync::Arc;

use scheduler_core::audit::{Actor, ActorKind, AuditCursor, AuditEntry, AuditFilter, ToolCall};
use scheduler_core::ids::{AuditId, WorkspaceId, derived};
use scheduler_core::ports::Store;
use uuid::Uuid;

use crate::fixtures::{World, at, person};

/// Of entries that are changes.
const ALL: AuditFilter = AuditFilter { calls: false, by: None };

fn entry(workspace_id: WorkspaceId, number: u128, seconds: i64, kind: ActorKind) -> AuditEntry {
    let id = (kind != ActorKind::Server).then(|| Uuid::from_u128(number));
    let name = id.map(|id| format!("it's {id}"));
    let ana = (kind == ActorKind::Session).then(|| person("Ana"));
    AuditEntry {
        id: AuditId(derived(at(seconds), "audit", Uuid::from_u128(number), &[])),
        workspace_id,
        at: at(seconds),
        by: Actor::new(kind, id, name).named(ana),
        operation: "create_post".to_owned(),
        path: format!("/v1/posts/{number}"),
        call: None,
    }
}

pub(crate) async fn is_read_newest_first(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let mut mine: Vec<AuditEntry> = [
        (4, 9, ActorKind::Server),
        (3, 7, ActorKind::Key),
        (2, 7, ActorKind::Session),
        (1, 1, ActorKind::Key),
    ]
    .map(|(number, seconds, kind)| entry(world.workspace, number, seconds, kind))
    .to_vec();
    mine.sort_by_key(|entry| std::cmp::Reverse(AuditCursor::of(entry)));
    let theirs = entry(other.workspace, 9, 8, ActorKind::Key);
    store.add_audit(&[mine[2].clone(), theirs.clone(), mine[0].clone()]).await.unwrap();
    store.add_audit(&[mine[1].clone(), mine[3].clone(), mine[0].clone()]).await.unwrap();
    assert_eq!(store.audit(world.workspace, 9, None, ALL).await.unwrap(), mine, "each once");
    assert_eq!(store.audit(other.workspace, 9, None, ALL).await.unwrap(), [theirs]);
    for count in 1..=4 {
        let limit = u32::try_from(count).unwrap();
        let first = store.audit(world.workspace, limit, None, ALL).await.unwrap();
        assert_eq!(first, mine[..count]);
        let place = first.last().map(AuditCursor::of);
        assert_eq!(store.audit(world.workspace, 9, place, ALL).await.unwrap(), mine[count..]);
    }
}

pub(crate) async fn is_found_by_call_and_by_caller(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut all = Vec::new();
    for (number, by, client) in
        [(1, 7, None), (2, 7, Some("Claude/1")), (3, 8, Some("Cursor/2")), (4, 7, Some("it's/3"))]
    {
        let mut entry = entry(world.workspace, number, 9, ActorKind::Key);
        entry.by.id = Some(Uuid::from_u128(by));
        let outcome = "done".to_owned();
        entry.call = client.map(|client| ToolCall { client: client.to_owned(), outcome });
        all.push(entry);
    }
    store.add_audit(&all).await.unwrap();
    all.sort_by_key(|entry| std::cmp::Reverse(AuditCursor::of(entry)));
    for calls in [false, true] {
        for by in [None, Some(7), Some(8), Some(9)].map(|by| by.map(Uuid::from_u128)) {
            let is_asked_for = |entry: &&AuditEntry| {
                calls == entry.call.is_some() && (by.is_none() || entry.by.id == by)
            };
            let want: Vec<AuditEntry> = all.iter().filter(is_asked_for).cloned().collect();
            let filter = AuditFilter { calls, by };
            let first = store.audit(world.workspace, 1, None, filter).await.unwrap();
            assert_eq!(first, want[..want.len().min(1)], "{filter:?}");
            let place = first.last().map(AuditCursor::of);
            let rest = store.audit(world.workspace, 9, place, filter).await.unwrap();
            assert_eq!([first, rest].concat(), want, "{filter:?}");
        }
    }
}

pub(crate) async fn is_removed_by_age(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let all: Vec<AuditEntry> = (1..=5)
        .map(|number| {
            entry(world.workspace, number, i64::try_from(number).unwrap(), ActorKind::Key)
        })
        .collect();
    store.add_audit(&all).await.unwrap();
    let left = async || store.audit(world.workspace, 9, None, ALL).await.unwrap().len();
    for (before, limit, removed, remain) in
        [(1, 9, 0, 5), (4, 2, 2, 3), (4, 2, 1, 2), (4, 2, 0, 2), (9, 9, 2, 0)]
    {
        assert_eq!(store.remove_audit(at(before), limit).await.unwrap(), removed);
        assert_eq!(left().await, remain);
    }
}
