use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::future::join_all;
use scheduler_core::ids::{AccountId, WorkId, WorkspaceId};
use scheduler_core::ports::{Claim, Recorded, Store, WorkAfter, WorkKind};
use scheduler_core::webhook::EventKind;

use crate::fixtures::{World, add_webhook, at, begun, live, post, target, webhook};

pub(crate) async fn gives_work_when_it_is_due_and_once(store: Arc<dyn Store>) {
    let world = World::new(store).await;
    let account = world.account().await.id;
    world.due(account, at(60)).await;
    assert!(world.claim(at(59)).await.is_empty());
    let claim = world.claim_one(at(65)).await;
    assert_eq!((claim.number, claim.due_at), (1, at(60)));
    assert!(world.claim(at(65)).await.is_empty(), "somebody holds it");
    assert!(world.claim(at(74)).await.is_empty(), "until the lease ends");
}

pub(crate) async fn gives_lapsed_work_again_under_a_new_number(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    world.due(account, at(60)).await;
    let old = world.claim_one(at(60)).await;
    let new = world.claim_one(at(70)).await;
    assert_eq!(new.work_id, old.work_id);
    assert_eq!((old.number, new.number), (1, 2));
    assert_eq!(new.due_at, at(60), "it was due then");
    assert!(store.publish_context(&old).await.unwrap().is_none());
    assert!(store.publish_context(&new).await.unwrap().is_some());
}

pub(crate) async fn keeps_the_order_of_a_lane(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let mut want = Vec::new();
    for second in [30, 10, 20, 40] {
        want.push((second, world.due(account, at(second)).await.targets[0].id.0));
    }
    want.sort_unstable();
    let subjects: Vec<_> = want.iter().map(|(_, subject)| *subject).collect();
    let claims = world.claim_with(at(35), 10, 2).await;
    let claimed: Vec<_> = claims.iter().map(|claim| claim.subject).collect();
    assert_eq!(claimed, subjects[..2], "two of a lane, in order");
    assert_eq!(claims[0].lane, claims[1].lane);
    assert!(world.claim_with(at(35), 10, 2).await.is_empty(), "the lane has a holder");

    // Nobody renews, and the leases end at 45: what was first is still first.
    let claims = world.claim_with(at(45), 10, 3).await;
    let claimed: Vec<_> = claims.iter().map(|claim| claim.subject).collect();
    assert_eq!(claimed, subjects[..3]);
    assert_eq!(claims.iter().map(|claim| claim.number).collect::<Vec<_>>(), [2, 2, 1]);
}

pub(crate) async fn gives_a_lane_to_one_holder(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    for second in [10, 20] {
        world.due(account, at(second)).await;
    }
    let first = world.claim_one(at(30)).await;
    assert!(world.claim(at(30)).await.is_empty(), "the second waits for the first");
    let released = store.release(&first, at(100)).await.unwrap();
    assert_eq!(released, Recorded::Stored);
    let second = world.claim_one(at(30)).await;
    assert_ne!(second.work_id, first.work_id, "the first is due later");
}

pub(crate) async fn claims_no_more_than_asked_for(store: Arc<dyn Store>) {
    let world = World::new(store).await;
    for _ in 0..4 {
        let account = world.account().await.id;
        for second in 0..4 {
            world.due(account, at(second)).await;
        }
    }
    let shape = |claims: &[Claim]| {
        let mut lanes: BTreeMap<&str, usize> = BTreeMap::new();
        for claim in claims {
            *lanes.entry(&claim.lane).or_default() += 1;
        }
        lanes.into_values().collect::<Vec<_>>()
    };
    assert!(world.claim_with(at(9), 0, 9).await.is_empty());
    assert_eq!(shape(&world.claim_with(at(9), 1, 3).await), [3]);
    assert_eq!(shape(&world.claim_with(at(9), 2, 1).await), [1, 1]);
    assert_eq!(shape(&world.claim_with(at(9), 9, 9).await), [4], "the one lane that is left");
}

pub(crate) async fn takes_workspaces_in_turn(store: Arc<dyn Store>) {
    let big = World::new(store.clone()).await;
    for second in 0..5 {
        let account = big.account().await.id;
        big.due(account, at(second)).await;
    }
    let mut small = Vec::new();
    for (name, second) in [("a", 50), ("b", 51)] {
        let world = World::add(store.clone(), name).await;
        let account = world.account().await.id;
        world.due(account, at(second)).await;
        small.push(world.workspace);
    }
    let claims = big.claim_with(at(60), 4, 1).await;
    let turns: Vec<WorkspaceId> = claims.iter().map(|claim| claim.workspace_id).collect();
    assert_eq!(turns, [big.workspace, small[0], small[1], big.workspace]);
}

/// 9 900 targets of one workspace and 100 of others, all due at the same instant and the others
/// made last: they are among the first twentieth to go.
pub(crate) async fn lets_no_workspace_starve_another(store: Arc<dyn Store>) {
    let big = World::new(store.clone()).await;
    let mut accounts = Vec::new();
    for _ in 0..60 {
        accounts.push(big.account().await.id);
    }
    for _ in 0..165 {
        let targets = accounts.iter().map(|account| target(*account, Some(at(0)))).collect();
        big.create(post(big.workspace, targets)).await;
    }
    for name in 0..4 {
        let small = World::add(store.clone(), &format!("small {name}")).await;
        for _ in 0..5 {
            let account = small.account().await.id;
            for _ in 0..5 {
                small.due(account, at(0)).await;
            }
        }
    }
    let (mut gone, mut of_others) = (0, 0);
    while of_others < 100 {
        let claims = big.claim_with(at(1), 32, 1).await;
        assert!(!claims.is_empty());
        for claim in claims {
            gone += 1;
            of_others += usize::from(claim.workspace_id != big.workspace);
            finish(&big, &claim).await;
        }
        assert!(gone <= 500, "{of_others} of the 100 others are among the first {gone}");
    }
}

/// Ends a publish without looking at it.
async fn finish(world: &World, claim: &Claim) {
    let target = live(begun(world.target(claim).await), at(1));
    let store = &world.store;
    let recorded = store.record_publish(claim, &target, None, WorkAfter::Done, at(1)).await;
    assert_eq!(recorded.unwrap(), Recorded::Stored);
}

pub(crate) async fn gives_nothing_twice_to_many_claimers(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut accounts: Vec<AccountId> = Vec::new();
    for _ in 0..12 {
        accounts.push(world.account().await.id);
    }
    for number in 0..120 {
        world.due(accounts[number % 12], at(0)).await;
    }
    // Each holder keeps its lanes, so no lane may be given to a second.
    let claimers = (0..8).map(|_| {
        let world = world.clone();
        tokio::spawn(async move {
            let mut claimed = Vec::new();
            for _ in 0..6 {
                claimed.extend(world.claim_with(at(1), 2, 3).await);
            }
            claimed
        })
    });
    let claimed: Vec<Vec<Claim>> =
        join_all(claimers).await.into_iter().map(Result::unwrap).collect();
    let work: Vec<WorkId> = claimed.iter().flatten().map(|claim| claim.work_id).collect();
    assert_eq!(work.len(), 36, "three of each lane");
    assert_eq!(work.iter().collect::<BTreeSet<_>>().len(), 36, "each once");
    let mut holders: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (holder, claims) in claimed.iter().enumerate() {
        for claim in claims {
            holders.entry(&claim.lane).or_default().insert(holder);
        }
    }
    assert_eq!(holders.len(), 12);
    assert!(holders.values().all(|holders| holders.len() == 1), "{holders:?}");
}

/// Several workers claim, publish and finish until nothing is left: each target goes out once,
/// and the targets of an account in the order of their times.
pub(crate) async fn is_worked_off_by_many_in_order(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut accounts: Vec<AccountId> = Vec::new();
    for _ in 0..5 {
        accounts.push(world.account().await.id);
    }
    for number in 0..100_usize {
        let due_at = at(i64::try_from(99 - number).unwrap());
        world.due(accounts[number % 5], due_at).await;
    }
    let done = Arc::new(tokio::sync::Mutex::new(Vec::<Claim>::new()));
    let workers = (0..4).map(|_| {
        let (world, done) = (world.clone(), done.clone());
        tokio::spawn(async move {
            loop {
                let claims = world.claim_with(at(1_000), 2, 2).await;
                if claims.is_empty() && done.lock().await.len() == 100 {
                    return;
                }
                for claim in claims {
                    let mut done = done.lock().await;
                    done.push(claim.clone());
                    finish(&world, &claim).await;
                }
                tokio::task::yield_now().await;
            }
        })
    });
    join_all(workers).await.into_iter().for_each(Result::unwrap);
    let done = done.lock().await;
    assert_eq!(done.iter().map(|claim| claim.work_id).collect::<BTreeSet<_>>().len(), 100);
    for account in accounts {
        let lane = done.iter().filter(|claim| claim.lane == account.to_string());
        let due: Vec<_> = lane.map(|claim| claim.due_at).collect();
        assert_eq!(due.len(), 20);
        assert!(due.is_sorted(), "{due:?}");
    }
}

pub(crate) async fn fences_off_whoever_lost_the_claim(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    world.put_off_readings().await;
    let post = world.due(account, at(60)).await;
    let old = world.claim_one(at(60)).await;
    let mut held = world.target(&old).await;
    held.attempts = 99;
    let new = world.claim_one(at(70)).await;
    let before = world.read(post.id).await;
    for after in [WorkAfter::Held(at(500)), WorkAfter::DueAt(at(500)), WorkAfter::Done] {
        let recorded = store.record_publish(&old, &held, None, after, at(71)).await.unwrap();
        assert_eq!(recorded, Recorded::Lost, "{after:?}");
    }
    assert_eq!(store.release(&old, at(500)).await.unwrap(), Recorded::Lost);
    assert_eq!(store.renew(std::slice::from_ref(&old), at(500)).await.unwrap(), [old.work_id]);
    assert_eq!(world.read(post.id).await, before, "nothing was stored");
    let next = store.next_due(at(71)).await.unwrap();
    assert_eq!(next, Some(at(1_000_000)), "nor was the lease changed");

    // After its release the work belongs to nobody, not to its last holder either.
    assert_eq!(store.release(&new, at(72)).await.unwrap(), Recorded::Stored);
    let recorded = store.record_publish(&new, &held, None, WorkAfter::Done, at(72)).await.unwrap();
    assert_eq!(recorded, Recorded::Lost);
    let again = world.claim_one(at(72)).await;
    assert_eq!((again.number, again.due_at), (3, at(72)));
}

pub(crate) async fn renews_what_is_held_and_names_what_is_lost(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    for _ in 0..3 {
        let account = world.account().await.id;
        world.due(account, at(0)).await;
    }
    let claims = world.claim(at(0)).await;
    assert!(store.renew(&[], at(5)).await.unwrap().is_empty());
    assert!(store.renew(&claims, at(20)).await.unwrap().is_empty());
    assert!(world.claim(at(19)).await.is_empty(), "held for longer");
    finish(&world, &claims[0]).await;
    assert_eq!(store.renew(&claims, at(30)).await.unwrap(), [claims[0].work_id]);
    let again = world.claim(at(30)).await;
    assert_eq!(again.len(), 2);
    let mut lost = store.renew(&claims, at(50)).await.unwrap();
    lost.sort_unstable();
    let mut all: Vec<WorkId> = claims.iter().map(|claim| claim.work_id).collect();
    all.sort_unstable();
    assert_eq!(lost, all);
}

/// A holder that needs its work for longer than the usual lease says so when it records a step.
pub(crate) async fn never_shortens_a_lease(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    world.due(account, at(0)).await;
    let claim = world.claim_one(at(0)).await;
    world.start(&claim, at(0)).await;
    assert!(store.renew(std::slice::from_ref(&claim), at(10)).await.unwrap().is_empty());
    assert!(world.claim(at(59)).await.is_empty(), "it was leased for a minute");
    assert!(store.renew(std::slice::from_ref(&claim), at(70)).await.unwrap().is_empty());
    assert!(world.claim(at(69)).await.is_empty(), "held for longer");
    assert_eq!(world.claim_one(at(70)).await.work_id, claim.work_id);
}

pub(crate) async fn tells_when_the_next_is_due(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (one, two) = (world.account().await.id, world.account().await.id);
    let next = async |now: i64| store.next_due(at(now)).await.unwrap();
    world.put_off_readings().await;
    assert_eq!(next(0).await, Some(at(1_000_000)));
    world.due(one, at(60)).await;
    world.due(two, at(90)).await;
    assert_eq!(next(0).await, Some(at(60)));
    assert_eq!(next(75).await, Some(at(60)), "due already");
    let claim = world.claim_one(at(60)).await;
    assert_eq!(next(60).await, Some(at(90)), "what is held is not due");
    assert_eq!(next(70).await, Some(at(70)), "a lease that has run out is");
    store.release(&claim, at(65)).await.unwrap();
    assert_eq!(next(60).await, Some(at(65)));
}

pub(crate) async fn looks_past_what_is_held_up(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let next = async |now: i64| store.next_due_after(at(now)).await.unwrap();
    world.put_off_readings().await;
    assert_eq!(next(0).await, Some(at(1_000_000)));
    for second in [10, 20, 90] {
        world.due(account, at(second)).await;
    }
    assert_eq!(next(0).await, Some(at(10)));
    assert_eq!(next(10).await, Some(at(20)), "after, not at");
    assert_eq!(next(30).await, Some(at(90)), "what is due already is passed over");
    world.claim_one(at(30)).await;
    assert_eq!(next(30).await, Some(at(40)), "the end of the lease");
    assert_eq!(next(40).await, Some(at(90)));
}

pub(crate) async fn counts_what_is_due_and_held_by_nobody(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let webhook = webhook(world.workspace, &EventKind::UNNAMED);
    add_webhook(store.as_ref(), &webhook).await;
    let account = world.account().await.id;
    world.put_off_readings().await;
    let backlog = async |now: i64| {
        let backlog = store.backlog(at(now)).await.unwrap();
        let mut rows: Vec<(WorkKind, u64, _)> =
            backlog.iter().map(|of| (of.kind, of.count, of.oldest)).collect();
        rows.sort_unstable();
        rows
    };
    for second in [10, 20, 90] {
        world.due(account, at(second)).await;
    }
    assert_eq!(backlog(9).await, [], "nothing is due yet");
    assert_eq!(backlog(10).await, [(WorkKind::Publish, 1, at(10))]);
    assert_eq!(backlog(89).await, [(WorkKind::Publish, 2, at(10))]);
    let claim = world.claim_one(at(30)).await;
    assert_eq!(backlog(30).await, [(WorkKind::Publish, 1, at(20))], "what is held is not due");
    let lapsed = [(WorkKind::Publish, 2, at(20))];
    assert_eq!(backlog(40).await, lapsed, "a lease that has run out is");
    let renewed = store.renew(std::slice::from_ref(&claim), at(100)).await.unwrap();
    assert!(renewed.is_empty());
    world.publish(&claim, at(50)).await;
    let both = [(WorkKind::Publish, 1, at(20)), (WorkKind::Deliver, 1, at(50))];
    assert_eq!(backlog(50).await, both, "each kind by itself");
}
