//! Posts, as far as people name them, and what they take back.

mod approve;
mod changes;
mod show;
mod undo;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] =
    &[&approve::ENDPOINT, &changes::ENDPOINT, &show::ENDPOINT, &undo::ENDPOINT];
