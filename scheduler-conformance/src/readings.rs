use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::TimeDelta;
use scheduler_core::account::Account;
use scheduler_core::ids::TargetId;
use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{
    ConnectOutcome, FigureQuery, Figures, LivePost, Metric, ReadMode, ReadingState, ReadingsTaken,
    Recorded, SaveOutcome, Store, TakenReading, WorkKind,
};
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::reading::Reading;
use scheduler_core::webhook::{Event, EventKind};

use crate::fixtures::{NO_LIMIT, World, add_webhook, at, credentials, everything, skip, webhook};
use crate::readings_support::{FAR, reading, state, taken};

pub(crate) async fn are_due_for_every_connected_account(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await;
    assert!(world.claim(at(0)).await.is_empty(), "without a place for them");
    // The network is as busy as may be, which holds no readings up.
    let claim = world.claim_reading(at(0)).await;
    assert_eq!((claim.kind, claim.subject), (WorkKind::Read, account.id.0));
    assert_eq!((claim.workspace_id, claim.platform), (world.workspace, Some(account.platform)));
    assert_eq!((claim.due_at, claim.number), (at(0), 1));
    assert_eq!(claim.lane, format!("read/{}", account.id));
    assert!(world.claim_readings(at(1)).await.is_empty(), "it is held");
    let context = world.reading_context(&claim, 0).await;
    assert_eq!((context.account, context.state), (account.clone(), state(0)));
    assert_eq!(context.credentials.unwrap().credentials.expose(), "token");
    assert!(context.due.is_empty());

    // Publishes to the account do not wait for its readings.
    world.due(account.id, at(1)).await;
    let claims = store.claim(&everything(at(1), 9, 9)).await.unwrap();
    assert_eq!(claims.iter().map(|claim| claim.kind).collect::<Vec<_>>(), [WorkKind::Publish]);
}

pub(crate) async fn begin_anew_with_a_connection(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await;
    let first = world.claim_reading(at(0)).await;
    let mode = ReadMode::OneByOne;
    let blocked = ReadingState { blocked_until: Some(at(FAR)), failures: 7, mode, ..state(FAR) };
    world.record(&first, &ReadingsTaken::nothing(blocked)).await;
    assert!(world.claim_readings(at(FAR - 1)).await.is_empty());

    assert!(store.disconnect_account(world.workspace, account.id, at(9)).await.unwrap());
    assert!(world.claim_readings(at(FAR)).await.is_empty(), "there is nothing to read with");
    let again = async |seconds: i64| {
        let again = Account { connected_at: at(seconds), ..account.clone() };
        let outcome = store.connect_account(&again, &credentials("new"), NO_LIMIT).await.unwrap();
        assert!(matches!(outcome, ConnectOutcome::Reconnected(_)), "{outcome:?}");
    };
    again(100).await;
    assert!(world.claim_readings(at(99)).await.is_empty());
    let second = world.claim_reading(at(100)).await;
    assert_eq!(world.reading_context(&second, 100).await.state, state(100), "at once");

    // Connected again while somebody reads with the old credentials.
    again(105).await;
    assert!(store.reading_context(&second, at(105), 9).await.unwrap().is_none());
    let recorded =
        store.record_readings(&second, &ReadingsTaken::nothing(state(FAR))).await.unwrap();
    assert_eq!(recorded, Recorded::Lost);
    assert_eq!(
        store.renew(std::slice::from_ref(&second), at(200)).await.unwrap(),
        [second.work_id]
    );
    let third = world.claim_reading(at(105)).await;
    assert_ne!((third.work_id, third.number), (second.work_id, second.number));

    assert!(store.disconnect_account(world.workspace, account.id, at(106)).await.unwrap());
    let recorded = store.record_readings(&third, &ReadingsTaken::nothing(state(0))).await.unwrap();
    assert_eq!(recorded, Recorded::Lost, "disconnected while somebody reads");
    assert!(world.claim_readings(at(FAR)).await.is_empty());
}

pub(crate) async fn are_planned_when_a_target_goes_live(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.looked_at().await;
    let first = world.go_live(account, 60).await;
    let second = world.go_live(account, 90).await;
    assert!(first.targets[0].reading.is_none());
    assert!(world.claim_readings(at(3_659)).await.is_empty(), "an hour later, and no sooner");
    let claim = world.claim_reading(at(3_660)).await;
    assert_eq!(claim.due_at, at(3_660));
    let due = async |now: i64| {
        let due = world.reading_context(&claim, now).await.due;
        due.iter().map(|due| due.target_id).collect::<Vec<_>>()
    };
    let [one, two] = [&first, &second].map(|post| post.targets[0].id);
    assert_eq!(due(3_660).await, [one]);
    assert_eq!(due(3_690).await, [one, two], "in the order in which they are due");
    let some = store.reading_context(&claim, at(3_690), 1).await.unwrap().unwrap();
    assert_eq!(some.due.len(), 1, "no more than asked for");
    assert_eq!(some.due[0].live, LivePost::of(&first, one));
    assert!(some.due[0].live.is_some() && some.due[0].taken_at.is_empty());

    // What goes live while somebody reads is found when that is recorded.
    let third = world.go_live(account, 3_691).await.targets[0].id;
    let readings = [one, two].map(|target| taken(target, reading(3_692, 1), None));
    world
        .record(
            &claim,
            &ReadingsTaken { readings: readings.into(), ..ReadingsTaken::nothing(state(FAR)) },
        )
        .await;
    assert!(world.claim_readings(at(7_290)).await.is_empty());
    let claim = world.claim_reading(at(7_291)).await;
    let context = world.reading_context(&claim, 7_291).await;
    assert_eq!(context.due.iter().map(|due| due.target_id).collect::<Vec<_>>(), [third]);
}

/// The holder of an account's readings records that nothing is due while a target goes live, over
/// and over: whichever is first, the target is read an hour later.
pub(crate) async fn forget_no_target_that_goes_live_meanwhile(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.looked_at().await;
    for round in 1..=25 {
        let now = round * 100_000;
        // Makes the readings due, so that they can be held.
        let early = world.go_live(account, now - 3_600).await.targets[0].id;
        let reader = world.claim_reading(at(now)).await;
        let post = world.due(account, at(now)).await;
        let publisher = world.claim_one(at(now)).await;
        let target = world.start(&publisher, at(now)).await;
        let readings = vec![taken(early, reading(now, 1), None)];
        let read = ReadingsTaken { readings, ..ReadingsTaken::nothing(state(FAR)) };
        let (reading, publishing) = (world.clone(), world.clone());
        let (recorded, published) = tokio::join!(
            tokio::spawn(async move { reading.record(&reader, &read).await }),
            tokio::spawn(async move { publishing.succeed(&publisher, target, at(now)).await }),
        );
        recorded.unwrap();
        assert_eq!(published.unwrap(), Recorded::Stored);
        let claim = world.claim_reading(at(now + 3_600)).await;
        let due = world.reading_context(&claim, now + 3_600).await.due;
        let target = post.targets[0].id;
        assert_eq!(due.iter().map(|due| due.target_id).collect::<Vec<_>>(), [target]);
        let readings = vec![taken(target, crate::readings_support::reading(now + 3_600, 1), None)];
        world
            .record(&claim, &ReadingsTaken { readings, ..ReadingsTaken::nothing(state(FAR)) })
            .await;
    }
}

pub(crate) async fn are_recorded(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.looked_at().await;
    let post = world.go_live(account, 60).await;
    let id = post.targets[0].id;
    let limits = AccountLimits { text_limit: Some(77), ..AccountLimits::default() };
    let hook = webhook(world.workspace, &[EventKind::TokenExpiring]);
    add_webhook(store.as_ref(), &hook).await;
    let connected = store.account(world.workspace, account).await.unwrap().unwrap();
    let event = Event::token_expiring(&connected, 1, at(90_000), at(3_661));
    let claim = world.claim_reading(at(3_660)).await;
    let all = ReadingsTaken {
        event: Some(event.clone()),
        readings: vec![taken(id, reading(3_661, 12), Some(20_000))],
        limits: Some(limits.clone()),
        ..ReadingsTaken::nothing(ReadingState {
            failures: 3,
            mode: ReadMode::OneByOne,
            ..state(50_000)
        })
    };
    world.record(&claim, &all).await;
    let recorded = store.record_readings(&claim, &all).await.unwrap();
    assert_eq!(recorded, Recorded::Lost, "once");
    let told = async || {
        let records = store.deliveries(world.workspace, None, 10).await.unwrap();
        records.into_iter().map(|record| record.delivery.event_id).collect::<Vec<_>>()
    };
    assert_eq!(told().await, [event.id]);
    let shown = world.read(post.id).await;
    assert_eq!(shown.targets[0].reading, Some(reading(3_661, 12)));
    assert_eq!((shown.version, shown.updated_at), (post.version, post.updated_at));
    assert_eq!(store.readings(id, None, 500).await.unwrap(), [reading(3_661, 12)]);
    let stored = store.account(world.workspace, account).await.unwrap().unwrap();
    assert_eq!(stored.limits, limits);

    // The work is due when the first post is, before the look at the account.
    assert!(world.claim_readings(at(19_999)).await.is_empty());
    let claim = world.claim_reading(at(20_000)).await;
    let context = world.reading_context(&claim, 20_000).await;
    assert_eq!(context.account.limits, limits);
    assert_eq!(
        context.state,
        ReadingState { failures: 3, mode: ReadMode::OneByOne, ..state(50_000) }
    );
    assert_eq!(context.due[0].taken_at, [at(3_661)]);

    // The network had no figures: what was shown stays, and nothing is due any more.
    let none = TakenReading {
        target_id: id,
        reading: None,
        superfluous: vec![at(3_661)],
        next_due_at: None,
    };
    // What is noticed again is stored already.
    let again = Some(event);
    let taken = ReadingsTaken {
        readings: vec![none],
        event: again,
        ..ReadingsTaken::nothing(state(50_000))
    };
    world.record(&claim, &taken).await;
    assert_eq!(told().await.len(), 1);
    assert_eq!(world.read(post.id).await.targets[0].reading, Some(reading(3_661, 12)));
    assert_eq!(store.readings(id, None, 500).await.unwrap().len(), 1);
    assert!(world.claim_readings(at(49_999)).await.is_empty());
    let claim = world.claim_reading(at(50_000)).await;

    // Blocked, whatever is due: until then.
    let blocked = ReadingState { blocked_until: Some(at(60_000)), ..state(55_000) };
    world.record(&claim, &ReadingsTaken::nothing(blocked)).await;
    assert!(world.claim_readings(at(59_999)).await.is_empty());
    let claim = world.claim_reading(at(60_000)).await;
    assert_eq!(world.reading_context(&claim, 60_000).await.state, blocked);
    // A block that has ended, and one that ends before anything is due, hold up nothing.
    let blocked = ReadingState { blocked_until: Some(at(60_000)), ..state(70_000) };
    world.record(&claim, &ReadingsTaken::nothing(blocked)).await;
    world.claim_reading(at(70_000)).await;
}

pub(crate) async fn are_recorded_by_their_holder_alone(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.looked_at().await;
    let post = world.go_live(account, 60).await;
    let id = post.targets[0].id;
    let old = world.claim_reading(at(3_660)).await;
    let new = world.claim_reading(at(3_700)).await;
    assert_eq!((old.work_id, old.number + 1), (new.work_id, new.number), "the lease has lapsed");
    let late = ReadingsTaken {
        readings: vec![taken(id, reading(3_701, 1), None)],
        limits: Some(AccountLimits { text_limit: Some(1), ..AccountLimits::default() }),
        ..ReadingsTaken::nothing(ReadingState { failures: 9, ..state(FAR) })
    };
    assert_eq!(store.record_readings(&old, &late).await.unwrap(), Recorded::Lost);
    assert!(store.reading_context(&old, at(3_701), 9).await.unwrap().is_none());
    let context = world.reading_context(&new, 3_701).await;
    assert_eq!((context.state, context.due.len()), (state(FAR), 1), "nothing was stored");
    assert_eq!(context.account.limits, AccountLimits::default());
    assert!(store.readings(id, None, 500).await.unwrap().is_empty());
    let publish = world.due(account, at(3_701)).await;
    let publish = (publish, world.claim_one(at(3_701)).await);
    assert!(store.reading_context(&publish.1, at(3_701), 9).await.unwrap().is_none());
}

pub(crate) async fn are_kept_as_a_history(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.looked_at().await;
    let post = world.go_live(account, 0).await;
    let id = post.targets[0].id;
    let seconds = async |since: Option<i64>, limit: u32| {
        let readings = store.readings(id, since.map(at), limit).await.unwrap();
        readings.iter().map(|reading| (reading.at - at(0)).num_seconds()).collect::<Vec<_>>()
    };
    assert!(seconds(None, 500).await.is_empty());
    for second in 1..=510 {
        store.add_reading(id, &reading(second, 1), &[]).await.unwrap();
    }
    assert_eq!(seconds(None, 500).await, (11..=510).collect::<Vec<_>>(), "the latest");
    assert_eq!(seconds(Some(508), 500).await, [508, 509, 510], "from then on");
    assert_eq!(seconds(Some(1), 2).await, [509, 510]);
    assert!(seconds(Some(511), 500).await.is_empty());
    let stored = store.readings(id, Some(at(510)), 500).await.unwrap();
    assert_eq!(stored, [reading(510, 1)]);

    // What is not needed any more goes; what has just been read never does.
    let gone: Vec<_> = (2..=509).chain([520]).map(at).collect();
    store.add_reading(id, &reading(520, 2), &gone).await.unwrap();
    assert_eq!(seconds(None, 500).await, [1, 510, 520]);
    // Two readings of one instant are one.
    store.add_reading(id, &reading(520, 3), &[]).await.unwrap();
    assert_eq!(store.readings(id, Some(at(520)), 9).await.unwrap(), [reading(520, 3)]);
    // A reading that comes late is no later one.
    store.add_reading(id, &reading(515, 4), &[]).await.unwrap();
    assert_eq!(seconds(None, 500).await, [1, 510, 515, 520]);
    assert_eq!(world.read(post.id).await.targets[0].reading, Some(reading(520, 3)));
    let claim = world.claim_reading(at(3_600)).await;
    let due = &world.reading_context(&claim, 3_600).await.due[0];
    assert_eq!(due.taken_at, [1, 510, 515, 520].map(at), "when the next is due is as before");

    let other = world.go_live(account, 10).await.targets[0].id;
    assert!(store.readings(other, None, 9).await.unwrap().is_empty());
    let unknown = TargetId(crate::fixtures::id());
    store.add_reading(unknown, &reading(1, 1), &[]).await.unwrap();
    assert!(store.readings(unknown, None, 9).await.unwrap().is_empty(), "it is not live");
}

pub(crate) async fn give_one_figure_of_many_posts(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let (account, second) = (world.looked_at().await, world.looked_at().await);
    let early = world.go_live(account, 100).await.targets[0].id;
    let late = world.go_live(account, 200).await.targets[0].id;
    let elsewhere = world.go_live(second, 150).await.targets[0].id;
    let add =
        async |target, reading: Reading| store.add_reading(target, &reading, &[]).await.unwrap();
    for (target, seconds, views) in
        [(late, 300, 7), (early, 110, 1), (early, 160, 2), (early, 161, 3), (elsewhere, 190, 9)]
    {
        add(target, reading(seconds, views)).await;
    }
    let without = Figures(BTreeMap::from([(Metric::Likes, 5.0)]));
    add(early, Reading { at: at(120), figures: without }).await;

    let all = FigureQuery {
        metric: Metric::Views,
        account_id: None,
        from: at(0),
        to: at(1_000),
        within: TimeDelta::seconds(1_000),
        limit: 100,
    };
    let found = async |workspace, query: FigureQuery| {
        let readings = store.figure_readings(workspace, &query).await.unwrap();
        readings.iter().map(|of| (of.target_id, of.at, of.value)).collect::<Vec<_>>()
    };
    let (one, two, three) = ((early, at(110), 1.0), (early, at(160), 2.0), (early, at(161), 3.0));
    let (four, five) = ((late, at(300), 7.0), (elsewhere, at(190), 9.0));
    let mine = world.workspace;
    assert_eq!(found(mine, all).await, [one, two, three, four, five]);
    for (name, query, want) in [
        ("limit", FigureQuery { limit: 2, ..all }, vec![one, two]),
        ("account", FigureQuery { account_id: Some(second), ..all }, vec![five]),
        ("from", FigureQuery { from: at(101), ..all }, vec![four, five]),
        ("from is part of it", FigureQuery { from: at(200), ..all }, vec![four]),
        (
            "to is not",
            FigureQuery { to: at(200), account_id: Some(account), ..all },
            vec![one, two, three],
        ),
        ("within", FigureQuery { within: TimeDelta::seconds(60), ..all }, vec![one, two, five]),
        ("another figure", FigureQuery { metric: Metric::Reach, ..all }, vec![]),
    ] {
        assert_eq!(found(mine, query).await, want, "{name}");
    }
    let likes = FigureQuery { metric: Metric::Likes, account_id: Some(account), ..all };
    let likes = store.figure_readings(mine, &likes).await.unwrap();
    let values: Vec<f64> = likes.iter().map(|of| of.value).collect();
    assert_eq!(values, [0.5, 5.0, 0.5, 0.5, 0.5]);
    assert_eq!((likes[0].account_id, likes[0].published_at), (account, at(100)));

    let other = World::add(store.clone(), "other").await.workspace;
    assert_eq!(found(other, all).await, []);
    assert!(store.disconnect_account(mine, second, at(400)).await.unwrap());
    assert_eq!(found(mine, FigureQuery { from: at(150), ..all }).await, [four], "not connected");
}

pub(crate) async fn stay_with_a_post_that_is_saved(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.looked_at().await;
    let mut post = world.go_live(account, 60).await;
    let id = post.targets[0].id;
    store.add_reading(id, &reading(100, 5), &[]).await.unwrap();
    let save = async |post: &mut Post| {
        assert_eq!(store.save_post(post, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
        post.version += 1;
        world.read(post.id).await.targets[0].reading.clone()
    };
    post.content = "as read before there was a reading".to_owned();
    assert_eq!(save(&mut post).await, Some(reading(100, 5)));
    post.targets[0].reading = Some(reading(999, 9));
    assert_eq!(save(&mut post).await, Some(reading(100, 5)), "not one that is made up");
    skip(&mut post.targets[0]);
    assert_eq!(save(&mut post).await, Some(reading(100, 5)), "nor lost when it is taken down");
    assert_eq!(store.readings(id, None, 9).await.unwrap(), [reading(100, 5)]);
    let claim = world.claim_reading(at(3_660)).await;
    let due = world.reading_context(&claim, 3_660).await.due;
    assert_eq!((due.len(), due[0].target_id), (1, id));
    assert!(due[0].live.is_none(), "taken down");
    assert_eq!(due[0].taken_at, [at(100)]);
}

pub(crate) async fn go_with_their_post(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.looked_at().await;
    let post = world.go_live(account, 60).await;
    assert_eq!(post.status, PostStatus::Done);
    let id = post.targets[0].id;
    store.add_reading(id, &reading(100, 5), &[]).await.unwrap();
    let claim = world.claim_reading(at(3_660)).await;
    store.remove_post(world.workspace, post.id, post.version).await.unwrap();
    assert!(store.readings(id, None, 9).await.unwrap().is_empty());
    assert!(world.reading_context(&claim, 3_660).await.due.is_empty());
    // Whoever has read meanwhile leaves nothing behind.
    let late = vec![taken(id, reading(3_661, 1), Some(4_000))];
    world
        .record(&claim, &ReadingsTaken { readings: late, ..ReadingsTaken::nothing(state(FAR)) })
        .await;
    store.add_reading(id, &reading(3_662, 6), &[]).await.unwrap();
    assert!(store.readings(id, None, 9).await.unwrap().is_empty());
    assert!(world.claim_readings(at(FAR - 1)).await.is_empty());
}
