use std::collections::BTreeSet;
use std::sync::Arc;

use scheduler_core::ids::WorkspaceId;
use scheduler_core::media::{Media, MediaStatus};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Claim, ClaimRequest, Place, Places, Recorded, Store, WorkKind};
use scheduler_core::target::Target;
use scheduler_core::webhook::EventKind;

use crate::fixtures::{
    NO_LIMIT, World, account, add_webhook, at, credentials, everything, file, post, target, webhook,
};

const PLATFORMS: [Platform; 3] = [Platform::Bluesky, Platform::Mastodon, Platform::Tumblr];

/// So many pieces of work for each place, each in a lane of its own, all due.
async fn fill(world: &World, count: usize) {
    let (store, workspace) = (&world.store, world.workspace);
    for number in 0..count {
        // An event for each publish that has ended.
        add_webhook(store.as_ref(), &webhook(workspace, &[EventKind::Published])).await;
        for platform in PLATFORMS {
            let account = account(workspace, platform, &format!("{number}"));
            store.connect_account(&account, &credentials("token"), NO_LIMIT).await.unwrap();
            let target = Target { platform, ..target(account.id, Some(at(0))) };
            world.create(post(workspace, vec![target])).await;
        }
        for status in [MediaStatus::Ingesting, MediaStatus::Processing, MediaStatus::Deleted] {
            world.declare(Media { status, due_at: Some(at(0)), ..file(world, 7) }).await;
        }
    }
    let of_others = Place::all().filter(|place| !matches!(place, Place::Publish(_)));
    let account = world.account().await.id;
    world.due(account, at(0)).await;
    let claims = store.claim(&everything(at(0), 1_000, 1).without(of_others)).await.unwrap();
    for claim in claims {
        if world.target(&claim).await.account_id == account {
            assert_eq!(world.publish(&claim, at(0)).await, Recorded::Stored);
        } else {
            assert_eq!(store.release(&claim, at(0)).await.unwrap(), Recorded::Stored);
        }
    }
}

/// What is claimed with these places, and is given back at once.
async fn claimed(store: &Arc<dyn Store>, places: Places) -> Vec<Claim> {
    let request = ClaimRequest { places, ..everything(at(1), 1_000, 1) };
    let claims = store.claim(&request).await.unwrap();
    for claim in &claims {
        assert_eq!(store.release(claim, claim.due_at).await.unwrap(), Recorded::Stored);
    }
    claims
}

fn used() -> impl Iterator<Item = Place> {
    PLATFORMS.into_iter().map(Place::Publish).chain(Place::BESIDE_PUBLISHES)
}

fn places(claims: &[Claim]) -> BTreeSet<Place> {
    claims.iter().map(|claim| claim.place().expect("a place")).collect()
}

pub(crate) async fn are_needed_for_each_kind_of_work(store: Arc<dyn Store>) {
    fill(&World::new(store.clone()).await, 1).await;
    let all = claimed(&store, Places::default()).await;
    assert_eq!(places(&all), used().collect());
    for place in used() {
        let none = claimed(&store, Places::default().with(place, 0)).await;
        let want: BTreeSet<Place> = used().filter(|other| *other != place).collect();
        assert_eq!(places(&none), want, "without {place:?}");
        let others = Place::all().filter(|other| *other != place);
        let only = others.fold(Places::default(), |places, other| places.with(other, 0));
        assert_eq!(places(&claimed(&store, only).await), [place].into(), "only {place:?}");
    }
    let without = claimed(&store, Places::default().with_publishes(0)).await;
    assert_eq!(places(&without), Place::BESIDE_PUBLISHES.into());
}

pub(crate) async fn are_shared_by_workspaces(store: Arc<dyn Store>) {
    let one = World::new(store.clone()).await;
    let two = World::add(store.clone(), "second").await;
    for world in [&one, &two] {
        fill(world, 8).await;
    }
    let count = |claims: &[Claim], workspace: WorkspaceId, place: Place| {
        let of = claims.iter().filter(|claim| claim.place() == Some(place));
        of.filter(|claim| claim.workspace_id == workspace).count()
    };
    for place in used() {
        // One holds its share of six, so that all are for the other; and of eight.
        for (held, of_six, of_eight) in [(3, (0, 2), (1, 2)), (0, (2, 2), (3, 3))] {
            for (all, want) in [(6, of_six), (8, of_eight)] {
                let mut places = Places::default().with(place, all);
                (0..held).for_each(|_| places.take(place, one.workspace));
                let claims = claimed(&store, places).await;
                let found =
                    (count(&claims, one.workspace, place), count(&claims, two.workspace, place));
                assert_eq!(found, want, "{place:?}: {held} of {all} are held");
                // What is full of one thing holds up nothing else.
                let other = used().find(|other| *other != place).unwrap();
                assert!(count(&claims, one.workspace, other) >= 8, "{place:?}");
            }
        }
    }
    // Of all networks together.
    let mut all = Places::default().with_publishes(4);
    all.take(Place::Publish(Platform::Twitter), one.workspace);
    all.take(Place::Publish(Platform::Twitter), one.workspace);
    let claims = claimed(&store, all).await;
    let publishes = claims.iter().filter(|claim| claim.kind == WorkKind::Publish);
    let owners: Vec<WorkspaceId> = publishes.map(|claim| claim.workspace_id).collect();
    assert_eq!(owners, [two.workspace]);
}

/// Work on a file goes to the place that its status asks for.
pub(crate) async fn change_with_a_file(store: Arc<dyn Store>) {
    let world = World::new(store.clone()).await;
    let due = |media: Media| Media { due_at: Some(at(0)), ..media };
    let declared = Media { status: MediaStatus::Ingesting, ..due(file(&world, 7)) };
    let media = world.declare(declared).await;
    for (name, want, change) in [
        ("fetched", Place::Fetch, MediaStatus::Processing),
        ("examined", Place::Examine, MediaStatus::Ready),
        ("swept", Place::Erase, MediaStatus::Ready),
    ] {
        let claim = world.claim_media(media.id, at(0)).await;
        assert_eq!(claim.place(), Some(want), "{name}");
        let context = store.media_context(&claim).await.unwrap().expect("the claim is current");
        let changed = due(Media { status: change, ..context.media });
        assert_eq!(store.record_media(&claim, &changed, None).await.unwrap(), Recorded::Stored);
    }
    let stored = world.media(media.id).await;
    let processing = due(Media { status: MediaStatus::Processing, ..stored });
    assert!(store.save_media(&processing).await.unwrap());
    let claim = world.claim_media(media.id, at(0)).await;
    assert_eq!(claim.place(), Some(Place::Examine), "saved");
}
