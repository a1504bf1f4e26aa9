//! Webhook subscriptions.

mod create;
mod delete;
mod list;
mod schemas;
mod test;

use crate::endpoint::Endpoint;

/// The endpoints, in the order of the interface description.
pub(super) static ENDPOINTS: &[&Endpoint] =
    &[&list::ENDPOINT, &create::ENDPOINT, &delete::ENDPOINT, &test::ENDPOINT];
