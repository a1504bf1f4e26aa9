//! `scheduler media list`

use clap::Args;
use comfy_table::Cell;
use scheduler_core::media::MediaView;
use serde::Deserialize;

use super::{length, pixels, tone};
use crate::client::Call;
use crate::commands::Context;
use crate::config::ClientOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{instant, size};
use crate::printer::{Column, cell, one_line, toned};

/// What the help shows last.
pub(super) const EXAMPLE: &str = "Example:\n  scheduler media list --limit 10";

/// Which files.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    /// How many files at most [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    limit: Option<u32>,
    #[command(flatten)]
    client: ClientOptions,
}

/// Lists files.
///
/// # Errors
/// [`Failure`] by variant.
pub(super) async fn run(context: &Context, arguments: ListArguments) -> Result<Exit, Failure> {
    #[derive(Deserialize)]
    struct Files {
        data: Vec<MediaView>,
    }
    let client = context.client(arguments.client)?;
    let answer = client.send(Call::get("/media").query("limit", arguments.limit)).await?;
    let files: Files = answer.read()?;
    let printed = context.printer.result(&answer.body, |printer| {
        let columns = [
            Column::words("id"),
            Column::words("status"),
            Column::words("type"),
            Column::numbers("size"),
            Column::words("pixels"),
            Column::numbers("length"),
            Column::numbers("posts"),
            Column::words("created"),
            Column::text("name"),
        ];
        printer.columns(&columns, files.data.iter().map(row), "No files.")
    });
    printed.map_err(anyhow::Error::from)?;
    Ok(Exit::Done)
}

fn row(media: &MediaView) -> Vec<Cell> {
    let name = media.file_name.as_deref().unwrap_or_default();
    vec![
        cell(media.id),
        toned(media.status.as_str(), tone(media.status)),
        cell(media.mime_type.as_deref().unwrap_or_default()),
        cell(media.size_bytes.map(size).unwrap_or_default()),
        cell(pixels(media)),
        cell(length(media)),
        cell(media.post_count.unwrap_or_default()),
        cell(instant(media.created_at)),
        cell(one_line(name)),
    ]
}
