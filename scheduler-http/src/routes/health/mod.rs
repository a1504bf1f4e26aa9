//! Whether the process lives and can work, and how it does; outside the API.

mod live;
mod metrics;
mod ready;

use crate::endpoint::Endpoint;

/// The endpoints, in the order of the interface description.
pub(super) static ENDPOINTS: &[&Endpoint] =
    &[&live::ENDPOINT, &ready::ENDPOINT, &metrics::ENDPOINT];
