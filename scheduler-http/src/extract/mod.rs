//! Reading requests: their head, key, query and body.

mod body;
mod form;
mod head;
mod json;
mod query;
mod segment;

pub(crate) use body::{Body, Json, Keyed};
pub use form::Form;
pub(crate) use head::{Head, IDEMPOTENCY_KEY};
pub(crate) use query::Query;
pub(crate) use segment::Segment;
