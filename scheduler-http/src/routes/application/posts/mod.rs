//! Posts, as far as people name them, and what they take back.

mod changes;
mod show;
mod undo;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[&changes::ENDPOINT, &show::ENDPOINT, &undo::ENDPOINT];
