use std::sync::Arc;

use scheduler_core::ids::MediaId;
use scheduler_core::media::{Media, MediaKind, MediaStatus};
use scheduler_core::ports::Store;

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
