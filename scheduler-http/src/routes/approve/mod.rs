//! The pages on which clients see posts and decide on them. The secret of their link stands in
//! place of a key.

mod decide;
mod secret;
mod show;

use crate::endpoint::Endpoint;

/// The endpoints, in the order of the interface description.
pub(super) static ENDPOINTS: &[&Endpoint] = &[&show::ENDPOINT, &decide::ENDPOINT];
