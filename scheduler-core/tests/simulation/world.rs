//! Time, chance and faults, shared by everything in one run.

use std::future::Future;
use std::pin::Pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{Clock, Ids, Random, Wake};
use uuid::Uuid;

use crate::chance::Chance;

/// What can go wrong in a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hazards {
    /// Clocks jump and leases lapse under a living holder. Only networks that recognise a repeat
    /// can promise "never twice" then, so only such are used.
    pub(crate) hostile: bool,
}

pub(crate) struct World {
    inner: Mutex<Inner>,
    /// Faults stop at the end of a run, so that everything can come to its end.
    pub(crate) calm: AtomicBool,
    pub(crate) hazards: Hazards,
}

struct Inner {
    now: DateTime<Utc>,
    chance: Chance,
    ids: u64,
    waiting: Option<DateTime<Utc>>,
    violations: Vec<String>,
}

impl World {
    pub(crate) fn new(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let hazards = Hazards { hostile: chance.one_in(3) };
        let now = "2026-03-28T20:00:00Z".parse().expect("an instant");
        let inner = Inner { now, chance, ids: 0, waiting: None, violations: Vec::new() };
        Self { inner: Mutex::new(inner), calm: AtomicBool::new(false), hazards }
    }

    fn inner(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().expect("no poll panics while it holds the lock")
    }

    pub(crate) fn below(&self, bound: u64) -> u64 {
        self.inner().chance.below(bound)
    }

    /// True once in `n` times while faults happen, never after.
    pub(crate) fn fault(&self, n: u64) -> bool {
        !self.calm.load(Ordering::Relaxed) && self.inner().chance.one_in(n)
    }

    pub(crate) fn advance_to(&self, at: DateTime<Utc>) {
        let mut inner = self.inner();
        inner.now = inner.now.max(at);
    }

    pub(crate) fn advance(&self, by: TimeDelta) {
        self.inner().now += by;
    }

    pub(crate) fn clear_waiting(&self) {
        self.inner().waiting = None;
    }

    pub(crate) fn waiting(&self) -> Option<DateTime<Utc>> {
        self.inner().waiting
    }

    /// Writes down that a promise was broken.
    pub(crate) fn violated(&self, what: String) {
        self.inner().violations.push(what);
    }

    pub(crate) fn violations(&self) -> Vec<String> {
        self.inner().violations.clone()
    }

    /// A point at which another task may run, or this one may die.
    pub(crate) fn pause(&self) -> Pause {
        Pause { polled: false }
    }

    pub(crate) fn until(&self, at: DateTime<Utc>) -> Until<'_> {
        Until { world: self, at }
    }
}

pub(crate) struct Pause {
    polled: bool,
}

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.polled {
            return Poll::Ready(());
        }
        self.polled = true;
        Poll::Pending
    }
}

pub(crate) struct Until<'a> {
    world: &'a World,
    at: DateTime<Utc>,
}

impl Future for Until<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        let mut inner = self.world.inner();
        if inner.now >= self.at {
            return Poll::Ready(());
        }
        inner.waiting = Some(self.at);
        Poll::Pending
    }
}

impl Clock for World {
    fn now(&self) -> DateTime<Utc> {
        self.inner().now
    }
}

impl Ids for World {
    fn next(&self, at: DateTime<Utc>) -> Uuid {
        let mut inner = self.inner();
        inner.ids += 1;
        let millis = u128::try_from(at.timestamp_millis()).expect("after 1970");
        Uuid::from_u128((millis << 80) | u128::from(inner.ids))
    }
}

impl Random for World {
    fn bytes(&self) -> [u8; 32] {
        let mut inner = self.inner();
        let mut bytes = [0; 32];
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&inner.chance.next().to_be_bytes());
        }
        bytes
    }
}

impl Wake for World {
    fn wake(&self) {}
}
