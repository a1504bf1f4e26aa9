//! `scheduler accounts`: connects, lists, disconnects and changes accounts.

mod connect;

use clap::{Args, Subcommand};
use comfy_table::Cell;
use scheduler_core::account::{Account, AccountView, is_paused};
use scheduler_core::timing::Zone;
use scheduler_core::workspace::Workspace;
use serde_json::{Value, json};

use crate::config::StorageOptions;
use crate::confirming::confirm;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names;
use crate::printer::{Tone, cell, counted, toned};
use crate::runtime::Application;

/// What to do with accounts.
#[derive(Debug, Subcommand)]
pub(crate) enum AccountsCommand {
    /// Connect an account, or connect it again
    #[command(
        after_help = "Examples:\n  scheduler accounts connect bluesky --identifier me.bsky.social\n  scheduler accounts connect youtube"
    )]
    Connect(Box<connect::ConnectArguments>),
    /// List the connected accounts
    #[command(after_help = "Example:\n  scheduler accounts list --workspace acme")]
    List(ListArguments),
    /// Disconnect an account; its posts stay. Asks first on a terminal, and tells what is due for it
    #[command(
        after_help = "Examples:\n  scheduler accounts disconnect bluesky\n  scheduler accounts disconnect mastodon:@me --yes"
    )]
    Disconnect(DisconnectArguments),
    /// Change the zone in which an account's schedule is read
    #[command(
        after_help = "Example:\n  scheduler accounts set-timezone mastodon:@me America/New_York"
    )]
    SetTimezone(ZoneArguments),
}

/// Whose accounts.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    /// The workspace, by name or id; the only one when left out
    #[arg(long)]
    workspace: Option<String>,
    #[command(flatten)]
    storage: StorageOptions,
}

impl ListArguments {
    async fn open(self, context: &Context) -> Result<(Application, Workspace), Failure> {
        Application::of_workspace(context, self.storage, self.workspace.as_deref()).await
    }
}

/// An account.
#[derive(Args, Debug)]
pub(crate) struct OneArguments {
    /// The account: its id, its network, or NETWORK:@HANDLE
    account: String,
    #[command(flatten)]
    of: ListArguments,
}

/// An account to disconnect.
#[derive(Args, Debug)]
pub(crate) struct DisconnectArguments {
    #[command(flatten)]
    one: OneArguments,
    /// Disconnect it without asking
    #[arg(long)]
    yes: bool,
}

/// An account and its new zone.
#[derive(Args, Debug)]
pub(crate) struct ZoneArguments {
    /// The account: its id, its network, or NETWORK:@HANDLE
    account: String,
    /// An IANA time zone, such as Europe/Berlin
    #[arg(value_parser = names::zone)]
    zone: Zone,
    #[command(flatten)]
    of: ListArguments,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: AccountsCommand) -> Result<Exit, Failure> {
    match command {
        AccountsCommand::Connect(arguments) => connect::run(&context, *arguments).await?,
        AccountsCommand::List(arguments) => {
            let (application, workspace) = arguments.open(&context).await?;
            let accounts = application.scheduler.accounts(workspace.id).await?;
            let views: Vec<AccountView> = accounts
                .iter()
                .map(|account| view(&application, &workspace, &accounts, account))
                .collect();
            list(&context, &views, &workspace)?;
        }
        AccountsCommand::Disconnect(arguments) => {
            let DisconnectArguments { one, yes } = arguments;
            let (application, workspace) = one.of.open(&context).await?;
            let account = application.account(&workspace, &one.account).await?;
            let due = application.scheduler.due_posts(&account).await?;
            let label = account.label();
            let posts = counted(usize::try_from(due).unwrap_or(usize::MAX), "post");
            let question = match due {
                0 => format!("Disconnect {label}?"),
                _ => format!(
                    "Disconnect {label}? {posts} to come go through it, and fail unless it is connected again before"
                ),
            };
            confirm(yes, &question)?;
            application.scheduler.disconnect_account(&account).await?;
            let line = format!("{label} is disconnected");
            let document = json!({"id": account.id, "disconnected": true, "duePosts": due});
            context.print(&document, &line)?;
            if due > 0 {
                context.printer.warning(&format!(
                    "{posts} to come go through it, and fail unless it is connected again before"
                ));
                context
                    .printer
                    .advice(&format!("`scheduler upcoming --account {}` shows them", account.id));
            }
        }
        AccountsCommand::SetTimezone(arguments) => {
            let (application, workspace) = arguments.of.open(&context).await?;
            let account = application.account(&workspace, &arguments.account).await?;
            let zone = Some(arguments.zone);
            application.scheduler.set_account_timezone(&account, zone).await?;
            let changed = Account { timezone: zone, ..account };
            let accounts = application.scheduler.accounts(workspace.id).await?;
            let line = format!("{} reads times in {}", changed.label(), arguments.zone);
            context.print(&view(&application, &workspace, &accounts, &changed), &line)?;
        }
    }
    Ok(Exit::Done)
}

/// The account as the API shows it.
fn view(
    application: &Application,
    workspace: &Workspace,
    accounts: &[Account],
    account: &Account,
) -> AccountView {
    let channels = application.scheduler.settings().plans.of(workspace.plan).channels;
    AccountView::new(account, is_paused(accounts, account.id, channels))
}

fn list(context: &Context, accounts: &[AccountView], workspace: &Workspace) -> Result<(), Failure> {
    let document: Value = json!({"data": accounts});
    let rows = accounts.iter().map(|account| {
        let zone = account.timezone.or(workspace.timezone).unwrap_or(Zone::UTC);
        vec![
            cell(account.id),
            cell(account.platform),
            cell(account.username.as_deref().unwrap_or_default()),
            cell(zone),
            state(account),
        ]
    });
    Ok(context.printer.result(&document, |printer| {
        printer.table(&["id", "network", "account", "zone", "state"], rows, "No accounts.")
    })?)
}

/// Whether an account can be used.
pub(super) fn state(account: &AccountView) -> Cell {
    if account.needs_reconnect {
        toned("connect it again", Tone::Bad)
    } else if account.paused {
        toned("paused by the plan", Tone::Doubtful)
    } else {
        toned("connected", Tone::Good)
    }
}
