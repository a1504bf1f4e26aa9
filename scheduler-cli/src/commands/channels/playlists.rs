//! `scheduler channels playlists` and `scheduler channels create-playlist`

use clap::{Args, ValueEnum};
use scheduler_core::ports::{NewPlaylist, Playlist, PlaylistPrivacy};
use serde_json::json;

use super::channel::ChannelArguments;
use crate::client::Call;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::{Column, Shows, cell};

/// What the help of `playlists` shows last.
pub(super) const LIST_EXAMPLE: &str = "Example:\n  scheduler channels playlists youtube";

/// What the help of `create-playlist` shows last.
pub(super) const CREATE_EXAMPLE: &str =
    "Example:\n  scheduler channels create-playlist youtube \"Harbours\" --privacy unlisted";

/// A new playlist.
#[derive(Args, Debug)]
pub(crate) struct CreateArguments {
    #[command(flatten)]
    channel: ChannelArguments,
    /// Its title
    title: String,
    /// Who sees it
    #[arg(long, default_value = "public")]
    privacy: Privacy,
}

/// Who sees a playlist.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Privacy {
    /// Everybody
    Public,
    /// Whoever has the link
    Unlisted,
    /// Its owner
    Private,
}

impl From<Privacy> for PlaylistPrivacy {
    fn from(privacy: Privacy) -> Self {
        match privacy {
            Privacy::Public => Self::Public,
            Privacy::Unlisted => Self::Unlisted,
            Privacy::Private => Self::Private,
        }
    }
}

const fn word(privacy: PlaylistPrivacy) -> &'static str {
    match privacy {
        PlaylistPrivacy::Public => "public",
        PlaylistPrivacy::Unlisted => "unlisted",
        PlaylistPrivacy::Private => "private",
    }
}

/// Lists the playlists of a channel.
pub(super) async fn list(context: &Context, arguments: ChannelArguments) -> Result<Exit, Failure> {
    let answer = arguments.ask(context, "youtube/playlists").await?;
    let columns: [Shows<Playlist>; 3] = [
        (Column::words("id"), |list| cell(&list.id)),
        (Column::words("privacy"), |list| cell(word(list.privacy))),
        (Column::text("title"), |list| cell(&list.title)),
    ];
    context.list(&answer.body, &answer.data()?, &columns, "No playlists.")
}

/// Makes a playlist.
pub(super) async fn create(context: &Context, arguments: CreateArguments) -> Result<Exit, Failure> {
    let (client, path) = arguments.channel.open(context, "youtube/playlists").await?;
    let privacy = PlaylistPrivacy::from(arguments.privacy);
    let body = json!({"title": arguments.title, "privacy": privacy});
    let answer = client.send(Call::post(&path, &body)).await?;
    let NewPlaylist { playlist, duplicate } = answer.read()?;
    let (id, privacy) = (&playlist.id, word(playlist.privacy));
    let line = if duplicate {
        format!("{id}  {privacy}  (was there already)")
    } else {
        format!("{id}  {privacy}")
    };
    context.done(&answer.body, &line)
}
