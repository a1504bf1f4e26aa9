//! Measures the engine over a database, without a network or an API: `scripts/bench` runs it beside
//! a baseline, and prints the ratio.
//!
//! ```text
//! measure_engine publish DATABASE TARGETS   the seconds until all have gone out
//! measure_engine claim DATABASE ROUNDS      the median time of a claim, in seconds
//! ```
//!
//! Posts are for networks of its own, which answer at once: 64 accounts on 8 of them.
#![expect(clippy::print_stdout, reason = "the figure is what it is for")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use scheduler_core::app::{Caller, Ports, Scheduler, Settings};
use scheduler_core::engine::{LEASE, RunOutcome};
use scheduler_core::memory::{MemoryNetwork, test_ports};
use scheduler_core::platform::{CapabilitySheet, Platform};
use scheduler_core::ports::{Claim, ClaimRequest, ConnectInput, Networks, Place};
use scheduler_core::post::{NewPost, TargetInput};
use scheduler_store::{Database, SealingKey};
use scheduler_worker::{
    Ended, Notifier, OsRandom, Report, SystemClock, SystemTasks, UuidV7, Worker, WorkerObserver,
    WorkerSettings,
};
use tokio::sync::Notify;

const NETWORKS: usize = 8;
const ACCOUNTS: usize = 8;

type Failed = Box<dyn Error>;

/// A scheduler over a database, with accounts to publish to.
struct Bench {
    scheduler: Scheduler,
    engine: Scheduler,
    notifier: Arc<Notifier>,
    caller: Caller,
    platforms: Vec<Platform>,
}

impl Bench {
    async fn open(url: &str) -> Result<Self, Failed> {
        // Nothing that is sealed with it is read by anybody else.
        let key = SealingKey::load_or_create_file(Path::new(&std::env::var("BENCH_SECRET_KEY")?))?;
        let database = Database::open(url, &key).await?;
        let clock = Arc::new(SystemClock::new());
        let notifier = Arc::new(Notifier::new());
        let (mut networks, mut platforms) = (Networks::default(), Vec::new());
        for number in 0..NETWORKS {
            let sheet = CapabilitySheet::plain("Bench", 2_000);
            let platform = Platform::register(&format!("bench{number}"), sheet)?;
            networks = networks.with(platform, Arc::new(MemoryNetwork::new()));
            platforms.push(platform);
        }
        let ports = Ports {
            store: database.store(),
            networks,
            ids: Arc::new(UuidV7),
            random: Arc::new(OsRandom),
            wake: notifier.clone(),
            tasks: Arc::new(SystemTasks::new()),
            ..test_ports(clock)
        };
        let scheduler = Scheduler::new(ports, Settings::default());
        scheduler.first_start().await?;
        let workspaces = scheduler.workspaces().await?;
        let workspace = workspaces.into_iter().next().ok_or("there is no workspace")?;
        let caller = Caller::for_workspace(workspace);
        for platform in &platforms {
            for number in 0..ACCOUNTS {
                let name = [("name".to_owned(), format!("account-{number}"))];
                let input = ConnectInput(name.into());
                scheduler.connect_account(&caller.workspace, *platform, &input).await?;
            }
        }
        let engine = scheduler.with_store(database.engine_store());
        Ok(Self { scheduler, engine, notifier, caller, platforms })
    }

    /// Creates posts that are due at once, each for one account, in turn from one of them on.
    async fn fill(&self, first: usize, targets: usize) -> Result<(), Failed> {
        let all = self.scheduler.accounts(self.caller.workspace.id).await?;
        let ours: Vec<_> =
            all.iter().filter(|account| self.platforms.contains(&account.platform)).collect();
        for (number, account) in ours.iter().cycle().skip(first).take(targets).enumerate() {
            let target =
                TargetInput { account_id: Some(account.id), ..TargetInput::from(account.platform) };
            let post = NewPost::text(format!("Number {number}")).to(target).now();
            self.scheduler.create_post(&self.caller, post.into(), None).await?;
        }
        Ok(())
    }

    /// Publishes all that is due; how long that took.
    async fn publish(self, targets: usize) -> Result<f64, Failed> {
        self.fill(0, targets).await?;
        let count = Arc::new(Count { left: AtomicUsize::new(targets), done: Notify::new() });
        let worker = Worker::new(self.engine, self.notifier, WorkerSettings::default());
        let begun = Instant::now();
        worker.observed_by(count.clone()).run(count.done.notified()).await;
        Ok(begun.elapsed().as_secs_f64())
    }

    /// Claims a due target, each round one of another account, since a lane is leased while its
    /// target is; the median of the times.
    async fn claim(self, rounds: usize) -> Result<f64, Failed> {
        let mut times = Vec::with_capacity(rounds);
        for round in 0..rounds {
            self.fill(round, 1).await?;
            let now = self.engine.ports().clock.now();
            let request =
                ClaimRequest::new(now, now + LEASE, 32, 8).without(Place::BESIDE_PUBLISHES);
            let begun = Instant::now();
            let claimed = self.engine.ports().store.claim(&request).await?;
            times.push(begun.elapsed().as_secs_f64());
            let [claim] = &claimed[..] else {
                return Err(format!("{} were claimed in round {round}", claimed.len()).into());
            };
            // It is done with, so that the next round finds its own alone.
            self.engine.run(claim).await?;
        }
        times.sort_by(f64::total_cmp);
        Ok(times[times.len() / 2])
    }
}

/// Counts what has gone out.
#[derive(Debug)]
struct Count {
    left: AtomicUsize,
    done: Notify,
}

impl WorkerObserver for Count {
    fn ended(&self, _: &Claim, ended: Ended, _: &Report) {
        if ended == Ended::Ran(RunOutcome::Published)
            && self.left.fetch_sub(1, Ordering::SeqCst) == 1
        {
            self.done.notify_one();
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Failed> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, url, number] = &arguments[..] else {
        return Err("usage: measure_engine publish|claim DATABASE NUMBER".into());
    };
    let (bench, number) = (Bench::open(url).await?, number.parse()?);
    let seconds = match what.as_str() {
        "publish" => bench.publish(number).await?,
        "claim" => bench.claim(number).await?,
        _ => return Err(format!("there is nothing to measure named {what:?}").into()),
    };
    println!("{seconds}");
    Ok(())
}
