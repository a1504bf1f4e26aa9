//! `scheduler webhooks listen`: receives, verifies and prints events.

use std::net::Ipv4Addr;

use clap::Args;
use scheduler_core::ids::WebhookId;
use scheduler_core::webhook::{Envelope, EventKind, WebhookView};
use secrecy::SecretString;
use serde_json::{Value, json};

use super::{create, remove};
use crate::client::Client;
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::instant;
use crate::receiver::{Received, Receiver};
use crate::signals::stop_requested;

/// Where to listen, and whose events to take.
#[derive(Args, Debug)]
pub(crate) struct ListenArguments {
    /// The port to listen on, on 127.0.0.1; 0 takes a free one
    #[arg(long, value_name = "PORT")]
    port: u16,
    /// The secret of a webhook that leads here; may be given several times. Without any, a
    /// webhook is added at the server and removed at the end [env: SCHEDULER_WEBHOOK_SECRET]
    #[arg(long, value_name = "SECRET")]
    secret: Vec<SecretString>,
    /// The address under which the server reaches this port, for the webhook that is added
    #[arg(long, value_name = "URL", conflicts_with = "secret")]
    address: Option<String>,
    #[command(flatten)]
    client: ClientOptions,
}

/// Listens until SIGTERM or ctrl-C.
pub(super) async fn run(context: &Context, arguments: ListenArguments) -> Result<Exit, Failure> {
    // First of all, so that being stopped cannot leave the webhook behind.
    let stop = stop_requested()?;
    let mut receiver = Receiver::bind((Ipv4Addr::LOCALHOST, arguments.port).into())
        .await
        .map_err(|error| anyhow::anyhow!("cannot listen on port {}: {error}", arguments.port))?;
    let mut secrets = arguments.secret;
    if secrets.is_empty() && arguments.address.is_none() {
        secrets.extend(context.sources.text("webhook_secret").map(SecretString::from));
    }
    let mut added: Option<(Client, WebhookId)> = None;
    if secrets.is_empty() {
        let client = context.client(arguments.client).await?;
        let address =
            arguments.address.unwrap_or_else(|| format!("http://{}/", receiver.address()));
        let created = create(&client, &address, &[]).await.inspect_err(|_| {
            context.printer.message(
                "a webhook to this port could not be added: a server calls it when it runs with \
                 SCHEDULER_WEBHOOKS_ALLOW_PRIVATE=true, which a command on its own machine has to \
                 be told too; else give --address with a public address that leads here, or \
                 --secret of a webhook that does",
            );
        });
        let webhook: WebhookView = created?.read()?;
        let secret = webhook.secret.unwrap_or_default();
        secrets.push(SecretString::from(secret));
        added = Some((client, webhook.id));
    }
    for secret in secrets {
        receiver.trust(secret);
    }
    context.printer.message(&format!("Listening on http://{}", receiver.address()));
    let listened = listen(context, &mut receiver, stop).await;
    receiver.stop().await;
    if let Some((client, id)) = added {
        remove(&client, id).await?;
    }
    listened?;
    Ok(Exit::Done)
}

async fn listen(
    context: &Context,
    receiver: &mut Receiver,
    stop: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    tokio::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => return Ok(()),
            received = receiver.next() => match received {
                Some(received) => print(context, &received)?,
                None => return Ok(()),
            },
        }
    }
}

fn print(context: &Context, received: &Received) -> anyhow::Result<()> {
    let (document, line) = match received {
        Received::Event { envelope, repeat } => (
            json!({"verified": true, "repeat": repeat, "event": envelope}),
            line(envelope, *repeat),
        ),
        Received::Refused { reason } => {
            (json!({"verified": false, "reason": reason}), format!("not verified: {reason}"))
        }
    };
    Ok(context.printer.report(&document, &line)?)
}

fn line(envelope: &Envelope, repeat: bool) -> String {
    let text = |name: &str| envelope.data.get(name).and_then(Value::as_str).unwrap_or_default();
    let what = match envelope.event.known() {
        Some(EventKind::Published) => vec![text("platform"), text("remoteUrl")],
        Some(EventKind::Failed) => vec![text("platform"), text("error")],
        Some(EventKind::Scheduled) => vec![text("postId"), text("scheduledAt")],
        Some(EventKind::ApprovalDecided) => {
            vec![text("postId"), text("decision"), text("note")]
        }
        Some(EventKind::NeedsReconnect) => {
            vec![text("platform"), text("handle"), text("reason")]
        }
        Some(EventKind::TokenExpiring) => {
            vec![text("platform"), text("handle"), text("expiresAt")]
        }
        Some(EventKind::MediaReady | EventKind::MediaFailed) => {
            vec![text("kind"), text("mediaId"), text("error")]
        }
        Some(EventKind::CommentReceived) => {
            vec![text("platform"), text("author"), text("text")]
        }
        Some(EventKind::FeedFailing) => vec![text("name"), text("error")],
        None => Vec::new(),
    };
    let (at, event) = (instant(envelope.created_at), envelope.event.as_str().to_owned());
    let again = if repeat { "(again)" } else { "" };
    let words = [at.as_str(), &event].into_iter().chain(what).chain([again]);
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
