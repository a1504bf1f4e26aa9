use std::sync::Arc;

use chrono::{NaiveDate, TimeDelta};
use futures_util::future::join_all;
use scheduler_core::ports::{
    Budget, Followers, ReadingState, ReadingsTaken, Recorded, RefreshOutcome, SaveOutcome,
    Spending, Store,
};

use crate::fixtures::{NO_LIMIT, World, at, skip};
use crate::readings_support::{FAR, reading, state, taken};

fn budget(subject: &str, begins_at: i64, calls: u32) -> Budget {
    Budget {
        subject: subject.to_owned(),
        begins_at: at(begins_at),
        ends_at: at(begins_at + 60),
        limit: calls,
    }
}

pub(crate) async fn hold(store: Arc<dyn Store>) {
    let spend = async |budget: &Budget, calls| {
        let spent = store.spend(std::slice::from_ref(budget), calls).await.unwrap();
        assert!(matches!(spent, Spending::Counted | Spending::UsedUp(0)), "{spent:?}");
        spent == Spending::Counted
    };
    let first = budget("bluesky", 0, 5);
    assert!(!spend(&first, 6).await, "more than there are");
    assert!(spend(&first, 3).await);
    assert!(!spend(&first, 3).await, "nothing is counted");
    assert!(spend(&first, 2).await);
    assert!(!spend(&first, 1).await);
    let [other, later] = [budget("mastodon", 0, 5), budget("bluesky", 60, 5)];
    let spent = store.spent(&[later, first.clone(), other]).await.unwrap();
    assert_eq!(spent, [0, 5, 0], "in the order of the budgets");
    assert!(spend(&budget("mastodon", 0, 5), 5).await, "another subject");
    assert!(!spend(&budget("bluesky", 60, 0), 1).await, "nothing is allowed");
    assert!(spend(&budget("bluesky", 60, 5), 5).await, "the next span");
    assert!(!spend(&first, 1).await, "a node whose clock is behind begins no span anew");
    assert!(spend(&budget("bluesky", 120, 5), 1).await, "the one after");
    assert!(spend(&first, 5).await, "by then the first is forgotten");
    assert!(!spend(&budget("bluesky", 60, 5), 1).await, "which forgets no later one");
    assert!(!spend(&budget("mastodon", 0, 5), 1).await, "nor another's");
}

pub(crate) async fn spent_at_once_hold(store: Arc<dyn Store>) {
    for span in 0..3 {
        let callers = (0..100).map(|caller| {
            let store = store.clone();
            tokio::spawn(async move {
                let own = budget(&format!("bluesky/{}", caller % 2), span * 60, 30);
                let all = [budget("bluesky", span * 60, 40), own];
                store.spend(&all, 1).await.unwrap()
            })
        });
        let spent: Vec<Spending> =
            join_all(callers).await.into_iter().map(|spent| spent.unwrap()).collect();
        let counted = spent.iter().filter(|spent| **spent == Spending::Counted);
        assert_eq!(counted.count(), 40, "span {span}: {spent:?}");
    }
}

pub(crate) async fn a_thousand_at_once_spend_no_more_than_there_is(store: Arc<dyn Store>) {
    // What posts cost: some more than others.
    let callers = (0..1_000_u32).map(|caller| {
        let store = store.clone();
        tokio::spawn(async move {
            let amount = if caller % 3 == 0 { 200 } else { 15 };
            let spent = store.spend(&[budget("twitter/cost/7", 0, 5_000)], amount).await.unwrap();
            if spent == Spending::Counted { amount } else { 0 }
        })
    });
    let spent: u32 = join_all(callers).await.into_iter().map(|spent| spent.unwrap()).sum();
    assert!((4_986..=5_000).contains(&spent), "{spent}");
    let all = [budget("twitter/cost/7", 0, 5_000)];
    assert_eq!(store.spend(&all, 5_000 - spent).await.unwrap(), Spending::Counted);
    assert_eq!(store.spend(&all, 1).await.unwrap(), Spending::UsedUp(0));
}

pub(crate) async fn several_are_spent_together_or_not_at_all(store: Arc<dyn Store>) {
    let of = |calls: [u32; 3]| {
        let subjects = ["youtube/app", "youtube/app/a", "youtube/account/b"];
        let pairs = subjects.into_iter().zip(calls);
        pairs.map(|(subject, calls)| budget(subject, 0, calls)).collect::<Vec<_>>()
    };
    let spend = async |calls: [u32; 3], count| store.spend(&of(calls), count).await.unwrap();
    assert_eq!(spend([10, 5, 3], 3).await, Spending::Counted);
    assert_eq!(spend([10, 5, 3], 1).await, Spending::UsedUp(2));
    assert_eq!(spend([10, 5, 9], 3).await, Spending::UsedUp(1));
    assert_eq!(spend([5, 2, 3], 3).await, Spending::UsedUp(0), "the first without room");
    assert_eq!(spend([10, 5, 9], 2).await, Spending::Counted, "what was refused is not counted");
    assert_eq!(spend([10, 9, 9], 4).await, Spending::Counted);
    assert_eq!(spend([u32::MAX; 3], u32::MAX - 9).await, Spending::Counted);
    assert_eq!(spend([u32::MAX; 3], 1).await, Spending::UsedUp(0));
    assert_eq!(store.spend(&[], 1).await.unwrap(), Spending::Counted, "of none");
}

const EVERY: TimeDelta = TimeDelta::minutes(10);

pub(crate) async fn refreshes_make_live_posts_due(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let (one, two, gone) =
        (world.looked_at().await, world.looked_at().await, world.looked_at().await);
    let theirs = other.looked_at().await;
    world.go_live(one, 9).await;
    let young = world.go_live(one, 10).await.targets[0].id;
    let read = world.go_live(two, 20).await.targets[0].id;
    let mut skipped = world.go_live(two, 21).await;
    skip(&mut skipped.targets[0]);
    assert_eq!(store.save_post(&skipped, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    world.go_live(gone, 22).await;
    assert!(store.disconnect_account(world.workspace, gone, at(23)).await.unwrap());
    let foreign = other.go_live(theirs, 24).await.targets[0].id;
    // Read for the last time.
    let claim = world.claim_reading(at(3_609)).await;
    let readings = vec![taken(young, reading(3_609, 1), None)];
    world.record(&claim, &ReadingsTaken { readings, ..ReadingsTaken::nothing(state(FAR)) }).await;
    let claim = world.claim_readings(at(3_620)).await;
    assert_eq!(claim.len(), 2, "one of them has a post that is older still");
    let claim = claim.into_iter().find(|claim| claim.subject == two.0).unwrap();
    let readings = [read, skipped.targets[0].id].map(|id| taken(id, reading(3_620, 1), None));
    world
        .record(
            &claim,
            &ReadingsTaken { readings: readings.into(), ..ReadingsTaken::nothing(state(FAR)) },
        )
        .await;

    let refresh = async |now: i64| {
        store.refresh_readings(world.workspace, at(now), at(10), EVERY).await.unwrap()
    };
    assert_eq!(refresh(4_000).await, RefreshOutcome::Queued(2));
    let until = at(4_600);
    assert_eq!(refresh(4_001).await, RefreshOutcome::TooSoon { until });
    assert_eq!(refresh(4_599).await, RefreshOutcome::TooSoon { until });
    let mut due = Vec::new();
    for claim in world.claim_readings(at(4_000)).await {
        let context = world.reading_context(&claim, 4_000).await;
        due.extend(context.due.iter().map(|due| (due.target_id, due.live.is_some())));
        let readings = context.due.iter().map(|due| taken(due.target_id, reading(4_001, 2), None));
        let readings = readings.collect();
        world
            .record(&claim, &ReadingsTaken { readings, ..ReadingsTaken::nothing(state(FAR)) })
            .await;
    }
    assert!(due.contains(&(young, true)) && due.contains(&(read, true)), "{due:?}");
    assert!(due.contains(&(foreign, true)), "due by itself");
    assert_eq!(due.len(), 4, "and the first, which is due by itself: {due:?}");

    assert_eq!(refresh(4_600).await, RefreshOutcome::Queued(2), "ten minutes later");
    let claims = world.claim_readings(at(4_600)).await;
    assert_eq!(claims.len(), 2);
    assert!(claims.iter().all(|claim| claim.due_at == at(4_600)));
    let theirs = store.refresh_readings(other.workspace, at(4_601), at(10), EVERY).await.unwrap();
    assert_eq!(theirs, RefreshOutcome::Queued(1), "another workspace asks for itself");
    let empty = World::add(store.clone(), "empty").await.workspace;
    let nothing = store.refresh_readings(empty, at(0), at(0), EVERY).await.unwrap();
    assert_eq!(nothing, RefreshOutcome::Queued(0));
}

/// Where a network allows few calls, what waits comes before what was read since.
pub(crate) async fn refreshes_keep_the_order_of_what_waits(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.looked_at().await;
    // The one that goes live first was written last.
    let later = world.due(account, at(20)).await.targets[0].id;
    let sooner = world.go_live(account, 10).await.targets[0].id;
    let claim = world.claim_one(at(20)).await;
    assert_eq!(world.publish(&claim, at(20)).await, Recorded::Stored);
    for now in [3_700, 4_300] {
        let refreshed = store.refresh_readings(world.workspace, at(now), at(0), EVERY).await;
        assert_eq!(refreshed.unwrap(), RefreshOutcome::Queued(2));
    }
    let claim = world.claim_reading(at(4_300)).await;
    let due = world.reading_context(&claim, 4_300).await.due;
    assert_eq!(due.iter().map(|due| due.target_id).collect::<Vec<_>>(), [sooner, later]);
    let readings = vec![taken(sooner, reading(4_301, 1), None)];
    let far = at(4_400);
    let blocked = ReadingState { blocked_until: Some(far), ..state(FAR) };
    world.record(&claim, &ReadingsTaken { readings, ..ReadingsTaken::nothing(blocked) }).await;

    let refreshed = store.refresh_readings(world.workspace, at(4_900), at(0), EVERY).await;
    assert_eq!(refreshed.unwrap(), RefreshOutcome::Queued(2));
    let claim = world.claim_reading(at(4_900)).await;
    let due = world.reading_context(&claim, 4_900).await.due;
    let order: Vec<_> = due.iter().map(|due| due.target_id).collect();
    assert_eq!(order, [later, sooner], "what was not read yet is first");
}

pub(crate) async fn refreshes_at_once_are_one(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.looked_at().await;
    world.go_live(account, 0).await;
    for round in 1..=3 {
        let callers = (0..30).map(|_| {
            let (store, workspace) = (store.clone(), world.workspace);
            let now = at(600 * round);
            tokio::spawn(async move {
                store.refresh_readings(workspace, now, at(0), EVERY).await.unwrap()
            })
        });
        let outcomes: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
        let count = |wanted| outcomes.iter().filter(|outcome| **outcome == wanted).count();
        let until = at(600 * (round + 1));
        let want = (1, 29);
        let too_soon = count(RefreshOutcome::TooSoon { until });
        assert_eq!((count(RefreshOutcome::Queued(1)), too_soon), want, "{outcomes:?}");
    }
}

pub(crate) async fn followers_are_kept_by_the_day(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let day = |day: u32| NaiveDate::from_ymd_opt(2026, 11, day).unwrap();
    let accounts = [world.account().await.id, world.account().await.id, other.account().await.id];
    let mut claims = world.claim_readings(at(0)).await;
    claims.sort_by_key(|claim| accounts.iter().position(|id| id.0 == claim.subject));
    let mut now = 0;
    let mut count = async |index: usize, on: u32, count: u64, forget: Option<u32>| {
        let followers = Followers { account_id: accounts[index], day: day(on), count };
        let all = ReadingsTaken {
            followers: Some(followers),
            forget_followers_before: forget.map(day),
            ..ReadingsTaken::nothing(state(now))
        };
        world.record(&claims[index], &all).await;
        for claim in world.claim_readings(at(now)).await {
            assert_eq!(claim.subject, accounts[index].0);
            claims[index] = claim;
        }
        now += 1;
    };
    count(1, 21, 5, None).await;
    count(0, 22, 7, None).await;
    count(0, 20, 6, None).await;
    count(0, 22, 8, None).await;
    count(2, 22, u64::from(u32::MAX) * 2, None).await;
    let shown = async |world: &World, from: u32| {
        let shown = store.followers(world.workspace, day(from)).await.unwrap();
        shown
            .iter()
            .map(|of| {
                let index = accounts.iter().position(|id| *id == of.account_id).unwrap();
                (index, of.day, of.count)
            })
            .collect::<Vec<_>>()
    };
    let all = [(0, day(20), 6), (0, day(22), 8), (1, day(21), 5)];
    assert_eq!(shown(&world, 1).await, all, "by account, then by day; the second count stays");
    assert_eq!(shown(&world, 21).await, all[1..]);
    assert_eq!(shown(&other, 1).await, [(2, day(22), u64::from(u32::MAX) * 2)]);
    count(0, 23, 9, Some(22)).await;
    let kept = [(0, day(22), 8), (0, day(23), 9), (1, day(21), 5)];
    assert_eq!(shown(&world, 1).await, kept, "of this account alone");
    assert!(store.disconnect_account(world.workspace, accounts[0], at(9)).await.unwrap());
    assert_eq!(shown(&world, 1).await, kept[2..], "of connected accounts");
}
