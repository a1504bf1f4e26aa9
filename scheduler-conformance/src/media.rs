//! The records of files.

use std::sync::Arc;

use chrono::TimeDelta;
use futures_util::future::join_all;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{
    Crop, Edit, Media, MediaCursor, MediaDescription, MediaEvent, MediaFacts, MediaKind,
    MediaStatus, Rectangle, Transfer, VersionFormat, VideoCodec,
};
use scheduler_core::ports::{AddOutcome, EraseOutcome, Store};

use crate::fixtures::{NO_LIMIT, World, at, file, id};

/// Files that differ in every field.
fn various(world: &World) -> Vec<Media> {
    let video = Media {
        id: MediaId(id()),
        workspace_id: world.workspace,
        kind: MediaKind::Video,
        status: MediaStatus::Ready,
        mime_type: Some("video/mp4".to_owned()),
        size_bytes: Some(4_000_000_000),
        duration_seconds: Some(12.34),
        width: Some(1_920),
        height: Some(1_080),
        fps: Some(29.97),
        video_codec: Some(VideoCodec::ProRes),
        frame_count: Some(370),
        file_name: Some("clip.mp4".to_owned()),
        description: MediaDescription {
            name: Some("Our \"first\" film".to_owned()),
            labels: vec!["Bakery".to_owned(), "été".to_owned()],
            alt_text: Some("A cake\nand a cat".to_owned()),
        },
        error: None,
        created_at: at(0),
        transfer: Transfer::Multipart { upload: "upload 1".to_owned(), part_bytes: 1 << 24 },
        has_preview: true,
        due_at: None,
        tries: 0,
        version: 3,
    };
    let image = Media {
        status: MediaStatus::Failed,
        error: Some("cut off".to_owned()),
        due_at: Some(at(60)),
        tries: 4,
        ..Media::declared(MediaId(id()), world.workspace, MediaKind::Image, Transfer::Single, at(1))
    };
    let document = Media {
        id: MediaId(id()),
        kind: MediaKind::Document,
        mime_type: Some("application/pdf".to_owned()),
        ..image.clone()
    };
    let source_url = "https://files.example/clip.mp4?signature=0123456789".to_owned();
    let fetched = Media {
        id: MediaId(id()),
        status: MediaStatus::Ingesting,
        created_at: at(2),
        transfer: Transfer::Ingest { source_url },
        ..image.clone()
    };
    let version = |crop| {
        let edit = Edit { crop, max_side: Some(1_080), format: Some(VersionFormat::Png) };
        Media {
            id: MediaId(id()),
            created_at: at(2),
            transfer: Transfer::Version { original: video.id, edit },
            ..video.clone()
        }
    };
    let part = Rectangle { x: 1, y: 2, width: 3, height: 4 };
    let versions = [None, Some(Crop::Ratio(4, 5)), Some(Crop::Rectangle(part))].map(version);
    let codecs = VideoCodec::ALL.into_iter().zip(3..).map(|(codec, second)| Media {
        id: MediaId(id()),
        video_codec: Some(codec),
        created_at: at(second),
        ..video.clone()
    });
    [video.clone(), image, document, fetched].into_iter().chain(versions).chain(codecs).collect()
}

pub(crate) async fn are_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let files = various(&world);
    for file in &files {
        world.declare(file.clone()).await;
    }
    let foreign = other.declare(file(&other, 5)).await;
    let unknown = MediaId(id());
    let ids: Vec<MediaId> =
        files.iter().map(|media| media.id).chain([foreign.id, unknown]).collect();
    let mut found = store.media(world.workspace, &ids).await.unwrap();
    found.sort_by_key(|media| media.created_at);
    assert_eq!(found, files, "in any order, and none of others");
    assert_eq!(store.media(other.workspace, &ids).await.unwrap(), [foreign]);
    assert!(store.media(world.workspace, &[unknown]).await.unwrap().is_empty());
    assert!(store.media(world.workspace, &[]).await.unwrap().is_empty());
}

pub(crate) async fn are_saved_against_their_version(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let untouched = world.declare(file(&world, 7)).await;
    let mut stored = world.declare(file(&world, 7)).await;
    for change in various(&world) {
        let changed = Media {
            id: stored.id,
            created_at: stored.created_at,
            version: stored.version,
            ..change
        };
        assert!(store.save_media(&changed).await.unwrap());
        stored = world.media(stored.id).await;
        assert_eq!(stored, Media { version: changed.version + 1, ..changed.clone() });
        assert!(!store.save_media(&changed).await.unwrap(), "it has changed since");
        let early = Media { version: stored.version + 1, ..changed };
        assert!(!store.save_media(&early).await.unwrap(), "nor a version to come");
        assert_eq!(world.media(stored.id).await, stored);
    }
    let unknown = Media { id: MediaId(id()), ..stored };
    assert!(!store.save_media(&unknown).await.unwrap());
    assert_eq!(world.media(untouched.id).await, untouched);
}

pub(crate) async fn saved_at_once_are_saved_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let media = world.declare(file(&world, 7)).await;
    let savers = (0..20).map(|number| {
        let store = store.clone();
        let changed = Media { file_name: Some(format!("{number}.png")), ..media.clone() };
        tokio::spawn(async move { store.save_media(&changed).await.unwrap() })
    });
    let saved = join_all(savers).await.into_iter().filter(|saved| *saved.as_ref().unwrap());
    assert_eq!(saved.count(), 1);
    assert_eq!(world.media(media.id).await.version, media.version + 1);
}

pub(crate) async fn are_listed_newest_first(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    other.declare(file(&other, 1)).await;
    let mut files = Vec::new();
    // Made out of order, and two at one instant.
    for second in [30, 10, 20, 20, 40] {
        files.push(world.declare(Media { created_at: at(second), ..file(&world, 1) }).await);
    }
    files.sort_by_key(|media| std::cmp::Reverse((media.created_at, media.id)));
    for limit in [0, 1, 3, 5, 200] {
        for after in 0..=files.len() {
            let before = after.checked_sub(1).map(|last| MediaCursor::of(&files[last]));
            let listed = store.list_media(world.workspace, limit, before).await.unwrap();
            let page = files.iter().skip(after).take(limit as usize);
            let want: Vec<(Media, u64)> = page.map(|media| (media.clone(), 0)).collect();
            assert_eq!(listed, want, "at most {limit} after {after}");
        }
    }
}

pub(crate) async fn are_deleted_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    for (name, media) in
        MediaStatus::ALL.map(|status| (status, Media { status, ..file(&world, 7) }))
    {
        let media = world.declare(media).await;
        let foreign = store.erase_media(other.workspace, media.id, at(9)).await.unwrap();
        assert_eq!(foreign, EraseOutcome::Missing, "{name:?}: of another workspace");
        assert_eq!(world.media(media.id).await, media, "{name:?}");
        let want = if media.status.transition(MediaEvent::Deleted).is_ok() {
            Media { version: media.version + 1, ..media.deleted(at(10)) }
        } else {
            media.clone()
        };
        for second in [10, 20] {
            let outcome = store.erase_media(world.workspace, media.id, at(second)).await.unwrap();
            assert_eq!(outcome, EraseOutcome::Deleted(want.clone()), "{name:?} at {second}");
            assert_eq!(world.media(media.id).await, want, "{name:?} at {second}");
        }
    }
    let unknown = store.erase_media(world.workspace, MediaId(id()), at(10)).await.unwrap();
    assert_eq!(unknown, EraseOutcome::Missing);
}

const NOVEMBER: i64 = 0;
const DECEMBER: i64 = 30 * 86_400;

async fn bytes(world: &World) -> [u64; 2] {
    let mut bytes = [0; 2];
    for (second, bytes) in [NOVEMBER, DECEMBER].into_iter().zip(&mut bytes) {
        let month = scheduler_core::post::Month::of(at(second));
        *bytes = world.store.bytes_in_month(world.workspace, month).await.unwrap();
    }
    bytes
}

pub(crate) async fn declared_at_once_respect_the_month(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let declarations = (0..100).map(|_| {
        let (store, media) = (store.clone(), file(&world, 10));
        tokio::spawn(async move { store.create_media(&media, 405, None).await.unwrap() })
    });
    let outcomes: Vec<AddOutcome> =
        join_all(declarations).await.into_iter().map(Result::unwrap).collect();
    let stored = outcomes.iter().filter(|outcome| **outcome == AddOutcome::Stored).count();
    assert_eq!(stored, 40, "as many as fit");
    assert_eq!(bytes(&world).await, [400, 0]);
    assert_eq!(store.list_media(world.workspace, 200, None).await.unwrap().len(), 40);
    assert_eq!(world.claim(at(100_000)).await.len(), 40, "what was refused leaves no work");
}

pub(crate) async fn bind_their_month(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    for (name, world, second, size_bytes, limit, want) in [
        ("more than there is", &world, NOVEMBER, Some(101), 100, AddOutcome::LimitReached),
        ("a part", &world, NOVEMBER, Some(60), 100, AddOutcome::Stored),
        ("one byte too many", &world, NOVEMBER, Some(41), 100, AddOutcome::LimitReached),
        ("the next month", &world, DECEMBER, Some(100), 100, AddOutcome::Stored),
        ("another workspace", &other, NOVEMBER, Some(100), 100, AddOutcome::Stored),
        ("all that is left", &world, NOVEMBER, Some(40), 100, AddOutcome::Stored),
        ("of unknown size", &world, NOVEMBER, None, 100, AddOutcome::Stored),
        ("of no size", &world, NOVEMBER, Some(0), 100, AddOutcome::Stored),
        ("a lower limit", &world, NOVEMBER, None, 99, AddOutcome::LimitReached),
        ("one byte more", &world, NOVEMBER, Some(1), 100, AddOutcome::LimitReached),
        ("no limit", &world, NOVEMBER, Some(1), NO_LIMIT, AddOutcome::Stored),
        ("no allowance", &other, DECEMBER, Some(1), 0, AddOutcome::LimitReached),
        ("of no size, no allowance", &other, DECEMBER, Some(0), 0, AddOutcome::Stored),
    ] {
        let media = Media { size_bytes, created_at: at(second), ..file(world, 0) };
        assert_eq!(store.create_media(&media, limit, None).await.unwrap(), want, "{name}");
        let is_there = !store.media(world.workspace, &[media.id]).await.unwrap().is_empty();
        assert_eq!(is_there, want == AddOutcome::Stored, "{name}");
    }
    assert_eq!(bytes(&world).await, [101, 100]);
    assert_eq!(bytes(&other).await, [100, 0]);
}

pub(crate) async fn count_for_what_they_are(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let save = async |media: Media| {
        assert!(store.save_media(&media).await.unwrap());
        world.media(media.id).await
    };
    let kept = world.declare(file(&world, 1_000)).await;
    let late = Media { created_at: at(DECEMBER), ..file(&world, 20) };
    let late = world.declare(late).await;
    assert_eq!(bytes(&world).await, [1_000, 20]);

    let arrived = save(kept.arrived(1_234, at(1))).await;
    assert_eq!(bytes(&world).await, [1_234, 20], "of another size than declared");
    let facts = MediaFacts { size_bytes: Some(900), ..arrived.facts() };
    let ready = save(arrived.examined(&facts, true)).await;
    assert_eq!(bytes(&world).await, [900, 20], "as measured");
    store.erase_media(world.workspace, ready.id, at(2)).await.unwrap();
    assert_eq!(bytes(&world).await, [900, 20], "was uploaded all the same");

    save(late.given_up("never came", at(DECEMBER))).await;
    assert_eq!(bytes(&world).await, [900, 0], "one that failed counts for nothing");
    store.erase_media(world.workspace, late.id, at(DECEMBER)).await.unwrap();
    assert_eq!(bytes(&world).await, [900, 0], "nor once it is deleted");

    // The holder of the work tells the same.
    let fetched = Media { size_bytes: None, due_at: Some(at(5)), ..file(&world, 0) };
    let fetched = world.declare(fetched).await;
    let claims = world.claim(at(5)).await;
    let claim = claims.iter().find(|claim| claim.subject == fetched.id.0).unwrap();
    store.record_media(claim, &fetched.arrived(77, at(5)), None).await.unwrap();
    assert_eq!(bytes(&world).await, [977, 0]);
    let held = world.claim_media(fetched.id, at(5)).await;
    let fetched = world.media(fetched.id).await;
    store.record_media(&held, &fetched.given_up("broken", at(5)), None).await.unwrap();
    assert_eq!(bytes(&world).await, [900, 0]);
}

/// Saves, records and deletions of many files at once leave the sum of what the files say.
pub(crate) async fn changed_at_once_add_up(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let mut files = Vec::new();
    for number in 0..24 {
        let media = Media { due_at: Some(at(0)), ..file(&world, 100 + number) };
        files.push(world.declare(media).await);
    }
    let claims = world.claim(at(0)).await;
    assert_eq!(claims.len(), files.len());
    let operations = files.iter().flat_map(|media| {
        let claim = claims.iter().find(|claim| claim.subject == media.id.0).unwrap().clone();
        (0..3).map(move |operation| (operation, media.clone(), claim.clone()))
    });
    let operations = operations.map(|(operation, media, claim)| {
        let world = world.clone();
        tokio::spawn(async move {
            match operation {
                0 => {
                    world.store.save_media(&media.arrived(7, at(1))).await.unwrap();
                }
                1 => {
                    let failed = media.given_up("broken", at(1));
                    world.store.record_media(&claim, &failed, None).await.unwrap();
                }
                _ => {
                    let erased = world.store.erase_media(world.workspace, media.id, at(1));
                    assert!(matches!(erased.await.unwrap(), EraseOutcome::Deleted(_)));
                }
            }
        })
    });
    for operation in join_all(operations).await {
        operation.unwrap();
    }
    let listed = store.list_media(world.workspace, 200, None).await.unwrap();
    let sum = listed.iter().map(|(media, _)| media.allowance_bytes()).sum::<u64>();
    assert_eq!(bytes(&world).await, [sum, 0]);
    assert!(listed.iter().all(|(media, _)| media.status == MediaStatus::Deleted));
    let due = world.claim(at(0) + TimeDelta::days(2)).await;
    assert_eq!(due.len(), files.len(), "each has one piece of work");
}
