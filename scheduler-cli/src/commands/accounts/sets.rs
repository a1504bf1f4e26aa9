//! `scheduler accounts sets`: accounts that are picked together.

use clap::{Args, Subcommand};
use reqwest::Method;
use scheduler_core::account::{AccountSetChange, AccountSetInput, AccountSetView};
use scheduler_core::ids::AccountId;
use serde_json::json;

use crate::client::{Call, Client};
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::named_accounts::{accounts, several};
use crate::posting::{account_sets, set_named};
use crate::printer::{Column, Shows, cell};

/// What to do with sets of accounts.
#[derive(Debug, Subcommand)]
pub(crate) enum SetsCommand {
    /// List the sets
    #[command(after_help = "Example:\n  scheduler accounts sets list")]
    List(OfWorkspace),
    /// Keep accounts under a name, in place of those that were kept under it
    #[command(
        after_help = "Example:\n  scheduler accounts sets save \"Clients' Instagram\" instagram:@kiln,instagram:@clay"
    )]
    Save(SaveArguments),
    /// Give a set another name
    #[command(after_help = "Example:\n  scheduler accounts sets rename Clients Customers")]
    Rename(RenameArguments),
    /// Remove a set; its accounts stay connected
    #[command(after_help = "Example:\n  scheduler accounts sets remove Clients")]
    Remove(OneArguments),
}

/// A set.
#[derive(Args, Debug)]
pub(crate) struct OneArguments {
    /// What it is called
    name: String,
    #[command(flatten)]
    of: OfWorkspace,
}

/// A set and its accounts.
#[derive(Args, Debug)]
pub(crate) struct SaveArguments {
    /// What it is called: up to 50 characters
    name: String,
    /// Its accounts, with commas between: ids, networks, or NETWORK:@HANDLE; or all
    accounts: String,
    #[command(flatten)]
    of: OfWorkspace,
}

/// A set and its new name.
#[derive(Args, Debug)]
pub(crate) struct RenameArguments {
    /// What it is called
    name: String,
    /// What it is to be called: up to 50 characters
    to: String,
    #[command(flatten)]
    of: OfWorkspace,
}

/// Does what was asked.
pub(super) async fn run(context: &Context, command: SetsCommand) -> Result<Exit, Failure> {
    match command {
        SetsCommand::List(of) => list(context, &account_sets(&of.open(context).await?).await?),
        SetsCommand::Save(SaveArguments { name, accounts: named, of }) => {
            let client = of.open(context).await?;
            let known = accounts(&client).await?;
            let chosen = several(&known, &named)?.into_iter().map(|detail| detail.account.id);
            let account_ids: Vec<AccountId> = chosen.collect();
            let stored =
                account_sets(&client).await?.into_iter().find(|set| set.name == name.trim());
            let kept: AccountSetView = match stored {
                Some(set) => {
                    let account_ids = Some(account_ids);
                    let change = AccountSetChange { account_ids, ..AccountSetChange::default() };
                    changed(&client, &set, &change).await?
                }
                None => {
                    let input = json!(AccountSetInput { name, account_ids });
                    client.ask(Call::post("/account-sets", &input)).await?.read()?
                }
            };
            context.done(&kept, &said_of(&kept))
        }
        SetsCommand::Rename(RenameArguments { name, to, of }) => {
            let client = of.open(context).await?;
            let sets = account_sets(&client).await?;
            let set = set_named(&sets, &name)?;
            let change = AccountSetChange { name: Some(to), ..AccountSetChange::default() };
            context.done(&changed(&client, set, &change).await?, "renamed")
        }
        SetsCommand::Remove(OneArguments { name, of }) => {
            let client = of.open(context).await?;
            let sets = account_sets(&client).await?;
            let set = set_named(&sets, &name)?;
            client.ask(Call::new(Method::DELETE, &path(set))).await?;
            context.done(&json!({"id": set.id, "removed": true}), "removed")
        }
    }
}

fn path(set: &AccountSetView) -> String {
    format!("/account-sets/{}", set.id)
}

async fn changed(
    client: &Client,
    set: &AccountSetView,
    change: &AccountSetChange,
) -> Result<AccountSetView, Failure> {
    Ok(client.ask(Call::patch(&path(set), &json!(change))).await?.read()?)
}

/// What is said of a set that was kept.
fn said_of(set: &AccountSetView) -> String {
    let with_one_press = "kept; the composer picks it with one press";
    // Commas stand between targets.
    if set.name.contains(',') {
        return with_one_press.to_owned();
    }
    format!("{with_one_press}, and `scheduler post` with --to {:?}", format!("set:{}", set.name))
}

fn list(context: &Context, sets: &[AccountSetView]) -> Result<Exit, Failure> {
    let columns: [Shows<AccountSetView>; 3] = [
        (Column::text("name"), |set| cell(&set.name)),
        (Column::words("accounts"), |set| cell(set.account_ids.len())),
        (Column::text("left out"), |set| cell(set.said_left_out())),
    ];
    context.list(
        &json!({"data": sets}),
        sets,
        &columns,
        "No sets of accounts; `scheduler accounts sets save` keeps one.",
    )
}
