//! Reading requests: their head, key, query and body.

mod body;
mod form;
mod head;
mod query;

pub(crate) use body::Body;
pub(crate) use form::Form;
pub(crate) use head::Head;
pub(crate) use query::Parameters;
