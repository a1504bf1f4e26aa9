//! The application: what sessions of people open, and no key does.

mod account_sets;
mod accounts;
mod approvals;
mod calendar_feed;
mod deliveries;
mod doctor;
mod document;
mod examples;
mod feeds;
mod grants;
mod inbox;
mod keys;
mod links;
mod log;
mod login;
mod media;
mod notifiers;
mod posts;
mod queue;
mod recurring;
mod rehearsal;
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
        account_sets::ENDPOINTS,
        posts::ENDPOINTS,
        media::ENDPOINTS,
        queue::ENDPOINTS,
        recurring::ENDPOINTS,
        rehearsal::ENDPOINTS,
        approvals::ENDPOINTS,
        inbox::ENDPOINTS,
        keys::ENDPOINTS,
        grants::ENDPOINTS,
        deliveries::ENDPOINTS,
        notifiers::ENDPOINTS,
        calendar_feed::ENDPOINTS,
        feeds::ENDPOINTS,
        links::ENDPOINTS,
        log::ENDPOINTS,
        doctor::ENDPOINTS,
    ]
    .into_iter()
    .flatten()
    .copied()
    .chain([&document::ENDPOINT])
}
