//! What a workspace wants of the links of its posts, and its short links.

mod list;
mod set;
mod show;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[&list::ENDPOINT, &show::ENDPOINT, &set::ENDPOINT];
