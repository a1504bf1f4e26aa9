//! The assistant.

mod captions;
mod review;
mod show_review;

use crate::endpoint::Endpoint;

/// The endpoints, in the order of the interface description.
pub(super) static ENDPOINTS: &[&Endpoint] =
    &[&captions::ENDPOINT, &review::ENDPOINT, &show_review::ENDPOINT];
