//! The networks.

mod list;
mod validate;

use crate::endpoint::Endpoint;

/// The endpoints, in the order of the interface description.
pub(super) static ENDPOINTS: &[&Endpoint] = &[&list::ENDPOINT, &validate::ENDPOINT];
