//! Idempotency-Keys, other than those of posts.

use std::sync::Arc;

use futures_util::future::join_all;
use scheduler_core::idempotency::{IdempotencyKey, KeyOutcome, KeyScope, KeyUse};
use scheduler_core::ids::{AccountId, MediaId, TargetId};
use scheduler_core::ports::{AddOutcome, RemoveOutcome, Store};
use scheduler_core::webhook::EventKind;
use serde_json::json;

use crate::fixtures::{NO_LIMIT, World, at, file, id, idempotency_key, post, target, webhook};

fn under_way(world: &World, scope: KeyScope) -> KeyUse {
    KeyUse {
        workspace_id: world.workspace,
        scope,
        key: idempotency_key("key-number-1"),
        id: id(),
        belongs_to: id(),
        outcome: KeyOutcome::UnderWay(at(60)),
    }
}

async fn stored(world: &World, of: &KeyUse) -> Option<KeyUse> {
    world.store.key_use(world.workspace, &of.scope, of.key.as_str()).await.unwrap()
}

pub(crate) async fn are_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let answer = json!({ "text": "it's \"no\" \u{1f468}", "n": [1, null] });
    let scope = KeyScope::replies(TargetId(id()), &"c".repeat(10_000));
    for (name, outcome) in [
        ("kept", KeyOutcome::Kept),
        ("answered", KeyOutcome::Answered(answer)),
        ("under way", KeyOutcome::UnderWay(at(60))),
        ("unknown", KeyOutcome::Unknown),
    ] {
        let bodiless = IdempotencyKey::stored(format!("{name} without"), None);
        for key in [idempotency_key(&format!("{name} \u{e9}{}", "x".repeat(180))), bodiless] {
            let used = KeyUse { key, outcome: outcome.clone(), ..under_way(&world, scope.clone()) };
            assert_eq!(stored(&world, &used).await, None, "{name}");
            assert_eq!(store.begin_key_use(&used).await.unwrap(), None, "{name}");
            assert_eq!(stored(&world, &used).await, Some(used.clone()), "{name}");
            assert_eq!(stored(&other, &used).await, None, "{name}");
            let elsewhere = KeyUse { scope: KeyScope::media(), ..used };
            assert_eq!(stored(&world, &elsewhere).await, None, "{name}");
        }
    }
}

pub(crate) async fn begun_at_once_are_begun_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let scope = KeyScope::playlists(AccountId(id()));
    let callers = (0..12).map(|_| {
        let (store, used) = (store.clone(), under_way(&world, scope.clone()));
        tokio::spawn(async move { (store.begin_key_use(&used).await.unwrap(), used) })
    });
    let begun: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    let firsts: Vec<&KeyUse> =
        begun.iter().filter(|(earlier, _)| earlier.is_none()).map(|(_, used)| used).collect();
    let [first] = firsts[..] else { panic!("{} have begun", firsts.len()) };
    let told = begun.iter().filter(|(earlier, _)| earlier.as_ref() == Some(first)).count();
    assert_eq!(told, 11);
}

pub(crate) async fn are_settled_by_their_own_use(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let first = under_way(&world, KeyScope::webhooks());
    store.begin_key_use(&first).await.unwrap();
    let stranger = KeyUse { id: id(), outcome: KeyOutcome::Unknown, ..first.clone() };
    assert!(!store.settle_key_use(&stranger).await.unwrap());
    assert!(!store.forget_key_use(&stranger).await.unwrap());
    assert_eq!(stored(&world, &first).await, Some(first.clone()));
    let settled = KeyUse { outcome: KeyOutcome::Answered(json!({ "id": "1" })), ..first.clone() };
    for _ in 0..2 {
        assert!(store.settle_key_use(&settled).await.unwrap(), "also again");
        assert_eq!(stored(&world, &first).await, Some(settled.clone()));
    }
    assert!(store.forget_key_use(&first).await.unwrap());
    assert_eq!(stored(&world, &first).await, None);
    assert!(!store.forget_key_use(&first).await.unwrap());
    assert!(!store.settle_key_use(&settled).await.unwrap(), "what is gone stays so");
    assert_eq!(store.begin_key_use(&stranger).await.unwrap(), None, "the key is free");
}

pub(crate) async fn of_files_are_stored_with_them(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let declare = |bytes, limit| {
        let (store, media) = (store.clone(), file(&world, bytes));
        let used = KeyUse::kept(
            world.workspace,
            KeyScope::media(),
            idempotency_key("key-number-1"),
            media.id.0,
        );
        async move { (store.create_media(&media, limit, Some(&used)).await.unwrap(), used) }
    };
    let (outcome, refused) = declare(5, 4).await;
    assert_eq!(outcome, AddOutcome::LimitReached);
    assert_eq!(stored(&world, &refused).await, None, "a refusal leaves no key behind");
    let (outcome, first) = declare(5, NO_LIMIT).await;
    assert_eq!(outcome, AddOutcome::Stored);
    assert_eq!(stored(&world, &first).await, Some(first.clone()));
    let (outcome, again) = declare(5, 4).await;
    assert_eq!(outcome, AddOutcome::Existing(first), "whatever the limit is by now");
    assert_eq!(store.media(world.workspace, &[MediaId(again.id)]).await.unwrap(), []);
    assert_eq!(store.list_media(world.workspace, 9, None).await.unwrap().len(), 1);
}

pub(crate) async fn of_one_file_are_one(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let callers = (0..12).map(|_| {
        let (store, media) = (store.clone(), file(&world, 5));
        let used = KeyUse::kept(
            world.workspace,
            KeyScope::media(),
            idempotency_key("key-number-1"),
            media.id.0,
        );
        tokio::spawn(
            async move { store.create_media(&media, NO_LIMIT, Some(&used)).await.unwrap() },
        )
    });
    let outcomes: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    let is_stored = |outcome: &&AddOutcome| **outcome == AddOutcome::Stored;
    assert_eq!(outcomes.iter().filter(is_stored).count(), 1);
    let files = store.list_media(world.workspace, 99, None).await.unwrap();
    let [(only, _)] = &files[..] else { panic!("{} files", files.len()) };
    for outcome in outcomes {
        match outcome {
            AddOutcome::Existing(first) => assert_eq!(first.id, only.id.0),
            other => assert_eq!(other, AddOutcome::Stored),
        }
    }
}

pub(crate) async fn of_webhooks_are_stored_with_them(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let callers = (0..12).map(|_| {
        let (store, webhook) = (store.clone(), webhook(world.workspace, &EventKind::ALL));
        let used = KeyUse::kept(
            world.workspace,
            KeyScope::webhooks(),
            idempotency_key("key-number-1"),
            webhook.id.0,
        );
        tokio::spawn(async move { store.create_webhook(&webhook, 1, Some(&used)).await.unwrap() })
    });
    let outcomes: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    let webhooks = store.webhooks(world.workspace).await.unwrap();
    let [only] = &webhooks[..] else { panic!("{} webhooks", webhooks.len()) };
    let stored = outcomes.iter().filter(|outcome| **outcome == AddOutcome::Stored);
    assert_eq!(stored.count(), 1);
    assert!(outcomes.iter().all(|outcome| match outcome {
        AddOutcome::Stored => true,
        AddOutcome::Existing(earlier) => earlier.id == only.id.0,
        AddOutcome::LimitReached => false,
    }));
}

pub(crate) async fn go_with_what_they_belong_to(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let post = world.create(post(world.workspace, vec![target(account, None)])).await;
    let reply = KeyUse {
        belongs_to: post.id.0,
        ..under_way(&world, KeyScope::replies(post.targets[0].id, "c1"))
    };
    let webhook = webhook(world.workspace, &EventKind::ALL);
    let kept = idempotency_key("key-number-1");
    let of_webhook = KeyUse::kept(world.workspace, KeyScope::webhooks(), kept, webhook.id.0);
    let other = under_way(&world, KeyScope::playlists(account));
    let added = store.create_webhook(&webhook, 1, Some(&of_webhook)).await.unwrap();
    assert_eq!(added, AddOutcome::Stored);
    for used in [&reply, &other] {
        assert_eq!(store.begin_key_use(used).await.unwrap(), None);
    }
    let removed = store.remove_post(world.workspace, post.id, post.version + 1).await.unwrap();
    assert_eq!(removed, RemoveOutcome::Stale);
    assert_eq!(stored(&world, &reply).await.as_ref(), Some(&reply), "it is still there");
    let removed = store.remove_post(world.workspace, post.id, post.version).await.unwrap();
    assert_eq!(removed, RemoveOutcome::Removed);
    assert!(store.remove_webhook(world.workspace, webhook.id).await.unwrap());
    for (name, used, want) in
        [("reply", &reply, None), ("webhook", &of_webhook, None), ("other", &other, Some(&other))]
    {
        assert_eq!(stored(&world, used).await.as_ref(), want, "{name}");
    }
}
