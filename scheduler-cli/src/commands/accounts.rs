//! `scheduler accounts`: connects, lists, disconnects and changes accounts, and keeps sets of them.

mod connect;
mod sets;

use clap::{Args, Subcommand, ValueEnum};
use comfy_table::Cell;
use reqwest::Method;
use scheduler_core::account::{Account, AccountView, is_paused};
use scheduler_core::app::AccountDetail;
use scheduler_core::platform::SIGNATURE;
use scheduler_core::timing::Zone;
use scheduler_core::workspace::Workspace;
use serde_json::{Map, Value, json};

use crate::client::Call;
use crate::config::OfWorkspace;
use crate::confirming::confirm;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::named_accounts::{accounts, named};
use crate::names;
use crate::posting::{OptionChange, Options};
use crate::printer::{Tone, cell, counted, escape_control, toned};
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
    List(OfWorkspace),
    /// Disconnect an account; its posts stay. Asks first on a terminal, and tells what is due for it
    #[command(
        after_help = "Examples:\n  scheduler accounts disconnect bluesky\n  scheduler accounts disconnect mastodon:@me --due move --to mastodon:@other"
    )]
    Disconnect(DisconnectArguments),
    /// Change the zone in which an account's schedule is read
    #[command(
        after_help = "Example:\n  scheduler accounts set-timezone mastodon:@me America/New_York"
    )]
    SetTimezone(ZoneArguments),
    /// Show or set the options that an account's posts have where they say nothing else, such as a
    /// signature
    #[command(
        after_help = "Examples:\n  scheduler accounts defaults mastodon --signature \"Ana\" --option mastodon.visibility=unlisted\n  scheduler accounts defaults mastodon\n  scheduler accounts defaults mastodon --none"
    )]
    Defaults(DefaultsArguments),
    /// Keep accounts that are picked together under a name
    #[command(subcommand)]
    Sets(sets::SetsCommand),
}

/// An account.
#[derive(Args, Debug)]
pub(crate) struct OneArguments {
    /// The account: its id, its network, or NETWORK:@HANDLE
    account: String,
    #[command(flatten)]
    of: OfWorkspace,
}

/// An account to disconnect.
#[derive(Args, Debug)]
pub(crate) struct DisconnectArguments {
    #[command(flatten)]
    one: OneArguments,
    /// What becomes of posts to come through it
    #[arg(long, value_enum, default_value = "keep")]
    due: Due,
    /// With --due move: the account of the same network through which they go out
    #[arg(long, value_name = "ACCOUNT", required_if_eq("due", "move"))]
    to: Option<String>,
    /// Disconnect it without asking
    #[arg(long)]
    yes: bool,
}

/// What becomes of what is due for an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Due {
    /// They fail at their time unless the account is connected again before
    Keep,
    /// They are cancelled
    Cancel,
    /// They go out through another account
    Move,
}

impl Due {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Cancel => "cancel",
            Self::Move => "move",
        }
    }
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
    of: OfWorkspace,
}

/// An account and its default options.
#[derive(Args, Debug)]
pub(crate) struct DefaultsArguments {
    /// The account: its id, its network, or NETWORK:@HANDLE
    account: String,
    /// A setting of its network, such as mastodon.visibility=unlisted; what is not named stays as it
    /// is, and nothing behind the = removes it
    #[arg(long = "option", value_name = "NETWORK.KEY=VALUE")]
    options: Vec<OptionChange>,
    /// What stands under its texts; "" removes it
    #[arg(long, value_name = "TEXT")]
    signature: Option<String>,
    /// No default options
    #[arg(long, conflicts_with_all = ["options", "signature"])]
    none: bool,
    #[command(flatten)]
    of: OfWorkspace,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: AccountsCommand) -> Result<Exit, Failure> {
    match command {
        AccountsCommand::Connect(arguments) => connect::run(&context, *arguments).await?,
        AccountsCommand::List(arguments) => {
            let client = arguments.open(&context).await?;
            list(&context, &accounts(&client).await?)?;
        }
        AccountsCommand::Disconnect(arguments) => disconnect(&context, arguments).await?,
        AccountsCommand::SetTimezone(arguments) => {
            let client = arguments.of.open(&context).await?;
            let known = accounts(&client).await?;
            let id = named(&known, &arguments.account)?.account.id;
            let (path, body) = (format!("/accounts/{id}/zone"), json!({"zone": arguments.zone}));
            let changed: AccountDetail = client.ask(Call::put(&path, &body)).await?.read()?;
            let line = format!("{} reads times in {}", changed.account.label(), arguments.zone);
            context.print(&changed.account, &line)?;
        }
        AccountsCommand::Defaults(arguments) => defaults(&context, arguments).await?,
        AccountsCommand::Sets(command) => return sets::run(&context, command).await,
    }
    Ok(Exit::Done)
}

async fn disconnect(context: &Context, arguments: DisconnectArguments) -> Result<(), Failure> {
    let DisconnectArguments { one, due: choice, to, yes } = arguments;
    let client = one.of.open(context).await?;
    let known = accounts(&client).await?;
    let AccountDetail { account, health, .. } = named(&known, &one.account)?;
    let to = to.map(|name| named(&known, &name)).transpose()?.map(|detail| detail.account.id);
    let due = health.due_targets;
    let label = account.label();
    let posts = counted(usize::try_from(due).unwrap_or(usize::MAX), "post");
    let fate = match choice {
        Due::Keep => "go through it, and fail unless it is connected again before",
        Due::Cancel => "go through it, and are cancelled",
        Due::Move => "go through it, and are moved to the other account",
    };
    let question = match due {
        0 => format!("Disconnect {label}?"),
        _ => format!("Disconnect {label}? {posts} to come {fate}"),
    };
    confirm(yes, &question)?;
    let path = format!("/accounts/{}", account.id);
    let call = Call::new(Method::DELETE, &path).query("due", Some(choice.as_str()));
    client.ask(call.query("to", to)).await?;
    let line = format!("{label} is disconnected");
    let document = json!({"id": account.id, "disconnected": true, "duePosts": due});
    context.print(&document, &line)?;
    if due > 0 {
        context.printer.warning(&format!("{posts} to come {fate}"));
        if choice == Due::Keep {
            let shown = format!("`scheduler upcoming --account {}` shows them", account.id);
            context.printer.advice(&shown);
        }
    }
    Ok(())
}

async fn defaults(context: &Context, arguments: DefaultsArguments) -> Result<(), Failure> {
    let DefaultsArguments { account, options, signature, none, of } = arguments;
    let client = of.open(context).await?;
    let mut detail = named(&accounts(&client).await?, &account)?.clone();
    if none || signature.is_some() || !options.is_empty() {
        let platform = detail.account.platform;
        let (mut set, mut removed) = (Vec::new(), Vec::new());
        for change in options {
            match change {
                OptionChange::Set(option) => set.push(option),
                OptionChange::Remove(platform, key) => removed.push((platform, key)),
            }
        }
        let set = Options::gather(&set).map_err(Failure::Usage)?;
        let mut named = set.platforms().chain(removed.iter().map(|(platform, _)| *platform));
        if let Some(other) = named.find(|other| *other != platform) {
            let message = format!("--option {other}.…: {account} is no account of it");
            return Err(Failure::Usage(message));
        }
        // The server takes all of them at once.
        let mut options = if none { Map::new() } else { detail.default_options };
        for (_, key) in &removed {
            options.remove(key);
        }
        options.extend(set.of(platform).cloned().unwrap_or_default());
        match signature {
            Some(signature) if signature.is_empty() => {
                options.remove(SIGNATURE.key);
            }
            Some(signature) => {
                options.insert(SIGNATURE.key.to_owned(), signature.into());
            }
            None => {}
        }
        let path = format!("/accounts/{}/defaults", detail.account.id);
        let body = json!({ "options": options });
        detail = client.ask(Call::put(&path, &body)).await?.read()?;
    }
    let document = json!({"id": detail.account.id, "options": detail.default_options});
    Ok(context.printer.result(&document, |printer| {
        if detail.default_options.is_empty() {
            return printer.line(&format!("{}: no default options", detail.account.label()));
        }
        detail.default_options.iter().try_for_each(|(key, value)| {
            let value = value.as_str().map_or_else(|| value.to_string().into(), escape_control);
            printer.line(&format!("{}.{key}={value}", detail.account.platform))
        })
    })?)
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

fn list(context: &Context, accounts: &[AccountDetail]) -> Result<(), Failure> {
    let views: Vec<&AccountView> = accounts.iter().map(|detail| &detail.account).collect();
    let document: Value = json!({"data": views});
    let rows = accounts.iter().map(|detail| {
        let account = &detail.account;
        vec![
            cell(account.id),
            cell(account.platform),
            cell(name(account)),
            cell(detail.schedule.zone),
            state(account),
        ]
    });
    Ok(context.printer.result(&document, |printer| {
        printer.table(&["id", "network", "account", "zone", "state"], rows, "No accounts.")
    })?)
}

/// Its handle, or what it is called on a network without handles.
fn name(account: &AccountView) -> &str {
    account.username.as_deref().or(account.display_name.as_deref()).unwrap_or_default()
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
