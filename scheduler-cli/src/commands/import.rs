//! `scheduler import`: creates the posts of a file.

use clap::Args;

use super::Context;
use crate::config::ClientOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::importing::{self, Format, Import, Reading};
use crate::uploading::{UploadOptions, Uploader, unless_stopped};

/// What the help shows last.
pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler import posts.csv --dry-run
  scheduler import posts.csv
  scheduler import posts.jsonl --skip-faulty
  scheduler import posts.csv --offline
  generate-posts | scheduler import - --format jsonl

A table has the columns content, link, media, alt, to, one or more of at, local, queue, now and
draft, and option.NETWORK.KEY. See docs/importing.md.";

/// A file of posts.
#[derive(Args, Debug)]
pub(crate) struct ImportArguments {
    /// A .csv or .jsonl file, or - for standard input
    file: String,
    /// The form of the file [default: told from the end of its name]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// What stands between the cells of a table: comma, semicolon or tab [default: found out]
    #[arg(long, value_name = "SIGN", value_parser = delimiter)]
    delimiter: Option<u8>,
    /// Check every line, and create nothing
    #[arg(long)]
    dry_run: bool,
    /// Check by the networks' capability sheets alone, without a server and a key
    #[arg(long, conflicts_with_all = ["server", "api_key", "skip_faulty", "fresh"])]
    offline: bool,
    /// Create the lines without errors, and leave the others out
    #[arg(long)]
    skip_faulty: bool,
    /// Of an export: take every post, also those that went out, as a draft
    #[arg(long)]
    as_drafts: bool,
    /// Forget what earlier runs have written down; the server still makes no post of a key twice
    #[arg(long)]
    fresh: bool,
    /// How many calls are under way at once
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=64))]
    jobs: u8,
    #[command(flatten)]
    upload: UploadOptions,
    #[command(flatten)]
    client: ClientOptions,
}

/// Checks the file, and creates its posts.
///
/// # Errors
/// [`Failure`] by variant.
pub(crate) async fn run(context: Context, arguments: ImportArguments) -> Result<Exit, Failure> {
    let ImportArguments { file, format, delimiter, dry_run, skip_faulty, as_drafts, fresh, .. } =
        arguments;
    let import = Import {
        file,
        reading: Reading { format, delimiter, all_as_drafts: as_drafts },
        is_dry_run: dry_run || arguments.offline,
        skips_faulty: skip_faulty,
        is_fresh: fresh && !dry_run,
        calls_at_once: arguments.jobs.into(),
        states: arguments.upload.states(&context.sources)?,
    };
    if arguments.offline {
        return importing::run(&context, import, None).await;
    }
    let client = context.client(arguments.client)?;
    let parallel = arguments.upload.parallel();
    let states = import.states.clone();
    let uploader = Uploader::within(context.printer, &client, states, parallel)?;
    let work = importing::run(&context, import, Some((&client, &uploader)));
    unless_stopped(work).await.map_err(|failure| match failure {
        Failure::Interrupted => Failure::advised(
            "interrupted",
            "the same command goes on with what is missing, and makes nothing twice",
        ),
        other => other,
    })
}

fn delimiter(text: &str) -> Result<u8, &'static str> {
    match text {
        "comma" | "," => Ok(b','),
        "semicolon" | ";" => Ok(b';'),
        "tab" | "\t" | "\\t" => Ok(b'\t'),
        _ => Err("write comma, semicolon or tab"),
    }
}
