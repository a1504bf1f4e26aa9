//! `scheduler serve`: the API and its workers.

use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use scheduler_core::timing::Zone;
use scheduler_core::workspace::Workspace;
use serde_json::json;

use super::doctor::OwnDoctor;
use crate::config::{ServerOptions, ServerSettings, StorageOptions};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::first_key;
use crate::node::Node;
use crate::runtime::ApplicationSettings;
use crate::signals::stop_requested;

/// A server.
#[derive(Args, Debug)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    server: ServerOptions,
    #[command(flatten)]
    storage: StorageOptions,
    /// Run on the sandbox networks: those at SCHEDULER_SANDBOX_URL, else some of its own
    /// [env: SCHEDULER_SANDBOX]
    #[arg(long)]
    sandbox: bool,
}

/// Serves until SIGTERM or ctrl-C.
pub(crate) async fn run(context: Context, arguments: ServeArguments) -> Result<Exit, Failure> {
    for variable in context.sources.unknown_variables() {
        // Other programs may have settings that begin alike, so it is no mistake for certain.
        tracing::warn!("{variable}");
    }
    let stop = stop_requested()?;
    tokio::pin!(stop);
    let doctor = OwnDoctor {
        sources: Arc::clone(&context.sources),
        server: arguments.server.clone(),
        storage: arguments.storage.clone(),
        sandbox: arguments.sandbox,
    };
    let mut application = ApplicationSettings::load(arguments.storage, &context.sources)?;
    application.networks.sandbox |= arguments.sandbox;
    let server = ServerSettings::load(arguments.server, &context.sources)?;
    let data = application.storage.data.clone();
    let mut node = Box::pin(Node::open(application, &server)).await?;
    node.doctor = Some(Arc::new(doctor));
    let database = node.application().database.kind();
    tracing::info!(version = env!("CARGO_PKG_VERSION"), roles = %server.roles, database, "starting");
    announce(&context, &node, &data)?;
    let address = tokio::select! {
        begun = Box::pin(node.begin(&server)) => begun?,
        () = &mut stop => {
            node.stop().await;
            return Ok(Exit::Done);
        }
    };
    match address {
        Some(address) => {
            let url = format!("http://{address}");
            context.print(&json!({"listening": url}), &format!("Listening on {url}"))?;
            if let Some(first) = &node.first_start
                && !context.printer.is_json()
                && io::stdout().is_terminal()
            {
                say_what_next(&context, &first.workspace, node.sandbox_url.is_some());
            }
        }
        None => context.printer.message("Working, without an API"),
    }
    if let Some(url) = server.public_url {
        tracing::info!(%url, "reached from outside at this address");
    }
    let ended_by_itself = tokio::select! {
        () = &mut stop => false,
        () = node.ended() => true,
    };
    let again = stop_requested()?;
    tracing::info!("stopping");
    tokio::select! {
        () = node.stop() => {}
        // Whoever asks twice does not want to wait.
        () = again => {
            return Err(anyhow::anyhow!("stopped before everything in flight was finished").into());
        }
    }
    if ended_by_itself {
        return Err(anyhow::anyhow!("a part of the server has ended by itself").into());
    }
    Ok(Exit::Done)
}

/// Says, after the first start on a terminal, what to do with a server.
fn say_what_next(context: &Context, workspace: &Workspace, is_sandbox: bool) {
    let zone = workspace.timezone.map_or("UTC", Zone::name);
    let accounts = if is_sandbox {
        "`scheduler accounts list` shows the accounts of the imitated networks"
    } else {
        "connect an account: scheduler accounts connect bluesky --identifier you.bsky.social"
    };
    for line in [
        accounts.to_owned(),
        "then post: scheduler post \"Hello\" --to bluesky --now --wait; or in a browser: scheduler web open".to_owned(),
        format!("times are read in the zone {zone}; `scheduler workspace set-timezone {} ZONE` changes that", workspace.name),
    ] {
        context.printer.message(&format!("next: {line}"));
    }
}

/// Prints what is told before anything can fail that comes later.
fn announce(context: &Context, node: &Node, data: &Path) -> Result<(), Failure> {
    if let Some(url) = &node.sandbox_url {
        let url = url.as_str().trim_end_matches('/');
        context.print(&json!({"sandbox": url}), &format!("Sandbox on {url}"))?;
    }
    if let Some(first) = &node.first_start {
        first_key::tell(context, data, &first.key.value)?;
    }
    Ok(())
}
