//! `scheduler secrets`: the sealed secrets of the database.

use std::path::Path;
use std::time::Duration;

use clap::{Args, Subcommand};
use scheduler_core::ports::{Clock as _, StoreError};
use scheduler_store::{Database, Resealed, SealingKey, SealingKeyError};
use scheduler_worker::SystemClock;
use secrecy::ExposeSecret as _;
use serde_json::json;

use crate::config::{StorageOptions, StorageSettings};
use crate::confirming::confirm;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::{Failure, advised};
use crate::opening::{cannot_open, refuse_missing, sealing_key};
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
    /// Seal all secrets anew under a new secret key, while servers run
    #[command(after_help = "\
Example:
  scheduler secrets rotate

The new key is put into the file of the key, before the present one; servers of this machine read it
from there. When everything is sealed anew, and some seconds later what servers have sealed meanwhile,
the earlier key is removed. A run that was broken off goes on where it was.
With nodes on several machines, or a key in SCHEDULER_SECRET_KEY, give every node both keys first, the
new one before the present one with a comma between; then run this. Backups from before open with the
earlier key alone.")]
    Rotate(RotateArguments),
}

/// Which database, and how long to wait for it.
#[derive(Args, Debug)]
pub(crate) struct RotateArguments {
    /// How long servers get to notice the new key before the earlier one is removed
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    wait: u64,
    #[command(flatten)]
    storage: StorageOptions,
}

/// Names the database whose secrets are forgotten.
#[derive(Args, Debug)]
pub(crate) struct ForgetArguments {
    /// Do not ask
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    storage: StorageOptions,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: SecretsCommand) -> Result<Exit, Failure> {
    match command {
        SecretsCommand::Forget(arguments) => forget(&context, arguments).await,
        SecretsCommand::Rotate(arguments) => rotate(&context, arguments).await,
    }
}

/// The settings of a database of this machine that is there already.
async fn existing(context: &Context, storage: StorageOptions) -> Result<StorageSettings, Failure> {
    context.need_local(&storage)?;
    let settings = StorageSettings::load(storage, &context.sources)?;
    refuse_missing(&settings).await?;
    Ok(settings)
}

async fn rotate(context: &Context, arguments: RotateArguments) -> Result<Exit, Failure> {
    let settings = existing(context, arguments.storage).await?;
    // The present key must be the right one before another takes its place.
    let present = sealing_key(&settings).await?;
    let file = settings.key_file();
    let key = match file {
        None if present.earlier_count() == 0 => {
            return Err(Failure::advised(
                "the secret key is set as text, so this command cannot change it",
                "put a new key before the present one in SCHEDULER_SECRET_KEY, with a comma \
                 between, start every server again with it, and run this again",
            ));
        }
        None => present,
        Some(path) => SealingKey::renew_file(path).map_err(|error| cannot_renew(path, error))?,
    };
    let database = Database::open(settings.database.expose_secret(), &key).await;
    let database = database.map_err(cannot_open)?;
    let mut done = reseal(&database).await?;
    // What a server has sealed with the earlier key may not be stored yet.
    tokio::time::sleep(Duration::from_secs(arguments.wait)).await;
    done += reseal(&database).await?;
    database.close().await;
    let Resealed { sealed, closed } = done;
    let left = match file {
        Some(path) => {
            SealingKey::drop_earlier_from_file(path).map_err(|error| cannot_renew(path, error))?;
            "the earlier key is removed"
        }
        None => "remove the earlier key from SCHEDULER_SECRET_KEY",
    };
    let shown = json!({"secretsSealed": sealed, "secretsThatDoNotOpen": closed});
    context.done(&shown, &format!("{sealed} secrets sealed with the new key; {left}"))
}

/// Seals anew until nothing is left that another key has sealed.
async fn reseal(database: &Database) -> anyhow::Result<Resealed> {
    let mut done = Resealed::default();
    loop {
        let pass = database.reseal().await?;
        done.closed = 0;
        done += pass;
        if pass.sealed == 0 {
            return Ok(done);
        }
    }
}

fn cannot_renew(path: &Path, error: SealingKeyError) -> anyhow::Error {
    let what = format!("cannot put a new key into {}: {error}", path.display());
    advised(
        what,
        "make the file writable for this command, or put a new key before the present one by hand",
    )
}

async fn forget(context: &Context, arguments: ForgetArguments) -> Result<Exit, Failure> {
    let settings = existing(context, arguments.storage).await?;
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
    context.done(&shown, &format!("{lost} accounts disconnected, {ended} webhooks removed"))
}
