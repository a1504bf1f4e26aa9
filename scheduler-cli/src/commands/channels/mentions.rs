//! `scheduler channels mentions`

use clap::Args;
use scheduler_core::ports::Mention;
use serde::Deserialize;

use super::ChannelArguments;
use crate::client::Call;
use crate::commands::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::{Column, cell};

/// What the help shows last.
pub(super) const EXAMPLE: &str = "Example:\n  scheduler channels mentions bluesky ann";

/// An account, and whom to look for.
#[derive(Args, Debug)]
pub(crate) struct MentionsArguments {
    #[command(flatten)]
    channel: ChannelArguments,
    /// The beginning of a handle or a name
    query: String,
}

/// Lists names that can be mentioned.
///
/// # Errors
/// [`Failure`] by variant.
pub(super) async fn run(context: &Context, arguments: MentionsArguments) -> Result<Exit, Failure> {
    #[derive(Deserialize)]
    struct Mentions {
        data: Vec<Mention>,
    }
    let (client, path) = arguments.channel.open(context, "mentions").await?;
    let answer = context
        .patiently(
            "asking the network",
            client.send(Call::get(&path).query("q", Some(arguments.query))),
        )
        .await?;
    let mentions: Mentions = answer.read()?;
    let rows = mentions.data.iter().map(|mention| vec![cell(&mention.handle), cell(&mention.name)]);
    let columns = [Column::words("handle"), Column::text("name")];
    let empty = "Nobody is found, or the network looks nobody up.";
    let printed =
        context.printer.result(&answer.body, |printer| printer.columns(&columns, rows, empty));
    printed.map_err(anyhow::Error::from)?;
    Ok(Exit::Done)
}
