//! Time, chance and faults, shared by everything in one run.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{Clock, Ids, Random, Task, Tasks, Wake};
use scheduler_core::timing::{CLOCK_DIFFERENCE_MAX, SharedTime, clock_difference};
use uuid::Uuid;

use crate::chance::Chance;
use crate::executor::Place;

/// What can go wrong in a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hazards {
    /// Time jumps, as when all nodes are stopped for long: leases lapse under a living holder.
    /// What has been sent to a network is done before.
    pub(crate) hostile: bool,
}

pub(crate) struct World {
    inner: Mutex<Inner>,
    /// Faults stop at the end of a run, so that everything can come to its end.
    pub(crate) calm: AtomicBool,
    pub(crate) hazards: Hazards,
    /// Calls that have been sent and not been done yet.
    pub(crate) landings: AtomicUsize,
}

struct Inner {
    now: DateTime<Utc>,
    chance: Chance,
    ids: u64,
    waiting: Option<DateTime<Utc>>,
    /// Until when the store is away.
    away_until: Option<DateTime<Utc>>,
    violations: Vec<String>,
    spawned: Vec<(Option<Place>, Task)>,
}

impl World {
    pub(crate) fn new(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let hazards = Hazards { hostile: chance.one_in(3) };
        let now = "2026-03-28T20:00:00Z".parse().expect("an instant");
        let inner = Inner {
            away_until: None,
            now,
            chance,
            ids: 0,
            waiting: None,
            violations: Vec::new(),
            spawned: Vec::new(),
        };
        Self {
            inner: Mutex::new(inner),
            calm: AtomicBool::new(false),
            hazards,
            landings: AtomicUsize::new(0),
        }
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

    /// Has the outside world do something, whatever becomes of whoever asked for it.
    pub(crate) fn spawn_outside(&self, task: Task) {
        self.inner().spawned.push((Some(Place::Outside), task));
    }

    /// True while the store is away, which begins once in `n` times and lasts up to 20 seconds.
    pub(crate) fn store_is_away(&self, n: u64) -> bool {
        if self.calm.load(Ordering::Relaxed) {
            return false;
        }
        let mut inner = self.inner();
        if inner.away_until.is_some_and(|until| inner.now < until) {
            return true;
        }
        let begins = inner.chance.one_in(n);
        if begins {
            let seconds: i64 = inner.chance.below(20);
            inner.away_until = Some(inner.now + TimeDelta::seconds(seconds));
        }
        begins
    }

    /// What was spawned since the last look.
    pub(crate) fn take_spawned(&self) -> Vec<(Option<Place>, Task)> {
        std::mem::take(&mut self.inner().spawned)
    }

    /// A point at which another task may run, or this one may die.
    pub(crate) fn pause(&self) -> Pause {
        Pause { polled: false }
    }

    /// Waits until something outside has written down what came of it.
    pub(crate) async fn told<T: Copy>(&self, outcome: &Mutex<Option<T>>) -> T {
        loop {
            if let Some(outcome) = *outcome.lock().expect("not poisoned") {
                return outcome;
            }
            let soon = self.now() + TimeDelta::milliseconds(500);
            self.until(soon).await;
        }
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

/// Tasks of a run: the executor runs each where it was spawned.
pub(crate) struct SimulatedTasks(pub(crate) Arc<World>);

impl Tasks for SimulatedTasks {
    fn spawn(&self, task: Task) {
        self.0.inner().spawned.push((None, task));
    }

    fn sleep(&self, time: TimeDelta) -> Task {
        let world = Arc::clone(&self.0);
        let at = world.now() + time;
        Box::pin(async move { world.until(at).await })
    }
}

/// The clock of one node: what its wall clock shows, and the time of the store as it last heard.
pub(crate) struct NodeClock {
    world: Arc<World>,
    begun_at: DateTime<Utc>,
    /// How far the wall clock is ahead.
    ahead: Mutex<TimeDelta>,
    shared: SharedTime,
    /// A planted bug: goes by the wall clock.
    goes_by_the_wall: bool,
}

impl NodeClock {
    pub(crate) fn new(world: &Arc<World>, goes_by_the_wall: bool) -> Self {
        Self {
            world: Arc::clone(world),
            begun_at: world.now(),
            ahead: Mutex::new(TimeDelta::zero()),
            shared: SharedTime::new(),
            goes_by_the_wall,
        }
    }

    /// Sets the wall clock anew now and then: by up to a minute, or by hours.
    pub(crate) fn maybe_step(&self) {
        if !self.world.fault(40) {
            return;
        }
        let bound = [1, 2, 60, 7_200][self.world.below(4) as usize];
        let seconds = i64::try_from(self.world.below(2 * bound + 1)).expect("small");
        let bound = i64::try_from(bound).expect("small");
        *self.ahead.lock().expect("not poisoned") = TimeDelta::seconds(seconds - bound);
    }

    /// Asks the store for its time; true when the clocks agree, or all is calm.
    pub(crate) fn hear(&self) -> bool {
        let store_time = self.world.now();
        self.shared.hear(self.passed(), self.passed(), store_time);
        let wall = self.wall();
        self.goes_by_the_wall
            || self.world.calm.load(Ordering::Relaxed)
            || clock_difference(wall, store_time, wall).abs() <= CLOCK_DIFFERENCE_MAX
    }

    fn wall(&self) -> DateTime<Utc> {
        self.world.now() + *self.ahead.lock().expect("not poisoned")
    }

    fn passed(&self) -> Duration {
        (self.world.now() - self.begun_at).to_std().unwrap_or_default()
    }
}

impl Clock for NodeClock {
    fn now(&self) -> DateTime<Utc> {
        if self.goes_by_the_wall {
            return self.wall();
        }
        self.shared.now(self.passed(), self.wall())
    }
}
