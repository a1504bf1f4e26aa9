//! The adapters as they are built, over HTTP against the sandbox networks.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bluesky;
mod faults;
mod files;
mod mastodon;
mod support;
mod threads;
