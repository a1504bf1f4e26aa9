//! The application: what sessions of people open, and no key does.

mod accounts;
mod approvals;
mod deliveries;
mod doctor;
mod document;
mod examples;
mod inbox;
mod keys;
mod log;
mod login;
mod notifiers;
mod posts;
mod queue;
mod sessions;
mod workspace;

use crate::endpoint::Endpoint;

/// The endpoints, by their resources.
pub(super) fn endpoints() -> impl Iterator<Item = &'static Endpoint> {
    [
        login::ENDPOINTS,
        sessions::ENDPOINTS,
        workspace::ENDPOINTS,
        accounts::ENDPOINTS,
        posts::ENDPOINTS,
        queue::ENDPOINTS,
        approvals::ENDPOINTS,
        inbox::ENDPOINTS,
        keys::ENDPOINTS,
        deliveries::ENDPOINTS,
        notifiers::ENDPOINTS,
        log::ENDPOINTS,
        doctor::ENDPOINTS,
    ]
    .into_iter()
    .flatten()
    .copied()
    .chain([&document::ENDPOINT])
}
