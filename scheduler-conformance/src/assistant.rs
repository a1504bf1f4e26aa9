use std::sync::Arc;

use futures_util::future::join_all;
use scheduler_core::assistant::{AssistantCall, Review, Reviewed};
use scheduler_core::ids::{PostId, TargetId};
use scheduler_core::ports::{RemoveOutcome, SaveOutcome, Store};
use scheduler_core::post::{Month, Post};

use crate::fixtures::{NO_LIMIT, World, at, id, post, target};

fn november() -> Month {
    Month::of(at(0))
}

fn december() -> Month {
    Month(november().0 + 1)
}

async fn take(world: &World, call: AssistantCall, limit: u64) -> bool {
    world.store.take_call(world.workspace, november(), call, limit).await.unwrap()
}

async fn calls(world: &World, month: Month, call: AssistantCall) -> u64 {
    world.store.calls_in_month(world.workspace, month, call).await.unwrap()
}

pub(crate) async fn are_counted_by_kind_and_month(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    for call in AssistantCall::ALL {
        assert!(!take(&world, call, 0).await, "a limit of none");
        assert!(take(&world, call, 2).await);
        assert!(take(&world, call, 2).await, "{call:?} is counted by itself");
        assert!(!take(&world, call, 2).await, "the month is full");
        assert_eq!(calls(&world, november(), call).await, 2);
        assert_eq!(calls(&world, december(), call).await, 0);
        assert!(store.take_call(world.workspace, december(), call, 1).await.unwrap());
        assert_eq!(calls(&other, november(), call).await, 0);
        assert!(take(&other, call, 1).await, "another workspace is counted by itself");
        assert!(take(&world, call, NO_LIMIT).await, "a higher limit");
    }
}

pub(crate) async fn are_given_back(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let give_back = async |month, call| {
        store.give_back_call(world.workspace, month, call).await.unwrap();
    };
    give_back(november(), AssistantCall::Captions).await;
    assert_eq!(calls(&world, november(), AssistantCall::Captions).await, 0, "not below none");
    for call in AssistantCall::ALL {
        assert!(take(&world, call, 1).await);
    }
    give_back(november(), AssistantCall::Captions).await;
    give_back(december(), AssistantCall::Review).await;
    assert_eq!(calls(&world, november(), AssistantCall::Captions).await, 0);
    assert_eq!(calls(&world, november(), AssistantCall::Review).await, 1);
    assert!(take(&world, AssistantCall::Captions, 1).await, "its place is free again");
}

pub(crate) async fn taken_at_once_are_as_many_as_fit(store: Arc<dyn Store>) {
    let world = World::new(store).await;
    for _ in 0..299 {
        assert!(take(&world, AssistantCall::Captions, 300).await);
    }
    let callers = (0..100).map(|_| {
        let world = world.clone();
        tokio::spawn(async move { take(&world, AssistantCall::Captions, 300).await })
    });
    let taken: Vec<bool> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(taken.iter().filter(|taken| **taken).count(), 1);
    assert_eq!(calls(&world, november(), AssistantCall::Captions).await, 300);
}

/// Callers that take and give back leave nothing behind, and never go over the limit.
pub(crate) async fn taken_and_given_back_at_once_add_up(store: Arc<dyn Store>) {
    let world = World::new(store).await;
    let callers = (0..40).map(|_| {
        let world = world.clone();
        tokio::spawn(async move {
            let call = AssistantCall::Review;
            while !take(&world, call, 5).await {
                tokio::task::yield_now().await;
            }
            let used = calls(&world, november(), call).await;
            world.store.give_back_call(world.workspace, november(), call).await.unwrap();
            used
        })
    });
    let used: Vec<u64> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    assert!(used.iter().all(|used| (1..=5).contains(used)), "{used:?}");
    assert_eq!(calls(&world, november(), AssistantCall::Review).await, 0);
}

fn reviewed(target: TargetId, score: u8) -> Reviewed {
    let review = Review {
        summary: "It says \"so\" 👍.".to_owned(),
        strengths: vec![],
        suggestions: vec!["Ask.".to_owned(), "Näher".to_owned()],
        score,
    };
    Reviewed { target_id: target, review, created_at: at(i64::from(score)) }
}

async fn stored(world: &World) -> Post {
    let account = world.account().await.id;
    world.create(post(world.workspace, vec![target(account, None)])).await
}

pub(crate) async fn of_targets_are_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let post = stored(&world).await;
    let target = post.targets[0].id;
    let review = async |world: &World| store.review(world.workspace, target).await.unwrap();
    assert_eq!(review(&world).await, None);
    for score in [3, 9] {
        let reviewed = reviewed(target, score);
        assert!(store.save_review(world.workspace, post.id, &reviewed).await.unwrap());
        assert_eq!(review(&world).await, Some(reviewed), "the last one counts");
    }
    assert_eq!(review(&other).await, None, "of another workspace");
    let elsewhere = reviewed(target, 1);
    assert!(!store.save_review(other.workspace, post.id, &elsewhere).await.unwrap());
    assert!(!store.save_review(world.workspace, PostId(id()), &elsewhere).await.unwrap());
    assert_eq!(review(&world).await, Some(reviewed(target, 9)));
}

pub(crate) async fn go_with_their_post(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut post = stored(&world).await;
    let target = post.targets[0].id;
    let reviewed = reviewed(target, 5);
    assert!(store.save_review(world.workspace, post.id, &reviewed).await.unwrap());
    post.content = "changed".to_owned();
    assert_eq!(store.save_post(&post, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    let found = store.review(world.workspace, target).await.unwrap();
    assert_eq!(found, Some(reviewed.clone()), "a save writes the targets anew");
    let removed = store.remove_post(world.workspace, post.id, post.version + 1).await.unwrap();
    assert_eq!(removed, RemoveOutcome::Removed);
    assert_eq!(store.review(world.workspace, target).await.unwrap(), None);
    assert!(!store.save_review(world.workspace, post.id, &reviewed).await.unwrap());
}

/// A review that is stored while its post is removed is stored before it, or not at all.
pub(crate) async fn stored_while_their_post_is_removed_are_gone(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    for _ in 0..20 {
        let post = stored(&world).await;
        let target = post.targets[0].id;
        let saves = (0..4).map(|score| {
            let (world, id) = (world.clone(), post.id);
            tokio::spawn(async move {
                let reviewed = reviewed(target, score + 1);
                world.store.save_review(world.workspace, id, &reviewed).await.unwrap();
            })
        });
        let saves: Vec<_> = saves.collect();
        let removed = store.remove_post(world.workspace, post.id, post.version).await.unwrap();
        assert_eq!(removed, RemoveOutcome::Removed);
        for save in saves {
            save.await.unwrap();
        }
        assert_eq!(store.review(world.workspace, target).await.unwrap(), None);
    }
}

pub(crate) async fn find_the_post_of_a_target(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let account = world.account().await.id;
    let targets = vec![target(account, None), target(account, None)];
    let post = world.create(post(world.workspace, targets)).await;
    stored(&world).await;
    for of_post in &post.targets {
        let found = store.post_of_target(world.workspace, of_post.id).await.unwrap();
        assert_eq!(found.as_ref(), Some(&post));
        let elsewhere = store.post_of_target(other.workspace, of_post.id).await.unwrap();
        assert_eq!(elsewhere, None);
    }
    assert_eq!(store.post_of_target(world.workspace, TargetId(id())).await.unwrap(), None);
}
