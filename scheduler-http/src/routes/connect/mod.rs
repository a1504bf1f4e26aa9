//! The pages on which a person connects accounts. What their browser shows stands in place of a
//! key, and their query is the networks' own.

mod callback;
mod client_document;
mod pick;
mod show;
mod start;
mod visit;

use crate::endpoint::Endpoint;

/// The endpoints, in the order of the interface description.
pub(super) static ENDPOINTS: &[&Endpoint] = &[
    &show::ENDPOINT,
    &start::ENDPOINT,
    &client_document::ENDPOINT,
    &callback::ENDPOINT,
    &pick::SHOW,
    &pick::ENDPOINT,
];
