//! What has changed in a workspace.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use scheduler_core::audit::{Actor, ActorKind, AuditEntry};
use scheduler_core::changes::{CHANGES_MAX, Changed, Changes};
use scheduler_core::ids::{AuditId, PostId};
use scheduler_core::ports::{SaveOutcome, Store};
use scheduler_core::post::Post;

use crate::fixtures::{NO_LIMIT, World, at, id};

fn deletion(world: &World, post: PostId, second: i64) -> AuditEntry {
    AuditEntry {
        id: AuditId(id()),
        workspace_id: world.workspace,
        at: at(second),
        by: Actor::new(ActorKind::Server, None, None),
        operation: "delete_post".to_owned(),
        path: format!("/v1/posts/{post}"),
        call: None,
    }
}

async fn told(world: &World, since: DateTime<Utc>) -> Vec<Changed> {
    let Changes { list, is_cut, .. } = world.store.changes(world.workspace, since).await.unwrap();
    assert!(!is_cut);
    list.into_iter().map(|change| change.what).collect()
}

pub(crate) async fn are_told_by_posts_events_and_the_log(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let account = world.account().await;
    let post = world.due(account.id, at(900)).await;
    assert!(told(&world, at(100)).await.is_empty(), "nothing so late");
    let changed = Post { revision: 7, updated_at: at(100), ..world.read(post.id).await };
    assert_eq!(store.save_post(&changed, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    let gone = PostId(id());
    store.add_audit(&[deletion(&world, gone, 120), deletion(&other, gone, 121)]).await.unwrap();
    let of_post = Changed::Post(post.id, Some(7));
    let of_gone = Changed::Post(gone, None);
    for (since, want) in [
        (99, vec![of_post, of_gone]),
        (100, vec![of_post, of_gone]),
        (101, vec![of_gone]),
        (121, vec![]),
    ] {
        assert_eq!(told(&world, at(since)).await, want, "since {since}");
    }
    assert_eq!(told(&other, at(100)).await, [of_gone], "each workspace has its own");
    let since = account.connected_at;
    assert!(told(&world, since).await.contains(&Changed::Account(account.id)), "a new account");

    // What the worker records is told as well, under another mark.
    let mark = async || world.store.changes(world.workspace, at(99)).await.unwrap().list[0].mark;
    let first = mark().await;
    let claim = world.claim_one(at(901)).await;
    world.publish(&claim, at(902)).await;
    let last = store.changes(world.workspace, at(130)).await.unwrap().list;
    assert!(last.iter().all(|change| change.what == of_post && change.mark != first), "{last:?}");
    assert!(!last.is_empty());
}

pub(crate) async fn that_are_many_are_cut(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let entries: Vec<AuditEntry> =
        (0..=CHANGES_MAX).map(|_| deletion(&world, PostId(id()), 50)).collect();
    let most = CHANGES_MAX as usize;
    store.add_audit(&entries[..most]).await.unwrap();
    let changes = store.changes(world.workspace, at(50)).await.unwrap();
    assert_eq!((changes.list.len(), changes.is_cut), (most, false));
    store.add_audit(&entries[most..]).await.unwrap();
    let changes = store.changes(world.workspace, at(50)).await.unwrap();
    assert_eq!((changes.list.len(), changes.is_cut), (0, true));
}
