//! The loop that does what is due: it claims work, runs it, and keeps its leases alive.
//!
//! The loop sleeps until the next instant at which something is due, or until it is notified,
//! and looks at the store at least once a second for what others have written. What is claimed
//! is grouped by lane; the work of one lane runs in its order, one after the other.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::app::Scheduler;
use scheduler_core::engine::LEASE;
use scheduler_core::ports::{ClaimRequest, Store, StoreError};
use tokio::task::{JoinError, JoinSet, yield_now};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::health::Health;
use crate::lanes::{self, LaneEnd, Load, Runner};
use crate::leases::Leases;
use crate::observer::{Unobserved, WorkerObserver};
use crate::settings::WorkerSettings;
use crate::status::WorkerStatus;
use crate::system::Notifier;

/// How long the loop sleeps at most.
const TICK_MAX: TimeDelta = TimeDelta::seconds(1);

/// Lanes that are claimed together at most; the next tick claims more.
///
/// Source: our decision; with the work of each, a transaction of a few milliseconds.
const LANES_AT_ONCE: u32 = 32;

/// The first back-off after a fault of the store; doubled by every further one.
const BACK_OFF_FIRST: TimeDelta = TimeDelta::milliseconds(100);

/// The longest back-off after faults of the store.
const BACK_OFF_MAX: TimeDelta = TimeDelta::seconds(5);

/// How long a call to the queue may take before it counts as failed: half a lease, so that what
/// a claim brings is still leased until after the next renewal.
const STORE_TIMEOUT: Duration = Duration::from_secs(5);

/// Does what is due.
#[derive(Debug)]
pub struct Worker {
    scheduler: Scheduler,
    notifier: Arc<Notifier>,
    settings: WorkerSettings,
    status: WorkerStatus,
    observer: Arc<dyn WorkerObserver>,
    health: Option<Health>,
}

impl Worker {
    /// A worker over a scheduler. `notifier` is the one that the scheduler notifies, its port
    /// `wake`.
    #[must_use]
    pub fn new(scheduler: Scheduler, notifier: Arc<Notifier>, settings: WorkerSettings) -> Self {
        let observer = Arc::new(Unobserved);
        let status = WorkerStatus::default();
        Self { scheduler, notifier, settings, status, observer, health: None }
    }

    /// The same, which tells this observer of its work.
    #[must_use]
    pub fn observed_by(self, observer: Arc<dyn WorkerObserver>) -> Self {
        Self { observer, ..self }
    }

    /// The same, which takes no new work while the clock of this machine differs from the store's.
    /// Whoever runs it has [`Health::watch`] run beside it.
    #[must_use]
    pub fn with_health(self, health: Health) -> Self {
        Self { health: Some(health), ..self }
    }

    /// Tells, also while the worker runs, when its loop has last ticked.
    #[must_use]
    pub fn status(&self) -> WorkerStatus {
        self.status.clone()
    }

    /// Runs until `shutdown` is ready. Then takes no new work, gives back what it holds and has
    /// not begun, waits for what is in flight at most as long as the settings say, and returns.
    ///
    /// When the returned future is dropped, everything in flight is dropped with it; it is due
    /// again when its leases end.
    pub async fn run(self, shutdown: impl Future<Output = ()>) {
        let mut shutdown = pin!(shutdown);
        let notifier = Arc::clone(&self.notifier);
        let mut worker_loop = WorkerLoop::new(self);
        loop {
            let pause = worker_loop.tick().await;
            tokio::select! {
                biased;
                () = &mut shutdown => break,
                () = notifier.notified() => worker_loop.poll_again(Poll::Peek),
                Some(end) = worker_loop.running.join_next() => worker_loop.lane_ended(end),
                () = pass(pause) => worker_loop.poll_again(worker_loop.when_slept),
            }
        }
        worker_loop.stop().await;
    }
}

/// How the loop looks for work next, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Poll {
    /// Not at all: nothing can have changed.
    Idle,
    /// Asks when the next work is due, and claims only what is.
    Peek,
    /// Claims.
    Claim,
}

/// The state of a running loop.
struct WorkerLoop {
    worker: Worker,
    leases: Leases,
    load: Load,
    running: JoinSet<LaneEnd>,
    /// Renews leases; ends with the loop.
    _keeper: JoinSet<()>,
    stopping: CancellationToken,
    poll: Poll,
    /// What to do at the end of the sleep.
    when_slept: Poll,
    next_at: DateTime<Utc>,
    /// True while work is due that cannot be claimed before a lane ends.
    is_blocked: bool,
    back_off_until: Option<Instant>,
    faults: u32,
}

impl WorkerLoop {
    fn new(worker: Worker) -> Self {
        let leases = Leases::default();
        let mut keeper = JoinSet::new();
        keeper.spawn(leases.clone().keep(worker.scheduler.clone()));
        let next_at = worker.scheduler.ports().clock.now();
        let load = Load::of(&worker.settings);
        Self {
            worker,
            leases,
            load,
            running: JoinSet::new(),
            _keeper: keeper,
            stopping: CancellationToken::new(),
            poll: Poll::Peek,
            when_slept: Poll::Peek,
            next_at,
            is_blocked: false,
            back_off_until: None,
            faults: 0,
        }
    }

    /// Looks for work as far as that is called for, begins what was found, and says how long to
    /// sleep.
    async fn tick(&mut self) -> Duration {
        let now = self.now();
        self.worker.status.ticked(now);
        if let Some(back_off) = self.back_off_left() {
            return back_off;
        }
        self.back_off_until = None;
        let found = match std::mem::replace(&mut self.poll, Poll::Idle) {
            Poll::Idle => Ok(()),
            Poll::Peek => self.read(now).await,
            Poll::Claim => self.claim().await,
        };
        match found {
            Ok(()) => self.faults = 0,
            Err(fault) => self.back_off(&fault),
        }
        self.back_off_left().unwrap_or_else(|| {
            let now = self.now();
            wait(self.next_at.min(now + TICK_MAX) - now)
        })
    }

    /// How much longer the store is left alone, at most one tick; `None` when it is not.
    fn back_off_left(&self) -> Option<Duration> {
        let left = self.back_off_until?.checked_duration_since(Instant::now())?;
        (!left.is_zero()).then(|| left.min(wait(TICK_MAX)))
    }

    fn poll_again(&mut self, poll: Poll) {
        self.poll = self.poll.max(poll);
    }

    async fn read(&mut self, now: DateTime<Utc>) -> Result<(), Fault> {
        let due_at = self.with_timeout(self.store().next_due(now)).await?;
        if due_at.is_some_and(|due_at| due_at <= now) {
            return self.claim().await;
        }
        self.is_blocked = false;
        self.sleep_until(due_at, now);
        Ok(())
    }

    /// Claims once, and begins what was claimed: everything that is claimed has its place. When as
    /// much is due as was asked for, the next tick claims again: so a stop, and lanes that end, are
    /// seen also while much is due.
    async fn claim(&mut self) -> Result<(), Fault> {
        let now = self.now();
        if self.worker.health.as_ref().is_some_and(Health::holds) {
            self.is_blocked = false;
            self.next_at = now + TICK_MAX;
            self.when_slept = Poll::Claim;
            return Ok(());
        }
        if !self.leases.renew_ended(&self.worker.scheduler).await {
            return Err(Fault::Slow);
        }
        let places = self.load.places();
        if places.is_full() {
            self.is_blocked = true;
            self.sleep_until(None, now);
            return Ok(());
        }
        let per_lane = self.worker.settings.per_lane;
        let request =
            ClaimRequest { places, ..ClaimRequest::new(now, now + LEASE, LANES_AT_ONCE, per_lane) };
        let claims = self.with_timeout(self.store().claim(&request)).await?;
        let lanes = lanes::group(claims, |claim| self.leases.add(claim, request.lease_until));
        let is_full = lanes.len() >= LANES_AT_ONCE as usize;
        for lane in lanes {
            let place = self.load.take(&lane);
            self.running.spawn(self.runner().run(lane, place));
        }
        if is_full {
            self.sleep_until(Some(now), now);
            return Ok(());
        }
        // What was due by then and is not leased now is held up by its lane, or has no place.
        let due_at = self.with_timeout(self.store().next_due(now)).await?;
        self.is_blocked = due_at.is_some_and(|due_at| due_at <= now);
        let next = if self.is_blocked {
            self.with_timeout(self.store().next_due_after(now)).await?
        } else {
            due_at
        };
        self.sleep_until(next, now);
        Ok(())
    }

    fn runner(&self) -> Runner {
        Runner {
            scheduler: self.worker.scheduler.clone(),
            leases: self.leases.clone(),
            stopping: self.stopping.clone(),
            observer: Arc::clone(&self.worker.observer),
        }
    }

    fn lane_ended(&mut self, end: Result<LaneEnd, JoinError>) {
        let mut next = end;
        loop {
            match next {
                Ok(end) => {
                    if end.store_failed {
                        self.back_off(&Fault::OfWork);
                    }
                    if end.comes_back {
                        self.poll_again(Poll::Peek);
                    }
                }
                // An observer's doing: what the work itself does is caught.
                Err(_) => {
                    tracing::error!("a lane panicked; its work is due again when its leases end");
                }
            }
            if self.is_blocked {
                self.poll_again(Poll::Claim);
            }
            next = match self.running.try_join_next() {
                Some(ended) => ended,
                None => return,
            };
        }
    }

    fn sleep_until(&mut self, due_at: Option<DateTime<Utc>>, now: DateTime<Utc>) {
        let latest = now + TICK_MAX;
        (self.next_at, self.when_slept) = match due_at {
            Some(due_at) if due_at <= latest => (due_at, Poll::Claim),
            Some(_) | None => (latest, Poll::Peek),
        };
    }

    /// Leaves the store alone for a while, longer with each fault in a row.
    fn back_off(&mut self, fault: &Fault) {
        let doubled = BACK_OFF_FIRST * 2_i32.saturating_pow(self.faults.min(10));
        let back_off = doubled.min(BACK_OFF_MAX);
        self.faults = self.faults.saturating_add(1);
        self.back_off_until = Some(Instant::now() + wait(back_off));
        self.poll_again(Poll::Peek);
        match fault {
            Fault::Store(error) => tracing::error!(
                error = crate::chain(error),
                back_off_ms = back_off.num_milliseconds(),
                "the queue cannot be read"
            ),
            Fault::Slow => tracing::error!(
                back_off_ms = back_off.num_milliseconds(),
                "the queue does not answer in time"
            ),
            // The lane has logged it.
            Fault::OfWork => {}
        }
    }

    async fn stop(mut self) {
        self.stopping.cancel();
        let in_flight = self.running.len();
        tracing::info!(in_flight, "the worker stops");
        let finish = async { while self.running.join_next().await.is_some() {} };
        if timeout(self.worker.settings.stop_within, finish).await.is_err() {
            let left = self.running.len();
            tracing::warn!(left, "work in flight is left; it is due again when its leases end");
            self.running.shutdown().await;
        }
    }

    async fn with_timeout<T>(
        &self,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, Fault> {
        match timeout(STORE_TIMEOUT, call).await {
            Ok(result) => result.map_err(Fault::Store),
            Err(_) => Err(Fault::Slow),
        }
    }

    fn now(&self) -> DateTime<Utc> {
        self.worker.scheduler.ports().clock.now()
    }

    fn store(&self) -> &dyn Store {
        &*self.worker.scheduler.ports().store
    }
}

/// Why the loop rests.
enum Fault {
    Store(StoreError),
    Slow,
    OfWork,
}

/// Sleeps; lets others run where there is no time to sleep, as a sleep takes a millisecond at
/// least.
async fn pass(pause: Duration) {
    if pause.is_zero() {
        yield_now().await;
    } else {
        sleep(pause).await;
    }
}

fn wait(time: TimeDelta) -> Duration {
    time.to_std().unwrap_or_default()
}

#[cfg(test)]
#[path = "worker_tests.rs"]
mod tests;
