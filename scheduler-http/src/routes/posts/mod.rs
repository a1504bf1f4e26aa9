//! Posts.

mod create;
mod delete;
mod list;
pub(super) mod page;
mod refresh_metrics;
mod retry;
mod show;
mod update;

use crate::endpoint::Endpoint;

/// The endpoints, in the order of the interface description.
pub(super) static ENDPOINTS: &[&Endpoint] = &[
    &list::ENDPOINT,
    &create::ENDPOINT,
    &refresh_metrics::ENDPOINT,
    &show::ENDPOINT,
    &update::ENDPOINT,
    &delete::ENDPOINT,
    &retry::ENDPOINT,
];
