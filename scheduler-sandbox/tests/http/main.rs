//! The sandbox over real HTTP.

#![expect(clippy::unwrap_used, reason = "a test ends by panicking")]

mod support;

mod assistant;
mod bluesky;
mod control;
mod discord;
mod facebook;
mod faults;
mod instagram;
mod kept;
mod linkedin;
mod mastodon;
mod pinterest;
mod telegram;
mod threads;
mod tiktok;
mod tumblr;
mod twitter;
mod youtube;
