//! `scheduler keys`: makes, lists and revokes API keys.

use clap::{Args, Subcommand};
use reqwest::Method;
use scheduler_core::app::NewKeyInput;
use scheduler_core::ids::KeyId;
use scheduler_core::key::{Confirmation, Expiry, KeyView, Preset};
use serde_json::json;

use crate::client::Call;
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::{self, OneOf};
use crate::posting::instant;
use crate::printer::{Column, Shows, cell};

/// What to do with keys.
#[derive(Debug, Subcommand)]
pub(crate) enum KeysCommand {
    /// Make a key; shows its value, this once
    #[command(
        after_help = "Examples:\n  scheduler keys create --name laptop --preset publish\n  scheduler keys create --name reports --preset read --expires 30d --workspace acme\n  scheduler keys create --name assistant --preset publish --confirm always --live-per-hour 5\n\n--confirm and --live-per-hour bind tools at /mcp alone, not the API: a program that can run commands\nis held back only by a preset that cannot publish, such as agent."
    )]
    Create(CreateArguments),
    /// List the keys of a workspace
    #[command(after_help = "Example:\n  scheduler keys list")]
    List(OfWorkspace),
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
    /// What tools at /mcp have a person confirm: live unless that is said, always with the preset agent
    #[arg(long, value_parser = OneOf::<Confirmation>::new())]
    confirm: Option<Confirmation>,
    /// How often in an hour tools at /mcp may send something out; 20 unless that is said
    #[arg(long, value_name = "NUMBER")]
    live_per_hour: Option<u32>,
    #[command(flatten)]
    of: OfWorkspace,
}

/// A key to revoke.
#[derive(Args, Debug)]
pub(crate) struct RevokeArguments {
    /// The key's id, as `keys list` shows it
    #[arg(value_parser = names::key_id)]
    id: KeyId,
    #[command(flatten)]
    of: OfWorkspace,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: KeysCommand) -> Result<Exit, Failure> {
    match command {
        KeysCommand::Create(arguments) => create(&context, arguments).await,
        KeysCommand::List(of) => {
            let client = of.open(&context).await?;
            list(&context, &client.ask(Call::get("/keys")).await?.data()?)
        }
        KeysCommand::Revoke(RevokeArguments { id, of }) => {
            let client = of.open(&context).await?;
            client.ask(Call::new(Method::DELETE, &format!("/keys/{id}"))).await?;
            context.done(&json!({"id": id, "revoked": true}), "revoked")
        }
    }
}

async fn create(context: &Context, arguments: CreateArguments) -> Result<Exit, Failure> {
    let client = arguments.of.open(context).await?;
    let input = NewKeyInput {
        expiry: arguments.expires,
        confirm: arguments.confirm,
        live_per_hour: arguments.live_per_hour,
        ..NewKeyInput::new(arguments.name, arguments.preset)
    };
    let body = serde_json::to_value(&input).map_err(anyhow::Error::from)?;
    let key: KeyView = client.ask(Call::post("/keys", &body)).await?.read()?;
    let value = key.key.as_deref().unwrap_or_default();
    context.print(&key, value)?;
    if !context.printer.is_json() {
        context.printer.message("the key is shown this once; set SCHEDULER_API_KEY to it");
    }
    Ok(Exit::Done)
}

fn list(context: &Context, keys: &[KeyView]) -> Result<Exit, Failure> {
    let columns: [Shows<KeyView>; 6] = [
        (Column::words("id"), |key| cell(key.id)),
        (Column::text("name"), |key| cell(&key.name)),
        (Column::words("key"), |key| cell(format!("{}…", key.hint))),
        (Column::sentences("scopes"), |key| cell(key.scopes)),
        (Column::words("agents"), |key| {
            cell(format!("confirm {}, {} an hour", key.confirm, key.live_per_hour))
        }),
        (Column::words("expires"), |key| cell(instant(key.expires_at))),
    ];
    context.list(&json!({"data": keys}), keys, &columns, "No keys.")
}

fn expiry(text: &str) -> Result<Expiry, &'static str> {
    match text {
        "30d" => Ok(Expiry::Days30),
        "90d" => Ok(Expiry::Days90),
        "1y" => Ok(Expiry::Year),
        _ => Err("a key is valid for 30d, 90d or 1y"),
    }
}
