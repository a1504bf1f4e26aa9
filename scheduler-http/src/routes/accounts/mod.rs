//! Connected accounts.

mod audience;
mod create_playlist;
mod list;
mod list_boards;
mod list_mentions;
mod list_playlists;
mod network;
mod show_creator;

use crate::endpoint::Endpoint;

/// The endpoints, in the order of the interface description.
pub(super) static ENDPOINTS: &[&Endpoint] = &[
    &list::ENDPOINT,
    &audience::ENDPOINT,
    &list_boards::ENDPOINT,
    &list_playlists::ENDPOINT,
    &create_playlist::ENDPOINT,
    &show_creator::ENDPOINT,
    &list_mentions::ENDPOINT,
];
