use std::sync::Arc;

use chrono::{DateTime, Utc};
use scheduler_core::ports::{SaveOutcome, Store};
use scheduler_core::post::{LastChange, Post};

use crate::fixtures::{NO_LIMIT, World, at};

/// Has a caller change a post at a second; returns it as it is then.
async fn change(world: &World, post: &Post, content: &str, second: i64) -> Post {
    let changed = Post {
        content: content.to_owned(),
        revision: post.revision + 1,
        updated_at: at(second),
        ..post.clone()
    };
    assert_eq!(world.store.save_post(&changed, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    world.read(post.id).await
}

async fn changes(world: &World, since: DateTime<Utc>, limit: u32) -> Vec<LastChange> {
    world.store.last_changes(world.workspace, since, limit).await.unwrap()
}

async fn last(world: &World, post: &Post) -> Option<LastChange> {
    world.store.last_change(world.workspace, post.id).await.unwrap()
}

pub(crate) async fn are_those_that_the_core_makes_of_a_save(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let account = world.account().await;
    let post = world.due(account.id, at(900)).await;
    let later = world.due(account.id, at(901)).await;
    assert!(changes(&world, at(0), 9).await.is_empty(), "none was changed");

    let changed = change(&world, &post, "two", 10).await;
    let first = LastChange::of(&post, &changed).unwrap();
    assert_eq!(last(&world, &post).await, Some(first));
    assert_eq!(last(&world, &later).await, None);
    let again = change(&world, &changed, "three", 20).await;
    let second = LastChange::of(&changed, &again).unwrap();
    let third = LastChange::of(&later, &change(&world, &later, "other", 30).await).unwrap();
    let all = [third.clone(), second.clone()];
    assert_eq!(changes(&world, at(0), 9).await, all, "newest first");
    assert_eq!(changes(&world, at(0), 1).await, all[..1]);
    assert_eq!(changes(&world, at(21), 9).await, all[..1]);
    assert_eq!(last(&world, &post).await, Some(second));
    assert!(changes(&other, at(0), 9).await.is_empty());
    assert_eq!(last(&other, &post).await, None);

    // A save that is no change of a caller leaves nothing to take back.
    let touched = Post { updated_at: at(40), ..again };
    assert_eq!(store.save_post(&touched, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    assert_eq!(changes(&world, at(0), 9).await, [third]);
    assert_eq!(last(&world, &post).await, None);
}

pub(crate) async fn go_with_their_post(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await;
    let post = world.due(account.id, at(900)).await;
    let changed = change(&world, &post, "two", 10).await;
    store.remove_post(world.workspace, post.id, changed.version).await.unwrap();
    assert!(changes(&world, at(0), 9).await.is_empty());
    assert_eq!(last(&world, &post).await, None);
}
