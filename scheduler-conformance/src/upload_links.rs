//! Links under which people give files.

use std::sync::Arc;

use scheduler_core::connecting::{Pass, PassHash};
use scheduler_core::ids::WorkspaceId;
use scheduler_core::media::UploadLink;
use scheduler_core::ports::Store;
use tokio::task::JoinSet;

use crate::fixtures::{World, at};

fn pass(number: u8) -> PassHash {
    Pass::from_random([number; 32]).hash()
}

fn link(workspace_id: WorkspaceId, number: u8, seconds: i64) -> UploadLink {
    let note = number.is_multiple_of(2).then(|| format!("it's note {number} é"));
    let (pass, files, expires_at) = (pass(number), u32::from(number), at(seconds));
    UploadLink { pass, workspace_id, note, files, expires_at }
}

pub(crate) async fn are_kept_and_taken_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    for number in 1..=2 {
        let link = link(world.workspace, number, 50);
        assert!(store.keep_upload_link(&link, at(0), 9).await.unwrap());
        let (found, workspace) = store.upload_link(pass(number)).await.unwrap().unwrap();
        assert_eq!((found, workspace.id), (link, world.workspace));
    }
    let mut callers = JoinSet::new();
    for _ in 0..8 {
        let store = store.clone();
        callers.spawn(async move { store.take_upload_link(pass(1)).await.unwrap() });
    }
    let taken = callers.join_all().await.into_iter().filter(|taken| *taken).count();
    assert_eq!(taken, 1, "of many at once");
    assert_eq!(store.upload_link(pass(1)).await.unwrap(), None);
    assert!(store.upload_link(pass(2)).await.unwrap().is_some(), "the other is there");
    assert!(!store.take_upload_link(pass(3)).await.unwrap(), "there is none");
}

pub(crate) async fn have_a_limit_and_an_end(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    for (number, seconds) in [(1, 10), (2, 20)] {
        let link = link(world.workspace, number, seconds);
        assert!(store.keep_upload_link(&link, at(0), 2).await.unwrap());
    }
    let third = link(world.workspace, 3, 50);
    assert!(!store.keep_upload_link(&third, at(9), 2).await.unwrap(), "there are two");
    assert_eq!(store.upload_link(pass(3)).await.unwrap(), None);
    let foreign = link(other.workspace, 4, 50);
    assert!(store.keep_upload_link(&foreign, at(9), 2).await.unwrap(), "another's count");
    assert!(store.keep_upload_link(&third, at(10), 2).await.unwrap(), "one has expired");
    assert_eq!(store.upload_link(pass(1)).await.unwrap(), None, "which is gone");
}
