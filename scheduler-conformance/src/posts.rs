use std::sync::Arc;

use futures_util::future::join_all;
use scheduler_core::audit::ActorKind;
use scheduler_core::idempotency::IdempotencyKey;
use scheduler_core::ids::{MediaId, PostId, TargetId};
use scheduler_core::platform::{Disclosure, Platform};
use scheduler_core::ports::{CreateOutcome, RemoveOutcome, SaveOutcome, Store};
use scheduler_core::post::{ApprovalState, Author, Post, PostStatus, Review};
use scheduler_core::target::{
    Begun, FailedAttempt, Failure, FailureCode, Published, Remote, RetriesUsed, Stage, Target,
};
use serde_json::json;

use crate::fixtures::{NO_LIMIT, World, at, id, idempotency_key, person, post, progress, target};

/// A post in which no field is empty, with targets of which one or another has each field.
fn full(world: &World, account: scheduler_core::ids::AccountId) -> Post {
    let options = json!({ "title": "\u{e9}t\u{e9}", "a": [1, null, { "b": 2.5 }] });
    let failure =
        Failure { message: "it's \"no\"".to_owned(), code: FailureCode::InDoubt, permanent: false };
    let remote = || Some(Remote::new("v1", Some("https://v.example/1".to_owned())));
    let progress = || Some(progress("uploaded"));
    let begun = Begun { progress: progress(), live_part: remote() };
    let failed = Target {
        id: TargetId(id()),
        platform: Platform::Youtube,
        options: options.as_object().cloned().unwrap(),
        attempts: 7,
        failed_attempts: vec![FailedAttempt {
            at: at(50),
            error_code: FailureCode::NetworkError,
            error: "it's \"away\"".to_owned(),
            next_attempt_at: Some(at(55)),
        }],
        spent: RetriesUsed { tries: 3, rate_limits: 2 },
        revision: 4,
        stage: Stage::Failed { failure: failure.clone(), begun },
        ..target(account, None)
    };
    let mut waiting = target(account, None);
    waiting.reschedule(Some(at(80)), Some(at(70)));
    let live = Stage::Published(Published {
        published_at: at(60),
        remote: remote(),
        failure: Some(failure),
        follow_up: progress(),
    });
    let live = Target { attempts: 1, stage: live, ..target(account, None) };
    Post {
        status: PostStatus::Publishing,
        content: "Line\nand 'quote' \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} \u{5d0}".to_owned(),
        link_url: Some("https://example.com/?q=%20".to_owned()),
        media_ids: vec![MediaId(id()), MediaId(id())],
        alt_texts: vec![None, Some("a cat".to_owned())],
        disclosure: serde_json::from_str(r#"{"paidPartnership": true}"#).expect("it is one"),
        approval_state: Some(ApprovalState::Changes),
        author: Some(Author {
            kind: ActorKind::Session,
            id: Some(id()),
            person: Some(person("it's Ana")),
        }),
        review: Some(Review::Approved { by: person("Ben"), at: at(7) }),
        created_at: at(1),
        updated_at: at(2),
        idempotency_key: Some(idempotency_key("key-number-1")),
        version: 5,
        ..post(world.workspace, vec![failed, waiting, live])
    }
}

pub(crate) async fn are_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let account = world.account().await;
    let kept = world.create(full(&world, account.id)).await;
    assert_eq!(world.read(kept.id).await, kept);
    assert_eq!(store.post(other.workspace, kept.id).await.unwrap(), None);
    assert_eq!(store.post(world.workspace, PostId(id())).await.unwrap(), None);
    let by_key = store.post_by_key(world.workspace, "key-number-1").await.unwrap();
    assert_eq!(by_key, Some(kept));
    assert_eq!(store.post_by_key(other.workspace, "key-number-1").await.unwrap(), None);
    assert_eq!(store.post_by_key(world.workspace, "key-number-2").await.unwrap(), None);
    // As an earlier version has stored it.
    let bodiless = Some(IdempotencyKey::stored("key-number-3".to_owned(), None));
    let old =
        Post { idempotency_key: bodiless, ..post(world.workspace, vec![target(account.id, None)]) };
    let old = world.create(old).await;
    assert_eq!(world.read(old.id).await, old);
}

pub(crate) async fn of_one_key_are_one(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let callers = (0..50).map(|number| {
        let world = world.clone();
        tokio::spawn(async move {
            let post = Post {
                content: format!("number {number}"),
                idempotency_key: Some(idempotency_key("one-key-for-all")),
                ..post(world.workspace, vec![target(account, Some(at(60)))])
            };
            (world.store.create_post(&post, NO_LIMIT).await.unwrap(), post)
        })
    });
    let outcomes: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    let created: Vec<&Post> = outcomes
        .iter()
        .filter(|(outcome, _)| *outcome == CreateOutcome::Created)
        .map(|(_, post)| post)
        .collect();
    let [first] = created[..] else { panic!("{} were created", created.len()) };
    let existing = |outcome: &CreateOutcome| *outcome == CreateOutcome::Existing(first.clone());
    assert_eq!(outcomes.iter().filter(|(outcome, _)| existing(outcome)).count(), 49);
    assert_eq!(world.claim_with(at(60), 9, 99).await.len(), 1, "with the work of one");
}

pub(crate) async fn of_the_same_key_in_another_workspace_are_others(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    for world in [&world, &other] {
        let account = world.account().await.id;
        let post = Post {
            idempotency_key: Some(idempotency_key("key-number-1")),
            ..post(world.workspace, vec![target(account, None)])
        };
        world.create(post).await;
    }
}

pub(crate) async fn that_are_refused_leave_no_key(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let post = Post {
        idempotency_key: Some(idempotency_key("key-number-1")),
        ..post(world.workspace, vec![target(account, Some(at(60)))])
    };
    assert_eq!(store.create_post(&post, 0).await.unwrap(), CreateOutcome::LimitReached);
    assert_eq!(store.post_by_key(world.workspace, "key-number-1").await.unwrap(), None);
    assert!(world.claim(at(60)).await.is_empty(), "nothing was stored");
    world.create(post).await;
}

pub(crate) async fn keep_their_first_answer_as_they_now_are(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let first = world
        .create(Post {
            idempotency_key: Some(idempotency_key("key-number-1")),
            ..post(world.workspace, vec![target(account, None)])
        })
        .await;
    let changed = Post { content: "changed".to_owned(), ..first.clone() };
    assert_eq!(store.save_post(&changed, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    let again = Post { id: PostId(id()), ..first };
    let CreateOutcome::Existing(existing) = store.create_post(&again, NO_LIMIT).await.unwrap()
    else {
        panic!("it was not found")
    };
    assert_eq!(existing.content, "changed");
}

pub(crate) async fn are_saved_against_their_version(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await;
    let old = world.create(full(&world, account.id)).await;
    let mut new = Post {
        status: PostStatus::Scheduled,
        content: "new".to_owned(),
        link_url: None,
        media_ids: Vec::new(),
        alt_texts: Vec::new(),
        disclosure: Disclosure::NONE,
        approval_state: None,
        updated_at: at(9),
        scheduled_at: Some(at(90)),
        ..old.clone()
    };
    let third = target(account.id, Some(at(90)));
    new.targets = vec![third, old.targets[1].clone()];
    assert_eq!(store.save_post(&new, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    new.version = 6;
    assert_eq!(world.read(old.id).await, new, "all of it, and the targets in their order");

    let stale = Post { content: "stale".to_owned(), ..old.clone() };
    assert_eq!(store.save_post(&stale, NO_LIMIT).await.unwrap(), SaveOutcome::Stale);
    assert_eq!(world.read(old.id).await, new);
    let missing = Post { id: PostId(id()), ..old };
    assert_eq!(store.save_post(&missing, NO_LIMIT).await.unwrap(), SaveOutcome::Missing);
}

pub(crate) async fn saved_at_once_are_saved_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let old = world.due(account, at(60)).await;
    let callers = (0..20).map(|number| {
        let (store, old) = (store.clone(), old.clone());
        tokio::spawn(async move {
            let new = Post { content: format!("number {number}"), ..old };
            store.save_post(&new, NO_LIMIT).await.unwrap()
        })
    });
    let outcomes: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    let count = |wanted| outcomes.iter().filter(|outcome| **outcome == wanted).count();
    assert_eq!((count(SaveOutcome::Saved), count(SaveOutcome::Stale)), (1, 19));
    assert_eq!(world.claim_with(at(60), 9, 99).await.len(), 1);
}

pub(crate) async fn are_removed_against_their_version(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let account = world.account().await.id;
    let post = world.due(account, at(60)).await;
    let remove =
        async |workspace, version| store.remove_post(workspace, post.id, version).await.unwrap();
    assert_eq!(remove(other.workspace, 1).await, RemoveOutcome::Missing);
    assert_eq!(remove(world.workspace, 2).await, RemoveOutcome::Stale);
    assert_eq!(world.read(post.id).await, post);
    assert_eq!(remove(world.workspace, 1).await, RemoveOutcome::Removed);
    assert_eq!(remove(world.workspace, 1).await, RemoveOutcome::Missing);
    assert_eq!(store.post(world.workspace, post.id).await.unwrap(), None);
    assert!(world.claim(at(60)).await.is_empty(), "with its work");
}

pub(crate) async fn are_found_by_the_range_of_their_ids(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let (account, of_other) = (world.account().await.id, other.account().await.id);
    let mut ids = Vec::new();
    for second in 1..=3 {
        ids.push(world.due(account, at(second)).await.id);
        other.due(of_other, at(second)).await;
    }
    ids.sort_unstable();
    let found = async |from: PostId, to: PostId, limit: u32| {
        store.post_ids(world.workspace, from, to, limit).await.unwrap()
    };
    let (first, last) = (PostId(uuid::Uuid::nil()), PostId(uuid::Uuid::max()));
    assert_eq!(found(first, last, 9).await, ids, "lowest first, and none of others");
    assert_eq!(found(first, last, 2).await, ids[..2]);
    assert_eq!(found(ids[1], ids[2], 9).await, ids[1..], "both ends are in it");
    assert_eq!(found(last, last, 9).await, []);
}
