//! `scheduler channels boards`

use scheduler_core::ports::Board;

use super::channel::ChannelArguments;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::{Column, Shows, cell};

/// What the help shows last.
pub(super) const EXAMPLE: &str = "Example:\n  scheduler channels boards pinterest";

/// Lists the boards of an account.
pub(super) async fn run(context: &Context, arguments: ChannelArguments) -> Result<Exit, Failure> {
    let answer = arguments.ask(context, "boards").await?;
    let columns: [Shows<Board>; 2] = [
        (Column::words("id"), |board| cell(&board.id)),
        (Column::text("name"), |board| cell(&board.name)),
    ];
    context.list(&answer.body, &answer.data()?, &columns, "No boards.")
}
