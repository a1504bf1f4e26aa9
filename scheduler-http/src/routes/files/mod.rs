//! Bytes of files, under links that this server has signed. The signature stands in place of a key,
//! and the query is the link's own.

mod link;
mod read;
mod send;

use crate::endpoint::Endpoint;

/// The endpoints, in the order of the interface description.
pub(super) static ENDPOINTS: &[&Endpoint] = &[&read::ENDPOINT, &send::ENDPOINT];
