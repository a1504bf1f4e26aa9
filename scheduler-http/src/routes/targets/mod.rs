//! Single targets of a post, most of all once they are live.

mod act_on_comment;
mod change_account;
mod edit;
mod list_comments;
mod list_readings;
mod network;
mod read_metrics;
mod show_insights;
mod take_down;

use crate::endpoint::Endpoint;

/// The endpoints, in the order of the interface description.
pub(super) static ENDPOINTS: &[&Endpoint] = &[
    &read_metrics::ENDPOINT,
    &list_readings::ENDPOINT,
    &show_insights::ENDPOINT,
    &list_comments::ENDPOINT,
    &act_on_comment::ENDPOINT,
    &edit::ENDPOINT,
    &take_down::ENDPOINT,
    &change_account::ENDPOINT,
];
