//! The description of the API, for programs and for people; made once, for whoever asks first. It
//! is no part of what it describes.

mod openapi;
mod page;

use crate::endpoint::Endpoint;

/// The endpoints, in the order of the interface description.
pub(super) static ENDPOINTS: &[&Endpoint] = &[&openapi::ENDPOINT, &page::ENDPOINT];
