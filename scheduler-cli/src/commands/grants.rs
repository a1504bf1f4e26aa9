//! `scheduler grants`: programs that people have connected by OAuth.

use clap::{Args, Subcommand};
use reqwest::Method;
use scheduler_core::ids::GrantId;
use scheduler_core::oauth::GrantView;
use serde_json::json;

use crate::client::Call;
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names;
use crate::posting::instant;
use crate::printer::{Column, Shows, cell};

/// What to do with connected programs.
#[derive(Debug, Subcommand)]
pub(crate) enum GrantsCommand {
    /// List the programs that people have connected, and what each may do
    #[command(after_help = "Example:\n  scheduler grants list")]
    List(OfWorkspace),
    /// Remove a program at once: its tokens open nothing any more
    #[command(
        after_help = "Example:\n  scheduler grants remove 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Remove(RemoveArguments),
}

/// A program to remove.
#[derive(Args, Debug)]
pub(crate) struct RemoveArguments {
    /// The id, as `grants list` shows it
    #[arg(value_parser = names::grant_id)]
    id: GrantId,
    #[command(flatten)]
    of: OfWorkspace,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: GrantsCommand) -> Result<Exit, Failure> {
    match command {
        GrantsCommand::List(of) => {
            let client = of.open(&context).await?;
            list(&context, &client.ask(Call::get("/grants")).await?.data()?)
        }
        GrantsCommand::Remove(RemoveArguments { id, of }) => {
            let client = of.open(&context).await?;
            client.ask(Call::new(Method::DELETE, &format!("/grants/{id}"))).await?;
            context.done(&json!({"id": id, "removed": true}), "removed")
        }
    }
}

fn list(context: &Context, grants: &[GrantView]) -> Result<Exit, Failure> {
    let columns: [Shows<GrantView>; 7] = [
        (Column::words("id"), |grant| cell(grant.id)),
        (Column::text("program"), |grant| cell(&grant.client_name)),
        (Column::text("document"), |grant| cell(&grant.client_id)),
        (Column::text("who"), |grant| {
            cell(grant.person.as_ref().map_or("", |person| person.name.as_str()))
        }),
        (Column::words("scopes"), |grant| cell(grant.scopes)),
        (Column::words("used"), |grant| cell(instant(grant.last_used_at))),
        (Column::words("until"), |grant| cell(instant(grant.expires_at))),
    ];
    context.list(&json!({"data": grants}), grants, &columns, "No program is connected.")
}
