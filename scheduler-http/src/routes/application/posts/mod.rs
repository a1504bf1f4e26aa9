//! Posts, as far as people name them.

mod show;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[&show::ENDPOINT];
