//! `scheduler webhooks`: adds, lists and removes webhooks.

mod listen;

use clap::{Args, Subcommand};
use reqwest::Method;
use scheduler_core::ids::WebhookId;
use scheduler_core::webhook::{EventKind, WebhookTest, WebhookView};
use serde_json::json;

use crate::client::{Answer, Call, Client};
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::{self, OneOf};
use crate::posting::instant;
use crate::printer::{Column, Shows, Tone, cell, one_line, toned};

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
    List(ClientOptions),
    /// Remove a webhook; what was not delivered yet is given up
    #[command(
        after_help = "Example:\n  scheduler webhooks remove 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Remove(RemoveArguments),
    /// Send an event to a webhook for a test, and show what its receiver answers
    #[command(
        after_help = "Example:\n  scheduler webhooks test 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Test(TestArguments),
    /// Receive, verify and print events
    #[command(
        after_help = "Examples:\n  scheduler webhooks listen --port 9000\n  scheduler webhooks listen --port 9000 --json | jq .event"
    )]
    Listen(listen::ListenArguments),
}

/// A new webhook.
#[derive(Args, Debug)]
pub(crate) struct AddArguments {
    /// Where events go; https and public
    address: String,
    /// Which events, with commas between: post.published, post.failed, post.scheduled,
    /// post.approval_decided, account.needs_reconnect, account.token_expiring, media.ready,
    /// media.failed, comment.received, feed.failing [default: the first two]
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

/// A webhook to test.
#[derive(Args, Debug)]
pub(crate) struct TestArguments {
    /// The webhook's id, as `webhooks list` shows it
    #[arg(value_parser = names::webhook_id)]
    id: WebhookId,
    #[command(flatten)]
    client: ClientOptions,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: WebhooksCommand) -> Result<Exit, Failure> {
    match command {
        WebhooksCommand::Add(arguments) => add(&context, arguments).await,
        WebhooksCommand::List(arguments) => list(&context, arguments).await,
        WebhooksCommand::Remove(arguments) => {
            let client = context.client(arguments.client).await?;
            remove(&client, arguments.id).await?;
            context.done(&json!({"id": arguments.id, "removed": true}), "removed")
        }
        WebhooksCommand::Test(arguments) => test(&context, arguments).await,
        WebhooksCommand::Listen(arguments) => listen::run(&context, arguments).await,
    }
}

async fn add(context: &Context, arguments: AddArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client).await?;
    let answer = create(&client, &arguments.address, &arguments.events).await?;
    let webhook: WebhookView = answer.read()?;
    context.printer.result(&answer.body, |printer| {
        printer.line(&format!("webhook {}", webhook.id))?;
        printer.line(&format!("address {}", webhook.url))?;
        printer.line(&format!("events  {}", names(&webhook.events)))?;
        printer.line(&format!("secret  {}", webhook.secret.as_deref().unwrap_or_default()))
    })?;
    if !context.printer.is_json() {
        context.printer.message("the secret is shown this once; verify events with it");
    }
    // A key may add webhooks that may not list them.
    let known = client.send(Call::get("/workspace/webhooks")).await;
    let known: Vec<WebhookView> = known.and_then(|answer| answer.data()).unwrap_or_default();
    if let Some(other) =
        known.iter().find(|other| other.id != webhook.id && other.url == webhook.url)
    {
        let message =
            format!("the webhook {} has this address too: it gets each event twice", other.id);
        context.printer.warning(&message);
    }
    Ok(Exit::Done)
}

async fn list(context: &Context, options: ClientOptions) -> Result<Exit, Failure> {
    let client = context.client(options).await?;
    let answer = client.send(Call::get("/workspace/webhooks")).await?;
    let columns: [Shows<WebhookView>; 5] = [
        (Column::words("id"), |webhook| cell(webhook.id)),
        (Column::words("address"), |webhook| cell(&webhook.url)),
        (Column::words("events"), |webhook| cell(names(&webhook.events))),
        (Column::words("created"), |webhook| cell(instant(webhook.created_at))),
        (Column::words("state"), |webhook| match webhook.disabled_at {
            Some(at) => toned(format!("disabled {}", instant(at)), Tone::Bad),
            None => cell("on"),
        }),
    ];
    context.list(&answer.body, &answer.data()?, &columns, "No webhooks.")
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
    Ok(client.send(Call::post("/workspace/webhooks", &body)).await?)
}

async fn remove(client: &Client, id: WebhookId) -> Result<(), Failure> {
    let path = format!("/workspace/webhooks/{id}");
    client.send(Call::new(Method::DELETE, &path)).await?;
    Ok(())
}

/// Ends with 1 when the receiver does not acknowledge it.
async fn test(context: &Context, arguments: TestArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client).await?;
    let path = format!("/workspace/webhooks/{}/test", arguments.id);
    let test: WebhookTest = client.send(Call::new(Method::POST, &path)).await?.read()?;
    let answered = match test.status {
        Some(status) => format!("answered {status} after {} ms", test.ms),
        None => "no answer".to_owned(),
    };
    let answer = one_line(&test.answer);
    let line = if answer.is_empty() { answered } else { format!("{answered}: {answer}") };
    context.print(&test, &line)?;
    Ok(if test.is_acknowledged() { Exit::Done } else { Exit::Failed })
}

fn names(events: &[EventKind]) -> String {
    let names: Vec<&str> = events.iter().map(|event| event.as_str()).collect();
    names.join(", ")
}
