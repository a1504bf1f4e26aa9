//! `scheduler channels`: what a server, and through it the networks, tell of the connected
//! accounts.
//!
//! `scheduler accounts` connects and changes accounts, and works on the database. These commands
//! need no more than a server's address and a key.

mod audience;
mod boards;
mod channel;
mod creator;
mod list;
mod mentions;
mod playlists;

use clap::Subcommand;

use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// What to ask of the connected accounts.
#[derive(Debug, Subcommand)]
pub(crate) enum ChannelsCommand {
    /// List the accounts that posts can go to
    #[command(after_help = list::EXAMPLE)]
    List(ClientOptions),
    /// Show how many follow each account, and how that has changed
    #[command(after_help = audience::EXAMPLES)]
    Audience(audience::AudienceArguments),
    /// List the boards of a Pinterest account; `--option pinterest.boardId=ID` posts to one
    #[command(after_help = boards::EXAMPLE)]
    Boards(channel::ChannelArguments),
    /// List the playlists of a YouTube channel; `--option youtube.playlistId=ID` adds a video to
    /// one
    #[command(after_help = playlists::LIST_EXAMPLE)]
    Playlists(channel::ChannelArguments),
    /// Make a playlist of a YouTube channel, unless it has one of that title
    #[command(after_help = playlists::CREATE_EXAMPLE)]
    CreatePlaylist(playlists::CreateArguments),
    /// Show what TikTok allows an account now, such as the values of `tiktok.privacy`
    #[command(after_help = creator::EXAMPLE)]
    Creator(channel::ChannelArguments),
    /// Look up names that a post can mention
    #[command(after_help = mentions::EXAMPLE)]
    Mentions(mentions::MentionsArguments),
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: ChannelsCommand) -> Result<Exit, Failure> {
    match command {
        ChannelsCommand::List(arguments) => list::run(&context, arguments).await,
        ChannelsCommand::Audience(arguments) => audience::run(&context, arguments).await,
        ChannelsCommand::Boards(arguments) => boards::run(&context, arguments).await,
        ChannelsCommand::Playlists(arguments) => playlists::list(&context, arguments).await,
        ChannelsCommand::CreatePlaylist(arguments) => playlists::create(&context, arguments).await,
        ChannelsCommand::Creator(arguments) => creator::run(&context, arguments).await,
        ChannelsCommand::Mentions(arguments) => mentions::run(&context, arguments).await,
    }
}
