use std::sync::Arc;

use scheduler_core::key::KeyValue;
use scheduler_core::ports::Store;

use crate::fixtures::{World, at, key};

pub(crate) async fn are_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let (late, early) = (key(world.workspace, 2), key(world.workspace, 1));
    let foreign = key(other.workspace, 3);
    for key in [&late, &early, &foreign] {
        store.create_key(key).await.unwrap();
    }
    assert_eq!(store.keys(world.workspace).await.unwrap(), [early.clone(), late.clone()]);

    assert!(store.revoke_key(early.id).await.unwrap());
    assert!(!store.revoke_key(early.id).await.unwrap(), "it is gone");
    assert_eq!(store.key_by_hash(early.hash).await.unwrap(), None);
    assert_eq!(store.keys(world.workspace).await.unwrap(), [late]);
}

pub(crate) async fn are_found_by_hash_with_their_workspace(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut expired = key(world.workspace, 1);
    expired.expires_at = at(-1);
    store.create_key(&expired).await.unwrap();
    let (found, workspace) = store.key_by_hash(expired.hash).await.unwrap().unwrap();
    assert_eq!(found, expired, "expired or not");
    assert_eq!(workspace.id, world.workspace);
    let unknown = KeyValue::from_random([9; 32]).hash();
    assert_eq!(store.key_by_hash(unknown).await.unwrap(), None);
}
