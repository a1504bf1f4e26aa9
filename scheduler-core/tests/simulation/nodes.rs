//! Nodes: what their processes do with the work that is due, while their leases last.

use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;

use chrono::TimeDelta;
use scheduler_core::app::{Ports, Scheduler, Settings};
use scheduler_core::engine::LEASE;
use scheduler_core::ids::TargetId;
use scheduler_core::ports::{Claim, ClaimRequest, Clock as _, WorkQueue as _};

use crate::executor::{Executor, Place};
use crate::run::{Bug, Setting, next_due};
use crate::world::NodeClock;

const WORKERS_OF_A_NODE: usize = 2;

/// Counts a worker for as long as it is busy, also when a crash takes it.
struct Busy(Arc<AtomicUsize>);

impl Busy {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A running process: its clock, and a scheduler that remembers nothing of an earlier process.
struct Process {
    clock: Arc<NodeClock>,
    scheduler: Scheduler,
    /// False while its clock differs from the store's.
    agrees: AtomicBool,
    /// What it holds: each claim, and whether its lease was found to be lost.
    held: Mutex<Vec<(Claim, bool)>>,
}

impl Process {
    fn start(setting: &Setting) -> Self {
        let goes_by_the_wall = setting.scene.bug == Some(Bug::NodesGoByTheWall);
        let clock = Arc::new(NodeClock::new(&setting.world, goes_by_the_wall));
        let ports = Ports { clock: clock.clone(), ..setting.ports.clone() };
        let agrees = AtomicBool::new(clock.hear());
        Self {
            clock,
            scheduler: Scheduler::new(ports, Settings::default()),
            agrees,
            held: Mutex::default(),
        }
    }
}

pub(crate) fn start_node(executor: &mut Executor, setting: &Arc<Setting>, node: usize) {
    let process = Arc::new(Process::start(setting));
    for _ in 0..WORKERS_OF_A_NODE {
        executor.spawn(Place::Node(node), work(Arc::clone(setting), Arc::clone(&process)));
    }
    if setting.scene.has_readings && node == 0 {
        executor.spawn(Place::Node(node), run_due(Arc::clone(setting), Arc::clone(&process)));
    }
    executor.spawn(Place::Node(node), heartbeat(Arc::clone(setting), process));
}

/// A worker: claims, runs what it claimed in order, waits for more.
async fn work(setting: Arc<Setting>, process: Arc<Process>) {
    let world = &setting.world;
    loop {
        let busy = Busy::new(&setting.busy);
        let now = process.clock.now();
        let request = ClaimRequest::new(now, now + LEASE, 1, 2)
            .without((!setting.scene.has_readings).then_some(scheduler_core::ports::Place::Read));
        let claims = match process.agrees.load(Ordering::Relaxed) {
            true => setting.store.claim(&request).await.unwrap_or_default(),
            false => Vec::new(),
        };
        if claims.is_empty() {
            drop(busy);
            let (now, next) = (world.now(), next_due(&setting));
            let until = next.unwrap_or(now + TimeDelta::hours(1)).max(now + TimeDelta::seconds(1));
            world.until(until.min(now + TimeDelta::minutes(10))).await;
            continue;
        }
        process.held.lock().unwrap().extend(claims.iter().map(|claim| (claim.clone(), false)));
        for claim in &claims {
            if world.now() < claim.due_at {
                world.violated(format!("{claim:?} was run early"));
            }
            run_until_lost(&setting, &process, claim).await;
            process.held.lock().unwrap().retain(|(other, _)| other != claim);
        }
    }
}

/// Runs a piece of work, and drops it once its lease is found to be lost. A broken store leaves it
/// to the end of its lease, but for what a network has answered meanwhile.
async fn run_until_lost(setting: &Setting, process: &Process, claim: &Claim) {
    let answers = || setting.wall.answers(TargetId(claim.subject));
    let mut is_answered = false;
    let mut work = Box::pin(process.scheduler.run(claim));
    poll_fn(|context| {
        let held = process.held.lock().unwrap();
        let is_lost = held.iter().any(|(other, lost)| other == claim && *lost);
        drop(held);
        if is_lost {
            return Poll::Ready(());
        }
        let before = answers();
        let polled = work.as_mut().poll(context);
        is_answered |= answers() > before;
        polled.map(|ran| {
            if is_answered && ran.is_err() {
                setting.world.violated(format!("an answer was given up: {claim:?} {ran:?}"));
            }
        })
    })
    .await;
}

/// A program that does all due work by itself now and then, beside the workers.
async fn run_due(setting: Arc<Setting>, process: Arc<Process>) {
    let world = &setting.world;
    loop {
        let wait = TimeDelta::seconds(i64::try_from(1 + world.below(60)).expect("small"));
        world.until(world.now() + wait).await;
        if process.agrees.load(Ordering::Relaxed) && !world.calm.load(Ordering::Relaxed) {
            let _busy = Busy::new(&setting.busy);
            let _ = process.scheduler.run_due().await;
        }
    }
}

async fn heartbeat(setting: Arc<Setting>, process: Arc<Process>) {
    let clock = &process.clock;
    loop {
        clock.maybe_step();
        process.agrees.store(clock.hear(), Ordering::Relaxed);
        let claims: Vec<Claim> =
            process.held.lock().unwrap().iter().map(|(claim, _)| claim.clone()).collect();
        if !claims.is_empty() {
            // A store that is away loses nothing and gives nothing away.
            let lost = setting.store.renew(&claims, clock.now() + LEASE).await.unwrap_or_default();
            for (claim, is_lost) in process.held.lock().unwrap().iter_mut() {
                *is_lost |= lost.contains(&claim.work_id);
            }
        }
        setting.world.until(setting.world.now() + TimeDelta::seconds(3)).await;
    }
}
