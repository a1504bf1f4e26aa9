//! The built server from outside: over HTTP, with real databases, against the sandbox networks.
#![expect(clippy::expect_used, clippy::unwrap_used, reason = "tests")]

mod afterwards;
mod assistant;
mod attack;
mod backup;
mod bucket;
mod cap;
mod cards;
mod connecting;
mod conversions;
mod crash;
mod disk;
mod docs;
mod documents;
mod everywhere;
mod faults;
mod files;
mod films;
mod idempotency;
mod importing;
mod links;
mod local_files;
mod monitoring;
mod nodes;
mod publish;
mod receivers;
mod refresh;
mod rotation;
mod sandboxed;
mod starting;
mod support;
mod telling;
mod web;
