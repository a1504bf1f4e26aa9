//! The audit log.

mod list;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[&list::ENDPOINT];
