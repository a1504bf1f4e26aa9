//! `scheduler web`: the pages for people.

use clap::{Args, Subcommand};
use scheduler_core::session::{Role, SignInInput, SignInLinkView};
use serde_json::json;

use crate::client::Call;
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::OneOf;
use crate::posting::instant;

/// What to do with the pages.
#[derive(Debug, Subcommand)]
pub(crate) enum WebCommand {
    /// Print a link that signs one browser in, once
    #[command(after_help = "Examples:\n  scheduler web open\n  scheduler web open --as editor")]
    Open(OpenArguments),
}

/// Whom the link is for.
#[derive(Args, Debug)]
pub(crate) struct OpenArguments {
    /// What the person may do
    #[arg(long = "as", value_name = "ROLE", default_value = "owner", value_parser = OneOf::<Role>::new())]
    role: Role,
    #[command(flatten)]
    of: OfWorkspace,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: WebCommand) -> Result<Exit, Failure> {
    let WebCommand::Open(OpenArguments { role, of }) = command;
    let client = of.open(&context).await?;
    let body = json!(SignInInput { role: Some(role) });
    let link: SignInLinkView = client.ask(Call::post("/sessions/links", &body)).await?.read()?;
    let until = instant(link.expires_at);
    let line = format!("{}\nIt signs one browser in as {role}, once, until {until}.", link.url);
    context.done(&link, &line)
}
