use std::sync::Arc;

use scheduler_core::account::Credentials;
use scheduler_core::connecting::{ConnectingStage, Pass, PassHash, PendingConnection};
use scheduler_core::ids::ConnectionId;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{ConnectInput, Connected, PendingConnectionOf as Of, Store};
use secrecy::ExposeSecret as _;
use tokio::task::JoinSet;

use crate::fixtures::{World, at, id};

fn pass(seed: u8) -> PassHash {
    Pass::from_random([seed; 32]).hash()
}

/// One that ends after so many seconds.
fn pending(world: &World, seed: u8, seconds: i64) -> PendingConnection {
    let given = [("instance".to_owned(), "m.example".to_owned())];
    PendingConnection {
        id: ConnectionId(id()),
        workspace_id: world.workspace,
        platform: Platform::Mastodon,
        pass: pass(seed),
        stage: ConnectingStage::Invited { given: ConnectInput(given.into()) },
        created_at: at(0),
        expires_at: at(seconds),
        version: 1,
    }
}

fn picking() -> ConnectingStage {
    let opened = Connected::new("1", Credentials::new("token", Some(at(7))));
    ConnectingStage::Picking { opened: vec![opened] }
}

/// Everything of it, since secrets do not compare.
fn told(pending: &PendingConnection) -> String {
    let stage = pending.stage.to_text().unwrap();
    let rest = PendingConnection { stage: picking(), ..pending.clone() };
    format!("{rest:?} {:?} {}", pending.pass.0, stage.expose_secret())
}

pub(crate) async fn are_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (first, second) = (pending(&world, 1, 900), pending(&world, 2, 900));
    for pending in [&first, &second] {
        store.create_pending_connection(pending).await.unwrap();
    }
    let found = store.pending_connection(Of::Id(first.id)).await.unwrap().unwrap();
    assert_eq!(told(&found), told(&first));
    let found = store.pending_connection(Of::Pass(second.pass)).await.unwrap().unwrap();
    assert_eq!(told(&found), told(&second));
    assert!(store.pending_connection(Of::Id(ConnectionId(id()))).await.unwrap().is_none());
    assert!(store.pending_connection(Of::Pass(pass(3))).await.unwrap().is_none());
}

pub(crate) async fn are_saved_against_their_version(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let first = pending(&world, 1, 900);
    store.create_pending_connection(&first).await.unwrap();
    let moved = PendingConnection { pass: pass(2), stage: picking(), ..first.clone() };
    assert!(store.save_pending_connection(&moved).await.unwrap());
    let found = store.pending_connection(Of::Pass(pass(2))).await.unwrap().unwrap();
    assert_eq!(told(&found), told(&PendingConnection { version: 2, ..moved.clone() }));
    assert!(store.pending_connection(Of::Pass(pass(1))).await.unwrap().is_none(), "it is used up");

    assert!(!store.save_pending_connection(&first).await.unwrap(), "it has changed");
    let found = store.pending_connection(Of::Id(first.id)).await.unwrap().unwrap();
    assert_eq!(found.version, 2);
    let unknown = PendingConnection { id: ConnectionId(id()), version: 2, ..moved };
    assert!(!store.save_pending_connection(&unknown).await.unwrap(), "there is none");
}

pub(crate) async fn saved_at_once_are_saved_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let first = pending(&world, 1, 900);
    store.create_pending_connection(&first).await.unwrap();
    let mut callers = JoinSet::new();
    for seed in 2..10 {
        let (store, mine) = (store.clone(), first.clone());
        let mine = PendingConnection { pass: pass(seed), ..mine };
        callers.spawn(async move { store.save_pending_connection(&mine).await.unwrap() });
    }
    let saved = callers.join_all().await.into_iter().filter(|saved| *saved).count();
    assert_eq!(saved, 1);
    assert_eq!(store.pending_connection(Of::Id(first.id)).await.unwrap().unwrap().version, 2);
}

pub(crate) async fn are_removed_after_their_time(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let all = [(1, 10), (2, 20), (3, 21)].map(|(seed, end)| pending(&world, seed, end));
    for pending in &all {
        store.create_pending_connection(pending).await.unwrap();
    }
    assert_eq!(store.remove_pending_connections(at(9)).await.unwrap(), 0);
    assert_eq!(store.remove_pending_connections(at(20)).await.unwrap(), 2);
    for (pending, is_there) in all.iter().zip([false, false, true]) {
        let found = store.pending_connection(Of::Id(pending.id)).await.unwrap();
        assert_eq!(found.is_some(), is_there, "{:?}", pending.expires_at);
    }
}
