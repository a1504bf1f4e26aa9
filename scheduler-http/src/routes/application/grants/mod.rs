//! Programs that people have connected by OAuth.

mod list;
mod remove;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[&list::ENDPOINT, &remove::ENDPOINT];
