//! `scheduler export`: everything of a workspace but secrets, in one file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use scheduler_core::ids::WorkspaceId;
use scheduler_core::ports::Clock as _;
use scheduler_store::{ExportError, export_workspace};
use scheduler_worker::SystemClock;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};

use crate::config::{StorageOptions, StorageSettings};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::importing::{EXPORT_FORMAT, EXPORT_VERSION};
use crate::runtime::Application;

/// What the help shows last.
pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler export --out workspace.jsonl
  scheduler export --workspace Acme | gzip > acme.jsonl.gz
  scheduler import workspace.jsonl --dry-run";

/// A workspace to write out.
#[derive(Args, Debug)]
pub(crate) struct ExportArguments {
    /// The workspace, by name or id; the only one when left out
    #[arg(long)]
    workspace: Option<String>,
    /// The file to write, which must not exist yet [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    storage: StorageOptions,
}

/// Writes the export.
pub(crate) async fn run(context: Context, arguments: ExportArguments) -> Result<Exit, Failure> {
    context.need_local(&arguments.storage)?;
    let settings = StorageSettings::load(arguments.storage.clone(), &context.sources)?;
    let (application, workspace) =
        Application::of_workspace(&context, arguments.storage, arguments.workspace.as_deref())
            .await?;
    application.database.close().await;
    let url = settings.database.expose_secret();
    match &arguments.out {
        None => {
            write(url, workspace.id, &mut BufWriter::new(io::stdout().lock())).await?;
        }
        Some(path) => {
            let writing = to_file(url, workspace.id, path);
            let lines = context.with_spinner("writing the export", Box::pin(writing)).await?;
            let shown = json!({"file": path, "lines": lines, "workspace": workspace.id});
            context.print(&shown, &format!("{lines} lines in {}", path.display()))?;
        }
    }
    context.printer.message(
        "no tokens, keys or secrets are among them, and no bytes of files (`scheduler backup` copies those)",
    );
    Ok(Exit::Done)
}

/// Writes a new file, whole or not at all. Only the user can read it: it holds what is not
/// published yet.
async fn to_file(url: &str, workspace: WorkspaceId, path: &Path) -> Result<u64, Failure> {
    let place = || format!("cannot write {}", path.display());
    if path.exists() {
        return Err(Failure::Usage(format!(
            "{} exists already; name another file",
            path.display()
        )));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let draft = tempfile::NamedTempFile::new_in(folder).with_context(place)?;
    let mut out = BufWriter::new(draft);
    let lines = write(url, workspace, &mut out).await?;
    let draft = out.into_inner().map_err(|error| error.into_error()).with_context(place)?;
    draft.as_file().sync_all().with_context(place)?;
    let file: File = draft.persist_noclobber(path).with_context(place)?;
    drop(file);
    Ok(lines)
}

async fn write(url: &str, workspace: WorkspaceId, out: &mut impl Write) -> Result<u64, Failure> {
    let first = json!({
        "format": EXPORT_FORMAT,
        "version": EXPORT_VERSION,
        "release": env!("CARGO_PKG_VERSION"),
        "exportedAt": SystemClock::new().now(),
        "workspace": workspace,
    });
    let mut lines = 0;
    let mut line = |value: &Value| -> io::Result<()> {
        serde_json::to_writer(&mut *out, value)?;
        out.write_all(b"\n")?;
        lines += 1;
        Ok(())
    };
    line(&first)?;
    export_workspace(url, workspace, &mut line).await.map_err(|error| match error {
        // Kept as it is, so that a reader that has gone is told from a full disk.
        ExportError::Write(error) => anyhow::Error::from(error),
        error @ (ExportError::Open(_) | ExportError::Read(_)) => anyhow::Error::from(error),
    })?;
    out.flush()?;
    Ok(lines)
}
