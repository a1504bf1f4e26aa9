use std::sync::Arc;

use scheduler_core::ids::DeliveryId;
use scheduler_core::ports::{Claim, EventsRemoved, RedeliverOutcome, Store, WorkAfter};
use scheduler_core::webhook::{Delivery, DeliveryStatus, EventKind};
use tokio::task::JoinSet;

use crate::deliveries::{announce, attempt, delivered};
use crate::fixtures::{World, add_webhook, at, webhook};

/// Publishes a post to one webhook, and gives back the claim of the delivery.
async fn sending(world: &World, second: i64) -> Claim {
    if world.store.webhooks(world.workspace).await.unwrap().is_empty() {
        let webhook = webhook(world.workspace, &EventKind::UNNAMED);
        add_webhook(world.store.as_ref(), &webhook).await;
    }
    let (_, mut claims) = announce(world, second).await;
    assert_eq!(claims.len(), 1, "{claims:?}");
    claims.remove(0)
}

/// Records an attempt at a delivery.
async fn record(world: &World, claim: &Claim, status: DeliveryStatus, second: i64) -> DeliveryId {
    let store = &world.store;
    let context = store.delivery_context(claim).await.unwrap().unwrap();
    let attempts = context.delivery.attempts + 1;
    let delivery = Delivery { status, attempts, ..context.delivery };
    let after = match status {
        DeliveryStatus::Pending => WorkAfter::DueAt(at(1_000_000)),
        DeliveryStatus::Delivered | DeliveryStatus::Failed => WorkAfter::Done,
    };
    store.record_delivery(claim, &delivery, &attempt(second, None), after).await.unwrap();
    delivery.id
}

async fn left(world: &World) -> Vec<DeliveryId> {
    let mut records = world.store.deliveries(world.workspace, None, 100).await.unwrap();
    records.reverse();
    records.iter().map(|record| record.delivery.id).collect()
}

pub(crate) async fn of_deliveries_is_removed_by_their_end(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut ids = Vec::new();
    for (second, status, ended) in [
        (0, DeliveryStatus::Pending, 5),
        (10, DeliveryStatus::Delivered, 90),
        (20, DeliveryStatus::Failed, 30),
        (30, DeliveryStatus::Delivered, 40),
        (40, DeliveryStatus::Failed, 50),
    ] {
        let claim = sending(&world, second).await;
        ids.push(record(&world, &claim, status, ended).await);
    }
    let held = sending(&world, 45).await;
    ids.push(DeliveryId(held.subject));
    let [waits, late, first, second, third, untried] = ids[..] else { panic!("{ids:?}") };
    assert_eq!(left(&world).await, ids);
    for (before, limit, removed, want) in [
        (30, 9, 0, ids.clone()),
        (51, 1, 1, vec![waits, late, second, third, untried]),
        (41, 9, 1, vec![waits, late, third, untried]),
        (1_000, 9, 2, vec![waits, untried]),
        (1_000_000_000, 9, 0, vec![waits, untried]),
    ] {
        let count = store.remove_ended_deliveries(at(before), limit).await.unwrap();
        assert_eq!((count, left(&world).await), (removed, want), "before {before}");
    }
    assert!(store.delivery(first).await.unwrap().is_none());
    let gone = store.redeliver(world.workspace, first, at(60)).await.unwrap();
    assert_eq!(gone, RedeliverOutcome::Missing);
    assert_eq!(store.delivery(waits).await.unwrap().unwrap().attempts.len(), 1);
    // What goes on is recorded as ever.
    let context = store.delivery_context(&held).await.unwrap().unwrap();
    assert_eq!(context.delivery.id, untried);
    record(&world, &held, DeliveryStatus::Delivered, 70).await;
    assert_eq!(store.remove_ended_deliveries(at(71), 9).await.unwrap(), 1);
}

pub(crate) async fn of_a_delivery_that_is_sent_again_begins_anew(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (delivery, _) = delivered(&world, &store).await;
    store.redeliver(world.workspace, delivery.id, at(50)).await.unwrap();
    assert_eq!(store.remove_ended_deliveries(at(1_000), 9).await.unwrap(), 0, "it waits");
    let claim = world.claim_one(at(50)).await;
    record(&world, &claim, DeliveryStatus::Failed, 60).await;
    assert_eq!(store.remove_ended_deliveries(at(60), 9).await.unwrap(), 0);
    assert_eq!(store.remove_ended_deliveries(at(61), 9).await.unwrap(), 1);
}

pub(crate) async fn of_events_is_removed_once_no_delivery_names_them(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    for second in [0, 10, 20, 30] {
        announce(&other, second).await;
    }
    // Their ends are at 5 and 95, and one is still tried.
    for (second, status, ended) in [
        (1, DeliveryStatus::Delivered, 5),
        (11, DeliveryStatus::Failed, 95),
        (21, DeliveryStatus::Pending, 22),
    ] {
        let claim = sending(&world, second).await;
        record(&world, &claim, status, ended).await;
    }
    let remove = async |before, after, limit| {
        store.remove_unnamed_events(at(before), after, limit).await.unwrap()
    };
    assert_eq!(remove(0, None, 9).await, EventsRemoved::default());
    assert_eq!(remove(1, None, 9).await.removed, 1, "that at 0, which nobody was told of");
    // At 1, 10, 11, 20, 21 and 30.
    let first = remove(31, None, 2).await;
    assert_eq!((first.removed, first.next.map(|next| next.0)), (1, Some(at(10))));
    let second = remove(31, first.next, 2).await;
    assert_eq!((second.removed, second.next.map(|next| next.0)), (1, Some(at(20))));
    let last = remove(31, second.next, 3).await;
    assert_eq!(last, EventsRemoved { removed: 1, next: None });
    // The deliveries name the rest.
    assert_eq!(remove(1_000, None, 9).await.removed, 0);
    assert_eq!(store.remove_ended_deliveries(at(50), 9).await.unwrap(), 1);
    assert_eq!(remove(1_000, None, 9).await.removed, 1);
    assert_eq!(store.remove_ended_deliveries(at(1_000), 9).await.unwrap(), 1);
    assert_eq!(remove(1_000, None, 9).await.removed, 1);
    let webhooks = store.webhooks(world.workspace).await.unwrap();
    assert!(store.remove_webhook(world.workspace, webhooks[0].id).await.unwrap());
    assert_eq!(remove(1_000, None, 9).await.removed, 1, "its webhook is gone");
}

pub(crate) async fn removed_at_once_is_removed_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    for second in 0..20 {
        let claim = sending(&world, second * 10).await;
        record(&world, &claim, DeliveryStatus::Delivered, second * 10).await;
    }
    let mut callers = JoinSet::new();
    for _ in 0..6 {
        let store = store.clone();
        callers.spawn(async move {
            let mut removed = 0;
            for _ in 0..6 {
                removed += store.remove_ended_deliveries(at(10_000), 3).await.unwrap();
            }
            removed
        });
    }
    let removed: u64 = callers.join_all().await.into_iter().sum();
    assert_eq!(removed + store.remove_ended_deliveries(at(10_000), 20).await.unwrap(), 20);
    assert!(left(&world).await.is_empty());
    let mut callers = JoinSet::new();
    for _ in 0..6 {
        let store = store.clone();
        callers.spawn(async move {
            store.remove_unnamed_events(at(10_000), None, 30).await.unwrap().removed
        });
    }
    assert_eq!(callers.join_all().await.into_iter().sum::<u64>(), 20);
}

pub(crate) async fn removed_while_it_is_sent_again_leaves_no_work_behind(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    for round in 0..10 {
        let now = round * 1_000;
        let claim = sending(&world, now).await;
        let id = record(&world, &claim, DeliveryStatus::Delivered, now).await;
        let mut callers = JoinSet::new();
        for caller in 0..6 {
            let (store, workspace) = (store.clone(), world.workspace);
            callers.spawn(async move {
                if caller % 2 == 0 {
                    store.remove_ended_deliveries(at(now + 1), 9).await.unwrap();
                } else {
                    store.redeliver(workspace, id, at(now + 1)).await.unwrap();
                }
            });
        }
        callers.join_all().await;
        let claims = world.claim(at(now + 100)).await;
        let is_there = store.delivery(id).await.unwrap().is_some();
        assert_eq!(claims.len(), usize::from(is_there), "{claims:?}");
        for claim in claims {
            record(&world, &claim, DeliveryStatus::Delivered, now + 100).await;
        }
    }
}
