//! What became of events.

mod list;
mod redeliver;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[&list::ENDPOINT, &redeliver::ENDPOINT];
