//! Everything that calls out: to the networks, to receivers of events, and for files.
//!
//! - [`conversation`]: what is said to a network, as values; each network's folder implements it
//!   without I/O and without a clock.
//! - [`driver`]: the only place that sends to networks, and that knows whether a request left. It
//!   streams the files that a request names from where they are kept ([`StoredFiles`]).
//! - [`adapter`]: both together, as the core's port of a network.
//! - [`outbound`]: the address guard, the sender of events, and the fetcher of files.
//! - [`registry`]: every network that is built in.
//! - [`sandbox`]: the same on imitations of the networks.
//! - [`assistant`]: the text model that the operator has chosen.
//! - [`html`]: the text of HTML.
//! - [`openid`]: the provider that lets people in.
//!
//! # Adding a network
//!
//! A folder with `progress` (what is stored of a publish), `publish` (steps and the look after a
//! lost answer), `connect` (its code flow of OAuth as data, where it has one), `wire` (its own
//! names, with recorded answers in `fixtures`) and `errors` (a table of every documented error),
//! and its line in [`registry`]. Its `mod` names the types of what is stored, of a publish and of
//! an account; `conversation::protocol` reads and writes them. `crash` then breaks its publish at
//! every request, in every way and in pairs, and demands that each part is live once. The feature
//! `testing` makes it public, for networks of one's own.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod adapter;
mod adapter_after;
pub mod assistant;
pub mod bluesky;
mod candidates;
mod code_flow;
pub mod conversation;
#[cfg(feature = "testing")]
pub mod crash;
pub mod discord;
mod document_name;
pub mod driver;
mod embedded_files;
mod endpoint;
pub mod facebook;
mod graph;
mod handed_over;
pub mod html;
mod image_document;
pub mod instagram;
mod likeness;
pub mod linkedin;
pub mod mail;
pub mod mastodon;
mod nonces;
mod oauth_tokens;
pub mod openid;
pub mod outbound;
pub mod pinterest;
mod poll_schedule;
mod proof;
mod quotations;
mod redacted;
mod refusals;
pub mod registry;
mod request_body;
pub mod sandbox;
mod settings;
mod stored_files;
pub mod telegram;
pub mod threads;
pub mod tiktok;
pub mod tumblr;
pub mod twitter;
mod unanswered;
pub mod youtube;

pub use proof::{ClientAssertion, Proof, ProofKey, Signing};
pub use stored_files::StoredFiles;

#[cfg(test)]
mod testing;
