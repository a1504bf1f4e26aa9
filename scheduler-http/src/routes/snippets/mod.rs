//! What a workspace keeps to write with.

mod delete;
mod list;
mod name;
mod save;
mod schemas;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[&list::ENDPOINT, &save::ENDPOINT, &delete::ENDPOINT];
