//! `scheduler deliveries`: what became of events on their way to webhooks.

use clap::{Args, Subcommand, ValueEnum};
use reqwest::Method;
use scheduler_core::ids::DeliveryId;
use scheduler_core::webhook::{AttemptView, DeliveryStatus, DeliveryView};
use serde_json::json;

use crate::client::Call;
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names;
use crate::posting::instant;
use crate::printer::{Column, Shows, cell, one_line};

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
    /// Only those of this status
    #[arg(long)]
    status: Option<Status>,
    /// At most so many
    #[arg(long, default_value_t = 50)]
    limit: u32,
    #[command(flatten)]
    of: OfWorkspace,
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
    #[command(flatten)]
    of: OfWorkspace,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: DeliveriesCommand) -> Result<Exit, Failure> {
    match command {
        DeliveriesCommand::List(arguments) => {
            let ListArguments { status, limit, of } = arguments;
            let client = of.open(&context).await?;
            let status = status.map(|status| DeliveryStatus::from(status).as_str());
            let call = Call::get("/deliveries").query("status", status).query("limit", Some(limit));
            list(&context, &client.ask(call).await?.data()?)
        }
        DeliveriesCommand::Redeliver(RedeliverArguments { id, of }) => {
            let client = of.open(&context).await?;
            let path = format!("/deliveries/{id}/redeliver");
            let delivery: DeliveryView =
                client.ask(Call::new(Method::POST, &path)).await?.read()?;
            context.done(&delivery, "due now")
        }
    }
}

fn list(context: &Context, deliveries: &[DeliveryView]) -> Result<Exit, Failure> {
    let columns: [Shows<DeliveryView>; 7] = [
        (Column::words("id"), |delivery| cell(delivery.id)),
        (Column::words("event"), |delivery| cell(delivery.event.as_str())),
        (Column::words("address"), |delivery| cell(&delivery.url)),
        (Column::words("status"), |delivery| cell(delivery.status.as_str())),
        (Column::numbers("attempts"), |delivery| cell(delivery.attempts.len())),
        (Column::words("last"), |delivery| {
            cell(delivery.attempts.last().map(|attempt| instant(attempt.at)).unwrap_or_default())
        }),
        (Column::text("answer"), |delivery| {
            cell(delivery.attempts.last().map(outcome).unwrap_or_default())
        }),
    ];
    context.list(&json!({"data": deliveries}), deliveries, &columns, "No deliveries.")
}

/// What came of an attempt, in a few words.
fn outcome(attempt: &AttemptView) -> String {
    let answer = one_line(&attempt.answer);
    match attempt.status {
        Some(status) => format!("{status} {answer}").trim_end().to_owned(),
        None => answer,
    }
}
