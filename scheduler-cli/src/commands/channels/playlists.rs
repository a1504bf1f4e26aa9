//! `scheduler channels playlists` and `scheduler channels create-playlist`

use clap::{Args, ValueEnum};
use scheduler_core::ports::{NewPlaylist, Playlist, PlaylistPrivacy};
use serde::Deserialize;
use serde_json::json;

use super::ChannelArguments;
use crate::client::Call;
use crate::commands::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::{Column, cell};

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
///
/// # Errors
/// [`Failure`] by variant.
pub(super) async fn list(context: &Context, arguments: ChannelArguments) -> Result<Exit, Failure> {
    #[derive(Deserialize)]
    struct Playlists {
        data: Vec<Playlist>,
    }
    let (client, path) = arguments.open(context, "youtube/playlists").await?;
    let answer = context.patiently("asking the network", client.send(Call::get(&path))).await?;
    let playlists: Playlists = answer.read()?;
    let rows = playlists
        .data
        .iter()
        .map(|list| vec![cell(&list.id), cell(word(list.privacy)), cell(&list.title)]);
    let printed = context.printer.result(&answer.body, |printer| {
        let columns = [Column::words("id"), Column::words("privacy"), Column::text("title")];
        printer.columns(&columns, rows, "No playlists.")
    });
    printed.map_err(anyhow::Error::from)?;
    Ok(Exit::Done)
}

/// Makes a playlist.
///
/// # Errors
/// [`Failure`] by variant.
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
    context.print(&answer.body, &line)?;
    Ok(Exit::Done)
}
