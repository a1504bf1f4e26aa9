//! Who calls, and who is logged in.

mod end;
mod invite;
mod list;
mod me;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] =
    &[&me::ENDPOINT, &list::ENDPOINT, &invite::ENDPOINT, &end::ENDPOINT];
