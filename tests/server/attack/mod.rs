//! Whoever takes more than their share of the built server: with the smallest key, or with none.
//!
//! Each file has the attack of one row of the table in `docs/security.md`. Memory and bytes are
//! asserted. Times are reported, and asserted where `SCHEDULER_ATTACK=long` says that the machine
//! is quiet; the attacks then have the sizes of the table, on both databases, beside a hundred
//! workspaces. `scripts/attack.sh` runs them so and prints the table.

mod bodies;
mod budgets;
mod connections;
mod fairness;
mod heavy_lists;
mod history;
mod lists;
mod row;
mod shares;
mod uploads;
mod webhooks;

use std::time::{Duration, Instant};

use row::{Memory, Row};

use crate::support::{Backend, Setup, backends};

const MIB: u64 = 1 << 20;

/// Workspaces of a server in the long form.
const WORKSPACES: usize = 100;

/// Whether the attacks have the sizes of the table.
fn is_long() -> bool {
    std::env::var("SCHEDULER_ATTACK").is_ok_and(|form| form == "long")
}

/// The size of an attack in the form that runs.
fn sized<T>(short: T, long: T) -> T {
    if is_long() { long } else { short }
}

/// The databases of an attack that has nothing to do with them: in the short form, SQLite alone.
async fn any_backends() -> Vec<Backend> {
    if is_long() { backends().await } else { vec![Backend::Sqlite] }
}

/// In the long form, makes as many workspaces as the table has beside these. Commands that speak
/// of the only workspace come before.
fn crowd(setup: &Setup, beside: usize) {
    for number in beside..sized(beside, WORKSPACES) {
        setup.run(&["workspace", "create", &format!("another {number}")]);
    }
}

/// How long the longest of these requests of somebody else takes.
async fn longest<F: Future<Output = ()>>(count: usize, mut request: impl FnMut() -> F) -> Duration {
    let mut longest = Duration::ZERO;
    for _ in 0..count {
        let begun = Instant::now();
        request().await;
        longest = longest.max(begun.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    longest
}
