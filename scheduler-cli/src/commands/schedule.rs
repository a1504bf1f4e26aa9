//! `scheduler schedule`: the weekly posting schedule of an account.

use clap::{Args, Subcommand};
use scheduler_core::account::Account;
use scheduler_core::timing::WeeklySchedule;
use serde_json::{Value, json};

use crate::config::StorageOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::runtime::Application;

/// What to do with a schedule.
#[derive(Debug, Subcommand)]
pub(crate) enum ScheduleCommand {
    /// Show when an account posts what is queued
    #[command(after_help = "Example:\n  scheduler schedule show bluesky")]
    Show(ShowArguments),
    /// Set when an account posts what is queued
    #[command(
        after_help = "Example:\n  scheduler schedule set bluesky \"mon-fri 09:00,13:00; sat 11:00\""
    )]
    Set(SetArguments),
}

/// Whose schedule.
#[derive(Args, Debug)]
pub(crate) struct ShowArguments {
    /// The account: its id, its network, or NETWORK:@HANDLE
    account: String,
    /// Its workspace, by name or id; the only one when left out
    #[arg(long)]
    workspace: Option<String>,
    #[command(flatten)]
    storage: StorageOptions,
}

/// A new schedule.
#[derive(Args, Debug)]
pub(crate) struct SetArguments {
    #[command(flatten)]
    of: ShowArguments,
    /// Days and times, such as "mon-fri 09:00,13:00; sat 11:00"; "" for none
    schedule: WeeklySchedule,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: ScheduleCommand) -> Result<Exit, Failure> {
    let (of, schedule) = match command {
        ScheduleCommand::Show(of) => (of, None),
        ScheduleCommand::Set(arguments) => (arguments.of, Some(arguments.schedule)),
    };
    let (application, workspace) =
        Application::of_workspace(&context, of.storage, of.workspace.as_deref()).await?;
    let mut account = application.account(&workspace, &of.account).await?;
    if let Some(schedule) = schedule {
        application.scheduler.set_account_schedule(&account, schedule.clone()).await?;
        account.schedule = schedule;
    }
    let zone = account.zone(workspace.timezone);
    let line = if account.schedule.is_empty() {
        format!("{} has no slots", account.label())
    } else {
        format!("{}: {} ({zone})", account.label(), account.schedule)
    };
    context.done(&document(&account, zone.name()), &line)
}

fn document(account: &Account, zone: &str) -> Value {
    json!({
        "accountId": account.id,
        "platform": account.platform,
        "schedule": account.schedule.to_string(),
        "timezone": zone,
    })
}
