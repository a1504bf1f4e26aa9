//! The tools of the scheduler for clients of the Model Context Protocol.
//!
//! [`endpoints`] are what a server is given: `POST /mcp`, in the revisions with a handshake and in
//! those without, from one handler. A client that starts a program on its own machine comes there
//! as well, through `scheduler mcp`. [`mount`] is how any handler of the protocol is reached over HTTP; the
//! conformance suite calls its own tools through it (`examples/conformance`).
//!
//! Nothing here decides anything about posts: a tool asks the API through `Api`, with the key of
//! its caller, so that scopes, limits, idempotency, rules and errors are those of the API. What is
//! added is what a program that acts for a person needs: a plan of what was shown
//! (`plan`), and the person's confirmation before something goes out (`confirm`).
//!
//! # Adding a tool
//! A `Definition` (`tool`) in a file of `tools`, and its line in `catalogue`. Its schemas are made
//! from the types of the API (`schema`).
#![forbid(unsafe_code)]

mod api;
mod arguments;
mod catalogue;
mod check;
mod client;
mod confirm;
mod failure;
mod http_endpoint;
mod memory;
pub mod mount;
mod plan;
mod prompts;
mod resources;
mod schema;
mod server;
mod shown;
#[cfg(test)]
mod tests;
mod tool;
mod tools;
mod work;

pub use catalogue::{Listed, listed};
pub use http_endpoint::endpoints;
