use std::collections::BTreeSet;
use std::sync::Arc;

use scheduler_core::feeds::{Feed, FeedInput, FeedMode, FeedState, ItemHash, KnownItems};
use scheduler_core::ids::{EventId, FeedId, WorkspaceId};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Recorded, Store};
use scheduler_core::webhook::{Event, EventKind};
use tokio::task::JoinSet;

use crate::fixtures::{World, at, id, person, webhook};

pub(crate) fn feed(workspace: WorkspaceId, created: i64) -> Feed {
    let url = "https://blog.example/feed".to_owned();
    let input = FeedInput::new("Blog", url, vec![Platform::Bluesky.into()]);
    Feed {
        id: FeedId(id()),
        workspace_id: workspace,
        input,
        written_by: None,
        created_at: at(created),
    }
}

pub(crate) async fn are_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let (first, theirs) = (feed(world.workspace, 1), feed(other.workspace, 1));
    let mut second = feed(world.workspace, 2);
    second.input.mode = FeedMode::Queue;
    second.written_by = Some(person("Ana"));
    second.input.labels = vec!["it's".to_owned()];
    second.input.templates.insert(Platform::Mastodon, "{title}\n{link}".to_owned());
    let state = FeedState::new(at(3));
    for one in [&second, &first, &theirs] {
        assert!(store.create_feed(one, &state, 9).await.unwrap());
    }
    let mine = store.feeds(world.workspace).await.unwrap();
    assert_eq!(mine, [(first.clone(), state.clone()), (second.clone(), state.clone())]);
    let found = store.feed(world.workspace, second.id).await.unwrap();
    assert_eq!(found, Some((second.clone(), state.clone())));
    assert_eq!(store.feed(other.workspace, second.id).await.unwrap(), None);

    let changed = Feed {
        input: FeedInput { paused: true, name: "New".to_owned(), ..second.input.clone() },
        written_by: Some(person("Ben")),
        ..second.clone()
    };
    assert!(store.update_feed(&changed, None).await.unwrap());
    let elsewhere = Feed { workspace_id: other.workspace, ..first.clone() };
    assert!(!store.update_feed(&elsewhere, None).await.unwrap());
    assert!(store.update_feed(&first, Some(at(9))).await.unwrap());
    let mine = store.feeds(world.workspace).await.unwrap();
    let hurried = FeedState { next_at: at(9), ..state.clone() };
    assert_eq!(mine, [(first.clone(), hurried), (changed, state)]);

    assert!(!store.remove_feed(other.workspace, first.id).await.unwrap());
    assert!(store.remove_feed(world.workspace, first.id).await.unwrap());
    assert!(!store.remove_feed(world.workspace, first.id).await.unwrap());
    assert!(!store.update_feed(&first, None).await.unwrap());
    assert_eq!(store.feeds(world.workspace).await.unwrap().len(), 1);
    assert_eq!(store.feeds(other.workspace).await.unwrap().len(), 1);
}

pub(crate) async fn are_hurried_and_stay_as_they_are(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let (one, state) = (feed(world.workspace, 1), FeedState::new(at(500)));
    assert!(store.create_feed(&one, &state, 9).await.unwrap());
    assert!(!store.hurry_feed(other.workspace, one.id, at(5)).await.unwrap());
    assert!(!store.hurry_feed(world.workspace, FeedId(id()), at(5)).await.unwrap());
    // Whoever has read it before it was paused does not let it go on.
    let input = FeedInput { paused: true, name: "New".to_owned(), ..one.input.clone() };
    let changed = Feed { input, written_by: Some(person("Ana")), ..one.clone() };
    assert!(store.update_feed(&changed, None).await.unwrap());
    assert!(store.hurry_feed(world.workspace, one.id, at(5)).await.unwrap());
    let kept = store.feed(world.workspace, one.id).await.unwrap().unwrap();
    assert_eq!(kept, (changed, FeedState { next_at: at(5), ..state.clone() }));
    assert_eq!(store.claim_feed(at(6), at(99)).await.unwrap(), None, "it is paused");

    assert!(store.update_feed(&one, None).await.unwrap());
    assert!(store.claim_feed(at(6), at(99)).await.unwrap().is_some());
    assert!(store.hurry_feed(world.workspace, one.id, at(7)).await.unwrap());
    let (_, leased) = store.feed(world.workspace, one.id).await.unwrap().unwrap();
    assert_eq!(leased.next_at, at(99), "it is left to whoever polls it");
    assert!(store.hurry_feed(world.workspace, one.id, at(100)).await.unwrap());
    let (_, later) = store.feed(world.workspace, one.id).await.unwrap().unwrap();
    assert_eq!(later.next_at, at(100));
}

pub(crate) async fn have_a_limit(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut callers = JoinSet::new();
    for index in 0..8 {
        let (store, one) = (store.clone(), feed(world.workspace, index));
        let state = FeedState::new(at(0));
        callers.spawn(async move { store.create_feed(&one, &state, 3).await.unwrap() });
    }
    let stored = callers.join_all().await.into_iter().filter(|stored| *stored).count();
    assert_eq!((stored, store.feeds(world.workspace).await.unwrap().len()), (3, 3));
}

pub(crate) async fn are_polled_by_one_at_a_time(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (late, early) = (feed(world.workspace, 1), feed(world.workspace, 2));
    let mut paused = feed(world.workspace, 3);
    paused.input.paused = true;
    for (one, next) in [(&late, 20), (&early, 10), (&paused, 0)] {
        assert!(store.create_feed(one, &FeedState::new(at(next)), 9).await.unwrap());
    }
    assert_eq!(store.claim_feed(at(9), at(99)).await.unwrap(), None, "nothing is due");
    let (claimed, state) = store.claim_feed(at(20), at(99)).await.unwrap().unwrap();
    assert_eq!((claimed, state.next_at), (early.clone(), at(99)), "what is due longest");
    assert_eq!(state.rests_until, Some(at(99)));
    let (claimed, _) = store.claim_feed(at(20), at(98)).await.unwrap().unwrap();
    assert_eq!(claimed, late);
    assert_eq!(store.claim_feed(at(20), at(99)).await.unwrap(), None, "both are taken");

    let after = FeedState {
        next_at: at(50),
        rests_until: Some(at(81)),
        read_at: Some(at(21)),
        posted_at: Some(at(22)),
        failures: 3,
        error: Some("it's away".to_owned()),
        etag: Some("W/\"1\"".to_owned()),
        last_modified: Some("then".to_owned()),
        known: KnownItems::NONE.seen(&[ItemHash::of("a"), ItemHash::of("b")]),
    };
    assert_eq!(store.record_poll(early.id, at(98), &after, None).await.unwrap(), Recorded::Lost);
    assert_eq!(store.record_poll(early.id, at(99), &after, None).await.unwrap(), Recorded::Stored);
    assert_eq!(store.record_poll(early.id, at(99), &after, None).await.unwrap(), Recorded::Lost);
    let kept = store.feeds(world.workspace).await.unwrap();
    let kept = kept.into_iter().find(|(one, _)| one.id == early.id).unwrap();
    assert_eq!(kept, (early, after));
    // A lease that has run out is another's.
    let (claimed, _) = store.claim_feed(at(98), at(200)).await.unwrap().unwrap();
    let (next, _) = store.claim_feed(at(98), at(201)).await.unwrap().unwrap();
    assert_eq!(BTreeSet::from([claimed.id, next.id]), kept_ids(&*store, &world, paused.id).await);
    let lost = store.record_poll(late.id, at(98), &FeedState::new(at(300)), None).await.unwrap();
    assert_eq!(lost, Recorded::Lost);
}

/// The feeds of a workspace but for one.
async fn kept_ids(store: &dyn Store, world: &World, but: FeedId) -> BTreeSet<FeedId> {
    let feeds = store.feeds(world.workspace).await.unwrap();
    feeds.into_iter().map(|(feed, _)| feed.id).filter(|id| *id != but).collect()
}

pub(crate) async fn due_at_once_are_polled_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    for index in 0..5 {
        let one = feed(world.workspace, index);
        assert!(store.create_feed(&one, &FeedState::new(at(0)), 9).await.unwrap());
    }
    let mut callers = JoinSet::new();
    for _ in 0..4 {
        let store = store.clone();
        callers.spawn(async move {
            let mut taken = Vec::new();
            for _ in 0..20 {
                let claimed = store.claim_feed(at(1), at(99)).await.unwrap();
                taken.extend(claimed.map(|(feed, _)| feed.id));
            }
            taken
        });
    }
    let taken: Vec<FeedId> = callers.join_all().await.into_iter().flatten().collect();
    let distinct: BTreeSet<FeedId> = taken.iter().copied().collect();
    assert_eq!((taken.len(), distinct.len()), (5, 5), "each once");
}

pub(crate) async fn are_polled_by_nobody_else_meanwhile(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let one = feed(world.workspace, 1);
    assert!(store.create_feed(&one, &FeedState::new(at(0)), 9).await.unwrap());
    store.claim_feed(at(1), at(99)).await.unwrap().unwrap();
    // Whoever changes it or hurries it leaves it to whoever polls it.
    assert!(store.update_feed(&one, Some(at(2))).await.unwrap());
    assert_eq!(store.claim_feed(at(98), at(200)).await.unwrap(), None);
    let polled = FeedState { rests_until: Some(at(70)), ..FeedState::new(at(500)) };
    assert_eq!(store.record_poll(one.id, at(99), &polled, None).await.unwrap(), Recorded::Stored);
    assert!(store.update_feed(&one, Some(at(60))).await.unwrap());
    assert_eq!(store.claim_feed(at(69), at(200)).await.unwrap(), None, "it rests");
    assert!(store.update_feed(&one, None).await.unwrap());
    let (_, state) = store.claim_feed(at(70), at(200)).await.unwrap().unwrap();
    assert_eq!(state, FeedState { next_at: at(200), rests_until: Some(at(200)), ..polled });
    // One that died lets others go on once its lease is over.
    assert!(store.update_feed(&one, Some(at(200))).await.unwrap());
    assert!(store.claim_feed(at(200), at(300)).await.unwrap().is_some());
}

pub(crate) async fn tell_with_the_poll_that_they_keep_failing(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let hook = webhook(world.workspace, &[EventKind::FeedFailing]);
    store.create_webhook(&hook, 9, None).await.unwrap();
    let one = feed(world.workspace, 1);
    assert!(store.create_feed(&one, &FeedState::new(at(0)), 9).await.unwrap());
    store.claim_feed(at(1), at(99)).await.unwrap().unwrap();
    let failed =
        FeedState { failures: 3, error: Some("it's away".to_owned()), ..FeedState::new(at(500)) };
    let event = Event::feed_failing(EventId(id()), &one, &failed, at(50));
    let mut outcomes = Vec::new();
    for lease_until in [98, 99, 99] {
        let recorded = store.record_poll(one.id, at(lease_until), &failed, Some(&event)).await;
        let deliveries = store.deliveries(world.workspace, None, 9).await.unwrap();
        outcomes.push((recorded.unwrap(), deliveries.len()));
    }
    let (lost, stored) = (Recorded::Lost, Recorded::Stored);
    assert_eq!(outcomes, [(lost, 0), (stored, 1), (lost, 1)], "nothing of a poll that is lost");
}
