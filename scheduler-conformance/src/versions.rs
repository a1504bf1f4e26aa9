use std::sync::Arc;

use scheduler_core::audit::{Actor, ActorKind};
use scheduler_core::ids::PostVersionId;
use scheduler_core::ports::Store;
use scheduler_core::post::{Post, PostVersion, VersionKind};
use scheduler_core::uuid::Uuid;

use crate::fixtures::{World, at};

/// What a post has said at a second; its id follows from that.
fn version(post: &Post, content: &str, second: i64, kind: VersionKind) -> PostVersion {
    let post = Post { content: content.to_owned(), updated_at: at(second), ..post.clone() };
    let id = PostVersionId(scheduler_core::ids::derived(at(second), "version", post.id.0, &[]));
    let by = Actor::new(ActorKind::Session, Some(Uuid::from_u128(7)), Some("it's \u{e9}".into()));
    PostVersion::of(id, &post, (second > 1).then_some(by), kind)
}

pub(crate) async fn are_kept_by_post(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let account = world.account().await;
    let [post, later] =
        [world.due(account.id, at(900)).await, world.due(account.id, at(901)).await];
    let [first, second, third] = [
        version(&post, "one\n'", 1, VersionKind::Closed),
        version(&post, "two", 2, VersionKind::Open),
        version(&post, "three", 3, VersionKind::Beside),
    ];
    let of_later = version(&later, "else", 2, VersionKind::Open);
    for version in [&second, &third, &first, &of_later] {
        store.keep_version(version, &[]).await.unwrap();
    }
    let of = async |post: &Post| store.versions(world.workspace, post.id).await.unwrap();
    assert_eq!(of(&post).await, [third.clone(), second.clone(), first.clone()], "newest first");
    assert_eq!(of(&later).await, std::slice::from_ref(&of_later));
    assert!(store.versions(other.workspace, post.id).await.unwrap().is_empty());

    // One takes the place of another, of its id and of those that it names; nobody else's go.
    let closed = PostVersion { kind: VersionKind::Closed, ..third };
    store.keep_version(&closed, &[first.id, of_later.id]).await.unwrap();
    assert_eq!(of(&post).await, [closed, second]);
    assert_eq!(of(&later).await, [of_later]);
}

pub(crate) async fn go_with_their_post(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await;
    let post = world.due(account.id, at(900)).await;
    store.keep_version(&version(&post, "one", 1, VersionKind::Open), &[]).await.unwrap();
    store.remove_post(world.workspace, post.id, post.version).await.unwrap();
    assert!(store.versions(world.workspace, post.id).await.unwrap().is_empty());
    store.keep_version(&version(&post, "two", 2, VersionKind::Open), &[]).await.unwrap();
    assert!(store.versions(world.workspace, post.id).await.unwrap().is_empty());
}
