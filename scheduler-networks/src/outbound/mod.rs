//! Calls to addresses that somebody else chose: which may be called at all, the sender of events, the
//! fetcher of files and the reader of what programs say of themselves.
//!
//! The networks' own calls go through [`driver`](crate::driver), which uses the same guard.

mod address;
mod client;
mod documents;
mod fetch;
mod guard;
mod names;
#[cfg(test)]
mod refused;
mod sender;

pub use address::is_public;
pub use client::ClientError;
pub(crate) use client::{Limits, build, cause, reason, refusal};
pub use documents::DocumentReader;
pub use fetch::MediaFetcher;
pub use guard::{Guard, Refusal};
pub use sender::WebhookSender;
