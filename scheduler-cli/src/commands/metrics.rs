//! `scheduler metrics`: the figures of a post, stored, live or as they came to be.

mod history;
mod latest;
mod refresh;

use chrono::{DateTime, FixedOffset};
use clap::{Args, Subcommand};
use scheduler_core::ids::TargetId;
use scheduler_core::post::{PostView, TargetView};

use latest::live;

use crate::client::{Call, Client};
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{Name, PostName, known_accounts, named_target, target_label};

/// What the help shows last.
pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler metrics 01993b5c-2b7e-7000-8000-000000000001
  scheduler metrics 01993b5c-2b7e-7000-8000-000000000001 --target bluesky --live
  scheduler metrics 01993b5c-2b7e-7000-8000-000000000001 --target mastodon:@me --history
  scheduler metrics refresh";

/// Which figures, or that fresh ones are to be read.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct MetricsArguments {
    #[command(subcommand)]
    command: Option<MetricsCommand>,
    #[command(flatten)]
    read: ReadArguments,
}

#[derive(Debug, Subcommand)]
enum MetricsCommand {
    /// Have the figures of every post of the last fortnight read anew; once in ten minutes
    #[command(after_help = refresh::EXAMPLE)]
    Refresh(ClientOptions),
}

#[derive(Args, Debug)]
struct ReadArguments {
    /// The post's id, or its first 8 characters or more
    #[arg(required = true)]
    post: Option<PostName>,
    /// One target alone: its id, its network, or NETWORK:@HANDLE
    #[arg(long, value_name = "TARGET")]
    target: Option<Name<TargetId>>,
    /// Read the figures from the networks now
    #[arg(long, conflicts_with = "history")]
    live: bool,
    /// Show every reading of a target that is kept, oldest first
    #[arg(long)]
    history: bool,
    /// Only readings from this instant on; with --history
    #[arg(long, value_name = "INSTANT", requires = "history")]
    since: Option<DateTime<FixedOffset>>,
    #[command(flatten)]
    client: ClientOptions,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, arguments: MetricsArguments) -> Result<Exit, Failure> {
    if let Some(MetricsCommand::Refresh(arguments)) = arguments.command {
        return refresh::run(&context, arguments).await;
    }
    let read = arguments.read;
    let Some(id) = read.post else {
        return Err(Failure::Usage("name the post by its id".into()));
    };
    let client = context.client(read.client).await?;
    let answer = client.send(Call::get(&format!("/posts/{id}"))).await?;
    let post: PostView = answer.read()?;
    let id = post.id;
    let named = match &read.target {
        Some(name) => Some(named_target(&client, &post, name).await?),
        None => None,
    };
    match (named, read.history) {
        (Some(target), true) => history::run(&context, &client, id, target, read.since).await,
        (None, true) => {
            let target = only_live(&client, &post).await?;
            history::run(&context, &client, id, target, read.since).await
        }
        (Some(target), false) if read.live => latest::read_one(&context, &client, id, target).await,
        (Some(target), false) => latest::show_one(&context, &client, target).await,
        (None, false) if read.live => latest::read_all(&context, &client, &post).await,
        (None, false) => latest::show_all(&context, &client, &post).await,
    }
}

/// The one target whose history can be meant when none is named.
async fn only_live<'a>(client: &Client, post: &'a PostView) -> Result<&'a TargetView, Failure> {
    let live = live(post);
    if let [target] = live[..] {
        return Ok(target);
    }
    if live.is_empty() {
        return Err(Failure::Usage(
            "no target of this post is live; name one with --target".into(),
        ));
    }
    let accounts = known_accounts(client).await;
    let names: Vec<String> = live.iter().map(|target| target_label(target, &accounts)).collect();
    Err(Failure::Usage(format!(
        "say whose history with --target: the post is live as {}",
        names.join(", ")
    )))
}
