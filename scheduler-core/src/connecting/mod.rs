//! Connecting accounts in a browser: what is kept between its steps, and what each network asks.
//!
//! A person gets a link with a ticket, follows it, and either gives what the network has given
//! them, or goes to the network's own page and comes back with a code. The accounts that this
//! opens wait, sealed, until the person has picked. Every step needs a [`Pass`] that only the
//! browser of the step before has, so that nobody can be led into the middle of it.

mod pass;
mod pending;
mod text;

pub use pass::{Pass, PassHash};
pub use pending::{Authorizing, ConnectingStage, LIFETIME, PendingConnection, PickOutcome};
pub use text::UnreadableStage;
