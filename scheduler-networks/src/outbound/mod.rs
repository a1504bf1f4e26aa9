//! Calls to addresses that somebody else chose: which may be called at all, and the sender of
//! events.
//!
//! The networks' own calls go through [`driver`](crate::driver), which uses the same guard.

mod address;
mod client;
mod guard;
mod sender;

pub use address::is_public;
pub use client::ClientError;
pub(crate) use client::{Limits, build, reason, refusal};
pub use guard::{Guard, Refusal};
pub use sender::WebhookSender;
