use std::sync::Arc;

use chrono::{DateTime, Utc};
use scheduler_core::ids::{
    AccountId, EntryId, EventId, PostId, RecurrenceId, TargetId, WorkspaceId,
};
use scheduler_core::ports::{Recorded, Store};
use scheduler_core::recurrence::{
    Entry, EntryUse, OccurrenceOf, OccurrencePlace, Planned, PlannedStage, Problem, Progress,
    Recurrence, RecurrenceState, Rule, RuleInput, Terms, TextMark, TextUse, UseOutcome,
};
use scheduler_core::webhook::{Event, EventKind};
use tokio::task::JoinSet;

use crate::fixtures::{NO_LIMIT, World, add_webhook, at, id, person, post, target, webhook};

fn recurrence(workspace: WorkspaceId, second: i64) -> Recurrence {
    let post = r#"{"linkUrl": null, "labels": ["it's"], "targets": [{"platform": "mastodon"}]}"#;
    let entry = Entry {
        id: EntryId(id()),
        post: serde_json::from_str(post).unwrap(),
        texts: vec!["\u{e9}\n'".to_owned(), "b".to_owned()],
    };
    let rule = RuleInput {
        rrule: "FREQ=WEEKLY;BYDAY=MO".to_owned(),
        start: "2026-12-01T09:00".to_owned(),
        exclude: vec!["2026-12-07T09:00".to_owned()],
        zone: Some("Europe/Berlin".parse().unwrap()),
    };
    Recurrence {
        id: RecurrenceId(id()),
        workspace_id: workspace,
        name: "it's \"weekly\"".to_owned(),
        state: RecurrenceState::Active,
        terms: Terms {
            rule: Some(Rule::try_from(rule).unwrap()),
            cool_down_days: 7,
            entries: vec![entry],
            written_by: Some(person("Ana")),
        },
        created_at: at(second),
        updated_at: at(second),
        revision: 1,
    }
}

async fn add(store: &Arc<dyn Store>, workspace: WorkspaceId, second: i64) -> Recurrence {
    let one = recurrence(workspace, second);
    assert!(store.create_recurrence(&one, 9).await.unwrap());
    one
}

fn progress(of: &Recurrence, next_at: DateTime<Utc>) -> Progress {
    let planned = |place| Planned {
        place,
        at: at(60),
        entry: of.terms.entries[0].id,
        text: TextMark::of("b"),
        stage: PlannedStage::Changing,
        post: Some(PostId(id())),
        revision: 3,
        body: "00ff".to_owned(),
    };
    let slot = OccurrencePlace::Slot { account: AccountId(id()), at: at(60) };
    let local = OccurrencePlace::Local("2026-12-14T09:00:00".parse().unwrap());
    let problem = Problem {
        at: at(1),
        due_at: at(60),
        entry_id: of.terms.entries[0].id,
        message: "it's \u{e9}".to_owned(),
        post_id: None,
    };
    Progress {
        planned: vec![planned(slot), planned(local)],
        problem: Some(problem),
        next_at,
        revision: of.revision,
    }
}

pub(crate) async fn are_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let late = add(&store, world.workspace, 9).await;
    let mut early = add(&store, world.workspace, 1).await;
    let theirs = add(&store, other.workspace, 5).await;
    let fresh = |one: &Recurrence| (one.clone(), Progress::new(one.created_at));
    let stored = store.recurrences(world.workspace).await.unwrap();
    assert_eq!(stored, [fresh(&early), fresh(&late)], "oldest first");
    assert_eq!(store.recurrence(world.workspace, theirs.id).await.unwrap(), None);

    early.name = "daily".to_owned();
    early.state = RecurrenceState::Paused;
    early.terms.rule = None;
    early.terms.written_by = None;
    assert!(!store.save_recurrence(&early).await.unwrap(), "of the revision that is stored");
    early.revision = 2;
    assert!(store.save_recurrence(&early).await.unwrap());
    assert!(!store.save_recurrence(&early).await.unwrap(), "once");
    assert_eq!(store.recurrence(world.workspace, early.id).await.unwrap(), Some(fresh(&early)));

    let before = Recurrence { revision: 1, ..early.clone() };
    assert!(!store.remove_recurrence(&before, at(10)).await.unwrap());
    assert!(store.remove_recurrence(&early, at(10)).await.unwrap());
    assert!(!store.remove_recurrence(&early, at(10)).await.unwrap());
    assert_eq!(store.recurrences(world.workspace).await.unwrap(), [fresh(&late)]);
}

pub(crate) async fn have_a_limit(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut callers = JoinSet::new();
    for second in 0..8 {
        let (store, one) = (store.clone(), recurrence(world.workspace, second));
        callers.spawn(async move { store.create_recurrence(&one, 3).await.unwrap() });
    }
    let stored = callers.join_all().await.into_iter().filter(|stored| *stored).count();
    assert_eq!((stored, store.recurrences(world.workspace).await.unwrap().len()), (3, 3));
}

pub(crate) async fn are_taken_by_one_at_a_time(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut early = add(&store, world.workspace, 10).await;
    let late = add(&store, world.workspace, 20).await;
    let mut callers = JoinSet::new();
    for _ in 0..8 {
        let store = store.clone();
        callers.spawn(async move { store.claim_recurrence(at(5), at(100)).await.unwrap() });
    }
    let mut taken: Vec<RecurrenceId> =
        callers.join_all().await.into_iter().flatten().map(|(one, _)| one.id).collect();
    while let Some((one, _)) = store.claim_recurrence(at(5), at(100)).await.unwrap() {
        taken.push(one.id);
    }
    taken.sort_unstable();
    let mut want = [early.id, late.id];
    want.sort_unstable();
    assert_eq!(taken, want, "what has never been looked at is taken at once, each once");

    let come = progress(&early, at(500));
    let record = async |one: &Recurrence, lease: i64, come: &Progress, renewed: Option<i64>| {
        store.record_planned(one.id, at(lease), come, renewed.map(at), None).await.unwrap()
    };
    assert_eq!(record(&early, 99, &come, None).await, Recorded::Lost, "of another lease");
    assert_eq!(record(&early, 100, &come, Some(150)).await, Recorded::Stored);
    assert!(!store.remove_recurrence(&early, at(120)).await.unwrap(), "it is taken on");
    assert_eq!(record(&early, 100, &come, None).await, Recorded::Lost, "of the lease before");
    assert_eq!(record(&early, 150, &come, None).await, Recorded::Stored);
    assert_eq!(record(&early, 150, &come, None).await, Recorded::Lost, "it is taken no longer");
    let stored = store.recurrence(world.workspace, early.id).await.unwrap();
    assert_eq!(stored, Some((early.clone(), come)));

    // A lease that has run out is taken by the next, and the one before records nothing.
    assert_eq!(store.claim_recurrence(at(99), at(200)).await.unwrap(), None);
    let (again, _) = store.claim_recurrence(at(100), at(200)).await.unwrap().unwrap();
    assert_eq!(again.id, late.id);
    assert_eq!(record(&late, 100, &progress(&late, at(900)), None).await, Recorded::Lost);
    assert_eq!(record(&late, 200, &progress(&late, at(900)), None).await, Recorded::Stored);

    // What has changed is due, whatever its time; what is due is so at its time.
    early.revision = 2;
    assert!(store.save_recurrence(&early).await.unwrap());
    let (changed, come) = store.claim_recurrence(at(201), at(300)).await.unwrap().unwrap();
    assert_eq!((changed, come.revision), (early.clone(), 1));
    assert_eq!(record(&early, 300, &progress(&early, at(1_000)), None).await, Recorded::Stored);
    assert_eq!(store.claim_recurrence(at(899), at(2_000)).await.unwrap(), None);
    let (due, _) = store.claim_recurrence(at(900), at(2_000)).await.unwrap().unwrap();
    assert_eq!(due.id, late.id);
}

pub(crate) async fn tell_of_what_was_not_made(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let one = add(&store, world.workspace, 1).await;
    add_webhook(&*store, &webhook(world.workspace, &[EventKind::NeedsReconnect])).await;
    store.claim_recurrence(at(5), at(100)).await.unwrap().unwrap();
    let account = world.account().await;
    let event = Event::needs_reconnect(EventId(id()), &account, "x".to_owned(), at(5));
    let come = progress(&one, at(500));
    let lost = store.record_planned(one.id, at(99), &come, None, Some(&event)).await.unwrap();
    assert_eq!(lost, Recorded::Lost);
    let deliveries = async || store.deliveries(world.workspace, None, 9).await.unwrap().len();
    assert_eq!(deliveries().await, 0, "nothing was stored");
    let stored = store.record_planned(one.id, at(100), &come, None, Some(&event)).await.unwrap();
    assert_eq!((stored, deliveries().await), (Recorded::Stored, 1));
}

fn used(of: &Recurrence, account: AccountId, target: TargetId, second: i64) -> EntryUse {
    EntryUse {
        recurrence_id: of.id,
        entry_id: of.terms.entries[0].id,
        account_id: account,
        target_id: target,
        used_at: at(second),
        texts: vec![TextUse { text: TextMark::of(&second.to_string()), at: at(second) }],
    }
}

pub(crate) async fn are_used_one_after_the_other(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let one = add(&store, world.workspace, 1).await;
    let account = world.account().await.id;
    let [first, second] = [TargetId(id()), TargetId(id())];
    let use_ = async |target, second: i64, from: Option<i64>| {
        let used = used(&one, account, target, second);
        store.use_entry(world.workspace, &used, from.map(at)).await.unwrap()
    };
    assert_eq!(use_(first, 10, Some(0)).await, UseOutcome::Stored);
    assert_eq!(use_(second, 20, Some(10)).await, UseOutcome::UsedAt(at(10)));
    assert_eq!(use_(first, 15, Some(10)).await, UseOutcome::Stored, "its own");
    assert_eq!(use_(second, 20, Some(15)).await, UseOutcome::UsedAt(at(15)));
    assert_eq!(use_(second, 20, Some(16)).await, UseOutcome::Stored);
    let uses = store.entry_uses(one.id).await.unwrap();
    let [kept] = uses.as_slice() else { panic!("{uses:?}") };
    assert_eq!((kept.target_id, kept.used_at), (second, at(20)));
    let texts: Vec<_> = kept.texts.iter().map(|used| used.at).collect();
    assert_eq!(texts, [at(20), at(15), at(10)], "latest first");

    // Of many at once one uses it.
    let mut callers = JoinSet::new();
    for _ in 0..8 {
        let (store, workspace) = (store.clone(), world.workspace);
        let used = used(&one, account, TargetId(id()), 40);
        callers
            .spawn(async move { store.use_entry(workspace, &used, Some(at(30))).await.unwrap() });
    }
    let outcomes = callers.join_all().await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == UseOutcome::Stored).count(), 1);

    // What is known of it goes with it.
    let other = add(&store, world.workspace, 2).await;
    let elsewhere = used(&other, account, first, 50);
    store.use_entry(world.workspace, &elsewhere, None).await.unwrap();
    assert!(store.remove_recurrence(&one, at(60)).await.unwrap());
    assert_eq!(store.entry_uses(one.id).await.unwrap(), []);
    assert_eq!(store.entry_uses(other.id).await.unwrap(), [elsewhere]);
}

pub(crate) async fn wait_for_a_use_that_is_under_way(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let one = add(&store, world.workspace, 1).await;
    let account = world.account().await.id;
    let mut post = post(world.workspace, vec![target(account, Some(at(100)))]);
    post.occurrence = Some(OccurrenceOf {
        recurrence_id: one.id,
        entry_id: one.terms.entries[0].id,
        text: TextMark::of("b"),
    });
    store.create_post(&post, NO_LIMIT).await.unwrap();
    let stored = store.post(world.workspace, post.id).await.unwrap().unwrap();
    assert_eq!(stored.occurrence, post.occurrence);
    let first = used(&one, account, post.targets[0].id, 10);
    store.use_entry(world.workspace, &first, Some(at(0))).await.unwrap();
    let next = used(&one, account, TargetId(id()), 900);
    let outcome = store.use_entry(world.workspace, &next, Some(at(800))).await.unwrap();
    assert_eq!(outcome, UseOutcome::UnderWay);
    let outcome = store.use_entry(world.workspace, &next, None).await.unwrap();
    assert_eq!(outcome, UseOutcome::Stored, "where nothing forbids it");
}
