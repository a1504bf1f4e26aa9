//! Ten years of posts that come again, with restarts, pauses, edits and two nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::BoxFuture;
use scheduler_core::app::Scheduler;
use scheduler_core::ids::{AccountId, EntryId, PostId, TargetId};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Line, StoreError, Stores};
use scheduler_core::post::PostStatus;
use scheduler_core::recurrence::is_cooled_down;
use scheduler_core::timing::Zone;
use serde_json::json;

use super::{change, create};
use crate::support::{World, done};

const ZONE: &str = "Europe/Berlin";
const COOL_DOWN_DAYS: u32 = 5;

/// Numbers that follow from a seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

/// Lets so many operations of a store through; the next ones wait until it is resumed, or for ever:
/// the process is slow, or has died there.
struct Stopping {
    left: AtomicU64,
    is_resumed: AtomicBool,
}

impl Stopping {
    fn after(operations: u64) -> Arc<Self> {
        Arc::new(Self { left: AtomicU64::new(operations), is_resumed: AtomicBool::new(false) })
    }

    /// Another node, whose operations go through it.
    fn node(self: &Arc<Self>, world: &World) -> Scheduler {
        let store = Stores { line: Some(self.clone()), ..Stores::of(world.store.clone()) };
        world.scheduler.with_store(Arc::new(store))
    }

    fn lets_through(&self) -> bool {
        let take = |left: u64| left.checked_sub(1);
        self.is_resumed.load(Ordering::SeqCst)
            || self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take).is_ok()
    }
}

#[async_trait]
impl Line for Stopping {
    async fn carry(
        &self,
        _operation: &'static str,
        run: BoxFuture<'_, bool>,
    ) -> Result<(), StoreError> {
        let passes = || if self.lets_through() { Poll::Ready(()) } else { Poll::Pending };
        poll_fn(|_| passes()).await;
        run.await;
        Ok(())
    }
}

fn poll<T>(future: Pin<&mut impl Future<Output = T>>) -> Poll<T> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// What went live, seen from the posts, since records are removed on the way.
#[derive(Default)]
struct Seen {
    live: BTreeMap<TargetId, (EntryId, AccountId, DateTime<Utc>, String)>,
    ended: BTreeSet<PostId>,
    /// Under which key each post that went live was made: one for each place.
    places: BTreeMap<String, BTreeSet<PostId>>,
}

impl Seen {
    fn look(&mut self, world: &World) {
        for post in world.store.posts() {
            let Some(of) = &post.occurrence else { continue };
            for target in &post.targets {
                if let Some(at) = target.published_at() {
                    let use_ = (of.entry_id, target.account_id, at, post.content.clone());
                    self.live.insert(target.id, use_);
                    let key = post.idempotency_key.as_ref().unwrap().as_str().to_owned();
                    assert!(key.starts_with("recurrence/"), "{key}");
                    self.places.entry(key).or_default().insert(post.id);
                }
            }
            if post.status == PostStatus::Done {
                self.ended.insert(post.id);
            }
        }
    }
}

/// When an entry went out, and with which of its texts.
type LiveUse<'a> = (DateTime<Utc>, &'a str);

#[test]
fn no_cool_down_is_broken_and_nothing_is_double() {
    let mut chance = Chance(5_545);
    let world = World::new();
    let account = world.account(Platform::Mastodon);
    let zone: Zone = ZONE.parse().unwrap();
    done(world.scheduler.set_account_timezone(&account, Some(zone))).unwrap();
    let target = || json!({"targets": [{"platform": "mastodon"}]});
    let entry = |number: u32| json!({"post": target(), "texts": [format!("{number}a"), format!("{number}b")]});
    let pool = create(
        &world,
        json!({
            "name": "pool", "evergreen": true, "coolDownDays": COOL_DOWN_DAYS,
            "entries": (0..6).map(entry).collect::<Vec<_>>(),
        }),
    )
    .unwrap();
    let rule = create(&world, json!({
        "name": "rule", "rule": {"rrule": "FREQ=WEEKLY;BYDAY=SU,WE", "start": "2026-11-22T02:30"},
        "entries": [{"post": target(), "texts": ["x", "y", "z"]}],
    })).unwrap();
    let mut seen = Seen::default();
    let end = world.now() + TimeDelta::days(3_653);
    let (mut is_paused, mut broken_off) = (false, 0);
    while world.now() < end {
        world.clock.advance(TimeDelta::minutes(60 + i64::try_from(chance.below(600)).unwrap()));
        match chance.below(40) {
            // A process dies in the midst of planning; its lease ends.
            0..=3 => {
                let node = Stopping::after(chance.below(40)).node(&world);
                if poll(pin!(node.plan_recurrences())).is_pending() {
                    broken_off += 1;
                    world.clock.advance(TimeDelta::minutes(11));
                }
            }
            // Two nodes plan at once, and one is so slow that it may lose its lease.
            4..=6 => {
                let stopping = Stopping::after(chance.below(40));
                let node = stopping.node(&world);
                let mut slow = pin!(node.plan_recurrences());
                if poll(slow.as_mut()).is_pending() {
                    world
                        .clock
                        .advance(TimeDelta::minutes(i64::try_from(chance.below(20)).unwrap()));
                    done(world.scheduler.plan_recurrences()).unwrap();
                    stopping.is_resumed.store(true, Ordering::SeqCst);
                    assert!(poll(slow.as_mut()).is_ready());
                }
            }
            7 => {
                is_paused = !is_paused;
                let state = if is_paused { "paused" } else { "active" };
                change(&world, &pool, json!({"state": state})).unwrap();
            }
            // The server is down for a while.
            8 => world.clock.advance(TimeDelta::hours(i64::try_from(chance.below(400)).unwrap())),
            // Somebody changes the texts, or the rule.
            9 => {
                let texts = [format!("{}", chance.below(9)), "y".to_owned()];
                let entries = json!([{"id": rule.entries[0].id, "post": target(), "texts": texts}]);
                change(&world, &rule, json!({"entries": entries})).unwrap();
            }
            // Somebody moves, cancels or removes a post that waits, or sends it at once.
            10..=14 => {
                let waiting: Vec<_> = world
                    .store
                    .posts()
                    .into_iter()
                    .filter(|post| post.status == PostStatus::Scheduled)
                    .collect();
                if !waiting.is_empty() {
                    let index = usize::try_from(chance.below(waiting.len() as u64)).unwrap();
                    let id = waiting[index].id;
                    match chance.below(4) {
                        0 => drop(world.patch(id, json!({"publishNow": true}))),
                        1 => drop(world.delete(id)),
                        2 => drop(world.delete(id).and_then(|()| world.delete(id))),
                        _ => {
                            let later = world.now()
                                + TimeDelta::hours(1 + i64::try_from(chance.below(200)).unwrap());
                            drop(world.patch(id, json!({"scheduledAt": later})));
                        }
                    }
                }
            }
            // The network fails, and is tried again.
            15..=17 => world.network.script([crate::publish::fails(
                scheduler_core::ports::NetworkErrorKind::Temporary,
            )]),
            _ => {}
        }
        done(world.scheduler.plan_recurrences()).unwrap();
        // What is due goes out when it is, up to now.
        world.work();
        seen.look(&world);
        // Records of what has ended are removed.
        for id in std::mem::take(&mut seen.ended) {
            done(world.scheduler.delete_post(&world.caller, id, None)).unwrap();
        }
        for post in world.store.posts() {
            if post.status == PostStatus::Canceled
                && post.scheduled_at.is_some_and(|at| at + TimeDelta::days(9) < world.now())
            {
                world.delete(post.id).unwrap();
            }
        }
    }

    assert!(broken_off > 50, "{broken_off}");
    for (place, posts) in &seen.places {
        assert_eq!(posts.len(), 1, "{place}");
    }
    let mut of_entries: BTreeMap<(EntryId, AccountId), Vec<LiveUse<'_>>> = BTreeMap::new();
    for (entry, account, at, text) in seen.live.values() {
        of_entries.entry((*entry, *account)).or_default().push((*at, text));
    }
    assert_eq!(of_entries.len(), 7, "each entry went out");
    for ((entry, _), uses) in &mut of_entries {
        uses.sort_unstable();
        assert!(uses.len() > 100, "{entry}: {}", uses.len());
        if *entry != rule.entries[0].id {
            // People cancel and move some, so that a turn may be missed.
            let of_first = uses.iter().filter(|(_, text)| text.ends_with('a')).count();
            assert!(
                (uses.len() / 3..=uses.len() * 2 / 3).contains(&of_first),
                "{entry}: {of_first}"
            );
            for pair in uses.windows(2) {
                let [(first, _), (second, _)] = pair else { panic!("two") };
                assert!(
                    is_cooled_down(zone, COOL_DOWN_DAYS, *first, *second),
                    "{entry}: {first} {second}"
                );
            }
        }
    }
}

#[test]
fn what_was_made_by_a_process_that_died_is_changed_as_its_recurrence_was() {
    for operations in 0..60 {
        let world = World::new();
        let text = |text: &str| json!({"content": text, "targets": [{"platform": "mastodon"}]});
        let body = json!({
            "name": "rule", "rule": {"rrule": "FREQ=WEEKLY;BYDAY=MO,TH", "start": "2026-11-01T09:00"},
            "entries": [{"post": text("old")}],
        });
        let made = create(&world, body).unwrap();
        let node = Stopping::after(operations).node(&world);
        let _ = poll(pin!(node.plan_recurrences()));
        let entries = json!([{"id": made.entries[0].id, "post": text("new")}]);
        change(&world, &made, json!({"entries": entries})).unwrap();
        world.clock.advance(TimeDelta::minutes(11));
        for _ in 0..2 {
            done(world.scheduler.plan_recurrences()).unwrap();
        }
        let posts = world.store.posts();
        assert_eq!(posts.len(), 4, "{operations}");
        for post in posts {
            assert_eq!(post.content, "new", "{operations}");
        }
    }
}
