//! `scheduler posts edit-live` and `scheduler posts take-down`: what becomes of a live post.

use clap::Args;
use reqwest::Method;
use scheduler_core::post::TargetView;

use crate::client::Call;
use crate::config::ClientOptions;
use crate::confirming::confirm;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::TargetArguments;

pub(super) const EDIT_EXAMPLES: &str = "\
Examples:
  scheduler posts edit-live 01993b5c-2b7e-7000-8000-000000000001 mastodon --text \"Corrected\"
  scheduler posts edit-live 01993b5c-2b7e-7000-8000-000000000001 youtube --title \"A new title\"";

pub(super) const TAKE_DOWN_EXAMPLE: &str =
    "Example:\n  scheduler posts take-down 01993b5c-2b7e-7000-8000-000000000001 bluesky --yes";

/// A live post and what it is to say.
#[derive(Args, Debug)]
pub(crate) struct EditLiveArguments {
    #[command(flatten)]
    target: TargetArguments,
    /// The new text
    #[arg(long, visible_alias = "content", required_unless_present = "title")]
    text: Option<String>,
    /// The new title; YouTube only
    #[arg(long)]
    title: Option<String>,
    #[command(flatten)]
    client: ClientOptions,
}

/// A live post to take down.
#[derive(Args, Debug)]
pub(crate) struct TakeDownArguments {
    #[command(flatten)]
    target: TargetArguments,
    /// Take it down without asking
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    client: ClientOptions,
}

pub(super) async fn edit(context: &Context, arguments: EditLiveArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client).await?;
    let fields = [("content", arguments.text), ("title", arguments.title)];
    let body = fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    let path = format!("{}/remote", arguments.target.path(&client).await?);
    let answer = client.send(Call::patch(&path, &body)).await?;
    let target: TargetView = answer.read()?;
    let link = target.remote_url.as_deref().map(|url| format!(": {url}")).unwrap_or_default();
    context.done(&answer.body, &format!("changed on {}{link}", target.platform))
}

pub(super) async fn take_down(
    context: &Context,
    arguments: TakeDownArguments,
) -> Result<Exit, Failure> {
    let client = context.client(arguments.client).await?;
    let name = arguments.target.name();
    let path = format!("{}/remote", arguments.target.path(&client).await?);
    confirm(arguments.yes, &format!("Take the post down ({name})? It cannot be undone"))?;
    let answer = client.send(Call::new(Method::DELETE, &path)).await?;
    let target: TargetView = answer.read()?;
    context.done(&answer.body, &format!("taken down from {}; its record stays", target.platform))
}
