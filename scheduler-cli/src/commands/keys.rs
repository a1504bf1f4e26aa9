//! `scheduler keys`: makes, lists and revokes API keys.

use clap::{Args, Subcommand};
use scheduler_core::app::NewKeyInput;
use scheduler_core::ids::KeyId;
use scheduler_core::key::{Expiry, Key, Preset, Scope};
use serde_json::{Value, json};

use super::Context;
use crate::config::StorageOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::{self, OneOf};
use crate::posting::instant;
use crate::printer::{Column, cell};
use crate::runtime::Application;

/// What to do with keys.
#[derive(Debug, Subcommand)]
pub(crate) enum KeysCommand {
    /// Make a key; shows its value, this once
    #[command(
        after_help = "Examples:\n  scheduler keys create --name laptop --preset publish\n  scheduler keys create --name reports --preset read --expires 30d --workspace acme"
    )]
    Create(CreateArguments),
    /// List the keys of a workspace
    #[command(after_help = "Example:\n  scheduler keys list")]
    List(ListArguments),
    /// Make a key worthless at once
    #[command(
        after_help = "Example:\n  scheduler keys revoke 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Revoke(RevokeArguments),
}

/// A new key.
#[derive(Args, Debug)]
pub(crate) struct CreateArguments {
    /// What to call it
    #[arg(long)]
    name: String,
    /// What it allows
    #[arg(long, value_parser = OneOf::<Preset>::new())]
    preset: Preset,
    /// How long it is valid: 30d, 90d or 1y
    #[arg(long, default_value = "1y", value_parser = expiry)]
    expires: Expiry,
    /// The workspace that it opens, by name or id; the only one when left out
    #[arg(long)]
    workspace: Option<String>,
    #[command(flatten)]
    storage: StorageOptions,
}

/// Whose keys.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    /// The workspace, by name or id; the only one when left out
    #[arg(long)]
    workspace: Option<String>,
    #[command(flatten)]
    storage: StorageOptions,
}

/// A key to revoke.
#[derive(Args, Debug)]
pub(crate) struct RevokeArguments {
    /// The key's id, as `keys list` shows it
    #[arg(value_parser = names::key_id)]
    id: KeyId,
    #[command(flatten)]
    storage: StorageOptions,
}

/// Does what was asked.
///
/// # Errors
/// [`Failure`] by variant.
pub(crate) async fn run(context: Context, command: KeysCommand) -> Result<Exit, Failure> {
    match command {
        KeysCommand::Create(arguments) => create(&context, arguments).await?,
        KeysCommand::List(arguments) => {
            let application = Application::open(&context, arguments.storage).await?;
            let workspace = application.workspace(arguments.workspace.as_deref()).await?;
            list(&context, &application.scheduler.keys(workspace.id).await?)?;
        }
        KeysCommand::Revoke(arguments) => {
            let application = Application::open(&context, arguments.storage).await?;
            application.scheduler.revoke_key(arguments.id).await?;
            context.print(&json!({"id": arguments.id, "revoked": true}), "revoked")?;
        }
    }
    Ok(Exit::Done)
}

async fn create(context: &Context, arguments: CreateArguments) -> Result<(), Failure> {
    let application = Application::open(context, arguments.storage).await?;
    let workspace = application.workspace(arguments.workspace.as_deref()).await?;
    let input =
        NewKeyInput { name: arguments.name, preset: arguments.preset, expiry: arguments.expires };
    let new = application.scheduler.create_key(&workspace, &input).await?;
    let mut shown = document(&new.key);
    shown["key"] = json!(new.value.expose());
    context.print(&shown, new.value.expose())?;
    if !context.printer.is_json() {
        context.printer.message("the key is shown this once; set SCHEDULER_API_KEY to it");
    }
    Ok(())
}

fn list(context: &Context, keys: &[Key]) -> Result<(), Failure> {
    let documents: Vec<Value> = keys
        .iter()
        .map(|key| {
            let mut shown = document(key);
            shown["hint"] = json!(key.hint);
            shown["createdAt"] = json!(key.created_at);
            shown
        })
        .collect();
    let rows = keys.iter().map(|key| {
        vec![
            cell(key.id),
            cell(&key.name),
            cell(format!("{}…", key.hint)),
            cell(scopes(key).join(" ")),
            cell(instant(key.expires_at)),
        ]
    });
    let printed = context.printer.result(&json!({"data": documents}), |printer| {
        let columns = [
            Column::words("id"),
            Column::text("name"),
            Column::words("key"),
            Column::sentences("scopes"),
            Column::words("expires"),
        ];
        printer.columns(&columns, rows, "No keys.")
    });
    Ok(printed.map_err(anyhow::Error::from)?)
}

fn document(key: &Key) -> Value {
    json!({
        "id": key.id,
        "name": key.name,
        "scopes": scopes(key),
        "expiresAt": key.expires_at,
    })
}

fn scopes(key: &Key) -> Vec<&'static str> {
    key.scopes.iter().map(Scope::as_str).collect()
}

fn expiry(text: &str) -> Result<Expiry, &'static str> {
    match text {
        "30d" => Ok(Expiry::Days30),
        "90d" => Ok(Expiry::Days90),
        "1y" => Ok(Expiry::Year),
        _ => Err("a key is valid for 30d, 90d or 1y"),
    }
}
