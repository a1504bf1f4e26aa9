//! The rules and decisions of a social post scheduler, without any I/O: no runtime, no socket, no
//! file, no system clock, no global randomness.
//!
//! # The map
//!
//! | module | what it decides |
//! |---|---|
//! | [`platform`] | the facts about each network: what it takes, which settings it knows |
//! | [`text`] | how long a text is to each network, what it holds, and which text a network gets |
//! | [`rules`] | whether a post may go out; rules of one's own beside the built-in ones |
//! | [`timing`] | when: five ways to say it, wall-clock time to instant, weekly schedules |
//! | [`post`], [`target`], [`media`] | the values, their states, and what a command makes of them |
//! | [`retry`], [`reading`] | when something is tried again, and when figures are read |
//! | [`key`], [`plan`], [`account`], [`workspace`] | who may do what, and how much of it |
//! | [`webhook`], [`signing`] | the events, and how they are signed and verified |
//! | [`connecting`] | how an account of each network is connected |
//! | [`assistant`] | what a text model is asked, and what is made of its answers |
//! | [`ports`] | what is needed from outside, as traits |
//! | [`app`] | the use cases: one function for each thing that the API offers |
//! | [`engine`] | what happens without a request: publishing, delivering, reading, work on files |
//! | [`memory`] | everything from outside, in memory: for tests and examples |
//!
//! # A whole program
//!
//! ```
//! # use futures_util::FutureExt as _;
//! use std::sync::Arc;
//!
//! use chrono::TimeDelta;
//! use scheduler_core::app::{Scheduler, Settings};
//! use scheduler_core::memory::{ManualClock, MemoryNetwork, test_ports};
//! use scheduler_core::platform::Platform;
//! use scheduler_core::ports::{ConnectInput, Networks};
//! use serde_json::json;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let clock = Arc::new(ManualClock::at("2026-12-01T08:00:00Z".parse()?));
//! let network = Arc::new(MemoryNetwork::new());
//! let mut ports = test_ports(clock.clone());
//! ports.networks = Networks::default().with(Platform::Bluesky, network.clone());
//! let scheduler = Scheduler::new(ports, Settings::default());
//!
//! let first = scheduler.first_start().await?.ok_or("the store is not new")?;
//! let caller = scheduler.authenticate(Some(first.key.value.expose())).await?;
//! let me = ConnectInput::default();
//! scheduler.connect_account(&caller.workspace, Platform::Bluesky, &me).await?;
//!
//! let body = json!({
//!     "content": "Good morning",
//!     "scheduledLocal": "2026-12-01T09:00",
//!     "targets": [{"platform": "bluesky"}],
//! });
//! scheduler.create_post(&caller, serde_json::from_value(body)?, None).await?;
//! clock.advance(TimeDelta::hours(1));
//! scheduler.run_due().await?;
//! assert_eq!(network.texts(), ["Good morning"]);
//! # Ok(())
//! # }
//! # example().now_or_never().unwrap().unwrap();
//! ```
//!
//! The rules alone are one function, [`rules::check`].
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod account;
pub mod app;
pub mod assistant;
pub mod connecting;
pub mod cursor;
pub mod engine;
pub mod error;
pub mod idempotency;
pub mod ids;
pub mod key;
pub mod media;
pub mod memory;
mod object;
pub mod plan;
pub mod platform;
pub mod ports;
pub mod post;
pub mod reading;
pub mod retry;
pub mod rules;
pub mod signing;
pub mod target;
pub mod text;
pub mod timing;
pub mod webhook;
pub mod workspace;

/// The page about embedding, whose code runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/embedding.md")]
pub mod embedding_page {}
