//! The queue: slots to come, and what holds them.

use std::collections::BTreeSet;

use scheduler_core::app::{FREE_SLOTS_DAYS, QUEUE_SLOTS, QueueSlot, SlotMove, SlotOrder, SlotSwap};
use scheduler_core::error::Refusal;
use scheduler_core::ids::{AccountId, TargetId};
use scheduler_core::platform::Platform;
use scheduler_core::post::{AskedTiming, NewPost, Post, PostInput, PostStatus};
use serde_json::json;
use uuid::Uuid;

use crate::support::{World, at, body, done, outcome, refused, target_of};

/// Bluesky and Mastodon with a slot each day, an hour apart.
fn world() -> World {
    let world = World::new();
    for (platform, schedule) in [
        (Platform::Bluesky, "daily 09:00"),
        (Platform::Mastodon, "daily 10:00"),
        (Platform::Telegram, ""),
    ] {
        let account = world.account(platform);
        done(world.scheduler.set_account_schedule(&account, schedule.parse().unwrap())).unwrap();
    }
    world
}

fn queued(world: &World) -> (Post, TargetId) {
    let post = world.create(body(&["bluesky"], json!({"queue": true})));
    let target = post.targets[0].id;
    (post, target)
}

fn queue(world: &World) -> Vec<QueueSlot> {
    done(world.scheduler.queue(&world.caller.workspace, None)).unwrap()
}

fn slot_of(world: &World, id: TargetId) -> String {
    let slots = queue(world).into_iter().filter(|slot| slot.target_id == Some(id));
    slots.map(|slot| slot.local).collect::<Vec<_>>().join(" ")
}

fn move_to(world: &World, id: TargetId, instant: &str) -> Result<Post, Refusal> {
    let input = SlotMove { target_id: id, instant: at(instant) };
    refused(done(world.scheduler.move_slot(&world.caller.workspace, input)))
}

fn swap(world: &World, one: TargetId, other: TargetId) -> Result<[Post; 2], Refusal> {
    let input = SlotSwap { target_id: one, with: other };
    refused(done(world.scheduler.swap_slots(&world.caller.workspace, input)))
}

#[test]
fn slots_of_all_accounts_stand_in_their_order_taken_or_free() {
    let world = world();
    let (post, target) = queued(&world);
    world.create(body(&["mastodon"], json!({"scheduledAt": "2026-11-23T10:00:00Z"})));
    let slots = queue(&world);
    assert_eq!(slots.len(), QUEUE_SLOTS);
    let told: Vec<_> =
        slots.iter().map(|slot| (slot.local.as_str(), slot.target_id.is_some())).take(4).collect();
    let want = [
        ("2026-11-22T09:00", true),
        ("2026-11-22T10:00", false),
        ("2026-11-23T09:00", false),
        ("2026-11-23T10:00", true),
    ];
    assert_eq!(told, want);
    assert_eq!((slots[0].post_id, slots[0].target_id), (Some(post.id), Some(target)));
    let one = world.account(Platform::Mastodon).id;
    let of_one = done(world.scheduler.queue(&world.caller.workspace, Some(one))).unwrap();
    assert_eq!(of_one.len(), QUEUE_SLOTS);
    assert!(of_one.iter().all(|slot| slot.account_id == one));
    let stranger = world.stranger().workspace;
    let foreign = refused(done(world.scheduler.queue(&stranger, Some(one))));
    assert_eq!(outcome(&foreign), "not_found accountId");
}

#[test]
fn local_times_are_those_of_the_account() {
    let world = world();
    let bluesky = world.account(Platform::Bluesky);
    let berlin = "Europe/Berlin".parse().unwrap();
    done(world.scheduler.set_account_timezone(&bluesky, Some(berlin))).unwrap();
    let slots = done(world.scheduler.queue(&world.caller.workspace, Some(bluesky.id))).unwrap();
    assert_eq!(slots[0].local, "2026-11-22T09:00");
    assert_eq!(slots[0].instant, at("2026-11-22T08:00:00Z"));
}

#[test]
fn a_target_moves_to_a_free_slot_of_its_account() {
    let world = world();
    let (first, target) = queued(&world);
    let (_, other) = queued(&world);
    let moved = move_to(&world, target, "2026-11-25T09:00:00Z").unwrap();
    assert_eq!(moved.scheduled_at, Some(at("2026-11-25T09:00:00Z")));
    assert_eq!(moved.revision, first.revision + 1);
    assert_eq!(slot_of(&world, target), "2026-11-25T09:00");
    for (name, id, instant, want) in [
        ("taken", target, "2026-11-23T09:00:00Z", "slot_taken"),
        ("no slot", target, "2026-11-24T09:01:00Z", "invalid_request instant"),
        ("of another account", target, "2026-11-24T10:00:00Z", "invalid_request instant"),
        ("over", target, "2026-11-21T09:00:00Z", "invalid_request instant"),
        ("no target", TargetId(Uuid::nil()), "2026-11-24T09:00:00Z", "not_found targetId"),
        ("its own", target, "2026-11-25T09:00:00Z", "ok"),
        ("given up by another", other, "2026-11-22T09:00:00Z", "ok"),
    ] {
        assert_eq!(outcome(&move_to(&world, id, instant)), want, "{name}");
    }
    let timed = world.create(body(&["bluesky"], json!({"scheduledAt": "2026-11-26T12:00:00Z"})));
    let moved = move_to(&world, timed.targets[0].id, "2026-11-24T09:00:00Z");
    assert_eq!(outcome(&moved), "already_started targetId", "it waits for no slot");
}

#[test]
fn two_targets_change_their_slots() {
    let world = world();
    let (one, first) = queued(&world);
    let (other, second) = queued(&world);
    let [swapped, with] = swap(&world, first, second).unwrap();
    assert_eq!((swapped.id, with.id), (one.id, other.id));
    assert_eq!(swapped.scheduled_at, other.scheduled_at);
    assert_eq!(with.scheduled_at, one.scheduled_at);
    assert_eq!(slot_of(&world, first), "2026-11-23T09:00");
    assert_eq!(slot_of(&world, second), "2026-11-22T09:00");
    let (third, _) = queued(&world);
    assert_eq!(third.scheduled_at, Some(at("2026-11-24T09:00:00Z")), "no slot is held twice");

    let both = world.create(body(&["mastodon"], json!({"queue": true})));
    let elsewhere = target_of(&both, Platform::Mastodon).id;
    for (name, with, want) in [
        ("of another account", elsewhere, "invalid_request with"),
        ("itself", first, "invalid_request with"),
        ("unknown", TargetId(Uuid::nil()), "not_found with"),
    ] {
        assert_eq!(outcome(&swap(&world, first, with)), want, "{name}");
    }
    assert_eq!(world.post(one.id).status, PostStatus::Scheduled);
}

fn reorder(world: &World, order: &[TargetId]) -> Result<Vec<Post>, Refusal> {
    let input = SlotOrder { target_ids: order.to_vec() };
    refused(done(world.scheduler.order_slots(&world.caller.workspace, &input)))
}

#[test]
fn targets_go_out_in_the_order_in_which_they_are_named() {
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 2, 3, 0], [2, 0, 3, 1], [0, 2, 1, 3]] {
        let world = world();
        let targets: Vec<TargetId> = (0..5).map(|_| queued(&world).1).collect();
        let slots: Vec<String> = targets.iter().map(|id| slot_of(&world, *id)).collect();
        let wanted = order.map(|index| targets[index]);
        let posts = reorder(&world, &wanted).unwrap();
        let told: Vec<TargetId> = posts.iter().map(|post| post.targets[0].id).collect();
        assert_eq!(told, wanted);
        let now: Vec<String> = wanted.iter().map(|id| slot_of(&world, *id)).collect();
        assert_eq!(now, slots[..4], "{order:?}");
        assert_eq!(slot_of(&world, targets[4]), slots[4], "what is not named stays");
    }
}

#[test]
fn an_order_is_of_targets_of_one_account_that_wait() {
    let world = world();
    let (_, one) = queued(&world);
    let (_, other) = queued(&world);
    let elsewhere = world.create(body(&["mastodon"], json!({"queue": true}))).targets[0].id;
    let timed = json!({"scheduledAt": "2026-11-30T15:00:00Z"});
    let timed = world.create(body(&["bluesky"], timed)).targets[0].id;
    for (name, order, want) in [
        ("one alone", vec![one], "invalid_request targetIds"),
        ("none", vec![], "invalid_request targetIds"),
        ("one twice", vec![one, other, one], "invalid_request targetIds"),
        ("two accounts", vec![one, elsewhere], "invalid_request targetIds"),
        ("one that has a time", vec![one, timed], "already_started targetIds[1]"),
        ("none of ours", vec![one, TargetId(Uuid::nil())], "not_found targetIds[1]"),
    ] {
        let before = queue(&world);
        assert_eq!(outcome(&reorder(&world, &order)), want, "{name}");
        assert_eq!(queue(&world), before, "{name}");
    }
}

fn free(world: &World, of: &[AccountId], from: &str, to: &str) -> Vec<String> {
    let of: BTreeSet<AccountId> = of.iter().copied().collect();
    let workspace = &world.caller.workspace;
    let slots = done(world.scheduler.free_slots(workspace, &of, at(from), at(to))).unwrap();
    assert!(slots.iter().all(|slot| slot.target_id.is_none()));
    slots.into_iter().map(|slot| slot.local).collect()
}

#[test]
fn free_slots_of_a_range() {
    let world = world();
    queued(&world);
    world.create(body(&["mastodon"], json!({"scheduledAt": "2026-11-23T10:00:00Z"})));
    let bluesky = world.account(Platform::Bluesky).id;
    for (name, of, from, to, want) in [
        (
            "of all accounts, without what is over or held",
            &[][..],
            "2026-11-01T00:00:00Z",
            "2026-11-24T00:00:00Z",
            &["2026-11-22T10:00", "2026-11-23T09:00"][..],
        ),
        (
            "of one",
            &[bluesky][..],
            "2026-11-23T09:00:00Z",
            "2026-11-24T09:00:00Z",
            &["2026-11-23T09:00"][..],
        ),
        ("nothing is to come", &[][..], "2026-11-01T00:00:00Z", "2026-11-20T00:00:00Z", &[][..]),
    ] {
        assert_eq!(free(&world, of, from, to), want, "{name}");
    }
    let all = free(&world, &[bluesky], "2026-11-21T00:00:00Z", "2099-01-01T00:00:00Z");
    assert!(all.len() <= usize::try_from(FREE_SLOTS_DAYS).unwrap(), "{}", all.len());
}

#[test]
fn a_slot_is_taken_by_one_post() {
    let world = world();
    let slot = at("2026-11-25T09:00:00Z");
    let post = |platforms: &[Platform]| -> PostInput {
        let post = platforms.iter().fold(NewPost::text("Hi"), |post, platform| post.to(*platform));
        post.slot(slot).into()
    };
    let create = |input| refused(done(world.scheduler.create_post(&world.caller, input, None)));
    let made = create(post(&[Platform::Bluesky, Platform::Mastodon])).unwrap().value;
    assert_eq!(made.timing, AskedTiming::Queue);
    let slots: Vec<_> =
        made.targets.iter().map(|target| (target.slot_at(), target.due_at())).collect();
    let want = [(Some(slot), Some(slot)), (None, Some(slot))];
    assert_eq!(slots, want, "Mastodon has no slot then");
    assert_eq!(outcome(&create(post(&[Platform::Bluesky]))), "slot_taken");
    assert_eq!(outcome(&create(post(&[Platform::Telegram]))), "ok", "it has no slots at all");

    // A post that is moved there, and back to where it was.
    let (other, _) = queued(&world);
    let change = |at: &str| PostInput {
        queue: true.into(),
        slot: Some(at.parse().unwrap()),
        ..PostInput::default()
    };
    let update = |id, at: &str| {
        refused(done(world.scheduler.update_post(&world.caller, id, change(at), None)))
    };
    assert_eq!(outcome(&update(other.id, "2026-11-25T09:00:00Z")), "slot_taken");
    assert_eq!(outcome(&update(other.id, "2026-11-20T09:00:00Z")), "invalid_request scheduledAt");
    let moved = update(other.id, "2026-11-26T09:00:00Z").unwrap();
    assert_eq!(moved.targets[0].slot_at(), Some(at("2026-11-26T09:00:00Z")));
    let back = done(world.scheduler.undo_post(&world.caller, other.id, None)).unwrap();
    assert_eq!(back.timing, AskedTiming::Queue);
    for _ in 0..2 {
        assert_eq!(outcome(&update(other.id, "2026-11-26T09:00:00Z")), "ok", "it is its own");
    }
}
