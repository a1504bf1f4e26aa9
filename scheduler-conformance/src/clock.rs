use chrono::TimeDelta;
use futures_util::future::join_all;
use scheduler_core::feeds::FeedState;
use scheduler_core::ports::{Recorded, RefreshClaim, WorkAfter, WorkKind};

use crate::feeds::feed;
use crate::fixtures::{World, at, failure, file};
use crate::suite::StoreUnderTest;

fn ten_minutes() -> TimeDelta {
    TimeDelta::minutes(10)
}

pub(crate) async fn is_told_by_a_heartbeat(subject: &impl StoreUnderTest) {
    let store = subject.store();
    let first = store.heartbeat(at(0)).await.unwrap();
    assert_eq!(first.set_back, None, "nothing is known of the past");
    let second = store.heartbeat(at(5)).await.unwrap();
    assert_eq!(second.set_back, None);
    assert!(second.store_time > first.store_time);
    if !subject.has_clock() {
        assert_eq!((first.store_time, second.store_time), (at(0), at(5)));
    }
}

/// What slewing does to a clock is nothing; but much of it adds up.
pub(crate) async fn may_be_behind_by_a_second(subject: &impl StoreUnderTest) {
    let store = subject.store();
    store.heartbeat(at(100)).await.unwrap();
    subject.set_clock_back(TimeDelta::milliseconds(600)).await;
    let behind = store.heartbeat(at(100) - TimeDelta::milliseconds(600)).await.unwrap();
    assert_eq!(behind.set_back, None);
    subject.set_clock_back(TimeDelta::milliseconds(900)).await;
    let further = store.heartbeat(at(100) - TimeDelta::milliseconds(1_500)).await.unwrap();
    assert!(further.set_back.is_some_and(|set_back| set_back > TimeDelta::seconds(1)));
}

pub(crate) async fn set_back_moves_waits_and_no_scheduled_post(subject: &impl StoreUnderTest) {
    let store = subject.store();
    let world = World::new(store.clone()).await;
    let accounts = [world.account().await, world.account().await, world.account().await];
    let [retried, held, scheduled] = accounts.each_ref().map(|account| account.id);
    store.heartbeat(at(0)).await.unwrap();

    // One post waits for a retry at 700, one is going out and leased until 60, one is scheduled for
    // 650 and one more for 651, whose work somebody has claimed and not begun.
    let retried = world.due(retried, at(0)).await;
    let claim = world.claim_one(at(0)).await;
    let target = world.start(&claim, at(0)).await.defer(at(700), failure()).unwrap();
    let after = WorkAfter::DueAt(at(700));
    let recorded = store.record_publish(&claim, &target, None, after, at(0)).await.unwrap();
    assert_eq!(recorded, Recorded::Stored);
    world.due(held, at(0)).await;
    let held = world.claim_one(at(0)).await;
    world.start(&held, at(0)).await;
    let scheduled_post = world.due(scheduled, at(650)).await;
    let media = world.declare(file(&world, 5)).await;
    let granted = store.claim_refresh(scheduled, 1, at(0), at(30)).await.unwrap();
    assert!(matches!(granted, RefreshClaim::Granted), "{granted:?}");

    subject.set_clock_back(ten_minutes()).await;
    let heartbeat = store.heartbeat(at(-600)).await.unwrap();
    let by = heartbeat.set_back.unwrap();
    assert!(by > ten_minutes() - TimeDelta::seconds(60) && by <= ten_minutes(), "{by}");

    let moved = world.read(retried.id).await.targets.remove(0);
    assert_eq!(moved.due_at(), Some(at(700) - by));
    let kept = world.read(scheduled_post.id).await;
    assert_eq!((kept.targets[0].due_at(), kept.scheduled_at), (Some(at(650)), Some(at(650))));
    assert_eq!(world.media(media.id).await.due_at, media.due_at.map(|due_at| due_at - by));
    let claimed = |claims: &[scheduler_core::ports::Claim]| {
        let publishes = claims.iter().filter(|claim| claim.kind == WorkKind::Publish);
        publishes.map(|claim| claim.subject).collect::<Vec<_>>()
    };
    // The lease ends ten minutes earlier, and so does the wait for the retry.
    let just_before = at(60) - by - TimeDelta::milliseconds(1);
    assert!(claimed(&world.claim(just_before).await).is_empty());
    assert_eq!(claimed(&world.claim(at(60) - by).await), [held.subject]);
    assert_eq!(claimed(&world.claim(at(700) - by).await).len(), 2, "the retry, the lapsed lease");
    let now = at(649);
    assert!(!claimed(&world.claim(now).await).contains(&kept.targets[0].id.0));
    assert!(claimed(&world.claim(at(650)).await).contains(&kept.targets[0].id.0));
    let again = store.claim_refresh(scheduled, 1, at(30) - by, at(60)).await.unwrap();
    assert!(matches!(again, RefreshClaim::Granted), "{again:?}");

    assert_eq!(store.heartbeat(at(-599)).await.unwrap().set_back, None, "told once");
}

pub(crate) async fn set_back_moves_the_polls_of_feeds(subject: &impl StoreUnderTest) {
    let store = subject.store();
    let world = World::new(store.clone()).await;
    store.heartbeat(at(0)).await.unwrap();
    let [fresh, rests, polled] = [1, 2, 3].map(|created| feed(world.workspace, created));
    let of_rests = FeedState { rests_until: Some(at(60)), ..FeedState::new(at(800)) };
    assert!(store.create_feed(&fresh, &FeedState::new(at(700)), 9).await.unwrap());
    assert!(store.create_feed(&rests, &of_rests, 9).await.unwrap());
    assert!(store.create_feed(&polled, &FeedState::new(at(0)), 9).await.unwrap());
    let claimed = store.claim_feed(at(0), at(60)).await.unwrap().unwrap();
    assert_eq!(claimed.0.id, polled.id);
    subject.set_clock_back(ten_minutes()).await;
    let by = store.heartbeat(at(-600)).await.unwrap().set_back.unwrap();
    let (_, moved) = store.feed(world.workspace, fresh.id).await.unwrap().unwrap();
    assert_eq!((moved.next_at, moved.rests_until), (at(700) - by, None));
    let (_, moved) = store.feed(world.workspace, rests.id).await.unwrap().unwrap();
    assert_eq!((moved.next_at, moved.rests_until), (at(800) - by, Some(at(60) - by)));
    // Whoever polls one is still the one who does.
    let read = FeedState::new(at(-300));
    let recorded = store.record_poll(polled.id, at(60), &read, None).await.unwrap();
    assert_eq!(recorded, Recorded::Stored);
    assert_eq!(store.feed(world.workspace, polled.id).await.unwrap().unwrap().1, read);
}

/// Somebody has claimed a post and not begun: it is due when it was.
pub(crate) async fn set_back_keeps_a_claimed_post_from_going_out_early(
    subject: &impl StoreUnderTest,
) {
    let store = subject.store();
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    world.put_off_readings().await;
    store.heartbeat(at(0)).await.unwrap();
    let post = world.due(account, at(0)).await;
    let claim = world.claim_one(at(0)).await;
    subject.set_clock_back(ten_minutes()).await;
    let by = store.heartbeat(at(-600)).await.unwrap().set_back.unwrap();
    assert!(world.claim(at(10) - by).await.is_empty(), "it is not due yet");
    assert_eq!(world.read(post.id).await.targets[0].due_at(), Some(at(0)));
    if !subject.has_clock() {
        assert_eq!(store.release(&claim, at(0)).await.unwrap(), Recorded::Lost);
        assert_eq!(store.next_due_after(at(-600)).await.unwrap(), Some(at(0)));
    }
    let again = world.claim_one(at(0)).await;
    assert_eq!((again.work_id, again.due_at), (claim.work_id, at(0)));
}

pub(crate) async fn set_forward_changes_nothing(subject: &impl StoreUnderTest) {
    let store = subject.store();
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    store.heartbeat(at(0)).await.unwrap();
    let post = world.due(account, at(900)).await;
    subject.set_clock_back(-ten_minutes()).await;
    assert_eq!(store.heartbeat(at(600)).await.unwrap().set_back, None);
    assert_eq!(world.read(post.id).await.targets[0].due_at(), Some(at(900)));
    assert!(world.claim(at(899)).await.is_empty());
    assert_eq!(world.claim(at(900)).await.len(), 1);
}

pub(crate) async fn set_back_is_told_to_one_of_many(subject: &impl StoreUnderTest) {
    let store = subject.store();
    store.heartbeat(at(0)).await.unwrap();
    subject.set_clock_back(ten_minutes()).await;
    let heartbeats = (0..8).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { store.heartbeat(at(-600)).await.unwrap() })
    });
    let told = join_all(heartbeats).await.into_iter();
    assert_eq!(told.filter(|heartbeat| heartbeat.as_ref().unwrap().set_back.is_some()).count(), 1);
}
