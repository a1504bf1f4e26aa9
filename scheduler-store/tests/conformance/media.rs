use std::sync::Arc;

use chrono::TimeDelta;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{Media, MediaKind, MediaStatus};
use scheduler_core::ports::Store;
use scheduler_core::post::Month;

use crate::fixtures::{World, at, id};

pub(crate) async fn is_kept(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
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
        file_name: Some("clip.mp4".to_owned()),
        error: None,
        created_at: at(0),
    };
    let image = Media {
        id: MediaId(id()),
        kind: MediaKind::Image,
        status: MediaStatus::AwaitingUpload,
        mime_type: None,
        size_bytes: None,
        duration_seconds: None,
        width: None,
        height: None,
        fps: None,
        file_name: None,
        error: Some("cut off".to_owned()),
        ..video.clone()
    };
    let foreign = Media { id: MediaId(id()), workspace_id: other.workspace, ..image.clone() };
    for media in [&video, &image, &foreign] {
        store.create_media(media).await.unwrap();
    }
    let ids = [image.id, foreign.id, MediaId(id()), video.id];
    let mut found = store.media(world.workspace, &ids).await.unwrap();
    found.sort_by_key(|media| media.id);
    let mut want = vec![video, image];
    want.sort_by_key(|media| media.id);
    assert_eq!(found, want);
    assert!(store.media(world.workspace, &[]).await.unwrap().is_empty());
}

/// Source: our plans, bytes uploaded in a calendar month (UTC).
pub(crate) async fn has_its_bytes_counted_by_the_month(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let november = Month::of(at(0));
    let declared = |workspace, status, size_bytes, created_at| Media {
        id: MediaId(id()),
        workspace_id: workspace,
        kind: MediaKind::Video,
        status,
        mime_type: None,
        size_bytes,
        duration_seconds: None,
        width: None,
        height: None,
        fps: None,
        file_name: None,
        error: None,
        created_at,
    };
    let bytes = |world: &World, month| {
        let (store, workspace) = (world.store.clone(), world.workspace);
        async move { store.bytes_in_month(workspace, month).await.unwrap() }
    };
    assert_eq!(bytes(&world, november).await, 0, "no files");

    let last = november.end() - TimeDelta::milliseconds(1);
    for (workspace, status, size_bytes, created_at) in [
        (world.workspace, MediaStatus::Ready, Some(3_000_000_000), november.begin()),
        (world.workspace, MediaStatus::Ready, Some(3_000_000_000), last),
        (world.workspace, MediaStatus::AwaitingUpload, Some(10), at(0)),
        (world.workspace, MediaStatus::Failed, Some(200), at(0)),
        (world.workspace, MediaStatus::Deleted, Some(3_000), at(0)),
        (world.workspace, MediaStatus::Ingesting, None, at(0)),
        (world.workspace, MediaStatus::Ready, Some(7), november.end()),
        (
            world.workspace,
            MediaStatus::Ready,
            Some(8),
            november.begin() - TimeDelta::milliseconds(1),
        ),
        (other.workspace, MediaStatus::Ready, Some(9), at(0)),
    ] {
        store.create_media(&declared(workspace, status, size_bytes, created_at)).await.unwrap();
    }
    assert_eq!(bytes(&world, november).await, 6_000_003_210);
    assert_eq!(bytes(&world, Month(november.0 + 1)).await, 7);
    assert_eq!(bytes(&world, Month(november.0 - 1)).await, 8);
    assert_eq!(bytes(&other, november).await, 9);
}
