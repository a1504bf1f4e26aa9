//! Reading requests: their head, key, query and body.

mod body;
mod form;
mod head;
mod json;
mod multipart;
mod query;
mod segment;

pub(crate) use body::{Body, FILE_IDLE_TIMEOUT, Json, Keyed};
pub use form::Form;
pub(crate) use head::{FromTool, Head, IDEMPOTENCY_KEY};
pub(crate) use multipart::{Part, Parts};
pub(crate) use query::Query;
pub(crate) use segment::Segment;
