//! The real use cases and engine over an in-memory store, simulated networks and a manual clock,
//! with every fault that we can think of, from a seed.
//!
//! After every run: nothing lost, nothing live twice, one event for each end, only legal moves,
//! and no stale holder recorded anything.
//!
//! ```text
//! SIMULATION_SEEDS=1000000 cargo test --release -p scheduler-core --test simulation -- --nocapture
//! SIMULATION_SEED=1234 cargo test -p scheduler-core --test simulation -- --nocapture
//! ```
#![expect(clippy::expect_used, clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

mod chance;
mod executor;
mod network;
mod receiver;
mod run;
mod store;
mod world;

use std::time::Instant;

const SEEDS: u64 = 2_000;

fn seeds() -> Vec<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    match number("SIMULATION_SEED") {
        Some(seed) => vec![seed],
        None => (0..number("SIMULATION_SEEDS").unwrap_or(SEEDS)).collect(),
    }
}

/// What all runs of one thread have shown.
#[derive(Default)]
struct Sum {
    published: usize,
    failed: usize,
    simulated_seconds: f64,
}

fn run_all<'a>(seeds: impl Iterator<Item = &'a u64>) -> Sum {
    let mut sum = Sum::default();
    for seed in seeds {
        let report = run::run(*seed, false);
        assert!(
            report.violations.is_empty(),
            "seed {seed} breaks promises (replay: SIMULATION_SEED={seed}):\n{}",
            report.violations.join("\n")
        );
        sum.published += report.published;
        sum.failed += report.failed;
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
                scope.spawn(move || run_all(share))
            })
            .collect();
        runs.into_iter()
            .map(|run| run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    let published: usize = sums.iter().map(|sum| sum.published).sum();
    let failed: usize = sums.iter().map(|sum| sum.failed).sum();
    let simulated: f64 = sums.iter().map(|sum| sum.simulated_seconds).sum();
    println!(
        "{} seeds on {threads} threads: {published} targets published, {failed} failed, {:.0} x real time",
        seeds.len(),
        simulated / begun.elapsed().as_secs_f64()
    );
    assert!(published > 0 && failed > 0 || seeds.len() < 100, "the runs exercise both ends");
}

/// Beyond the seeds of every run: a slow call that landed after another holder had looked and was
/// refused for good.
#[test]
fn seeds_that_once_broke_a_promise() {
    run_all([2_978, 10_903].iter());
}

#[test]
fn a_seed_replays() {
    for seed in [1, 2, 3] {
        let (first, second) = (run::run(seed, false), run::run(seed, false));
        assert_eq!(
            (first.published, first.failed, first.simulated),
            (second.published, second.failed, second.simulated)
        );
    }
}

#[test]
fn sending_again_without_a_look_is_found() {
    let found = (0..200).any(|seed| {
        let report = run::run(seed, true);
        report.violations.iter().any(|violation| violation.contains("is live twice"))
    });
    assert!(found, "200 seeds with the look-up taken away showed nothing twice");
}
