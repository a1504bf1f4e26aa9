//! Who calls, and who is logged in.

mod end;
mod list;
mod me;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[&me::ENDPOINT, &list::ENDPOINT, &end::ENDPOINT];
