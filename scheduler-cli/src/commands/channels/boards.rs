//! `scheduler channels boards`

use scheduler_core::ports::Board;
use serde::Deserialize;

use super::ChannelArguments;
use crate::client::Call;
use crate::commands::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::{Column, cell};

/// What the help shows last.
pub(super) const EXAMPLE: &str = "Example:\n  scheduler channels boards pinterest";

/// Lists the boards of an account.
///
/// # Errors
/// [`Failure`] by variant.
pub(super) async fn run(context: &Context, arguments: ChannelArguments) -> Result<Exit, Failure> {
    #[derive(Deserialize)]
    struct Boards {
        data: Vec<Board>,
    }
    let (client, path) = arguments.open(context, "boards").await?;
    let answer = context.patiently("asking the network", client.send(Call::get(&path))).await?;
    let boards: Boards = answer.read()?;
    let rows = boards.data.iter().map(|board| vec![cell(&board.id), cell(&board.name)]);
    let columns = [Column::words("id"), Column::text("name")];
    let printed = context
        .printer
        .result(&answer.body, |printer| printer.columns(&columns, rows, "No boards."));
    printed.map_err(anyhow::Error::from)?;
    Ok(Exit::Done)
}
