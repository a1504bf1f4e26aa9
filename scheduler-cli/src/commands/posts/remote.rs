//! `scheduler posts edit-live` and `scheduler posts take-down`: what becomes of a live post.

use clap::Args;
use reqwest::Method;
use scheduler_core::post::TargetView;
use serde_json::{Map, Value, json};

use crate::client::Call;
use crate::commands::Context;
use crate::config::ClientOptions;
use crate::confirming::confirm;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::TargetArguments;

/// What the help of `edit-live` shows last.
pub(super) const EDIT_EXAMPLES: &str = "\
Examples:
  scheduler posts edit-live 01993b5c-2b7e-7000-8000-000000000001 mastodon --text \"Corrected\"
  scheduler posts edit-live 01993b5c-2b7e-7000-8000-000000000001 youtube --title \"A new title\"";

/// What the help of `take-down` shows last.
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

/// Changes a live post.
///
/// # Errors
/// [`Failure`] by variant.
pub(super) async fn edit(context: &Context, arguments: EditLiveArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client)?;
    let mut body = Map::new();
    if let Some(text) = arguments.text {
        body.insert("content".into(), json!(text));
    }
    if let Some(title) = arguments.title {
        body.insert("title".into(), json!(title));
    }
    let path = format!("{}/remote", arguments.target.path(&client).await?);
    let answer = client.send(Call::patch(&path, &Value::Object(body))).await?;
    let target: TargetView = answer.read()?;
    let link = target.remote_url.as_deref().map(|url| format!(": {url}")).unwrap_or_default();
    context.print(&answer.body, &format!("changed on {}{link}", target.platform))?;
    Ok(Exit::Done)
}

/// Takes a live post down.
///
/// # Errors
/// [`Failure`] by variant.
pub(super) async fn take_down(
    context: &Context,
    arguments: TakeDownArguments,
) -> Result<Exit, Failure> {
    let client = context.client(arguments.client)?;
    let name = arguments.target.name();
    let path = format!("{}/remote", arguments.target.path(&client).await?);
    confirm(arguments.yes, &format!("Take the post down ({name})? It cannot be undone"))?;
    let answer = client.send(Call::new(Method::DELETE, &path)).await?;
    let target: TargetView = answer.read()?;
    context
        .print(&answer.body, &format!("taken down from {}; its record stays", target.platform))?;
    Ok(Exit::Done)
}
