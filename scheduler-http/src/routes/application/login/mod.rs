//! How a program gets a session.

mod claim;
mod confirm;
mod request;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] =
    &[&request::ENDPOINT, &claim::ENDPOINT, &confirm::ENDPOINT];
