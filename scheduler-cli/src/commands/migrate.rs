//! `scheduler migrate`: brings a database up to date.

use serde_json::json;

use crate::config::StorageOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::runtime::Application;

/// Opens the database, which brings it up to date.
pub(crate) async fn run(context: Context, storage: StorageOptions) -> Result<Exit, Failure> {
    context.need_local(&storage)?;
    Application::make(&context, storage).await?;
    context.done(&json!({"migrated": true}), "the database is up to date")
}
