use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ids::{EventId, NotifierId, WorkspaceId};
use scheduler_core::notification::{Channel, Notifier, NotifierState, QuietHours};
use scheduler_core::ports::{Recorded, Store};
use scheduler_core::webhook::{Event, EventKind};
use secrecy::SecretString;
use tokio::task::JoinSet;

use crate::fixtures::{World, at, id};

fn notifier(workspace: WorkspaceId, second: i64) -> Notifier {
    Notifier {
        id: NotifierId(id()),
        workspace_id: workspace,
        channel: Channel::Slack,
        address: SecretString::from("https://hooks.example/T0/'B0'/é"),
        events: vec![EventKind::Failed, EventKind::NeedsReconnect],
        quiet: None,
        created_at: at(second),
    }
}

async fn add(store: &Arc<dyn Store>, notifier: &Notifier) -> NotifierState {
    let state = NotifierState::new(notifier.created_at);
    assert!(store.create_notifier(notifier, &state, 20).await.unwrap());
    state
}

pub(crate) async fn are_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let quiet = QuietHours::parse("22:00-07:00", "Europe/Berlin".parse().unwrap()).unwrap();
    let late = Notifier { quiet: Some(quiet), ..notifier(world.workspace, 9) };
    let early = Notifier { channel: Channel::Email, ..notifier(world.workspace, 1) };
    let mut want = Vec::new();
    for one in [&late, &early, &notifier(other.workspace, 5)] {
        want.push((one.clone(), add(&store, one).await));
    }
    let stored = store.notifiers(world.workspace).await.unwrap();
    assert_eq!(stored, [want[1].clone(), want[0].clone()], "oldest first");

    assert!(!store.remove_notifier(other.workspace, late.id).await.unwrap());
    assert!(store.remove_notifier(world.workspace, late.id).await.unwrap());
    assert!(!store.remove_notifier(world.workspace, late.id).await.unwrap());
    assert_eq!(store.notifiers(world.workspace).await.unwrap(), want[1..2]);
}

pub(crate) async fn have_a_limit(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let mut callers = JoinSet::new();
    for second in 0..8 {
        let (store, one) = (store.clone(), notifier(world.workspace, second));
        callers.spawn(async move {
            store.create_notifier(&one, &NotifierState::new(at(0)), 3).await.unwrap()
        });
    }
    let stored = callers.join_all().await.into_iter().filter(|stored| *stored).count();
    assert_eq!((stored, store.notifiers(world.workspace).await.unwrap().len()), (3, 3));
    let elsewhere = notifier(other.workspace, 0);
    assert!(store.create_notifier(&elsewhere, &NotifierState::new(at(0)), 3).await.unwrap());
}

pub(crate) async fn are_taken_by_one_at_a_time(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let [early, late] = [notifier(world.workspace, 10), notifier(world.workspace, 20)];
    add(&store, &early).await;
    add(&store, &late).await;
    assert_eq!(store.claim_notifier(at(9), at(100)).await.unwrap(), None, "none is due");
    let (first, state) = store.claim_notifier(at(30), at(100)).await.unwrap().unwrap();
    assert_eq!((first, state.next_at), (early.clone(), at(100)), "that which was due first");
    let (second, _) = store.claim_notifier(at(30), at(100)).await.unwrap().unwrap();
    assert_eq!(second, late);
    assert_eq!(store.claim_notifier(at(99), at(200)).await.unwrap(), None, "both are taken");

    // A holder who is too late records nothing.
    let (again, state) = store.claim_notifier(at(100), at(200)).await.unwrap().unwrap();
    let told = state.told((at(50), EventId(id())), at(101));
    let lost = store.record_notified(again.id, at(100), &told).await.unwrap();
    assert_eq!(lost, Recorded::Lost);
    let recorded = store.record_notified(again.id, at(200), &told).await.unwrap();
    assert_eq!(recorded, Recorded::Stored);
    let stored = store.notifiers(world.workspace).await.unwrap();
    let (_, state) = stored.into_iter().find(|(one, _)| one.id == again.id).unwrap();
    assert_eq!(state, told);
    let (place, wait) = ((at(60), EventId(id())), Some(TimeDelta::minutes(1)));
    let failed = told.failed(place, "it's \"no\"".to_owned(), wait, at(500));
    let lost = store.record_notified(again.id, at(200), &failed).await.unwrap();
    assert_eq!(lost, Recorded::Lost, "once");
    store.remove_notifier(world.workspace, again.id).await.unwrap();
    let lost = store.record_notified(again.id, failed.next_at, &failed).await.unwrap();
    assert_eq!(lost, Recorded::Lost, "it is gone");
}

pub(crate) async fn due_at_once_are_taken_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    for second in 0..4 {
        add(&store, &notifier(world.workspace, second)).await;
    }
    let mut callers = JoinSet::new();
    for _ in 0..16 {
        let store = store.clone();
        callers.spawn(async move { store.claim_notifier(at(10), at(100)).await.unwrap() });
    }
    let mut taken: Vec<NotifierId> =
        callers.join_all().await.into_iter().flatten().map(|(one, _)| one.id).collect();
    taken.sort_unstable();
    let count = taken.len();
    taken.dedup();
    assert_eq!(taken.len(), count, "none twice");
    while let Some((one, _)) = store.claim_notifier(at(10), at(100)).await.unwrap() {
        taken.push(one.id);
    }
    assert_eq!(taken.len(), 4, "and none is left out");
}

pub(crate) async fn find_the_news_of_their_workspace(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let account = world.account().await;
    let mut stored = Vec::new();
    for (of, second) in [(&world, 10), (&world, 20), (&other, 25), (&world, 30), (&world, 40)] {
        let account =
            if of.workspace == other.workspace { other.account().await } else { account.clone() };
        let event = Event::needs_reconnect(EventId(id()), &account, "x".to_owned(), at(second));
        let claim_version = store.credentials(account.id).await.unwrap().unwrap().version;
        // The event of an account that is marked already is not stored again.
        let credentials = crate::fixtures::credentials("new");
        store.replace_credentials(&[(account.id, claim_version)], &credentials).await.unwrap();
        store.mark_needs_reconnect(account.id, claim_version + 1, Some(&event)).await.unwrap();
        stored.push(event);
    }
    let one = notifier(world.workspace, 0);
    let news = async |after: (DateTime<Utc>, EventId), until: i64, limit: u32| {
        let found = store.news(&one, after, at(until), limit).await.unwrap();
        found.into_iter().map(|event| event.id).collect::<Vec<_>>()
    };
    let [first, second, _, third, fourth] = [0, 1, 2, 3, 4].map(|index| &stored[index]);
    let start = (at(0), EventId(uuid::Uuid::max()));
    assert_eq!(news(start, 100, 9).await, [first.id, second.id, third.id, fourth.id]);
    assert_eq!(news(start, 100, 2).await, [first.id, second.id]);
    assert_eq!(news(start, 39, 9).await, [first.id, second.id, third.id]);
    assert_eq!(news((at(20), second.id), 100, 9).await, [third.id, fourth.id]);
    let other_kinds = Notifier { events: vec![EventKind::Failed], ..one.clone() };
    assert!(store.news(&other_kinds, start, at(100), 9).await.unwrap().is_empty());
    let whole = store.news(&one, start, at(100), 1).await.unwrap();
    assert_eq!(&whole[0], first, "as it was stored");
}
