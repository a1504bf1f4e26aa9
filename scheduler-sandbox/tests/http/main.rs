//! The sandbox over real HTTP.

#![expect(clippy::unwrap_used, reason = "a test ends by panicking")]

mod support;

mod bluesky;
mod control;
mod faults;
mod mastodon;
mod threads;
