//! `scheduler restore`: a sealed backup becomes a data folder.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::backup::{Draft, Wanted, open_sealed, present_passphrase, verify};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// What the help shows last.
pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler restore /backups/2026-12-01.tar.age ./restored
  scheduler serve --data ./restored --role api

The passphrase is asked for, or read from the file that SCHEDULER_BACKUP_PASSPHRASE_FILE names. What
went out after the backup was made is due again in the copy. See docs/backup.md.";

/// What is opened, and where to.
#[derive(Args, Debug)]
pub(crate) struct RestoreArguments {
    /// The file that `scheduler backup --sealed` has made
    file: PathBuf,
    /// A new folder, or an empty one, which becomes a data folder
    destination: PathBuf,
}

/// Opens the file, and proves that what was in it is whole.
pub(crate) async fn run(context: Context, arguments: RestoreArguments) -> Result<Exit, Failure> {
    let RestoreArguments { file, destination } = arguments;
    Wanted::Folder.check(&destination)?;
    let passphrase = present_passphrase(&context.sources)?;
    let draft = Draft::begin(&destination, Wanted::Folder)?;
    let folder = draft.folder().to_owned();
    let opening = tokio::task::spawn_blocking(move || open_sealed(&file, passphrase, &folder));
    let opened = context.with_spinner("opening the copy", opening).await;
    opened.map_err(anyhow::Error::from)??;
    let database = verify(draft.folder()).await?;
    draft.finish()?;
    let shown = json!({"destination": destination, "database": database.shown});
    context.printer.result(&shown, |printer| {
        printer.line(&format!("database  {}", database.line))?;
        printer.line(&format!("restored  {}", destination.display()))
    })?;
    database.warn(context.printer);
    context.printer.advice(super::backup::STARTED_ON_A_COPY);
    Ok(Exit::Done)
}
