use std::sync::Arc;

use scheduler_core::calendar::{CalendarEntry, CalendarFeed, EntryState, TEXT_MAX_CHARACTERS};
use scheduler_core::connecting::{Pass, PassHash};
use scheduler_core::ids::WorkspaceId;
use scheduler_core::ports::{SaveOutcome, Store};
use scheduler_core::post::{ApprovalState, Post, PostStatus, Review};
use serde_json::json;

use crate::fixtures::{NO_LIMIT, World, at, post, skip, target};

fn feed(workspace: WorkspaceId, seed: u8) -> CalendarFeed {
    let hash = Pass::from_random([seed; 32]).hash();
    CalendarFeed { workspace_id: workspace, hash, created_at: at(i64::from(seed)) }
}

async fn found(store: &dyn Store, hash: PassHash) -> Option<WorkspaceId> {
    store.workspace_of_calendar(hash).await.unwrap().map(|workspace| workspace.id)
}

pub(crate) async fn have_one_secret_each(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let [first, second, theirs] =
        [(world.workspace, 1), (world.workspace, 2), (other.workspace, 3)]
            .map(|(workspace, seed)| feed(workspace, seed));
    assert_eq!(store.calendar_feed(world.workspace).await.unwrap(), None);
    assert_eq!(found(&*store, first.hash).await, None);

    for made in [&first, &theirs, &second] {
        store.save_calendar_feed(made).await.unwrap();
    }
    assert_eq!(store.calendar_feed(world.workspace).await.unwrap(), Some(second.clone()));
    assert_eq!(found(&*store, first.hash).await, None, "the old one shows nothing");
    assert_eq!(found(&*store, second.hash).await, Some(world.workspace));
    assert_eq!(found(&*store, theirs.hash).await, Some(other.workspace));

    assert!(store.remove_calendar_feed(world.workspace).await.unwrap());
    assert!(!store.remove_calendar_feed(world.workspace).await.unwrap());
    assert_eq!(found(&*store, second.hash).await, None);
    assert_eq!(store.calendar_feed(world.workspace).await.unwrap(), None);
    assert_eq!(found(&*store, theirs.hash).await, Some(other.workspace));
}

async fn shown(world: &World, from: i64, to: i64, limit: u32) -> Vec<CalendarEntry> {
    world.store.calendar_entries(world.workspace, at(from), at(to), limit).await.unwrap()
}

/// What an entry of a target on this account is, before anything becomes of it.
fn entry(world_post: &Post, index: usize, account: &str) -> CalendarEntry {
    let target = &world_post.targets[index];
    CalendarEntry {
        target_id: target.id,
        post_id: world_post.id,
        account: format!("bluesky @{account}"),
        at: target.due_at().unwrap(),
        state: EntryState::Planned,
        text: world_post.content.clone(),
        link_url: world_post.link_url.clone(),
        revision: world_post.revision,
        updated_at: world_post.updated_at,
    }
}

pub(crate) async fn show_each_target_with_a_time(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let other = World::add(store.clone(), "other").await;
    let (first, second) = (world.account().await, world.account().await);
    let [one, two] = [&first, &second].map(|account| account.username.clone().unwrap());

    let mut own = target(second.id, Some(at(30)));
    own.options = json!({"caption": "Mine"}).as_object().cloned().unwrap();
    let targets = vec![target(first.id, Some(at(20))), own];
    let link_url = Some("https://example.com/?a=1,2;3".to_owned());
    let of_two = Post { link_url, revision: 4, ..post(world.workspace, targets) };
    let of_two = world.create(of_two).await;
    let late = world.due(first.id, at(40)).await;
    let long = "\u{e9}".repeat(TEXT_MAX_CHARACTERS + 7);
    let early = post(world.workspace, vec![target(first.id, Some(at(10)))]);
    let early = world.create(Post { content: long.clone(), ..early }).await;
    world.create(post(world.workspace, vec![target(first.id, None)])).await;
    let elsewhere = other.account().await;
    other.due(elsewhere.id, at(20)).await;

    let whole = [
        entry(&late, 0, &one),
        entry(&of_two, 0, &one),
        CalendarEntry { text: "Mine".to_owned(), ..entry(&of_two, 1, &two) },
        CalendarEntry {
            text: format!("{}…", "\u{e9}".repeat(TEXT_MAX_CHARACTERS)),
            ..entry(&early, 0, &one)
        },
    ];
    assert_eq!(shown(&world, 0, 100, 9).await, whole);
    assert_eq!(shown(&world, 0, 100, 2).await, whole[..2], "those that lie back are left out");
    assert_eq!(shown(&world, 20, 40, 9).await, whole[1..3], "with its begin, without its end");
    assert!(shown(&world, 41, 100, 9).await.is_empty());
}

/// The only entry from `from` on: its state, and its time in seconds.
async fn only(world: &World, from: i64) -> (EntryState, i64) {
    let entries = shown(world, from, 100, 9).await;
    assert_eq!(entries.len(), 1, "{entries:?}");
    (entries[0].state, (entries[0].at - at(0)).num_seconds())
}

async fn save(world: &World, post: Post) {
    assert_eq!(world.store.save_post(&post, NO_LIMIT).await.unwrap(), SaveOutcome::Saved);
}

pub(crate) async fn tell_what_became_of_targets(store: Arc<dyn Store>) {
    let world = World::new(store).await;
    let account = world.account().await.id;
    let due = world.due(account, at(1)).await;
    assert_eq!(only(&world, 0).await, (EntryState::Planned, 1));
    let claim = world.claim_one(at(5)).await;
    let begun = world.start(&claim, at(5)).await;
    assert_eq!(only(&world, 0).await, (EntryState::Publishing, 1));
    world.succeed(&claim, begun, at(6)).await;
    assert_eq!(only(&world, 0).await, (EntryState::Published, 6), "when it went live");
    let mut down = world.read(due.id).await;
    skip(&mut down.targets[0]);
    save(&world, down).await;
    assert_eq!(only(&world, 0).await, (EntryState::TakenDown, 6));

    let mut canceled = world.due(account, at(60)).await;
    canceled.status = PostStatus::Canceled;
    skip(&mut canceled.targets[0]);
    save(&world, canceled).await;
    assert_eq!(only(&world, 50).await, (EntryState::Canceled, 60), "for when it was meant");
}

pub(crate) async fn tell_whose_approval_is_missing(store: Arc<dyn Store>) {
    let world = World::new(store).await;
    let account = world.account().await.id;
    for (due, client, team) in [
        (40, Some(ApprovalState::Approved), Some(Review::Pending)),
        (30, Some(ApprovalState::Changes), None),
        (20, Some(ApprovalState::Approved), None),
    ] {
        let waiting = post(world.workspace, vec![target(account, Some(at(due)))]);
        world.create(Post { approval_state: client, review: team, ..waiting }).await;
    }
    let entries = shown(&world, 0, 100, 9).await;
    let states: Vec<EntryState> = entries.into_iter().map(|entry| entry.state).collect();
    let awaiting = EntryState::AwaitingApproval;
    assert_eq!(states, [awaiting, awaiting, EntryState::Planned]);
}
