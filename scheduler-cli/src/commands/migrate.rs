//! `scheduler migrate`: brings a database up to date.

use clap::Args;
use serde_json::json;

use super::Context;
use crate::config::StorageOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::runtime::Application;

/// Which database.
#[derive(Args, Debug)]
pub(crate) struct MigrateArguments {
    #[command(flatten)]
    storage: StorageOptions,
}

/// Opens the database, which brings it up to date.
///
/// # Errors
/// [`Failure`] by variant.
pub(crate) async fn run(context: Context, arguments: MigrateArguments) -> Result<Exit, Failure> {
    Application::open(&context, arguments.storage).await?;
    context.print(&json!({"migrated": true}), "the database is up to date")?;
    Ok(Exit::Done)
}
