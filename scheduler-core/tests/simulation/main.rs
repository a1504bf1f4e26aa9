//! The real use cases and engine over an in-memory store, simulated networks and a manual clock,
//! with every fault that we can think of, from a seed.
//!
//! After every run: nothing lost, nothing live twice, one event for each end, only legal moves, no
//! stale holder recorded anything, and nothing went out that its client has not approved. Every
//! file is ready, failed or deleted; a ready one has its bytes, and no others lie there; what went
//! out with a file had it. Readings are taken of what is live and of nothing else, and every
//! account goes on being read.
//!
//! ```text
//! SIMULATION_SEEDS=1000000 cargo test --release -p scheduler-core --test simulation -- --nocapture
//! SIMULATION_FIRST=1000000 SIMULATION_SEEDS=1000000 cargo test --release … # the next million
//! SIMULATION_SEED=1234 cargo test -p scheduler-core --test simulation -- --nocapture
//! ```
#![expect(clippy::expect_used, clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

mod approvals;
mod callers;
mod chance;
mod end;
mod executor;
mod files;
mod network;
mod nodes;
mod readings;
mod receiver;
mod run;
mod store;
mod uploads;
mod world;

use std::time::Instant;

use run::{Bug, Scene};

const SEEDS: u64 = 2_000;

fn seeds() -> Vec<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    match number("SIMULATION_SEED") {
        Some(seed) => vec![seed],
        None => {
            let first = number("SIMULATION_FIRST").unwrap_or(0);
            (first..first + number("SIMULATION_SEEDS").unwrap_or(SEEDS)).collect()
        }
    }
}

/// What all runs of one thread have shown.
#[derive(Default)]
struct Sum {
    published: usize,
    failed: usize,
    files: [usize; 3],
    with_files: usize,
    readings: usize,
    approved: usize,
    simulated_seconds: f64,
}

/// What is usual, files and readings.
const FULL: Scene = Scene { has_readings: true, ..FILES };

/// No readings; the seeds from before there were any.
const FILES: Scene = Scene { has_files: true, ..PLAIN };

/// No files either.
const PLAIN: Scene = Scene { has_files: false, has_readings: false, has_clients: false, bug: None };

fn run_all<'a>(seeds: impl Iterator<Item = &'a u64>, scene: Scene) -> Sum {
    let mut sum = Sum::default();
    for seed in seeds {
        let report = run::run(*seed, scene);
        assert!(
            report.violations.is_empty(),
            "seed {seed} breaks promises (replay: SIMULATION_SEED={seed}):\n{}",
            report.violations.join("\n")
        );
        sum.published += report.published;
        sum.failed += report.failed;
        sum.with_files += report.with_files;
        sum.readings += report.readings;
        sum.approved += report.approved;
        for (sum, count) in sum.files.iter_mut().zip(report.files) {
            *sum += count;
        }
        sum.simulated_seconds += report.simulated.as_seconds_f64();
    }
    sum
}

#[test]
fn no_seed_breaks_a_promise() {
    let begun = Instant::now();
    let seeds = seeds();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let sums: Vec<Sum> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..threads)
            .map(|first| {
                let share = seeds.iter().skip(first).step_by(threads);
                scope.spawn(move || run_all(share, FULL))
            })
            .collect();
        runs.into_iter()
            .map(|run| run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    let published: usize = sums.iter().map(|sum| sum.published).sum();
    let failed: usize = sums.iter().map(|sum| sum.failed).sum();
    let simulated: f64 = sums.iter().map(|sum| sum.simulated_seconds).sum();
    let sum_of = |at: usize| sums.iter().map(|sum| sum.files[at]).sum::<usize>();
    let files = [sum_of(0), sum_of(1), sum_of(2)];
    let with_files: usize = sums.iter().map(|sum| sum.with_files).sum();
    println!(
        "{} seeds on {threads} threads: {published} targets published, {failed} failed, {:.0} x real time",
        seeds.len(),
        simulated / begun.elapsed().as_secs_f64()
    );
    println!("{with_files} targets with files; files ready, failed and deleted: {files:?}");
    let readings: usize = sums.iter().map(|sum| sum.readings).sum();
    println!("{readings} readings");
    let has_posts = published > 0 && failed > 0 && readings > 0;
    let has_all = has_posts && with_files > 0 && !files.contains(&0);
    assert!(has_all || seeds.len() < 100, "the runs exercise every end");
}

/// Clients approve and refuse posts, links are made, replaced and withdrawn, and posts change under
/// the eyes of their clients, at every moment of a publish.
#[test]
fn nothing_goes_out_against_its_client() {
    let seeds = seeds();
    let share = seeds.iter().take(400);
    let sum = run_all(share, Scene { has_clients: true, ..PLAIN });
    println!("{} targets published, {} of them approved", sum.published, sum.approved);
    assert!(sum.approved > 0 || seeds.len() < 100, "clients approve");
}

/// Beyond the seeds of every run: a slow call that landed after another holder had looked and was
/// refused for good.
#[test]
fn seeds_that_once_broke_a_promise() {
    run_all([2_978, 10_903].iter(), PLAIN);
}

/// The same with files: an upload that landed long after its link had ended, and after the bytes
/// of its file had been removed.
#[test]
fn seeds_with_files_that_once_broke_a_promise() {
    run_all([8_936].iter(), FILES);
}

#[test]
fn a_seed_replays() {
    for seed in [1, 2, 3] {
        let (first, second) = (run::run(seed, FULL), run::run(seed, FULL));
        assert_eq!(
            (first.published, first.failed, first.files, first.simulated),
            (second.published, second.failed, second.files, second.simulated)
        );
    }
}

/// Each bug that this suite is there to find, planted.
#[test]
fn planted_bugs_are_found() {
    for (bug, sign) in [
        (Bug::SkipsTheLook, "is live twice"),
        (Bug::ExcludesOwnPosts, "is live twice"),
        (Bug::CallsHaveNoLength, "is live twice"),
        (Bug::PartIsFailure, "is live twice"),
        (Bug::NodesGoByTheWall, "was run early"),
    ] {
        let found = (0..400).find(|seed| {
            let report = run::run(*seed, Scene { bug: Some(bug), ..PLAIN });
            report.violations.iter().any(|violation| violation.contains(sign))
        });
        println!("{bug:?}: found by seed {found:?}");
        assert!(found.is_some(), "400 seeds with {bug:?} showed nothing");
    }
}
