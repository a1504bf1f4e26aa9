use std::sync::Arc;

use futures_util::future::join_all;
use scheduler_core::ids::TargetId;
use scheduler_core::ports::{Recorded, Store, WorkAfter, WorkKind};
use scheduler_core::post::PostStatus;
use scheduler_core::target::{RetriesUsed, Target};
use scheduler_core::webhook::EventKind;

use crate::fixtures::{World, add_webhook, at, failure, post, progress, target, webhook};

pub(crate) async fn move_the_post_along(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (one, two) = (world.account().await.id, world.account().await.id);
    let targets = vec![target(one, Some(at(60))), target(two, Some(at(70)))];
    let post = world.create(post(world.workspace, targets)).await;
    let look = async || {
        let post = world.read(post.id).await;
        (post.status, post.version, post.updated_at)
    };
    let first = world.claim_one(at(60)).await;
    assert_eq!(look().await, (PostStatus::Scheduled, 1, at(0)), "a claim changes nothing");
    let mut going_out = world.start(&first, at(61)).await;
    assert_eq!(look().await, (PostStatus::Publishing, 2, at(61)));

    going_out.keep_progress(progress("uploaded"));
    let after = WorkAfter::Held(at(200));
    let recorded = store.record_publish(&first, &going_out, None, after, at(62)).await.unwrap();
    assert_eq!(recorded, Recorded::Stored);
    assert_eq!(look().await, (PostStatus::Publishing, 2, at(61)), "a step is no change of state");
    assert_eq!(world.read(post.id).await.targets[0], going_out, "but it is written down");

    assert_eq!(world.succeed(&first, going_out, at(63)).await, Recorded::Stored);
    assert_eq!(look().await, (PostStatus::Publishing, 3, at(63)));
    let second = world.claim_one(at(70)).await;
    assert_eq!(world.publish(&second, at(71)).await, Recorded::Stored);
    assert_eq!(look().await, (PostStatus::Done, 5, at(71)));
    assert!(world.claim(at(86_400)).await.is_empty(), "nothing is left to do");
}

pub(crate) async fn are_recorded_in_full(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let post = world.due(account, at(60)).await;
    let claim = world.claim_one(at(60)).await;
    let target = world.start(&claim, at(60)).await;
    let spent = RetriesUsed { tries: 1, rate_limits: 1 };
    let failed = Target { spent, ..target.defer(at(120), failure()).unwrap() };
    let after = WorkAfter::DueAt(at(120));
    let recorded = store.record_publish(&claim, &failed, None, after, at(61)).await.unwrap();
    assert_eq!(recorded, Recorded::Stored);
    assert_eq!(world.read(post.id).await.targets, [failed]);
    assert!(world.claim(at(119)).await.is_empty());
    let again = world.claim_one(at(120)).await;
    assert_eq!((again.number, again.due_at), (2, at(120)));
    assert_eq!(again.work_id, claim.work_id);
}

/// All targets of a post end at the same moment, over and over: no end is turned away, and the
/// post is done each time, with one event for each target and one delivery for each webhook.
pub(crate) async fn that_end_at_once_leave_the_post_done(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut accounts = Vec::new();
    for _ in 0..24 {
        accounts.push(world.account().await.id);
    }
    for kinds in [&EventKind::UNNAMED[..], &[EventKind::Published], &[EventKind::Failed]] {
        add_webhook(store.as_ref(), &webhook(world.workspace, kinds)).await;
    }
    let of_each_round = [2, 2, 2, 2, 2, 2, 2, 2, 13, 13, 24, 24];
    for (round, count) in (0..).zip(of_each_round) {
        let targets = accounts.iter().take(count).map(|id| target(*id, Some(at(round))));
        let targets = targets.collect();
        let post = world.create(post(world.workspace, targets)).await;
        let mut claims = world.claim_with(at(round), 99, 1).await;
        claims.retain(|claim| claim.kind == WorkKind::Publish);
        assert_eq!(claims.len(), count);
        let mut started = Vec::new();
        for claim in claims {
            let target = world.start(&claim, at(round)).await;
            started.push((claim, target));
        }
        let ends = started.into_iter().map(|(claim, target)| {
            let world = world.clone();
            tokio::spawn(async move { world.succeed(&claim, target, at(round)).await })
        });
        for recorded in join_all(ends).await {
            assert_eq!(recorded.unwrap(), Recorded::Stored);
        }
        let post = world.read(post.id).await;
        let operations = 1 + 2 * i64::try_from(count).unwrap();
        assert_eq!((post.status, post.version), (PostStatus::Done, operations), "round {round}");
    }
    let ends: usize = of_each_round.iter().sum();
    let deliveries = store.deliveries(world.workspace, None, 1_000).await.unwrap();
    assert_eq!(deliveries.len(), ends * 2, "two webhooks of three want it");
    let events: std::collections::BTreeSet<_> =
        deliveries.iter().map(|record| record.delivery.event_id).collect();
    assert_eq!(events.len(), ends);
}

pub(crate) async fn read_what_they_need(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (one, two) = (world.account().await, world.account().await);
    let targets = vec![target(one.id, Some(at(60))), target(two.id, Some(at(900)))];
    let post = world.create(post(world.workspace, targets)).await;
    let claim = world.claim_one(at(60)).await;
    let context = world.context(&claim).await;
    assert_eq!((context.post, context.target_id), (post.clone(), post.targets[0].id));
    assert_eq!(context.account, one);

    assert!(store.disconnect_account(world.workspace, one.id, at(61)).await.unwrap());
    let context = world.context(&claim).await;
    assert_eq!(context.account.disconnected_at, Some(at(61)), "be it disconnected");
    assert!(context.credentials.is_none());

    store.remove_post(world.workspace, post.id, 1).await.unwrap();
    assert!(store.publish_context(&claim).await.unwrap().is_none(), "the target is gone");
    let target = Target { id: TargetId(claim.subject), ..post.targets[0].clone() };
    let recorded = store.record_publish(&claim, &target, None, WorkAfter::Done, at(62)).await;
    assert_eq!(recorded.unwrap(), Recorded::Lost);
}
