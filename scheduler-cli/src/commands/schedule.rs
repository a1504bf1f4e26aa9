//! `scheduler schedule`: the weekly posting schedules of accounts.

use clap::{Args, Subcommand};
use scheduler_core::app::AccountDetail;
use scheduler_core::timing::{SlotTime, SlotView, WeeklySchedule, Zone};
use serde_json::{Value, json};

use crate::client::Call;
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::named_accounts::{accounts, several};
use crate::names;

/// What to do with schedules.
#[derive(Debug, Subcommand)]
pub(crate) enum ScheduleCommand {
    /// Show when accounts post what is queued
    #[command(
        after_help = "Examples:\n  scheduler schedule show\n  scheduler schedule show bluesky"
    )]
    Show(ShowArguments),
    /// Set when accounts post what is queued
    #[command(
        after_help = "Examples:\n  scheduler schedule set bluesky \"mon-fri 09:00,13:00; sat 11:00\"\n  scheduler schedule set all \"daily 09:00\" --zone Europe/Berlin"
    )]
    Set(SetArguments),
}

/// Whose schedules.
#[derive(Args, Debug)]
pub(crate) struct ShowArguments {
    /// Accounts, each by its id, its network, or as NETWORK:@HANDLE, with commas between; all for all
    #[arg(default_value = "all")]
    account: String,
    #[command(flatten)]
    of: OfWorkspace,
}

/// A new schedule.
#[derive(Args, Debug)]
pub(crate) struct SetArguments {
    /// Accounts, each by its id, its network, or as NETWORK:@HANDLE, with commas between; all for all
    account: String,
    /// Days and times, such as "mon-fri 09:00,13:00; sat 11:00"
    #[arg(required_unless_present = "none")]
    schedule: Option<WeeklySchedule>,
    /// No slots
    #[arg(long, conflicts_with = "schedule")]
    none: bool,
    /// The zone in which they are read from now on, such as Europe/Berlin
    #[arg(long, value_parser = names::zone)]
    zone: Option<Zone>,
    #[command(flatten)]
    of: OfWorkspace,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: ScheduleCommand) -> Result<Exit, Failure> {
    match command {
        ScheduleCommand::Show(ShowArguments { account, of }) => {
            let client = of.open(&context).await?;
            let known = accounts(&client).await?;
            let chosen: Vec<AccountDetail> =
                several(&known, &account)?.into_iter().cloned().collect();
            show(&context, &chosen, account == "all")
        }
        ScheduleCommand::Set(SetArguments { account, schedule, none: _, zone, of }) => {
            if schedule.as_ref().is_some_and(WeeklySchedule::is_empty) {
                let message = "the schedule is empty; --none takes the slots away";
                return Err(Failure::Usage(message.into()));
            }
            let schedule = schedule.unwrap_or_else(|| WeeklySchedule::new(Vec::new()));
            let client = of.open(&context).await?;
            let known = accounts(&client).await?;
            let chosen = several(&known, &account)?;
            let ids: Vec<_> = chosen.iter().map(|detail| detail.account.id).collect();
            let slots: Vec<SlotView> =
                schedule.slots().iter().copied().map(SlotView::from).collect();
            let mut body = json!({"accountIds": ids, "slots": slots});
            if let Some(zone) = zone {
                body["zone"] = json!(zone);
            }
            let changed: Vec<AccountDetail> =
                client.ask(Call::put("/schedules", &body)).await?.data()?;
            show(&context, &changed, chosen.len() != 1)
        }
    }
}

/// Ends with a line for each account; with one document where there is one.
fn show(context: &Context, accounts: &[AccountDetail], are_several: bool) -> Result<Exit, Failure> {
    let documents: Vec<Value> = accounts.iter().map(document).collect();
    let lines: Vec<String> = accounts.iter().map(line).collect();
    let text = if lines.is_empty() { "No accounts.".to_owned() } else { lines.join("\n") };
    match documents.as_slice() {
        [one] if !are_several => context.done(one, &text),
        _ => context.done(&json!({"data": documents}), &text),
    }
}

fn line(detail: &AccountDetail) -> String {
    let (label, schedule) = (detail.account.label(), schedule(detail));
    if schedule.is_empty() {
        format!("{label} has no slots")
    } else {
        format!("{label}: {schedule} ({})", detail.schedule.zone)
    }
}

fn schedule(detail: &AccountDetail) -> String {
    let slots = detail.schedule.slots.iter().filter_map(|slot| SlotTime::try_from(slot).ok());
    WeeklySchedule::new(slots.collect()).to_string()
}

fn document(detail: &AccountDetail) -> Value {
    json!({
        "accountId": detail.account.id,
        "platform": detail.account.platform,
        "schedule": schedule(detail),
        "timezone": detail.schedule.zone,
    })
}
