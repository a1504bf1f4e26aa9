use std::sync::atomic::{AtomicBool, Ordering};

use scheduler_core::app::{Ports, Settings};
use scheduler_core::memory::{MemoryNetwork, test_ports};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Claim, ConnectInput, Networks};
use serde_json::json;

use super::*;
use crate::SystemClock;

/// A scheduler with a post that is due, and its network.
async fn due() -> (Scheduler, Arc<Notifier>, Arc<MemoryNetwork>) {
    let (notifier, network) = (Arc::new(Notifier::new()), Arc::new(MemoryNetwork::new()));
    let ports = Ports {
        networks: Networks::default().with(Platform::Mastodon, network.clone()),
        wake: notifier.clone(),
        ..test_ports(Arc::new(SystemClock::new()))
    };
    let scheduler = Scheduler::new(ports, Settings::default());
    let first = scheduler.first_start().await.unwrap().unwrap();
    let caller = scheduler.authenticate(Some(first.key.value.expose())).await.unwrap();
    let me = ConnectInput::default();
    scheduler.connect_account(&caller.workspace, Platform::Mastodon, &me).await.unwrap();
    let post = json!({"content": "due", "publishNow": true, "targets": [{"platform": "mastodon"}]});
    let post = serde_json::from_value(post).unwrap();
    scheduler.create_post(&caller, post, None).await.unwrap();
    (scheduler, notifier, network)
}

/// Runs a worker until its network has a post, or for a while.
async fn run(worker: Worker, network: &MemoryNetwork) {
    let posted = async {
        while network.texts().is_empty() {
            sleep(Duration::from_millis(1)).await;
        }
    };
    worker.run(async { drop(timeout(Duration::from_millis(1_500), posted).await) }).await;
}

#[tokio::test]
async fn no_work_is_taken_while_the_clocks_differ() {
    let (scheduler, notifier, network) = due().await;
    let health = Health::new(scheduler.ports().store.clone(), Arc::new(SystemClock::new()));
    let worker = || {
        let worker = Worker::new(scheduler.clone(), notifier.clone(), WorkerSettings::default());
        worker.with_health(health.clone())
    };
    health.differs_by(TimeDelta::seconds(-3));
    run(worker(), &network).await;
    assert_eq!(network.texts(), [""; 0]);
    health.ask().await;
    run(worker(), &network).await;
    assert_eq!(network.texts(), ["due"]);
}

/// Panics at the first piece of work.
#[derive(Debug, Default)]
struct Panics(AtomicBool);

impl WorkerObserver for Panics {
    fn begun(&self, _: &Claim, _: TimeDelta) {
        assert!(self.0.swap(true, Ordering::Relaxed), "once");
    }
}

#[tokio::test]
async fn the_leases_of_a_lane_whose_observer_panicked_are_not_kept() {
    let (scheduler, notifier, _) = due().await;
    let observer = Arc::new(Panics::default());
    let worker = Worker::new(scheduler, notifier, WorkerSettings::default());
    let mut worker_loop = WorkerLoop::new(worker.observed_by(observer.clone()));
    while !observer.0.load(Ordering::Relaxed) {
        worker_loop.poll = Poll::Claim;
        worker_loop.tick().await;
        yield_now().await;
    }
    let ended = worker_loop.running.join_next().await.unwrap();
    assert!(ended.is_err_and(|error| error.is_panic()));
    assert!(worker_loop.leases.is_empty(), "the work is due again when its lease ends");
}
