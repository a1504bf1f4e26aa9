//! `scheduler retry`: tries what has failed again.

use chrono::{DateTime, Utc};
use clap::Args;
use scheduler_core::app::{RetryInput, RetryReport};
use scheduler_core::ids::AccountId;
use scheduler_core::platform::Platform;
use serde_json::json;

use crate::client::Call;
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::OneOf;
use crate::posting::{Name, PostName, named_account};
use crate::printer::counted;
use crate::times::Reader;

pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler retry --all
  scheduler retry --network mastodon --since yesterday
  scheduler retry 01993b5c-2b7e-7000-8000-000000000001";

/// What is tried again: what is said has to hold for all of it.
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("which").multiple(true).required(true))]
pub(crate) struct RetryManyArguments {
    /// These posts. Of posts that are not named, targets in doubt are left alone: look on their
    /// network first
    #[arg(value_name = "POST", group = "which", conflicts_with = "all")]
    posts: Vec<PostName>,
    /// Everything that has failed
    #[arg(long, group = "which")]
    all: bool,
    /// Only on this network
    #[arg(long, value_name = "NETWORK", value_parser = OneOf::<Platform>::new(), group = "which")]
    network: Option<Platform>,
    /// Only of this account: its id, its network, or NETWORK:@HANDLE
    #[arg(long, value_name = "ACCOUNT", group = "which")]
    account: Option<Name<AccountId>>,
    /// Only posts with this label
    #[arg(long, value_name = "LABEL", group = "which")]
    label: Option<String>,
    /// Only posts that were due from this day or time on
    #[arg(long, value_name = "TIME", value_parser = bound, group = "which")]
    since: Option<DateTime<Utc>>,
    #[command(flatten)]
    client: ClientOptions,
}

fn bound(text: &str) -> Result<DateTime<Utc>, String> {
    Reader::here().bound(text).map_err(|error| error.to_string())
}

pub(crate) async fn run(context: Context, arguments: RetryManyArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client).await?;
    let account_id = match &arguments.account {
        Some(name) => Some(named_account(&client, name).await?),
        None => None,
    };
    let since = match arguments.since {
        // The server wants to be told something, so that nobody retries everything by accident.
        None if arguments.all => Some(DateTime::UNIX_EPOCH),
        since => since,
    };
    let mut ids = Vec::with_capacity(arguments.posts.len());
    for post in &arguments.posts {
        ids.push(post.id(&client).await?);
    }
    let input = RetryInput {
        ids: (!ids.is_empty()).then_some(ids),
        label: arguments.label,
        platform: arguments.network,
        account_id,
        since,
    };
    let body = json!(input);
    let answer = client.send(Call::post("/posts/retry", &body));
    let answer = context.with_spinner("retrying", answer).await?;
    let report: RetryReport = answer.read()?;
    let count = |targets: u64| counted(usize::try_from(targets).unwrap_or(usize::MAX), "target");
    let line = match (report.retried, report.skipped) {
        (0, 0) => "nothing has failed".to_owned(),
        (retried, 0) => format!("{} due again", count(retried)),
        (retried, skipped) => format!(
            "{} due again, {} left as they are; `scheduler posts --state needs_attention` shows them",
            count(retried),
            count(skipped)
        ),
    };
    context.done(&answer.body, &line)
}
