//! Which posts use which files.

use std::sync::Arc;

use futures_util::future::join_all;
use scheduler_core::cursor::Cursor;
use scheduler_core::ids::{AccountId, MediaId, PostId};
use scheduler_core::media::MediaStatus;
use scheduler_core::platform::{FileDetails, Platform};
use scheduler_core::ports::{
    CreateOutcome, EraseOutcome, RemoveOutcome, SaveOutcome, Store, WorkKind,
};
use scheduler_core::post::{LIMIT_MAX, PageQuery, Post, PostStatus};
use scheduler_core::target::{Target, TargetFiles};
use serde_json::json;

use crate::fixtures::{NO_LIMIT, World, at, file, id, idempotency_key, post, skip, target};

/// The largest page.
const ALL: PageQuery = PageQuery { limit: LIMIT_MAX, before: None };

/// A scheduled post of these files.
fn of_files(world: &World, account: AccountId, files: &[MediaId]) -> Post {
    let post = post(world.workspace, vec![target(account, Some(at(60)))]);
    Post { media_ids: files.to_vec(), ..post }
}

fn with_thumbnail(target: Target, id: MediaId) -> Target {
    let options = [("thumbnailMediaId".to_owned(), json!(id))].into_iter().collect();
    // Only YouTube takes a thumbnail.
    Target { platform: Platform::Youtube, options, ..target }
}

fn with_own_files(mut target: Target, ids: &[MediaId]) -> Target {
    target.files.media_ids = Some(ids.to_vec());
    for id in ids {
        let mut details = FileDetails::default();
        details.alt_text = Some(format!("file {id}"));
        target.files.details.insert(*id, details);
    }
    target
}

async fn using(world: &World, id: MediaId) -> Vec<PostId> {
    let posts = world.store.posts_of_media(world.workspace, id, ALL).await.unwrap();
    let listed = world.store.list_media(world.workspace, 200, None).await.unwrap();
    let (_, count) = listed.into_iter().find(|(media, _)| media.id == id).unwrap();
    assert_eq!(count, posts.len() as u64, "the list counts what can be read");
    posts.into_iter().map(|post| post.id).collect()
}

async fn erase(world: &World, id: MediaId) -> EraseOutcome {
    world.store.erase_media(world.workspace, id, at(5)).await.unwrap()
}

pub(crate) async fn are_found_newest_first(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let account = world.account().await.id;
    let [one, two, unused] =
        [world.ready().await.id, world.ready().await.id, world.ready().await.id];
    let mut posts = Vec::new();
    for (second, files) in
        [(60, vec![one, two]), (90, vec![two]), (30, vec![two, two]), (70, vec![])]
    {
        let due = target(account, Some(at(second)));
        let post = Post { media_ids: files, ..post(world.workspace, vec![due]) };
        posts.push(world.create(post).await);
    }
    // Another workspace that names the file finds its own post and no other's.
    let account = other.account().await.id;
    let foreign = other.create(of_files(&other, account, &[two])).await;

    assert_eq!(using(&world, one).await, [posts[0].id]);
    assert_eq!(using(&world, two).await, [posts[1].id, posts[0].id, posts[2].id]);
    assert_eq!(using(&world, unused).await, []);
    let read = store.posts_of_media(world.workspace, two, ALL).await.unwrap();
    assert_eq!(read, [posts[1].clone(), posts[0].clone(), posts[2].clone()], "in full");
    assert_eq!(store.posts_of_media(other.workspace, two, ALL).await.unwrap(), [foreign]);
    let first = PageQuery { limit: 2, before: None };
    assert_eq!(store.posts_of_media(world.workspace, two, first).await.unwrap(), read[..2]);
    let second = PageQuery { before: Some(Cursor::of(&read[1])), ..first };
    assert_eq!(store.posts_of_media(world.workspace, two, second).await.unwrap(), read[2..]);
    assert!(store.posts_of_media(world.workspace, MediaId(id()), ALL).await.unwrap().is_empty());
}

pub(crate) async fn follow_what_is_saved(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let [one, two, three] =
        [world.ready().await.id, world.ready().await.id, world.ready().await.id];
    let mut post = world.create(of_files(&world, account, &[one, two])).await;
    let save = async |post: &mut Post| {
        assert_eq!(store.save_post(post, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
        post.version += 1;
    };
    post.media_ids = vec![two];
    post.targets = vec![with_thumbnail(post.targets[0].clone(), three)];
    save(&mut post).await;
    assert_eq!(using(&world, one).await, []);
    assert_eq!(using(&world, two).await, [post.id]);
    assert_eq!(using(&world, three).await, [post.id], "an option of a target names it");
    assert_eq!(erase(&world, three).await, EraseOutcome::InUse);

    let own = world.ready().await.id;
    post.targets = vec![with_own_files(post.targets[0].clone(), &[own])];
    save(&mut post).await;
    assert_eq!(world.read(post.id).await, post, "with what is said of the files");
    assert_eq!(using(&world, own).await, [post.id], "a target has it of its own");
    assert_eq!(erase(&world, own).await, EraseOutcome::InUse);
    post.targets[0].files = TargetFiles::default();

    post.media_ids = Vec::new();
    save(&mut post).await;
    assert_eq!(using(&world, own).await, []);
    assert_eq!(world.read(post.id).await, post);
    assert_eq!(using(&world, two).await, []);
    assert!(matches!(erase(&world, two).await, EraseOutcome::Deleted(_)));

    let removed = store.remove_post(world.workspace, post.id, post.version).await.unwrap();
    assert_eq!(removed, RemoveOutcome::Removed);
    assert_eq!(using(&world, three).await, []);
    assert!(matches!(erase(&world, three).await, EraseOutcome::Deleted(_)));
}

/// A target that is going out keeps the options and files that are stored.
pub(crate) async fn of_a_target_that_is_going_out_stay(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let [one, two, own] = [world.ready().await.id, world.ready().await.id, world.ready().await.id];
    let due = with_own_files(with_thumbnail(target(account, Some(at(60))), one), &[own]);
    let post = world.create(post(world.workspace, vec![due])).await;
    let claim = world.claim_one(at(60)).await;
    world.start(&claim, at(60)).await;
    let mut read = world.read(post.id).await;
    let kept = read.targets[0].files.clone();
    read.targets = vec![with_own_files(with_thumbnail(read.targets[0].clone(), two), &[two])];
    assert_eq!(store.save_post(&read, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
    assert_eq!(using(&world, one).await, [post.id]);
    assert_eq!(using(&world, own).await, [post.id]);
    assert_eq!(world.read(post.id).await.targets[0].files, kept);
    assert_eq!(using(&world, two).await, []);
}

pub(crate) async fn that_are_unfinished_keep_files(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    for (status, is_needed) in [
        (PostStatus::Draft, true),
        (PostStatus::Scheduled, true),
        (PostStatus::Publishing, true),
        (PostStatus::Done, false),
        (PostStatus::Canceled, false),
    ] {
        let [media, thumbnail] = [world.ready().await, world.ready().await];
        let mut post = of_files(&world, account, &[media.id]);
        post.status = status;
        post.targets = vec![with_thumbnail(post.targets[0].clone(), thumbnail.id)];
        skip(&mut post.targets[0]);
        world.create(post.clone()).await;
        for (name, media) in [("file", media), ("thumbnail", thumbnail)] {
            let outcome = erase(&world, media.id).await;
            let stored = world.media(media.id).await;
            if is_needed {
                assert_eq!(outcome, EraseOutcome::InUse, "{status:?}: {name}");
                assert_eq!(stored, media, "{status:?}: {name}: nothing was changed");
            } else {
                assert_eq!(outcome, EraseOutcome::Deleted(stored), "{status:?}: {name}");
            }
            assert_eq!(using(&world, media.id).await, [post.id], "{status:?}: {name}");
        }
    }
}

pub(crate) async fn of_deleted_files_are_refused(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let [gone, there] = [world.ready().await.id, world.ready().await.id];
    assert!(matches!(erase(&world, gone).await, EraseOutcome::Deleted(_)));

    let named = of_files(&world, account, &[there, gone]);
    let mut thumbnail = of_files(&world, account, &[there]);
    thumbnail.targets = vec![with_thumbnail(thumbnail.targets[0].clone(), gone)];
    for (name, post) in [("named", named), ("thumbnail", thumbnail)] {
        let keyed = Some(idempotency_key(&format!("key {name}")));
        let post = Post { idempotency_key: keyed.clone(), ..post };
        let outcome = store.create_post(&post, NO_LIMIT).await.unwrap();
        assert_eq!(outcome, CreateOutcome::FileDeleted, "{name}");
        assert!(store.post(world.workspace, post.id).await.unwrap().is_none(), "{name}");
        let claims = world.claim(at(60)).await;
        assert!(
            claims.iter().all(|claim| WorkKind::OF_FILES.contains(&claim.kind)),
            "{name}: no work is left"
        );
        // The refusal leaves no key behind.
        let again = Post { media_ids: vec![there], ..of_files(&world, account, &[]) };
        let again = world.create(Post { idempotency_key: keyed, ..again }).await;
        // And who sends the key again gets the first post, whatever it names now.
        let outcome = store.create_post(&post, NO_LIMIT).await.unwrap();
        assert_eq!(outcome, CreateOutcome::Existing(again.clone()), "{name}");
        let removed = store.remove_post(world.workspace, again.id, 1).await.unwrap();
        assert_eq!(removed, RemoveOutcome::Removed);
    }
    assert_eq!(using(&world, gone).await, []);
    assert_eq!(using(&world, there).await, []);

    let post = world.create(of_files(&world, account, &[there])).await;
    let changed = Post { media_ids: vec![gone], ..post.clone() };
    assert_eq!(store.save_post(&changed, NO_LIMIT).await.unwrap(), SaveOutcome::FileDeleted);
    assert_eq!(world.read(post.id).await, post, "nothing was stored");
    assert_eq!(using(&world, there).await, [post.id]);
    let mut canceled = Post { status: PostStatus::Canceled, ..changed };
    skip(&mut canceled.targets[0]);
    assert_eq!(store.save_post(&canceled, NO_LIMIT).await.unwrap(), SaveOutcome::Saved, "finished");
    canceled.version += 1;
    let again = Post { status: PostStatus::Scheduled, ..canceled };
    assert_eq!(store.save_post(&again, NO_LIMIT).await.unwrap(), SaveOutcome::FileDeleted);
}

/// Of a deletion and a post at the same moment one is refused, whoever comes first: no unfinished
/// post is left with a deleted file.
pub(crate) async fn never_wait_for_a_file_deleted_at_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let account = world.account().await.id;
    let mut rounds = Vec::new();
    for number in 0..40 {
        let media = [world.ready().await.id, world.ready().await.id];
        // Half of the posts are new, half are finished ones that are taken up again.
        let mut post = of_files(&world, account, &media);
        let is_new = number % 2 == 0;
        if !is_new {
            let finished = Post { status: PostStatus::Done, ..post.clone() };
            world.create(finished).await;
        }
        post.content = format!("{number}");
        rounds.push((media, post, is_new));
    }
    let operations = rounds.iter().flat_map(|(media, post, is_new)| {
        let (one, two, post, is_new) = (world.clone(), world.clone(), post.clone(), *is_new);
        let kept = tokio::spawn(async move {
            if is_new {
                match one.store.create_post(&post, NO_LIMIT).await.unwrap() {
                    CreateOutcome::Created => true,
                    CreateOutcome::FileDeleted => false,
                    other => panic!("{other:?}"),
                }
            } else {
                match one.store.save_post(&post, NO_LIMIT).await.unwrap() {
                    SaveOutcome::Saved => true,
                    SaveOutcome::FileDeleted => false,
                    other => panic!("{other:?}"),
                }
            }
        });
        let file = media[1];
        let erased =
            tokio::spawn(
                async move { matches!(erase(&two, file).await, EraseOutcome::Deleted(_)) },
            );
        [kept, erased]
    });
    let outcomes: Vec<bool> = join_all(operations).await.into_iter().map(Result::unwrap).collect();
    for ((media, post, _), outcomes) in rounds.iter().zip(outcomes.chunks(2)) {
        let (is_kept, is_erased) = (outcomes[0], outcomes[1]);
        assert!(is_kept != is_erased, "kept: {is_kept}, deleted: {is_erased}");
        let status = world.media(media[1]).await.status;
        assert_eq!(status == MediaStatus::Deleted, is_erased);
        let stored = store.post(world.workspace, post.id).await.unwrap();
        let is_waiting = stored.is_some_and(|post| post.status.is_unfinished());
        assert_eq!(is_waiting, is_kept);
    }
}

/// A file of a post is worked on, and a post of it stored, without waiting for each other's end.
pub(crate) async fn of_one_file_are_made_at_once(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let shared = [world.ready().await.id, world.declare(file(&world, 5)).await.id];
    let creators = (0..30).map(|number| {
        let world = world.clone();
        tokio::spawn(async move {
            let account = world.account().await.id;
            // Each names the files in another order.
            let files = if number % 2 == 0 { shared } else { [shared[1], shared[0]] };
            world.create(of_files(&world, account, &files)).await;
        })
    });
    for created in join_all(creators).await {
        created.unwrap();
    }
    for id in shared {
        assert_eq!(using(&world, id).await.len(), 30);
    }
}
