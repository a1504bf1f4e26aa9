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
//! | [`post`], [`post_target`], [`media`] | the values, their states, and what a command makes of them |
//! | [`retry`], [`reading`] | when something is tried again, and when figures are read |
//! | [`recurrence`] | posts that come again: by a rule, or from a pool that fills free slots |
//! | [`feeds`] | posts of the items of RSS, Atom and JSON feeds |
//! | [`calendar`] | posts as entries of a calendar that others subscribe to |
//! | [`key`], [`plan`], [`account`], [`workspace`] | who may do what, and how much of it |
//! | [`webhook`], [`signing`] | the events, and how they are signed and verified |
//! | [`connecting`] | how an account of each network is connected |
//! | [`openid`] | who is let in by an OpenID provider |
//! | [`oauth`] | what programs are let in with that a person has connected |
//! | [`assistant`] | what a text model is asked, and what is made of its answers |
//! | [`effects`] | what follows from a change, for every store alike |
//! | [`ports`] | what is needed from outside, as traits |
//! | [`app`] | the use cases: one function for each thing that the API offers |
//! | [`engine`] | what happens without a request: publishing, delivering, reading, work on files |
//! | [`rehearsal`] | what would go out when, and what would keep posts back |
//! | [`memory`] | everything from outside, in memory: for tests and examples |
//!
//! # A whole program
//!
//! ```
//! # #[cfg(not(feature = "engine"))]
//! # fn main() {}
//! # #[cfg(feature = "engine")]
//! # fn main() {
//! # use futures_util::FutureExt as _;
//! use std::sync::Arc;
//!
//! use chrono::TimeDelta;
//! use scheduler_core::app::{Scheduler, Settings};
//! use scheduler_core::memory::{ManualClock, MemoryNetwork, test_ports};
//! use scheduler_core::platform::Platform;
//! use scheduler_core::ports::{ConnectInput, Networks};
//! use scheduler_core::post::NewPost;
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
//! let at = "2026-12-01T09:00:00Z".parse()?;
//! let post = NewPost::text("Good morning").to(Platform::Bluesky).at(at);
//! scheduler.create_post(&caller, post.into(), None).await?;
//! clock.advance(TimeDelta::hours(1));
//! scheduler.run_due().await?;
//! assert_eq!(network.texts(), ["Good morning"]);
//! # Ok(())
//! # }
//! # example().now_or_never().unwrap().unwrap();
//! # }
//! ```
//!
//! # The rules alone
//!
//! The rules are one function, [`rules::check`]. Without the default feature `engine` the crate is
//! [`platform`], [`text`], [`rules`], [`timing`] and [`signing`], with [`account`] and [`ids`] as
//! values, and compiles for `wasm32-unknown-unknown`, where an editor can count and check as the
//! server does.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

// The crates whose types stand in the signatures of this one, in the versions that it uses.
#[cfg(feature = "schema")]
pub use schemars;
#[cfg(feature = "engine")]
pub use {async_trait, bytes, secrecy};
pub use {chrono, serde_json, uuid};

pub mod account;
#[cfg(feature = "engine")]
pub mod analytics;
#[cfg(feature = "engine")]
pub mod app;
#[cfg(feature = "engine")]
pub mod assistant;
#[cfg(feature = "engine")]
pub mod audit;
#[cfg(feature = "engine")]
pub mod calendar;
#[cfg(feature = "engine")]
pub mod changes;
#[cfg(feature = "engine")]
pub mod connecting;
#[cfg(feature = "engine")]
pub mod cursor;
#[cfg(feature = "engine")]
pub mod effects;
#[cfg(feature = "engine")]
pub mod engine;
#[cfg(feature = "engine")]
pub mod error;
#[cfg(feature = "engine")]
pub mod feeds;
#[cfg(feature = "engine")]
pub mod idempotency;
pub mod ids;
#[cfg(feature = "engine")]
pub mod inbox;
#[cfg(feature = "engine")]
pub mod json;
#[cfg(feature = "engine")]
pub mod key;
#[cfg(feature = "engine")]
pub mod links;
#[cfg(feature = "engine")]
pub mod media;
#[cfg(not(feature = "engine"))]
pub mod media {
    //! What is known of a file, and what a network needs a picture to be.

    mod facts;
    mod recipe;

    pub use facts::{MediaFacts, MediaKind, VideoCodec};
    pub use recipe::{Decoding, Recipe};
}
#[cfg(feature = "engine")]
pub mod memory;
#[cfg(feature = "engine")]
pub mod notification;
#[cfg(feature = "engine")]
pub mod oauth;
mod object;
#[cfg(feature = "engine")]
pub mod openid;
#[cfg(feature = "engine")]
pub mod passkey;
#[cfg(feature = "engine")]
pub mod plan;
pub mod platform;
#[cfg(feature = "engine")]
pub mod ports;
#[cfg(feature = "engine")]
pub mod post;
#[cfg(feature = "engine")]
pub mod post_target;
#[cfg(feature = "engine")]
pub mod reading;
#[cfg(feature = "engine")]
pub mod recurrence;
#[cfg(feature = "engine")]
mod redacted;
#[cfg(feature = "engine")]
pub mod rehearsal;
#[cfg(feature = "engine")]
pub mod retry;
pub mod rules;
#[cfg(feature = "schema")]
mod schema;
#[cfg(feature = "engine")]
pub mod session;
pub mod signing;
#[cfg(feature = "engine")]
pub mod snippet;
mod spelling;
pub mod text;
pub mod timing;
#[cfg(feature = "engine")]
pub mod webhook;
#[cfg(feature = "engine")]
pub mod workspace;

#[cfg(feature = "engine")]
pub use post_target as target;

/// The page about embedding, whose code runs with the tests.
#[cfg(all(doctest, feature = "engine"))]
#[doc = include_str!("../../docs/embedding.md")]
pub mod embedding_page {}
