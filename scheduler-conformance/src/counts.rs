use std::sync::Arc;

use futures_util::future::join_all;
use scheduler_core::ids::AccountId;
use scheduler_core::ports::{CreateOutcome, SaveOutcome, Store};
use scheduler_core::post::{Month, Post, PostStatus};

use crate::fixtures::{NO_LIMIT, World, at, begun, live, post, skip, target};

/// A second of November and one of December.
const NOVEMBER: i64 = 60;
const DECEMBER: i64 = 15 * 86_400;

async fn counts(world: &World) -> [u64; 2] {
    let mut counts = [0; 2];
    for (count, second) in counts.iter_mut().zip([NOVEMBER, DECEMBER]) {
        let month = Month::of(at(second));
        *count = world.store.posts_in_month(world.workspace, month).await.unwrap();
    }
    counts
}

fn due(world: &World, account: AccountId, second: i64) -> Post {
    post(world.workspace, vec![target(account, Some(at(second)))])
}

pub(crate) async fn hold_under_many_creates(store: Arc<dyn Store>) {
    let world = World::new(store).await;
    let account = world.account().await.id;
    for _ in 0..7 {
        world.create(due(&world, account, NOVEMBER)).await;
    }
    let callers = (0..20).map(|_| {
        let world = world.clone();
        tokio::spawn(async move {
            let post = due(&world, account, NOVEMBER);
            world.store.create_post(&post, 10).await.unwrap()
        })
    });
    let outcomes: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    let count = |wanted| outcomes.iter().filter(|outcome| **outcome == wanted).count();
    assert_eq!((count(CreateOutcome::Created), count(CreateOutcome::LimitReached)), (3, 17));
    assert_eq!(counts(&world).await, [10, 0]);
    let december = due(&world, account, DECEMBER);
    assert_eq!(
        world.store.create_post(&december, 10).await.unwrap(),
        CreateOutcome::Created,
        "another month counts by itself"
    );
}

pub(crate) async fn follow_a_post(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let mut post = world.create(post(world.workspace, vec![target(account, None)])).await;
    assert_eq!(counts(&world).await, [0, 0], "a draft does not count");

    let schedule = |post: &mut Post, second: Option<i64>| {
        let due_at = second.map(at);
        post.status = if due_at.is_some() { PostStatus::Scheduled } else { PostStatus::Draft };
        post.scheduled_at = due_at;
        post.targets = vec![target(account, due_at)];
    };
    for (name, second, want) in [
        ("given a time", Some(NOVEMBER), [1, 0]),
        ("moved to the next month", Some(DECEMBER), [0, 1]),
        ("moved back", Some(NOVEMBER), [1, 0]),
        ("moved within the month", Some(NOVEMBER + 1), [1, 0]),
        ("parked", None, [0, 0]),
        ("given a time again", Some(DECEMBER), [0, 1]),
    ] {
        schedule(&mut post, second);
        assert_eq!(store.save_post(&post, 1).await.unwrap(), SaveOutcome::Saved, "{name}");
        post.version += 1;
        assert_eq!(counts(&world).await, want, "{name}");
    }
    post.status = PostStatus::Canceled;
    skip(&mut post.targets[0]);
    assert_eq!(store.save_post(&post, 1).await.unwrap(), SaveOutcome::Saved);
    assert_eq!(counts(&world).await, [0, 0], "cancelled before anything went out");
}

pub(crate) async fn keep_what_has_gone_out(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let mut post = due(&world, account, NOVEMBER);
    post.status = PostStatus::Publishing;
    post.targets.push(live(begun(target(account, Some(at(NOVEMBER)))), at(NOVEMBER)));
    world.create(post.clone()).await;
    post.status = PostStatus::Canceled;
    skip(&mut post.targets[0]);
    assert_eq!(store.save_post(&post, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    assert_eq!(counts(&world).await, [1, 0], "something of it went out");
    store.remove_post(world.workspace, post.id, 2).await.unwrap();
    assert_eq!(counts(&world).await, [1, 0], "a removed post keeps its place");

    let draft = world.create(crate::fixtures::post(world.workspace, vec![target(account, None)]));
    let draft = draft.await;
    store.remove_post(world.workspace, draft.id, 1).await.unwrap();
    assert_eq!(counts(&world).await, [1, 0], "one that was never counted takes none");
}

pub(crate) async fn bind_only_what_raises_them(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let mut counted = world.create(due(&world, account, NOVEMBER)).await;
    let draft = world.create(post(world.workspace, vec![target(account, None)])).await;

    counted.content = "changed".to_owned();
    assert_eq!(store.save_post(&counted, 0).await.unwrap(), SaveOutcome::Saved, "counts already");
    counted.version += 1;
    let mut moved = Post { scheduled_at: Some(at(DECEMBER)), ..counted.clone() };
    moved.targets = vec![target(account, Some(at(DECEMBER)))];
    assert_eq!(store.save_post(&moved, 0).await.unwrap(), SaveOutcome::LimitReached);
    let timed = Post {
        status: PostStatus::Scheduled,
        scheduled_at: Some(at(NOVEMBER)),
        targets: vec![target(account, Some(at(NOVEMBER)))],
        ..draft.clone()
    };
    assert_eq!(store.save_post(&timed, 1).await.unwrap(), SaveOutcome::LimitReached);
    assert_eq!(world.read(draft.id).await, draft, "nothing was stored");
    assert_eq!(world.read(counted.id).await, counted);
    assert_eq!(counts(&world).await, [1, 0]);
    let another = post(world.workspace, vec![target(account, None)]);
    assert_eq!(store.create_post(&another, 0).await.unwrap(), CreateOutcome::Created, "a draft");
}

pub(crate) async fn are_of_one_workspace(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store, "other").await;
    for world in [&world, &other] {
        let account = world.account().await.id;
        let post = due(world, account, NOVEMBER);
        let outcome = world.store.create_post(&post, 1).await.unwrap();
        assert_eq!(outcome, CreateOutcome::Created);
    }
}
