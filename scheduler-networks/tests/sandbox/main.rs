//! The adapters as they are built, over HTTP against the sandbox networks.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bluesky;
mod bluesky_after;
mod bluesky_page;
mod discord;
mod discord_after;
mod engine;
mod facebook;
mod faults;
mod fediverse;
mod files;
mod further;
mod instagram;
mod linkedin;
mod mastodon;
mod mastodon_after;
mod pinterest;
mod quoted;
mod served;
mod set_up_pages;
mod support;
mod telegram;
mod threads;
mod tiktok;
mod tumblr;
mod twitter;
mod youtube;
