//! Files, as people give them.

mod invite;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[&invite::ENDPOINT];
