//! The API over HTTP, and the worker, over a store in memory.
#![expect(clippy::unwrap_used, reason = "in a test, what cannot be had is a failure")]

mod accounts;
mod application;
mod approving;
mod around;
mod connecting;
mod connections;
mod coverage;
mod errors;
#[path = "../exchange/mod.rs"]
mod exchange;
mod files;
mod health;
mod limits;
mod links;
mod locations;
mod measured;
mod media;
mod monitoring;
mod out_of_reach;
mod platforms;
mod posts;
mod program;
mod queue;
mod reference;
mod repeating;
mod server;
mod states;
mod support;
mod targets;
mod visiting;
mod webhooks;
mod worker;
mod workspace;
