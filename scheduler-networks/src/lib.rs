//! Everything that calls out: the networks, and the receivers of events.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod adapter;
pub mod conversation;
pub mod driver;
pub mod outbound;
