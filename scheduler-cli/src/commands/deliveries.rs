//! `scheduler deliveries`: what became of events on their way to webhooks.

use clap::{Args, Subcommand, ValueEnum};
use scheduler_core::ids::DeliveryId;
use scheduler_core::ports::DeliveryRecord;
use scheduler_core::webhook::{DeliveryAttempt, DeliveryStatus};
use serde_json::{Value, json};

use crate::config::StorageOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names;
use crate::posting::instant;
use crate::printer::{Column, Shows, cell, one_line};
use crate::runtime::Application;

/// What to do with deliveries.
#[derive(Debug, Subcommand)]
pub(crate) enum DeliveriesCommand {
    /// List the latest deliveries of a workspace with their attempts, newest first
    #[command(after_help = "Example:\n  scheduler deliveries list --status failed")]
    List(ListArguments),
    /// Send an event once more, under the same id and with five retries ahead
    #[command(
        after_help = "Example:\n  scheduler deliveries redeliver 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Redeliver(RedeliverArguments),
}

/// Whose deliveries.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    /// The workspace, by name or id; the only one when left out
    #[arg(long)]
    workspace: Option<String>,
    /// Only those of this status
    #[arg(long)]
    status: Option<Status>,
    /// At most so many
    #[arg(long, default_value_t = 50)]
    limit: u32,
    #[command(flatten)]
    storage: StorageOptions,
}

/// A status of a delivery.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Status {
    /// Will be tried
    Pending,
    /// Acknowledged
    Delivered,
    /// Given up
    Failed,
}

impl From<Status> for DeliveryStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Pending => Self::Pending,
            Status::Delivered => Self::Delivered,
            Status::Failed => Self::Failed,
        }
    }
}

/// A delivery to send again.
#[derive(Args, Debug)]
pub(crate) struct RedeliverArguments {
    /// The delivery's id, as `deliveries list` shows it
    #[arg(value_parser = names::delivery_id)]
    id: DeliveryId,
    /// The workspace, by name or id; the only one when left out
    #[arg(long)]
    workspace: Option<String>,
    #[command(flatten)]
    storage: StorageOptions,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: DeliveriesCommand) -> Result<Exit, Failure> {
    match command {
        DeliveriesCommand::List(arguments) => {
            let (application, workspace) = Application::of_workspace(
                &context,
                arguments.storage,
                arguments.workspace.as_deref(),
            )
            .await?;
            let status = arguments.status.map(DeliveryStatus::from);
            let scheduler = &application.scheduler;
            list(&context, &scheduler.deliveries(workspace.id, status, arguments.limit).await?)
        }
        DeliveriesCommand::Redeliver(arguments) => {
            let (application, workspace) = Application::of_workspace(
                &context,
                arguments.storage,
                arguments.workspace.as_deref(),
            )
            .await?;
            let record = application.scheduler.redeliver(workspace.id, arguments.id).await?;
            context.done(&document(&record), "due now")
        }
    }
}

fn list(context: &Context, records: &[DeliveryRecord]) -> Result<Exit, Failure> {
    let documents: Vec<Value> = records.iter().map(document).collect();
    let columns: [Shows<DeliveryRecord>; 7] = [
        (Column::words("id"), |record| cell(record.delivery.id)),
        (Column::words("event"), |record| cell(record.event.as_str())),
        (Column::words("address"), |record| cell(&record.url)),
        (Column::words("status"), |record| cell(record.delivery.status.as_str())),
        (Column::numbers("attempts"), |record| cell(record.attempts.len())),
        (Column::words("last"), |record| {
            cell(record.attempts.last().map(|attempt| instant(attempt.at)).unwrap_or_default())
        }),
        (Column::text("answer"), |record| {
            cell(record.attempts.last().map(outcome).unwrap_or_default())
        }),
    ];
    context.list(&json!({"data": documents}), records, &columns, "No deliveries.")
}

/// What came of an attempt, in a few words.
fn outcome(attempt: &DeliveryAttempt) -> String {
    let answer = one_line(&attempt.answer);
    match attempt.status {
        Some(status) => format!("{status} {answer}").trim_end().to_owned(),
        None => answer,
    }
}

fn document(record: &DeliveryRecord) -> Value {
    let attempts = record.attempts.iter().map(
        |attempt| json!({"at": attempt.at, "status": attempt.status, "answer": attempt.answer}),
    );
    json!({
        "id": record.delivery.id,
        "eventId": record.delivery.event_id,
        "event": record.event,
        "webhookId": record.delivery.webhook_id,
        "url": record.url,
        "status": record.delivery.status,
        "attempts": attempts.collect::<Vec<_>>(),
    })
}
