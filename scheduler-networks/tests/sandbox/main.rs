//! The adapters as they are built, over HTTP against the sandbox networks.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bluesky;
mod discord;
mod discord_after;
mod engine;
mod faults;
mod files;
mod instagram;
mod linkedin;
mod mastodon;
mod support;
mod telegram;
mod threads;
mod tumblr;
