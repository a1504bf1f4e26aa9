//! The built server from outside: over HTTP, with real databases, against the sandbox networks.
#![expect(clippy::expect_used, clippy::unwrap_used, reason = "tests")]

mod afterwards;
mod assistant;
mod bucket;
mod connecting;
mod crash;
mod everywhere;
mod faults;
mod files;
mod idempotency;
mod links;
mod monitoring;
mod nodes;
mod publish;
mod readme;
mod refresh;
mod support;
