use std::sync::Arc;

use futures_util::future::join_all;
use scheduler_core::ports::{AddOutcome, Store};
use scheduler_core::webhook::EventKind;

use crate::fixtures::{World, webhook};

pub(crate) async fn are_counted_against_the_limit(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let add = async |world: &World| {
        let webhook = webhook(world.workspace, &EventKind::ALL);
        let outcome = store.create_webhook(&webhook, 2, None).await.unwrap();
        (outcome == AddOutcome::Stored).then_some(webhook.id)
    };
    let first = add(&world).await.unwrap();
    assert!(add(&world).await.is_some());
    assert_eq!(add(&world).await, None);
    assert!(add(&other).await.is_some(), "each workspace has its own");
    assert_eq!(store.webhooks(world.workspace).await.unwrap().len(), 2);
    assert!(store.remove_webhook(world.workspace, first).await.unwrap());
    assert!(add(&world).await.is_some(), "one was removed");
}

pub(crate) async fn added_at_once_respect_the_limit(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let callers = (0..20).map(|_| {
        let (store, workspace) = (store.clone(), world.workspace);
        tokio::spawn(async move {
            store.create_webhook(&webhook(workspace, &EventKind::ALL), 3, None).await.unwrap()
        })
    });
    let added: Vec<AddOutcome> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(added.into_iter().filter(|added| *added == AddOutcome::Stored).count(), 3);
    assert_eq!(store.webhooks(world.workspace).await.unwrap().len(), 3);
}
