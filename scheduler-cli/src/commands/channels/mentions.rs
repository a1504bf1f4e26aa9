//! `scheduler channels mentions`

use clap::Args;
use scheduler_core::ports::Mention;

use super::channel::ChannelArguments;
use crate::client::Call;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::{Column, Shows, cell};

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
pub(super) async fn run(context: &Context, arguments: MentionsArguments) -> Result<Exit, Failure> {
    let (client, path) = arguments.channel.open(context, "mentions").await?;
    let call = Call::get(&path).query("q", Some(arguments.query));
    let answer = context.with_spinner("asking the network", client.send(call)).await?;
    let columns: [Shows<Mention>; 2] = [
        (Column::words("handle"), |mention| cell(&mention.handle)),
        (Column::text("name"), |mention| cell(&mention.name)),
    ];
    let empty = "Nobody is found, or the network looks nobody up.";
    context.list(&answer.body, &answer.data()?, &columns, empty)
}
