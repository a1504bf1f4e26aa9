//! API keys.

mod create;
mod list;
mod revoke;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] =
    &[&list::ENDPOINT, &create::ENDPOINT, &revoke::ENDPOINT];
