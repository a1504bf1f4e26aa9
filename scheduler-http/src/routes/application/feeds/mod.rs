//! Feeds whose items become posts.

mod check;
mod create;
mod list;
mod poll;
mod remove;
mod replace;
mod show;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[
    &list::ENDPOINT,
    &create::ENDPOINT,
    &check::ENDPOINT,
    &show::ENDPOINT,
    &replace::ENDPOINT,
    &remove::ENDPOINT,
    &poll::ENDPOINT,
];
