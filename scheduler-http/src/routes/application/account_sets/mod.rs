//! Accounts that a workspace picks together.

mod change;
mod create;
mod list;
mod remove;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] =
    &[&list::ENDPOINT, &create::ENDPOINT, &change::ENDPOINT, &remove::ENDPOINT];
