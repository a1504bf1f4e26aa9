//! `scheduler secrets`: the sealed secrets of the database.

use clap::{Args, Subcommand};
use scheduler_core::ports::{Clock as _, StoreError};
use scheduler_store::Database;
use scheduler_worker::SystemClock;
use secrecy::ExposeSecret as _;
use serde_json::json;

use super::Context;
use crate::config::{StorageOptions, StorageSettings};
use crate::confirming::confirm;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::opening::cannot_open;
use crate::server_lock::ServerLock;

/// What to do with secrets.
#[derive(Debug, Subcommand)]
pub(crate) enum SecretsCommand {
    /// Give up the secrets that the secret key does not open, when their key is lost for good
    #[command(after_help = "\
Example:
  scheduler secrets forget

Their accounts are disconnected and keep their posts; connect them again before those are due. Their
webhooks are removed; make them again. Stop every server first.")]
    Forget(ForgetArguments),
}

/// Which database.
#[derive(Args, Debug)]
pub(crate) struct ForgetArguments {
    /// Do not ask
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    storage: StorageOptions,
}

/// Does what was asked.
///
/// # Errors
/// [`Failure`] by variant.
pub(crate) async fn run(context: Context, command: SecretsCommand) -> Result<Exit, Failure> {
    let SecretsCommand::Forget(arguments) = command;
    let settings = StorageSettings::load(arguments.storage, &context.sources)?;
    let url = settings.database.expose_secret();
    // A server that has the right key would lose its accounts.
    let _lock = ServerLock::take(url)?;
    let key = settings.sealing_key()?;
    let database = Database::open(url, &key).await.map_err(cannot_open)?;
    let store = database.store();
    let (mut accounts, mut webhooks) = (Vec::new(), Vec::new());
    for workspace in store.workspaces().await.map_err(anyhow::Error::from)? {
        for account in store.accounts(workspace.id).await.map_err(anyhow::Error::from)? {
            match store.credentials(account.id).await {
                Err(StoreError::Corrupt { .. }) => accounts.push((workspace.id, account)),
                other => drop(other.map_err(anyhow::Error::from)?),
            }
        }
        let closed = store.webhooks(workspace.id).await.map_err(anyhow::Error::from)?;
        let closed = closed.into_iter().filter(|webhook| webhook.secret.expose().is_none());
        webhooks.extend(closed.map(|webhook| (workspace.id, webhook)));
    }
    let (lost, ended) = (accounts.len(), webhooks.len());
    if lost + ended > 0 {
        let question =
            format!("Disconnect {lost} accounts and remove {ended} webhooks? It cannot be undone");
        confirm(arguments.yes, &question)?;
    }
    let now = SystemClock::new().now();
    for (workspace, account) in accounts {
        let done = store.disconnect_account(workspace, account.id, now).await;
        done.map_err(anyhow::Error::from)?;
    }
    for (workspace, webhook) in webhooks {
        let done = store.remove_webhook(workspace, webhook.id).await;
        done.map_err(anyhow::Error::from)?;
    }
    database.close().await;
    let shown = json!({"accountsDisconnected": lost, "webhooksRemoved": ended});
    context.print(&shown, &format!("{lost} accounts disconnected, {ended} webhooks removed"))?;
    Ok(Exit::Done)
}
