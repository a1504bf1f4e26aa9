use std::collections::BTreeSet;
use std::sync::Arc;

use scheduler_core::connecting::Pass;
use scheduler_core::ids::{DeliveryId, EventId, WebhookId};
use scheduler_core::media::Media;
use scheduler_core::ports::{
    Claim, Recorded, RedeliverOutcome, SaveOutcome, Store, WorkAfter, WorkKind,
};
use scheduler_core::post::{Approval, AskedTiming, Post, Verdict, decide};
use scheduler_core::target::{Failure, FailureCode};
use scheduler_core::webhook::{
    Delivery, DeliveryAttempt, DeliveryStatus, Event, EventKind, Webhook,
};

use tokio::task::JoinSet;

use crate::fixtures::{NO_LIMIT, World, add_webhook, at, file, id, post, target, webhook};

/// Publishes a post, and gives back the claims of the deliveries.
pub(crate) async fn announce(world: &World, now: i64) -> (Post, Vec<Claim>) {
    let account = world.account().await.id;
    let post = world.due(account, at(now)).await;
    let mut claims = world.claim(at(now)).await;
    claims.retain(|claim| claim.kind == WorkKind::Publish);
    let [claim] = &claims[..] else { panic!("{claims:?}") };
    assert_eq!(world.publish(claim, at(now)).await, Recorded::Stored);
    (post, world.claim_with(at(now), 1_000, 1_000).await)
}

pub(crate) fn attempt(second: i64, status: Option<u16>) -> DeliveryAttempt {
    DeliveryAttempt { at: at(second), status, answer: format!("answer {second}") }
}

pub(crate) async fn go_to_whoever_subscribes(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let both = webhook(world.workspace, &EventKind::UNNAMED);
    let published = webhook(world.workspace, &[EventKind::Published]);
    let failed = webhook(world.workspace, &[EventKind::Failed]);
    for webhook in [&both, &published, &failed, &webhook(other.workspace, &EventKind::UNNAMED)] {
        add_webhook(store.as_ref(), webhook).await;
    }
    let (_, claims) = announce(&world, 0).await;
    let mut receivers = BTreeSet::new();
    for claim in &claims {
        assert_eq!((claim.kind, claim.platform), (WorkKind::Deliver, None));
        assert_eq!((claim.workspace_id, claim.due_at), (world.workspace, at(0)));
        let context = store.delivery_context(claim).await.unwrap().unwrap();
        assert_eq!(context.event.kind, EventKind::Published);
        assert_eq!(context.event.workspace_id, world.workspace);
        assert_eq!(context.delivery.id.0, claim.subject);
        assert_eq!(context.delivery.status, DeliveryStatus::Pending);
        assert_eq!(context.delivery.webhook_id, context.webhook.id);
        assert!(claim.lane.starts_with(&context.webhook.id.to_string()));
        assert!(store.publish_context(claim).await.unwrap().is_none());
        receivers.insert(context.webhook.id);
    }
    assert_eq!(receivers, BTreeSet::from([both.id, published.id]));

    let account = world.account().await.id;
    world.due(account, at(20)).await;
    let mut claims = world.claim(at(20)).await;
    claims.retain(|claim| claim.kind == WorkKind::Publish);
    let target = world.start(&claims[0], at(20)).await;
    let failure =
        Failure { message: "no".to_owned(), code: FailureCode::NetworkRefused, permanent: true };
    let target = target.fail(failure).unwrap();
    let post = claims[0].subject;
    let event = Event::failed(
        EventId(id()),
        world.workspace,
        scheduler_core::ids::PostId(post),
        &target,
        at(20),
    );
    let done = WorkAfter::Done;
    let recorded = store.record_publish(&claims[0], &target, Some(&event), done, at(20)).await;
    assert_eq!(recorded.unwrap(), Recorded::Stored);
    let records = store.deliveries(world.workspace, None, 2).await.unwrap();
    let receivers: BTreeSet<WebhookId> =
        records.iter().map(|record| record.delivery.webhook_id).collect();
    assert_eq!(receivers, BTreeSet::from([both.id, failed.id]));
    assert!(records.iter().all(|record| record.event == EventKind::Failed));
}

pub(crate) async fn carry_the_event_byte_for_byte(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let webhook = webhook(world.workspace, &EventKind::UNNAMED);
    add_webhook(store.as_ref(), &webhook).await;
    let account = world.account().await.id;
    world.put_off_readings().await;
    world.due(account, at(0)).await;
    let claim = world.claim_one(at(0)).await;
    let target = crate::fixtures::live(world.start(&claim, at(0)).await, at(0));
    let event = crate::fixtures::published(world.workspace, &target, at(0));
    let done = WorkAfter::Done;
    store.record_publish(&claim, &target, Some(&event), done, at(1)).await.unwrap();
    assert_eq!(store.next_due(at(0)).await.unwrap(), Some(at(1)), "due when it was recorded");
    let claim = world.claim_one(at(1)).await;
    let context = store.delivery_context(&claim).await.unwrap().unwrap();
    assert_eq!(context.event, event);
    assert_eq!(context.webhook.url, webhook.url);
    assert_eq!(context.webhook.secret.expose(), webhook.secret.expose());
}

pub(crate) async fn keep_every_attempt(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    add_webhook(store.as_ref(), &webhook(world.workspace, &EventKind::UNNAMED)).await;
    let (_, claims) = announce(&world, 0).await;
    let [first] = &claims[..] else { panic!("{claims:?}") };
    let read = async || store.delivery(DeliveryId(first.subject)).await.unwrap().unwrap();
    let context = store.delivery_context(first).await.unwrap().unwrap();
    assert!(read().await.attempts.is_empty());

    let tried = Delivery { attempts: 1, ..context.delivery.clone() };
    let after = WorkAfter::DueAt(at(30));
    let recorded = store.record_delivery(first, &tried, &attempt(5, None), after).await.unwrap();
    assert_eq!(recorded, Recorded::Stored);
    let stale = store.record_delivery(first, &tried, &attempt(6, None), after).await.unwrap();
    assert_eq!(stale, Recorded::Lost, "it was given back");
    assert!(store.delivery_context(first).await.unwrap().is_none());

    let second = world.claim_one(at(30)).await;
    let delivered = Delivery { status: DeliveryStatus::Delivered, attempts: 2, ..tried };
    let last = attempt(31, Some(204));
    let recorded =
        store.record_delivery(&second, &delivered, &last, WorkAfter::Done).await.unwrap();
    assert_eq!(recorded, Recorded::Stored);
    let record = read().await;
    assert_eq!(record.delivery, delivered);
    assert_eq!(record.event, EventKind::Published);
    assert_eq!(record.attempts, [attempt(5, None), last]);
    assert!(world.claim(at(86_400)).await.is_empty());
    assert!(store.delivery(DeliveryId(id())).await.unwrap().is_none());
}

pub(crate) async fn are_listed_newest_first(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    add_webhook(store.as_ref(), &webhook(world.workspace, &EventKind::UNNAMED)).await;
    let mut want = Vec::new();
    for second in [0, 10, 20, 30] {
        let (_, claims) = announce(&world, second).await;
        let claim = claims.last().unwrap();
        want.push(DeliveryId(claim.subject));
        let context = store.delivery_context(claim).await.unwrap().unwrap();
        let tried = attempt(second, Some(500));
        let after = WorkAfter::DueAt(at(900));
        store.record_delivery(claim, &context.delivery, &tried, after).await.unwrap();
    }
    want.reverse();
    let listed = async |limit: u32| {
        let records = store.deliveries(world.workspace, None, limit).await.unwrap();
        assert!(records.iter().all(|record| record.attempts.len() == 1));
        records.iter().map(|record| record.delivery.id).collect::<Vec<_>>()
    };
    assert_eq!(listed(9).await, want);
    assert_eq!(listed(2).await, want[..2]);
    assert!(store.deliveries(other.workspace, None, 9).await.unwrap().is_empty());
}

pub(crate) async fn go_with_their_webhook(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let (removed, kept) = (
        webhook(world.workspace, &EventKind::UNNAMED),
        webhook(world.workspace, &EventKind::UNNAMED),
    );
    for webhook in [&removed, &kept] {
        add_webhook(store.as_ref(), webhook).await;
    }
    let (_, claims) = announce(&world, 0).await;
    assert_eq!(claims.len(), 2);
    assert!(!store.remove_webhook(other.workspace, removed.id).await.unwrap());
    assert!(store.remove_webhook(world.workspace, removed.id).await.unwrap());
    assert!(!store.remove_webhook(world.workspace, removed.id).await.unwrap());
    let mut left = Vec::new();
    for claim in &claims {
        left.extend(store.delivery_context(claim).await.unwrap());
    }
    let [left] = &left[..] else { panic!("{left:?}") };
    assert_eq!(left.webhook.id, kept.id);
    let record = store.deliveries(world.workspace, None, 9).await.unwrap();
    assert_eq!(record.len(), 1);
    for claim in &claims {
        let tried = attempt(1, Some(200));
        let done = WorkAfter::Done;
        let recorded = store.record_delivery(claim, &left.delivery, &tried, done).await.unwrap();
        let is_kept = claim.subject == left.delivery.id.0;
        assert_eq!(recorded == Recorded::Stored, is_kept);
    }
}

pub(crate) async fn have_webhooks_that_are_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let late = Webhook { created_at: at(9), ..webhook(world.workspace, &EventKind::UNNAMED) };
    let early = webhook(world.workspace, &[EventKind::Failed]);
    for webhook in [&late, &early, &webhook(other.workspace, &EventKind::UNNAMED)] {
        add_webhook(store.as_ref(), webhook).await;
    }
    let stored = store.webhooks(world.workspace).await.unwrap();
    let shape = |webhook: &Webhook| {
        (webhook.id, webhook.url.clone(), webhook.events.clone(), webhook.created_at)
    };
    let want: Vec<_> = [&early, &late].into_iter().map(shape).collect();
    assert_eq!(stored.iter().map(shape).collect::<Vec<_>>(), want, "oldest first");
    assert_eq!(stored[0].secret.expose(), early.secret.expose());
}

pub(crate) async fn leave_out_webhooks_that_are_disabled(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let (on, off) = (
        webhook(world.workspace, &EventKind::UNNAMED),
        webhook(world.workspace, &EventKind::UNNAMED),
    );
    for webhook in [&on, &off] {
        add_webhook(store.as_ref(), webhook).await;
    }
    let set = async |workspace, second: Option<i64>| {
        store.set_webhook_disabled(workspace, off.id, second.map(at)).await.unwrap()
    };
    let disabled_at = async || {
        let webhooks = store.webhooks(world.workspace).await.unwrap();
        webhooks.iter().find(|webhook| webhook.id == off.id).unwrap().disabled_at
    };
    assert!(!set(other.workspace, Some(1)).await, "it is not theirs");
    assert_eq!(disabled_at().await, None);
    assert!(set(world.workspace, Some(1)).await);
    assert!(set(world.workspace, Some(2)).await);
    assert_eq!(disabled_at().await, Some(at(1)), "it keeps since when");
    let (_, claims) = announce(&world, 5).await;
    let [claim] = &claims[..] else { panic!("{claims:?}") };
    let context = store.delivery_context(claim).await.unwrap().unwrap();
    assert_eq!((context.webhook.id, context.webhook.disabled_at), (on.id, None));
    let done = WorkAfter::Done;
    let delivery = Delivery { status: DeliveryStatus::Delivered, attempts: 1, ..context.delivery };
    store.record_delivery(claim, &delivery, &attempt(6, Some(200)), done).await.unwrap();
    assert!(set(world.workspace, None).await);
    assert_eq!(disabled_at().await, None);
    let (_, claims) = announce(&world, 20).await;
    assert_eq!(claims.len(), 2);
}

/// A delivery that was acknowledged at once.
pub(crate) async fn delivered(world: &World, store: &Arc<dyn Store>) -> (Delivery, Claim) {
    let webhook = webhook(world.workspace, &EventKind::UNNAMED);
    add_webhook(store.as_ref(), &webhook).await;
    let (_, claims) = announce(world, 0).await;
    let claim = claims.into_iter().next().expect("one webhook");
    let context = store.delivery_context(&claim).await.unwrap().unwrap();
    let delivery = Delivery { status: DeliveryStatus::Delivered, attempts: 1, ..context.delivery };
    let done = WorkAfter::Done;
    store.record_delivery(&claim, &delivery, &attempt(1, Some(200)), done).await.unwrap();
    (delivery, claim)
}

pub(crate) async fn are_listed_by_status(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    add_webhook(store.as_ref(), &webhook(world.workspace, &EventKind::UNNAMED)).await;
    let ends = [DeliveryStatus::Failed, DeliveryStatus::Delivered, DeliveryStatus::Failed];
    for (second, status) in (0..).step_by(10).zip(ends) {
        let (_, claims) = announce(&world, second).await;
        let context = store.delivery_context(&claims[0]).await.unwrap().unwrap();
        let ended = Delivery { status, attempts: 1, ..context.delivery };
        let done = WorkAfter::Done;
        store.record_delivery(&claims[0], &ended, &attempt(1, None), done).await.unwrap();
    }
    announce(&world, 30).await;
    for (status, want) in [
        (None, 4),
        (Some(DeliveryStatus::Pending), 1),
        (Some(DeliveryStatus::Delivered), 1),
        (Some(DeliveryStatus::Failed), 2),
    ] {
        let found = store.deliveries(world.workspace, status, 9).await.unwrap();
        assert_eq!(found.len(), want, "{status:?}");
        assert!(found.iter().all(|record| status.is_none_or(|of| record.delivery.status == of)));
        assert!(found.iter().all(|record| record.url == "https://receiver.example/hook"));
        let one = store.deliveries(world.workspace, status, 1).await.unwrap();
        assert_eq!(one, found[..1], "{status:?} newest first");
    }
}

pub(crate) async fn are_sent_again(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let (delivery, first) = delivered(&world, &store).await;
    let missing = store.redeliver(other.workspace, delivery.id, at(50)).await.unwrap();
    assert_eq!(missing, RedeliverOutcome::Missing);
    let unknown = store.redeliver(world.workspace, DeliveryId(id()), at(50)).await.unwrap();
    assert_eq!(unknown, RedeliverOutcome::Missing);

    let outcome = store.redeliver(world.workspace, delivery.id, at(50)).await.unwrap();
    let RedeliverOutcome::Due(record) = outcome else { panic!("{outcome:?}") };
    let anew = Delivery { status: DeliveryStatus::Pending, attempts: 0, ..delivery };
    assert_eq!((&record.delivery, record.attempts.len()), (&anew, 1));
    assert_eq!(store.delivery(anew.id).await.unwrap(), Some(record));
    assert!(world.claim(at(49)).await.is_empty());
    let claim = world.claim_one(at(50)).await;
    assert_eq!((claim.kind, claim.subject, claim.due_at), (WorkKind::Deliver, anew.id.0, at(50)));
    assert_eq!(claim.lane, first.lane);
    let done = WorkAfter::Done;
    let late = store.record_delivery(&first, &anew, &attempt(51, None), done).await.unwrap();
    assert_eq!(late, Recorded::Lost, "the work of before is done");
    let again = Delivery { status: DeliveryStatus::Failed, attempts: 1, ..anew };
    store.record_delivery(&claim, &again, &attempt(52, Some(500)), done).await.unwrap();
    let record = store.delivery(again.id).await.unwrap().unwrap();
    assert_eq!(record.attempts, [attempt(1, Some(200)), attempt(52, Some(500))]);

    // One that waits for a retry is due at once.
    store.redeliver(world.workspace, again.id, at(60)).await.unwrap();
    let claim = world.claim_one(at(60)).await;
    let tried = Delivery { status: DeliveryStatus::Pending, attempts: 1, ..again };
    let wait = WorkAfter::DueAt(at(900));
    store.record_delivery(&claim, &tried, &attempt(61, None), wait).await.unwrap();
    assert!(world.claim(at(70)).await.is_empty());
    store.redeliver(world.workspace, tried.id, at(70)).await.unwrap();
    world.claim_one(at(70)).await;
    assert_eq!(store.delivery(tried.id).await.unwrap().unwrap().delivery.attempts, 0);
}

pub(crate) async fn sent_again_leave_a_holder_alone(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (delivery, _) = delivered(&world, &store).await;
    store.redeliver(world.workspace, delivery.id, at(50)).await.unwrap();
    let claim = world.claim_one(at(50)).await;
    let outcome = store.redeliver(world.workspace, delivery.id, at(59)).await.unwrap();
    assert_eq!(outcome, RedeliverOutcome::InFlight, "the lease runs until 60");
    assert!(world.claim(at(59)).await.is_empty());
    let ended = Delivery { status: DeliveryStatus::Delivered, attempts: 1, ..delivery };
    let done = WorkAfter::Done;
    let recorded = store.record_delivery(&claim, &ended, &attempt(59, Some(200)), done).await;
    assert_eq!(recorded.unwrap(), Recorded::Stored);
}

pub(crate) async fn sent_again_fence_off_a_lapsed_holder(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (delivery, _) = delivered(&world, &store).await;
    store.redeliver(world.workspace, delivery.id, at(50)).await.unwrap();
    let lapsed = world.claim_one(at(50)).await;
    let outcome = store.redeliver(world.workspace, delivery.id, at(60)).await.unwrap();
    assert!(matches!(outcome, RedeliverOutcome::Due(_)), "{outcome:?}");
    let ended = Delivery { status: DeliveryStatus::Delivered, attempts: 1, ..delivery };
    let done = WorkAfter::Done;
    let late = store.record_delivery(&lapsed, &ended, &attempt(61, Some(200)), done).await;
    assert_eq!(late.unwrap(), Recorded::Lost);
    let claim = world.claim_one(at(61)).await;
    let late = store.record_delivery(&lapsed, &ended, &attempt(62, Some(200)), done).await;
    assert_eq!(late.unwrap(), Recorded::Lost);
    let recorded = store.record_delivery(&claim, &ended, &attempt(63, Some(200)), done).await;
    assert_eq!(recorded.unwrap(), Recorded::Stored);
}

pub(crate) async fn sent_again_at_once_are_one_piece_of_work(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (delivery, _) = delivered(&world, &store).await;
    for round in 0..5 {
        let now = at(100 + round * 100);
        let mut callers = JoinSet::new();
        for caller in 0..8 {
            let (store, workspace, id) = (store.clone(), world.workspace, delivery.id);
            callers.spawn(async move {
                if caller == 0 {
                    let claims = store.claim(&crate::fixtures::request(now, 9, 9)).await.unwrap();
                    return claims.len();
                }
                let outcome = store.redeliver(workspace, id, now).await.unwrap();
                assert!(!matches!(outcome, RedeliverOutcome::Missing), "{outcome:?}");
                0
            });
        }
        let claimed: usize = callers.join_all().await.into_iter().sum();
        let now = now + chrono::TimeDelta::seconds(20);
        let rest = world.claim_with(now, 9, 9).await;
        assert!(claimed <= 1 && rest.len() == 1, "{claimed} {rest:?}");
        let record = store.delivery(delivery.id).await.unwrap().unwrap();
        assert_eq!(record.delivery.status, DeliveryStatus::Pending);
        let ended = Delivery { status: DeliveryStatus::Failed, attempts: 1, ..delivery.clone() };
        let done = WorkAfter::Done;
        store.record_delivery(&rest[0], &ended, &attempt(1, None), done).await.unwrap();
    }
}

pub(crate) async fn sent_again_or_removed_at_once_leave_no_work_behind(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    for _ in 0..5 {
        let (delivery, _) = delivered(&world, &store).await;
        let mut callers = JoinSet::new();
        for caller in 0..6 {
            let (store, workspace, delivery) = (store.clone(), world.workspace, delivery.clone());
            callers.spawn(async move {
                if caller == 3 {
                    assert!(store.remove_webhook(workspace, delivery.webhook_id).await.unwrap());
                } else {
                    store.redeliver(workspace, delivery.id, at(50)).await.unwrap();
                }
            });
        }
        callers.join_all().await;
        let outcome = store.redeliver(world.workspace, delivery.id, at(51)).await.unwrap();
        assert_eq!(outcome, RedeliverOutcome::Missing);
        assert!(world.claim(at(1_000)).await.is_empty());
    }
}

/// Events of files, clients and accounts are stored with what they tell of, or not at all.
pub(crate) async fn tell_of_what_was_stored(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let kinds = [
        EventKind::ApprovalDecided,
        EventKind::NeedsReconnect,
        EventKind::TokenExpiring,
        EventKind::MediaReady,
        EventKind::MediaFailed,
    ];
    add_webhook(store.as_ref(), &webhook(world.workspace, &kinds)).await;
    let told = async || {
        let records = store.deliveries(world.workspace, None, 100).await.unwrap();
        records.into_iter().map(|record| record.event).collect::<Vec<_>>()
    };

    let media = world.declare(Media { due_at: Some(at(0)), ..file(&world, 7) }).await;
    let claim = world.claim_media(media.id, at(0)).await;
    let failed = Media { version: media.version, ..media.given_up("cut off", at(1)) };
    let event = Event::of_media(EventId(id()), &failed, at(1)).unwrap();
    let lost = Claim { number: claim.number + 1, ..claim.clone() };
    let recorded = store.record_media(&lost, &failed, Some(&event)).await.unwrap();
    assert_eq!((recorded, told().await), (Recorded::Lost, vec![]));
    let recorded = store.record_media(&claim, &failed, Some(&event)).await.unwrap();
    assert_eq!((recorded, told().await), (Recorded::Stored, vec![EventKind::MediaFailed]));
    let mut deliveries = world.claim(at(1)).await;
    deliveries.retain(|claim| claim.kind == WorkKind::Deliver);
    let [delivery] = &deliveries[..] else { panic!("{deliveries:?}") };
    let context = store.delivery_context(delivery).await.unwrap().unwrap();
    assert_eq!(context.event, event, "due at once, as it was stored");

    let account = world.account().await;
    let post = world.due(account.id, at(60)).await;
    let shown = decide::request_approval(&post, at(2)).unwrap();
    let approval = Approval {
        post_id: post.id,
        workspace_id: world.workspace,
        pass: Pass::from_random([3; 32]).hash(),
        client: None,
        message: None,
        timezone: None,
        created_at: at(2),
        expires_at: at(9_000),
        decided_at: None,
        seen: None,
        remarks: Vec::new(),
    };
    store.save_approvals(&[(shown, Some(approval.clone()))], None).await.unwrap();
    let shown = world.read(post.id).await;
    let decided = decide::record_decision(&shown, Verdict::Approve, at(3)).unwrap();
    let state = decided.approval_state.unwrap();
    let event = Event::approval_decided(EventId(id()), &decided, state, None, at(3));
    let stale = Post { version: decided.version - 1, ..decided.clone() };
    let outcome =
        store.save_approvals(&[(stale, Some(approval.clone()))], Some(&event)).await.unwrap();
    assert_eq!((outcome, told().await.len()), (SaveOutcome::Stale, 1));
    store.save_approvals(&[(decided, Some(approval))], Some(&event)).await.unwrap();
    assert_eq!(told().await, [EventKind::ApprovalDecided, EventKind::MediaFailed]);

    let version = store.credentials(account.id).await.unwrap().unwrap().version;
    let event = Event::needs_reconnect(EventId(id()), &account, "revoked".to_owned(), at(4));
    let later = Event { id: EventId(id()), ..event.clone() };
    assert!(!store.mark_needs_reconnect(account.id, version + 1, Some(&event)).await.unwrap());
    assert_eq!(told().await.len(), 2, "of other credentials");
    assert!(store.mark_needs_reconnect(account.id, version, Some(&event)).await.unwrap());
    assert!(store.mark_needs_reconnect(account.id, version, Some(&later)).await.unwrap());
    let want = [EventKind::NeedsReconnect, EventKind::ApprovalDecided, EventKind::MediaFailed];
    assert_eq!(told().await, want, "once");
}

/// A post that is given a time is told of where a webhook asks for it, with the post or not at all.
pub(crate) async fn tell_of_times(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let account = world.account().await.id;
    let told = async || {
        let records = store.deliveries(world.workspace, None, 100).await.unwrap();
        records
            .into_iter()
            .map(|record| (record.event, record.delivery.event_id))
            .collect::<Vec<_>>()
    };
    let scheduled = async |second: i64| {
        let due = Some(at(second));
        let mut given = post(world.workspace, vec![target(account, due)]);
        (given.scheduled_at, given.timing) = (due, AskedTiming::Instant);
        world.create(given).await
    };
    scheduled(500).await;
    assert!(told().await.is_empty());

    let hook = webhook(world.workspace, &[EventKind::Scheduled]);
    let others = webhook(other.workspace, &[EventKind::Scheduled]);
    let deaf = webhook(world.workspace, &EventKind::UNNAMED);
    let disabled = webhook(world.workspace, &[EventKind::Scheduled]);
    for webhook in [&hook, &others, &deaf, &disabled] {
        add_webhook(store.as_ref(), webhook).await;
    }
    assert!(store.set_webhook_disabled(world.workspace, disabled.id, Some(at(0))).await.unwrap());
    let stored = scheduled(600).await;
    let want = Event::scheduled(None, &stored).unwrap();
    assert_eq!(told().await, [(EventKind::Scheduled, want.id)]);
    let mut claims = world.claim(want.created_at).await;
    claims.retain(|claim| claim.kind == WorkKind::Deliver);
    let [claim] = &claims[..] else { panic!("{claims:?}") };
    let context = store.delivery_context(claim).await.unwrap().unwrap();
    assert_eq!((&context.event, context.webhook.id), (&want, hook.id), "due at once");

    let current = world.read(stored.id).await;
    let renamed = Post { content: "other".to_owned(), ..current };
    assert_eq!(store.save_post(&renamed, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    assert_eq!(told().await.len(), 1, "its time is the same");
    let current = world.read(stored.id).await;
    let later = Post { scheduled_at: Some(at(700)), ..current.clone() };
    let stale = Post { version: current.version - 1, ..later.clone() };
    assert_eq!(store.save_post(&stale, NO_LIMIT).await.unwrap(), SaveOutcome::Stale);
    assert_eq!(told().await.len(), 1);
    assert_eq!(store.save_post(&later, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    assert_eq!(told().await.len(), 2);
}
