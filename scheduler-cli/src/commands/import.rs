//! `scheduler import`: creates the posts of a file.

use clap::Args;

use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::importing::{self, ImportOptions};
use crate::uploading::{UploadOptions, Uploader, unless_stopped};

pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler import posts.csv --dry-run
  scheduler import posts.csv
  scheduler import posts.jsonl --skip-faulty
  scheduler import posts.csv --offline
  generate-posts | scheduler import - --format jsonl
  scheduler import mixpost.json --account mastodon:Bakery=@me

A table has the columns content, link, media, alt, to, one or more of at, local, queue, now and
draft, and option.NETWORK.KEY. A .json file is what Buffer, Mixpost or Postiz answers when it lists
posts. See docs/importing.md.";

/// A file of posts.
#[derive(Args, Debug)]
pub(crate) struct ImportArguments {
    #[command(flatten)]
    import: ImportOptions,
    #[command(flatten)]
    upload: UploadOptions,
    #[command(flatten)]
    client: ClientOptions,
}

pub(crate) async fn run(context: Context, arguments: ImportArguments) -> Result<Exit, Failure> {
    let ImportArguments { import, upload, client } = arguments;
    let states = upload.states(&context.sources)?;
    if import.offline {
        return importing::run(&context, &import, None).await;
    }
    let client = context.client(client).await?;
    let uploader = Uploader::within(context.printer, &client, states, upload.parallel())?;
    let work = importing::run(&context, &import, Some((&client, &uploader)));
    unless_stopped(work).await.map_err(|failure| match failure {
        Failure::Interrupted => Failure::advised(
            "interrupted",
            "the same command goes on with what is missing, and makes nothing twice",
        ),
        other => other,
    })
}
