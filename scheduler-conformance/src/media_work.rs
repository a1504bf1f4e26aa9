//! The work that follows from files.

use std::sync::Arc;

use futures_util::future::join_all;
use scheduler_core::media::{Media, MediaStatus, Transfer};
use scheduler_core::plan::Plan;
use scheduler_core::ports::{EraseOutcome, Recorded, Store, WorkKind};

use crate::fixtures::{World, at, file};

pub(crate) async fn is_there_for_what_is_due(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let media = world.declare(Media { due_at: Some(at(60)), ..file(&world, 7) }).await;
    let done = world.declare(Media { due_at: None, ..file(&world, 7) }).await;
    assert!(world.claim(at(59)).await.is_empty(), "never early");
    let claim = world.claim_one(at(60)).await;
    assert_eq!(claim.kind, WorkKind::Erase);
    assert_eq!(claim.subject, media.id.0);
    assert_eq!((claim.number, claim.due_at), (1, at(60)));
    assert_eq!((claim.workspace_id, claim.platform), (world.workspace, None));
    let context = store.media_context(&claim).await.unwrap().unwrap();
    assert_eq!(context.media, media);
    assert_eq!(context.plan, Plan::Studio);
    assert!(store.publish_context(&claim).await.unwrap().is_none());
    assert!(store.delivery_context(&claim).await.unwrap().is_none());
    assert!(world.claim(at(60)).await.is_empty(), "somebody holds it");

    // Work begins where there was none.
    assert!(store.save_media(&Media { due_at: Some(at(61)), ..done.clone() }).await.unwrap());
    assert_eq!(world.claim_one(at(61)).await.subject, done.id.0);
}

pub(crate) async fn is_for_each_file_at_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    for _ in 0..3 {
        world.declare(Media { due_at: Some(at(0)), ..file(&world, 7) }).await;
    }
    let claims = world.claim(at(0)).await;
    assert_eq!(claims.len(), 3, "each file is a lane of its own");
}

pub(crate) async fn that_is_replaced_is_lost(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    for (name, is_erased) in [("saved", false), ("deleted", true)] {
        let media = world.declare(Media { due_at: Some(at(0)), ..file(&world, 7) }).await;
        let old = world.claim_media(media.id, at(0)).await;
        let changed = if is_erased {
            let outcome = store.erase_media(world.workspace, media.id, at(1)).await.unwrap();
            let EraseOutcome::Deleted(deleted) = outcome else { panic!("{name}: {outcome:?}") };
            deleted
        } else {
            assert!(store.save_media(&media.arrived(7, at(1))).await.unwrap());
            world.media(media.id).await
        };
        assert!(store.media_context(&old).await.unwrap().is_none(), "{name}");
        let late = media.given_up("late", at(1));
        assert_eq!(store.record_media(&old, &late, None).await.unwrap(), Recorded::Lost, "{name}");
        assert_eq!(world.media(media.id).await, changed, "{name}: nothing was stored");
        let new = world.claim_media(media.id, at(1)).await;
        assert_ne!(new.work_id, old.work_id, "{name}");
        assert_eq!(store.media_context(&new).await.unwrap().unwrap().media, changed, "{name}");
        assert!(store.media_context(&old).await.unwrap().is_none(), "{name}: nor by the new claim");
        let done = Media { due_at: None, ..changed };
        assert_eq!(
            store.record_media(&new, &done, None).await.unwrap(),
            Recorded::Stored,
            "{name}"
        );
    }
    assert!(world.claim(at(99)).await.is_empty());
}

pub(crate) async fn is_recorded(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let transfer = Transfer::Ingest { source_url: "https://files.example/a?b=c".to_owned() };
    let declared =
        Media { transfer, status: MediaStatus::Ingesting, due_at: Some(at(0)), ..file(&world, 7) };
    let media = world.declare(declared).await;
    let claim = world.claim_one(at(0)).await;
    let later = Media { due_at: Some(at(30)), tries: 1, ..media.clone() };
    assert_eq!(store.record_media(&claim, &later, None).await.unwrap(), Recorded::Stored);
    let stored = world.media(media.id).await;
    assert_eq!(stored, Media { version: media.version + 1, ..later.clone() });
    assert_eq!(
        store.record_media(&claim, &later, None).await.unwrap(),
        Recorded::Lost,
        "given back"
    );
    assert!(!store.save_media(&media).await.unwrap(), "it has changed since it was read");

    assert!(world.claim(at(29)).await.is_empty());
    let claim = world.claim_one(at(30)).await;
    assert_eq!(claim.due_at, at(30));
    // The lease ends, and another takes over.
    let next = world.claim_one(at(41)).await;
    let arrived = stored.arrived(99, at(41));
    assert_eq!(store.record_media(&claim, &arrived, None).await.unwrap(), Recorded::Lost);
    assert_eq!(store.record_media(&next, &arrived, None).await.unwrap(), Recorded::Stored);
    let last = world.claim_one(at(41)).await;
    let arrived = world.media(media.id).await;
    let ready = arrived.examined(&arrived.facts(), true);
    assert_eq!(ready.due_at, None);
    assert_eq!(store.record_media(&last, &ready, None).await.unwrap(), Recorded::Stored);
    assert_eq!(world.media(media.id).await, Media { version: arrived.version + 1, ..ready });
    assert!(world.claim(at(9_999)).await.is_empty(), "nothing is left to do");
}

/// Of a holder that records and a person who saves, one wins, and the file is as the winner says.
pub(crate) async fn recorded_and_saved_at_once_is_one_of_both(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut files = Vec::new();
    for _ in 0..30 {
        let media = world.declare(Media { due_at: Some(at(0)), ..file(&world, 7) }).await;
        files.push((world.claim_media(media.id, at(0)).await, media));
    }
    let operations = files.iter().flat_map(|(claim, media)| {
        let recorded = media.given_up("not in time", at(1));
        let saved = media.arrived(8, at(1));
        let (one, two, claim) = (store.clone(), store.clone(), claim.clone());
        let record = tokio::spawn(async move {
            one.record_media(&claim, &recorded, None).await.unwrap() == Recorded::Stored
        });
        let save = tokio::spawn(async move { two.save_media(&saved).await.unwrap() });
        [record, save]
    });
    let outcomes: Vec<bool> = join_all(operations).await.into_iter().map(Result::unwrap).collect();
    for ((_, media), outcomes) in files.iter().zip(outcomes.chunks(2)) {
        let (is_recorded, is_saved) = (outcomes[0], outcomes[1]);
        assert!(is_recorded != is_saved, "recorded: {is_recorded}, saved: {is_saved}");
        let stored = world.media(media.id).await;
        let want = if is_saved { MediaStatus::Processing } else { MediaStatus::Failed };
        assert_eq!((stored.status, stored.version), (want, media.version + 1));
    }
    assert_eq!(world.claim(at(1)).await.len(), files.len(), "each is due once");
}
