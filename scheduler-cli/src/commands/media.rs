//! `scheduler media`: uploads, lists, shows and deletes files.

mod delete;
mod list;
mod show;
mod upload;

use clap::{Args, Subcommand};
use scheduler_core::ids::MediaId;
use scheduler_core::media::{MediaStatus, MediaView};

use super::Context;
use crate::config::ClientOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names;
use crate::printer::Tone;

pub(crate) use upload::kind_of;

/// What to do with files.
#[derive(Debug, Subcommand)]
pub(crate) enum MediaCommand {
    /// Upload pictures and videos, and wait until they can be used in a post
    ///
    /// An upload that was interrupted goes on when the same command runs again within 24 hours,
    /// unless the file has changed. With --json a document is printed for each file, one a line.
    #[command(after_help = upload::EXAMPLES)]
    Upload(upload::UploadArguments),
    /// List files, newest first
    #[command(after_help = list::EXAMPLE)]
    List(list::ListArguments),
    /// Show a file, and the posts that use it
    #[command(after_help = show::EXAMPLE)]
    Show(OneArguments),
    /// Delete a file that no post needs any more; its record stays
    #[command(after_help = delete::EXAMPLE)]
    Delete(OneArguments),
}

/// One file of the server.
#[derive(Args, Debug)]
pub(crate) struct OneArguments {
    /// The file's id
    #[arg(value_parser = names::media_id)]
    id: MediaId,
    #[command(flatten)]
    client: ClientOptions,
}

/// Does what was asked.
///
/// # Errors
/// [`Failure`] by variant.
pub(crate) async fn run(context: Context, command: MediaCommand) -> Result<Exit, Failure> {
    match command {
        MediaCommand::Upload(arguments) => upload::run(&context, arguments).await,
        MediaCommand::List(arguments) => list::run(&context, arguments).await,
        MediaCommand::Show(arguments) => show::run(&context, arguments).await,
        MediaCommand::Delete(arguments) => delete::run(&context, arguments).await,
    }
}

/// The meaning of a file's status.
const fn tone(status: MediaStatus) -> Tone {
    match status {
        MediaStatus::AwaitingUpload | MediaStatus::Ingesting | MediaStatus::Processing => {
            Tone::Plain
        }
        MediaStatus::Ready => Tone::Good,
        MediaStatus::Failed => Tone::Bad,
        MediaStatus::Deleted => Tone::Doubtful,
    }
}

/// Width and height, where they are known.
fn pixels(media: &MediaView) -> String {
    match (media.width, media.height) {
        (Some(width), Some(height)) => format!("{width}×{height}"),
        (_, _) => String::new(),
    }
}

/// The length, where it is known.
fn length(media: &MediaView) -> String {
    media.duration_seconds.map_or_else(String::new, |seconds| format!("{seconds:.1} s"))
}
