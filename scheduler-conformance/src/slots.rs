use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures_util::future::join_all;
use scheduler_core::ports::{CreateOutcome, Held, Recorded, SaveOutcome, Store};
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::target::Target;
use scheduler_core::timing::{WeeklySchedule, Zone};

use crate::fixtures::{NO_LIMIT, World, at, begun, live, post, skip, slotted, target};

async fn create(world: &World, targets: Vec<Target>) -> CreateOutcome {
    world.store.create_post(&post(world.workspace, targets), NO_LIMIT).await.unwrap()
}

pub(crate) async fn hold_one_target_each(store: Arc<dyn Store>) {
    let world = World::new(store).await;
    let (one, two) = (world.account().await.id, world.account().await.id);
    assert_eq!(create(&world, vec![slotted(one, at(60))]).await, CreateOutcome::Created);
    let taken = create(&world, vec![target(two, Some(at(60))), slotted(one, at(60))]).await;
    assert_eq!(taken, CreateOutcome::SlotTaken);
    assert_eq!(world.claim(at(60)).await.len(), 1, "nothing of the other was stored");
    for (name, targets) in [
        ("another account", vec![slotted(two, at(60))]),
        ("another instant", vec![slotted(one, at(61))]),
        ("the same instant, but no slot", vec![target(one, Some(at(60)))]),
    ] {
        assert_eq!(create(&world, targets).await, CreateOutcome::Created, "{name}");
    }
}

pub(crate) async fn are_freed(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    type Change = fn(&mut Post);
    let skip: Change = |post| {
        post.status = PostStatus::Canceled;
        skip(&mut post.targets[0]);
    };
    let park: Change = |post| {
        post.status = PostStatus::Draft;
        post.scheduled_at = None;
        post.targets[0].reschedule(None, None);
    };
    let retime: Change = |post| post.targets[0].reschedule(Some(at(60)), Some(at(99)));
    let replace: Change = |post| {
        let account = post.targets[0].account_id;
        post.targets = vec![target(account, Some(at(60)))];
    };
    for (name, change) in
        [("cancelled", skip), ("parked", park), ("retimed", retime), ("replaced", replace)]
    {
        let mut holder = world.create(post(world.workspace, vec![slotted(account, at(60))])).await;
        let blocked = create(&world, vec![slotted(account, at(60))]).await;
        assert_eq!(blocked, CreateOutcome::SlotTaken, "{name}");
        change(&mut holder);
        assert_eq!(store.save_post(&holder, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
        let next = world.create(post(world.workspace, vec![slotted(account, at(60))])).await;
        for id in [holder.id, next.id] {
            let post = world.read(id).await;
            store.remove_post(world.workspace, id, post.version).await.unwrap();
        }
    }
    assert_eq!(create(&world, vec![slotted(account, at(60))]).await, CreateOutcome::Created);
}

pub(crate) async fn are_freed_by_an_end(store: Arc<dyn Store>) {
    let world = World::new(store).await;
    let account = world.account().await.id;
    assert_eq!(create(&world, vec![slotted(account, at(60))]).await, CreateOutcome::Created);
    let claim = world.claim_one(at(60)).await;
    let blocked = create(&world, vec![slotted(account, at(60))]).await;
    assert_eq!(blocked, CreateOutcome::SlotTaken, "it has not begun to go out");
    assert_eq!(world.publish(&claim, at(60)).await, Recorded::Stored);
    assert_eq!(create(&world, vec![slotted(account, at(60))]).await, CreateOutcome::Created);
}

pub(crate) async fn taken_meanwhile_keep_a_save_out(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    world.create(post(world.workspace, vec![slotted(account, at(60))])).await;
    let other = world.create(post(world.workspace, vec![slotted(account, at(70))])).await;
    let mut moved = other.clone();
    moved.content = "moved".to_owned();
    moved.targets[0] = Target { id: other.targets[0].id, ..slotted(account, at(60)) };
    assert_eq!(store.save_post(&moved, NO_LIMIT).await.unwrap(), SaveOutcome::SlotTaken);
    assert_eq!(world.read(other.id).await, other, "nothing was stored");
    assert_eq!(store.save_post(&other, NO_LIMIT).await.unwrap(), SaveOutcome::Saved, "its own");
}

pub(crate) async fn taken_at_once_are_all_different(store: Arc<dyn Store>) {
    let world = World::new(store).await;
    let account = world.account().await.id;
    let schedule = Arc::new("daily 09:00,13:00,18:00".parse::<WeeklySchedule>().unwrap());
    let callers = (0..50).map(|_| {
        let (world, schedule) = (world.clone(), schedule.clone());
        tokio::spawn(async move {
            loop {
                let taken = world.store.taken_instants(account, at(0)).await.unwrap();
                let slot = schedule.next_free(Zone::UTC, at(0), &taken).unwrap();
                match create(&world, vec![slotted(account, slot)]).await {
                    CreateOutcome::Created => return slot,
                    CreateOutcome::SlotTaken => {}
                    outcome => panic!("{outcome:?}"),
                }
            }
        })
    });
    let slots: BTreeSet<DateTime<Utc>> =
        join_all(callers).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(slots.len(), 50);
    let taken = world.store.taken_instants(account, at(0)).await.unwrap();
    assert_eq!(taken, slots, "and no slot was passed over");
}

pub(crate) async fn and_due_times_are_taken_instants(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (account, other) = (world.account().await.id, world.account().await.id);
    let mut deferred = target(account, None);
    deferred.reschedule(Some(at(25)), Some(at(10)));
    let ended = live(begun(slotted(account, at(40))), at(40));
    let parked = target(account, None);
    for targets in [
        vec![slotted(account, at(20))],
        vec![target(account, Some(at(30)))],
        vec![deferred],
        vec![ended],
        vec![parked],
        vec![slotted(other, at(50))],
    ] {
        assert_eq!(create(&world, targets).await, CreateOutcome::Created);
    }
    for (from, want) in [
        (0, vec![at(10), at(20), at(25), at(30)]),
        (20, vec![at(20), at(25), at(30)]),
        (21, vec![at(25), at(30)]),
        (31, vec![]),
    ] {
        let taken = store.taken_instants(account, at(from)).await.unwrap();
        assert_eq!(taken.into_iter().collect::<Vec<_>>(), want, "from {from}");
    }
}

/// For all accounts at once: both what a target waits for and the slot that it keeps, as long as it
/// has not ended.
pub(crate) async fn are_told_with_their_holders(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (one, two, third) =
        (world.account().await.id, world.account().await.id, world.account().await.id);
    let mut deferred = target(one, None);
    deferred.reschedule(Some(at(25)), Some(at(10)));
    let ended = live(begun(slotted(one, at(15))), at(15));
    let of_two = target(two, Some(at(30)));
    let mut wanted = BTreeSet::new();
    for (targets, instants) in [
        (vec![slotted(one, at(20)), of_two], vec![(0, at(20)), (1, at(30))]),
        (vec![deferred], vec![(0, at(25)), (0, at(10))]),
        (vec![ended, target(one, None), slotted(third, at(20))], vec![]),
    ] {
        let post = post(world.workspace, targets);
        assert_eq!(store.create_post(&post, NO_LIMIT).await.unwrap(), CreateOutcome::Created);
        wanted.extend(instants.into_iter().map(|(index, at)| {
            let target: &Target = &post.targets[index];
            Held { account_id: target.account_id, at, target_id: target.id, post_id: post.id }
        }));
    }
    for (name, accounts, from, to) in [
        ("all", vec![one, two], 0, 99),
        ("the first instant, without the last", vec![one, two], 10, 30),
        ("one account", vec![two], 0, 99),
        ("none", vec![], 0, 99),
    ] {
        let held = store.held_instants(&accounts, at(from), at(to)).await.unwrap();
        let is_meant = |held: &&Held| {
            accounts.contains(&held.account_id) && at(from) <= held.at && held.at < at(to)
        };
        let want: BTreeSet<Held> = wanted.iter().filter(is_meant).copied().collect();
        assert_eq!(held.len(), want.len(), "{name}: each once");
        assert_eq!(held.into_iter().collect::<BTreeSet<_>>(), want, "{name}");
    }
}
