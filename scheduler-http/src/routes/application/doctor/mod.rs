//! What a server needs, and whether it has it.

mod show;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[&show::ENDPOINT];
