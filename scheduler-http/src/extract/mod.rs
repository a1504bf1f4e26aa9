//! Reading requests: their head, key, query and body.

mod body;
mod head;
mod query;

pub(crate) use body::Body;
pub(crate) use head::Head;
pub(crate) use query::Parameters;
