//! `scheduler notifications`: tells people what happens.

use clap::{Args, Subcommand};
use http::Method;
use scheduler_core::app::{NotifierInput, NotifierTest};
use scheduler_core::ids::NotifierId;
use scheduler_core::notification::{Channel, NotifierView, QuietHours};
use scheduler_core::timing::Zone;
use scheduler_core::webhook::EventKind;
use scheduler_core::workspace::WorkspaceView;
use serde_json::json;

use crate::client::{Call, Client};
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::{self, OneOf};
use crate::posting::instant;
use crate::printer::{Column, Shows, cell, one_line};

/// What to do with notifications.
#[derive(Debug, Subcommand)]
pub(crate) enum NotificationsCommand {
    /// Have people told what happens: by e-mail, in Slack or Discord, or by ntfy
    ///
    /// They are told of what happens from now on. Many things are one message, and a message comes
    /// every five minutes at most.
    #[command(
        after_help = "Examples:\n  scheduler notifications add email ana@example.com --quiet 22:00-07:00\n  scheduler notifications add slack https://hooks.slack.com/services/T00/B00/XXXX\n  scheduler notifications add discord https://discord.com/api/webhooks/1/XXXX --events post.failed\n  scheduler notifications add ntfy https://ntfy.sh/my-topic"
    )]
    Add(AddArguments),
    /// List who is told, and what became of telling them
    #[command(after_help = "Example:\n  scheduler notifications list")]
    List(OfWorkspace),
    /// Send them a test
    #[command(
        after_help = "Example:\n  scheduler notifications test 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Test(OneArguments),
    /// Tell them nothing any more
    #[command(
        after_help = "Example:\n  scheduler notifications remove 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Remove(OneArguments),
}

/// Somebody to tell.
#[derive(Args, Debug)]
pub(crate) struct AddArguments {
    /// How they are reached
    #[arg(value_parser = OneOf::<Channel>::new())]
    channel: Channel,
    /// Where: a mailbox, the address of a webhook of Slack or Discord, or that of a topic of ntfy
    address: String,
    /// What they are told of, with commas between; what somebody has to see to when left out
    #[arg(long, value_delimiter = ',', value_parser = OneOf::<EventKind>::new())]
    events: Vec<EventKind>,
    /// When they are left alone, such as 22:00-07:00; what happens meanwhile they are told at its end
    #[arg(long, value_name = "FROM-TO")]
    quiet: Option<String>,
    /// The zone of these hours; that of the workspace when left out
    #[arg(long, value_name = "ZONE", value_parser = names::zone, requires = "quiet")]
    zone: Option<Zone>,
    #[command(flatten)]
    of: OfWorkspace,
}

/// Somebody who is told.
#[derive(Args, Debug)]
pub(crate) struct OneArguments {
    /// The id, as `notifications list` shows it
    #[arg(value_parser = names::notifier_id)]
    id: NotifierId,
    #[command(flatten)]
    of: OfWorkspace,
}

pub(crate) async fn run(context: Context, command: NotificationsCommand) -> Result<Exit, Failure> {
    match command {
        NotificationsCommand::Add(arguments) => add(&context, arguments).await,
        NotificationsCommand::List(of) => {
            let client = of.open(&context).await?;
            list(&context, &client.ask(Call::get("/notifiers")).await?.data()?)
        }
        NotificationsCommand::Test(OneArguments { id, of }) => {
            let path = format!("/notifiers/{id}/test");
            let call = Call::new(Method::POST, &path);
            let tested: NotifierTest = of.open(&context).await?.ask(call).await?.read()?;
            match &tested.error {
                None => context.done(&tested, "sent"),
                Some(error) => {
                    context.print(&tested, &format!("not sent: {}", one_line(error)))?;
                    Ok(Exit::Failed)
                }
            }
        }
        NotificationsCommand::Remove(OneArguments { id, of }) => {
            let path = format!("/notifiers/{id}");
            of.open(&context).await?.ask(Call::new(Method::DELETE, &path)).await?;
            context.done(&json!({"id": id, "removed": true}), "removed")
        }
    }
}

async fn add(context: &Context, arguments: AddArguments) -> Result<Exit, Failure> {
    let AddArguments { channel, address, events, quiet, zone, of } = arguments;
    let client = of.open(context).await?;
    let quiet = match quiet {
        Some(hours) => Some(hours_of(&client, &hours, zone).await?),
        None => None,
    };
    let events = (!events.is_empty()).then_some(events);
    let input = NotifierInput { channel, address, events, quiet };
    let body = serde_json::to_value(&input).map_err(anyhow::Error::from)?;
    let made: NotifierView = client.ask(Call::post("/notifiers", &body)).await?.read()?;
    let told = format!(
        "{} is told; `scheduler notifications test {}` sends a test",
        made.address, made.id
    );
    context.done(&made, &told)
}

/// Hours by the clock of a zone, or of the workspace.
async fn hours_of(client: &Client, hours: &str, zone: Option<Zone>) -> Result<QuietHours, Failure> {
    let zone = match zone {
        Some(zone) => zone,
        None => {
            let workspace: WorkspaceView = client.ask(Call::get("/workspace")).await?.read()?;
            workspace.timezone.unwrap_or(Zone::UTC)
        }
    };
    QuietHours::parse(hours, zone).map_err(|error| Failure::Usage(error.to_string()))
}

fn list(context: &Context, views: &[NotifierView]) -> Result<Exit, Failure> {
    let columns: [Shows<NotifierView>; 7] = [
        (Column::words("id"), |view| cell(view.id)),
        (Column::words("channel"), |view| cell(view.channel)),
        (Column::words("address"), |view| cell(one_line(&view.address))),
        (Column::text("events"), |view| {
            cell(view.events.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", "))
        }),
        (Column::words("quiet"), |view| {
            cell(view.quiet.map_or_else(String::new, |quiet| quiet.to_string()))
        }),
        (Column::words("told"), |view| cell(view.told_at.map(instant).unwrap_or_default())),
        (Column::text("error"), |view| cell(one_line(view.error.as_deref().unwrap_or_default()))),
    ];
    context.list(&json!({"data": views}), views, &columns, "Nobody is told what happens.")
}
