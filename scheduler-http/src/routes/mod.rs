//! The endpoints: one file each, the folder its resource.

mod accounts;
mod ai;
mod application;
mod calendar;
mod client_document;
mod files;
mod health;
mod media;
mod oauth;
mod openapi;
mod platforms;
mod posts;
mod prelude;
mod snippets;
mod targets;
mod webhooks;

use crate::endpoint::{Endpoint, Surface};

/// Every endpoint: those of the API in the order of the interface description, those outside of it,
/// and those of the application.
pub fn all() -> impl Iterator<Item = &'static Endpoint> {
    [
        platforms::ENDPOINTS,
        posts::ENDPOINTS,
        targets::ENDPOINTS,
        media::ENDPOINTS,
        snippets::ENDPOINTS,
        accounts::ENDPOINTS,
        ai::ENDPOINTS,
        webhooks::ENDPOINTS,
        health::ENDPOINTS,
        files::ENDPOINTS,
        oauth::ENDPOINTS,
        calendar::ENDPOINTS,
    ]
    .into_iter()
    .flatten()
    .copied()
    .chain([&client_document::ENDPOINT, &openapi::ENDPOINT])
    .chain(application::endpoints())
}

/// Those of the API of keys.
pub fn api() -> impl Iterator<Item = &'static Endpoint> {
    all().filter(|endpoint| endpoint.surface() == Some(Surface::Api))
}

/// Those of the application.
pub fn application() -> impl Iterator<Item = &'static Endpoint> {
    all().filter(|endpoint| endpoint.surface() == Some(Surface::Application))
}

/// Those of the bytes of files, under signed links.
pub(crate) fn files() -> impl Iterator<Item = &'static Endpoint> {
    files::ENDPOINTS.iter().copied()
}

/// What a server answers that is there to be monitored alone.
pub fn monitoring() -> impl Iterator<Item = &'static Endpoint> {
    health::ENDPOINTS.iter().copied()
}
