//! Connected accounts.

pub(super) mod audience;
pub(super) mod create_playlist;
pub(super) mod list;
pub(super) mod list_boards;
pub(super) mod list_mentions;
pub(super) mod list_playlists;
pub(super) mod show_creator;
