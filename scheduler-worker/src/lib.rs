//! The worker: does what is due, several pieces at once, and keeps its leases. For every program
//! that embeds `scheduler-core`, with or without a server.
//!
//! - [`Worker`] claims work, runs it lane by lane, renews its leases, keeps panics apart, and
//!   stops gracefully; [`WorkerObserver`] is told how each piece went.
//! - [`Health`] knows whether the store can be written to, and how far its clock is from the
//!   machine's.
//! - [`SystemClock`], [`UuidV7`], [`OsRandom`], [`SystemTasks`] and [`Notifier`] are the ports of a
//!   running process.
#![forbid(unsafe_code)]

mod health;
mod lanes;
mod leases;
mod lines;
mod observer;
mod settings;
mod status;
mod system;
mod tasks;
mod worker;

pub use health::{Health, Trouble};
pub use observer::{Ended, Report, Unobserved, WorkerObserver};
pub use settings::WorkerSettings;
pub use status::WorkerStatus;
pub use system::{Notifier, OsRandom, SystemClock, UuidV7};
pub use tasks::SystemTasks;
pub use worker::Worker;

/// An error and everything behind it, for the log.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        source = inner.source();
    }
    text
}
