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

use chrono::TimeDelta;

const SEEDS: u64 = 2_000;

fn seeds() -> Vec<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    match number("SIMULATION_SEED") {
        Some(seed) => vec![seed],
        None => (0..number("SIMULATION_SEEDS").unwrap_or(SEEDS)).collect(),
    }
}

#[test]
fn no_seed_breaks_a_promise() {
    let begun = Instant::now();
    let (mut published, mut failed, mut simulated) = (0, 0, TimeDelta::zero());
    let seeds = seeds();
    for seed in &seeds {
        let report = run::run(*seed, false);
        assert!(
            report.violations.is_empty(),
            "seed {seed} breaks promises (replay: SIMULATION_SEED={seed}):\n{}",
            report.violations.join("\n")
        );
        published += report.published;
        failed += report.failed;
        simulated += report.simulated;
    }
    let ratio = simulated.as_seconds_f64() / begun.elapsed().as_secs_f64();
    println!(
        "{} seeds: {published} targets published, {failed} failed, {:.0} x real time",
        seeds.len(),
        ratio
    );
    assert!(published > 0 && failed > 0 || seeds.len() < 100, "the runs exercise both ends");
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
