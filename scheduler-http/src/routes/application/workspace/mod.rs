//! The workspace.

mod change;
mod show;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[&show::ENDPOINT, &change::ENDPOINT];
