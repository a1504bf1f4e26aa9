//! Everything that calls out: the networks, and the receivers of events.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod adapter;
pub mod bluesky;
pub mod conversation;
pub mod driver;
mod endpoint;
pub mod mastodon;
pub mod outbound;
pub mod registry;

#[cfg(test)]
mod testing;
