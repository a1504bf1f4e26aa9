//! `scheduler upcoming`: what goes out next.

use clap::Args;

use super::posts::{FilterArguments, pages, show_found};
use crate::client::Call;
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler upcoming
  scheduler upcoming --network bluesky --limit 5";

/// Which posts to come are shown.
#[derive(Args, Debug)]
pub(crate) struct UpcomingArguments {
    #[command(flatten)]
    filter: FilterArguments,
    /// How many posts at most
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=500))]
    limit: u32,
    /// Where the page begins: the cursor that the page before has ended with
    #[arg(long, value_name = "CURSOR")]
    before: Option<String>,
    /// Every page, one after the other
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    client: ClientOptions,
}

pub(crate) async fn run(context: Context, arguments: UpcomingArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client).await?;
    let accounts = arguments.filter.accounts(&client).await?;
    let call = || {
        let call =
            Call::get("/posts").query("order", Some("due")).query("limit", Some(arguments.limit));
        arguments.filter.add_to(call, &accounts)
    };
    let found = pages(&context, &client, call, arguments.before.clone(), arguments.all).await?;
    show_found(&context, &client, &found, "Nothing is to come.").await
}
