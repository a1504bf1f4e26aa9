//! Imitations of the networks, to run and to test the real adapters without an account.
//!
//! A [`Sandbox`] is one HTTP server. Each network answers below a path of its own, so an adapter
//! needs nothing but another base URL: `http://127.0.0.1:PORT/bluesky`, then
//! `/xrpc/com.atproto.repo.putRecord` as at the real one. Paths, bodies, statuses, error bodies,
//! sizes, processing and duplicate rules are those of the networks; rate limits and daily quotas
//! only with [`Options::quotas`]. Everything is kept in memory and ends with the process, unless
//! [`Options::folder`] names a place for it.
//!
//! # Control
//!
//! JSON over HTTP on the same address:
//!
//! | call | what it does |
//! |---|---|
//! | `POST /_sandbox/accounts` | `{platform, name?}` makes an account and answers all that is needed to connect it |
//! | `GET /_sandbox/posts?platform=` | `{"data":[…]}`: what was posted, oldest first; posts taken down again carry `deleted: true`, `?deleted=false` leaves them out |
//! | `POST /_sandbox/faults` | `{platform, operation, containing?, kind, skip?, times?, afterMs?, retryAfterSeconds?}` arms a fault, which lets `skip` requests pass and hits `times`; with `containing`, only those whose body holds that text |
//! | `GET /_sandbox/faults` | `{data: [{platform, operation, kind, skip, times}]}`, the faults that are armed, with what is left of them |
//! | `DELETE /_sandbox/faults` | disarms all |
//! | `POST /_sandbox/reset` | forgets posts, files, faults, requests and bytes received; accounts and tokens stay unless the body is `{"accounts":true}` |
//! | `POST /_sandbox/clock` | `{advanceMilliseconds}` moves the clock of all networks ahead, so that nobody waits for processing |
//! | `GET /_sandbox/requests?platform=` | `{"data":[…]}`: the last 10 000 requests, oldest first, without tokens |
//! | `GET /_sandbox/received` | `{"data":{"linkedin":…}}`: bytes of bodies that have come for each network, those of broken requests too |
//!
//! `POST /assistant/says` chooses what the imitated text model answers next; see its folder.
//!
//! # Adding a network
//!
//! A folder with an implementation of `network::Network`, and its line in `registry.rs`. Nothing
//! else knows the networks by name.
//!
//! # What is not here
//!
//! Nothing of the scheduler: this crate depends on none of the others and is written from the
//! networks' documentation alone, so that a mistake in an adapter is not repeated here.

#![forbid(unsafe_code)]

mod answer;
mod arrival;
mod arrived;
mod body;
mod consent;
mod control;
mod dispatch;
mod faults;
mod fetch;
mod journal;
mod json_files;
mod log;
mod multipart;
mod network;
mod options;
mod outside;

mod page;
mod params;
mod picture;
mod quota;
mod redact;
mod registry;
mod request;
mod server;
mod state;
mod step;
mod written;

mod assistant;
mod bluesky;
mod discord;
mod facebook;
mod instagram;
mod linkedin;
mod mastodon;
mod pinterest;
mod telegram;
mod threads;
mod tiktok;
mod tumblr;
mod twitter;
mod youtube;

pub use options::{Answered, Options, Watcher};
pub use server::{Sandbox, StartError};
