//! A storm from outside: the built server publishes for all networks while its database, its
//! nodes, their clocks, its disk and the networks fail at random, and at the end what stands at
//! the networks is counted.
//!
//! `scripts/storm.sh` runs it for longer. The environment chooses what happens: see
//! [`plan::Plan::from_environment`]; `STORM_LOG` is the level of the nodes' logs, and
//! `STORM_KEEP=1` leaves them there after a run without anything wrong.
#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, clippy::unwrap_used, reason = "tests")]

mod api;
#[expect(dead_code, reason = "the tests of the server use more of it")]
#[path = "../server/support/binary.rs"]
mod binary;
mod clock;
mod count;
mod dice;
mod disk;
#[path = "../../scheduler-cli/src/commands/demo/film.rs"]
mod film;
mod forwarder;
mod networks;
mod nodes;
mod plan;
mod postgres;
mod posts;
mod processes;
mod receiver;
mod run;
mod trouble;

use std::sync::OnceLock;

use clock::Clock;
use plan::{Fault, Plan};
use postgres::Cluster;
use processes::Folder;
use run::Storm;
use tokio::sync::Mutex;

/// The two storms follow each other: each wants the machine for itself.
fn turn() -> &'static Mutex<()> {
    static TURN: OnceLock<Mutex<()>> = OnceLock::new();
    TURN.get_or_init(Mutex::default)
}

/// Says loudly that a storm is left out, or fails where it must not be.
fn leave_out(why: &str) {
    let is_required = std::env::var("SCHEDULER_REQUIRE_POSTGRES").is_ok_and(|value| value == "1");
    assert!(!is_required, "{why}, and SCHEDULER_REQUIRE_POSTGRES asks for the storm");
    eprintln!("LEFT OUT: {why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_or_doubled_in_a_storm() {
    let _turn = turn().lock().await;
    let plan = Plan::from_environment();
    if !plan.faults.is_empty() && plan.faults.iter().all(|fault| *fault == Fault::DiskFull) {
        return;
    }
    let mut folder = Folder::create("storm");
    let Some(library) = clock::compile(folder.path()) else {
        return leave_out("there is no C compiler (cc), which shifting clocks takes");
    };
    let Some(cluster) = Cluster::start(folder.path()).await else {
        return leave_out("there is no PostgreSQL with psql and pg_basebackup");
    };
    let clocks = ["one", "two"].map(|name| {
        let path = folder.path().join(format!("clock-{name}"));
        Some(Clock::new(&library, path))
    });
    let storm = Storm { plan, data: folder.path().join("data"), disk: None, clocks: clocks.into() };
    let is_right = Box::pin(storm.run(folder.path(), Some(cluster))).await;
    if !is_right {
        folder.keep();
    }
    assert!(is_right, "something is wrong; it is listed above");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_or_doubled_when_the_disk_is_full() {
    let _turn = turn().lock().await;
    let plan = Plan::from_environment();
    if !plan.faults.is_empty() && !plan.faults.contains(&Fault::DiskFull) {
        return;
    }
    let mut folder = Folder::create("disk");
    let Some(disk) = disk::SmallDisk::mount(folder.path()) else {
        eprintln!("LEFT OUT: no small disk can be mounted here, which takes root");
        return;
    };
    let plan = plan.on_a_full_disk();
    let storm = Storm {
        plan,
        data: disk.path().join("data"),
        disk: Some(disk.path().into()),
        clocks: vec![None],
    };
    let is_right = Box::pin(storm.run(folder.path(), None)).await;
    drop(disk);
    if !is_right {
        folder.keep();
    }
    assert!(is_right, "something is wrong; it is listed above");
}
