//! The networks.

pub(super) mod list;
pub(super) mod validate;
