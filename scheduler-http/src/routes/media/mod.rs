//! Files: declared, uploaded, seen, deleted.

mod complete;
mod create;
mod delete;
mod list;
mod posts;
mod show;
mod thumb;
mod update;
mod uploaded;
mod versions;

use crate::endpoint::Endpoint;

/// The endpoints, in the order of the interface description.
pub(super) static ENDPOINTS: &[&Endpoint] = &[
    &list::ENDPOINT,
    &create::ENDPOINT,
    &show::ENDPOINT,
    &delete::ENDPOINT,
    &uploaded::ENDPOINT,
    &complete::ENDPOINT,
    &thumb::ENDPOINT,
    &posts::ENDPOINT,
    &update::ENDPOINT,
    &versions::ENDPOINT,
];
