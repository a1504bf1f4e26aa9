//! A thousand polls of a feed, most of which are killed at some operation of the store: no item is
//! made a post of twice, and none is lost.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use chrono::TimeDelta;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use scheduler_core::ports::{Line, StoreError, Stores};
use serde_json::json;

use crate::feeds::{has, input, item};
use crate::support::{World, done};

/// Ends the process that waits for it at one operation: before it is run, or once it is, where the
/// answer is lost.
#[derive(Default)]
struct Killer {
    /// Operations that go through, and twice as many steps: the next one kills.
    steps: AtomicUsize,
}

#[async_trait]
impl Line for Killer {
    async fn carry(
        &self,
        _operation: &'static str,
        run: BoxFuture<'_, bool>,
    ) -> Result<(), StoreError> {
        if self.is_over() {
            pending::<()>().await;
        }
        run.await;
        if self.is_over() {
            pending::<()>().await;
        }
        Ok(())
    }
}

impl Killer {
    fn is_over(&self) -> bool {
        let left = self.steps.load(Ordering::Relaxed);
        self.steps.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }
}

/// Numbers that look like chance and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

const POLLS: usize = 1_000;

fn killed_again_and_again(mode: &str) {
    let world = World::new();
    let killer = Arc::new(Killer::default());
    let store = Stores::of(world.store.clone()).over(killer.clone());
    let engine = world.scheduler.with_store(Arc::new(store));
    has(&world, "first", Vec::new());
    done(world.scheduler.create_feed(&world.caller, input(json!({"mode": mode})))).unwrap();
    done(world.scheduler.poll_feeds()).unwrap();

    let (mut dice, mut items, mut killed) = (Dice(7), Vec::new(), 0);
    for round in 0..POLLS {
        for _ in 0..dice.below(2) {
            let number = items.len();
            // Some are refused by a network.
            let tail = if number % 5 == 0 { "a".repeat(300) } else { String::new() };
            items.insert(0, item(&format!("{number} {tail}")));
        }
        has(&world, &format!("{round}"), items.iter().take(200).cloned().collect());
        world.clock.advance(TimeDelta::minutes(31));
        killer.steps.store(dice.below(100), Ordering::Relaxed);
        match engine.poll_feeds().now_or_never() {
            Some(polled) => drop(polled.unwrap()),
            None => killed += 1,
        }
    }
    assert!(killed > POLLS / 4, "{killed} were killed");
    assert!(killed < POLLS, "and not all");
    // Those after them are let live.
    for _ in 0..20 {
        world.clock.advance(TimeDelta::hours(25));
        done(world.scheduler.poll_feeds()).unwrap();
    }
    let mut made: BTreeMap<String, usize> = BTreeMap::new();
    for post in world.store.posts() {
        *made.entry(post.content.trim().to_owned()).or_default() += 1;
    }
    let want: BTreeMap<String, usize> =
        items.iter().map(|item| (item.title.trim().to_owned(), 1)).collect();
    assert_eq!(made, want, "each once");
}

#[test]
fn no_item_is_doubled_or_lost_as_a_draft() {
    killed_again_and_again("drafts");
}

#[test]
fn no_item_is_doubled_or_lost_in_the_queue() {
    killed_again_and_again("queue");
}
