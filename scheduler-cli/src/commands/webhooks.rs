//! `scheduler webhooks`: adds, lists and removes webhooks.

mod listen;

use clap::{Args, Subcommand};
use reqwest::Method;
use scheduler_core::ids::WebhookId;
use scheduler_core::webhook::{EventKind, WebhookView};
use serde::Deserialize;
use serde_json::json;

use super::Context;
use crate::client::{Answer, Call, Client};
use crate::config::ClientOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::{self, OneOf};
use crate::posting::instant;
use crate::printer::cell;

/// What to do with webhooks.
#[derive(Debug, Subcommand)]
pub(crate) enum WebhooksCommand {
    /// Subscribe an address to events; shows the secret that signs them, this once
    #[command(
        after_help = "Examples:\n  scheduler webhooks add https://example.com/events\n  scheduler webhooks add https://example.com/failures --events post.failed"
    )]
    Add(AddArguments),
    /// List the webhooks
    #[command(after_help = "Example:\n  scheduler webhooks list")]
    List(ClientArguments),
    /// Remove a webhook; what was not delivered yet is given up
    #[command(
        after_help = "Example:\n  scheduler webhooks remove 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Remove(RemoveArguments),
    /// Receive, verify and print events
    #[command(
        after_help = "Examples:\n  scheduler webhooks listen --port 9000\n  scheduler webhooks listen --port 9000 --json | jq .event"
    )]
    Listen(listen::ListenArguments),
}

/// The server to ask.
#[derive(Args, Debug)]
pub(crate) struct ClientArguments {
    #[command(flatten)]
    client: ClientOptions,
}

/// A new webhook.
#[derive(Args, Debug)]
pub(crate) struct AddArguments {
    /// Where events go; https and public
    address: String,
    /// Which events: post.published, post.failed [default: both]
    #[arg(
        long,
        value_name = "EVENTS",
        value_delimiter = ',',
        value_parser = OneOf::<EventKind>::new(),
        hide_possible_values = true
    )]
    events: Vec<EventKind>,
    #[command(flatten)]
    client: ClientOptions,
}

/// A webhook to remove.
#[derive(Args, Debug)]
pub(crate) struct RemoveArguments {
    /// The webhook's id, as `webhooks list` shows it
    #[arg(value_parser = names::webhook_id)]
    id: WebhookId,
    #[command(flatten)]
    client: ClientOptions,
}

/// Does what was asked.
///
/// # Errors
/// [`Failure`] by variant.
pub(crate) async fn run(context: Context, command: WebhooksCommand) -> Result<Exit, Failure> {
    match command {
        WebhooksCommand::Add(arguments) => add(&context, arguments).await,
        WebhooksCommand::List(arguments) => list(&context, arguments).await,
        WebhooksCommand::Remove(arguments) => {
            let client = context.client(arguments.client)?;
            remove(&client, arguments.id).await?;
            context
                .printer
                .report(&json!({"id": arguments.id, "removed": true}), "removed")
                .map_err(anyhow::Error::from)?;
            Ok(Exit::Done)
        }
        WebhooksCommand::Listen(arguments) => listen::run(&context, arguments).await,
    }
}

async fn add(context: &Context, arguments: AddArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client)?;
    let answer = create(&client, &arguments.address, &arguments.events).await?;
    let webhook: WebhookView = answer.read()?;
    let printed = context.printer.result(&answer.body, |printer| {
        printer.line(&format!("webhook {}", webhook.id))?;
        printer.line(&format!("address {}", webhook.url))?;
        printer.line(&format!("events  {}", names(&webhook.events)))?;
        printer.line(&format!("secret  {}", webhook.secret.as_deref().unwrap_or_default()))
    });
    printed.map_err(anyhow::Error::from)?;
    if !context.printer.is_json() {
        context.printer.message("the secret is shown this once; verify events with it");
    }
    Ok(Exit::Done)
}

async fn list(context: &Context, arguments: ClientArguments) -> Result<Exit, Failure> {
    #[derive(Deserialize)]
    struct Webhooks {
        data: Vec<WebhookView>,
    }
    let client = context.client(arguments.client)?;
    let answer = client.send(Call::get("/workspace/webhooks")).await?;
    let webhooks: Webhooks = answer.read()?;
    let rows = webhooks.data.iter().map(|webhook| {
        vec![
            cell(webhook.id),
            cell(&webhook.url),
            cell(names(&webhook.events)),
            cell(instant(webhook.created_at)),
        ]
    });
    let printed = context.printer.result(&answer.body, |printer| {
        printer.table(&["id", "address", "events", "created"], rows, "No webhooks.")
    });
    printed.map_err(anyhow::Error::from)?;
    Ok(Exit::Done)
}

/// Subscribes an address; both kinds of event when none is named.
///
/// # Errors
/// Those of the server.
pub(crate) async fn create(
    client: &Client,
    address: &str,
    events: &[EventKind],
) -> Result<Answer, Failure> {
    let mut body = json!({"url": address});
    if !events.is_empty() {
        body["events"] = json!(events);
    }
    client.send(Call::post("/workspace/webhooks", &body)).await
}

async fn remove(client: &Client, id: WebhookId) -> Result<(), Failure> {
    let path = format!("/workspace/webhooks/{id}");
    client.send(Call::new(Method::DELETE, &path)).await?;
    Ok(())
}

fn names(events: &[EventKind]) -> String {
    let names: Vec<&str> = events.iter().map(|event| event.as_str()).collect();
    names.join(", ")
}
