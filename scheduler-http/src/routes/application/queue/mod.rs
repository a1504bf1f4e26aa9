//! The slots to come.

mod list;
mod move_slot;
mod order;
mod swap;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] =
    &[&list::ENDPOINT, &move_slot::ENDPOINT, &swap::ENDPOINT, &order::ENDPOINT];
