//! `scheduler backup`: a consistent copy of everything while a server runs.

mod postgres;
mod sqlite;

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use scheduler_store::{CopiedFiles, FilesUrl, copy_files};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};

use super::Context;
use crate::config::{KEY_FILE, StorageOptions, StorageSettings, make_private_folder};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::size;

/// What the help shows last.
pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler backup /backups/2026-12-01
  scheduler backup /backups/2026-12-01 --without-key
  scheduler serve --data /backups/2026-12-01 --role api

Start a restored copy with --role api first: it answers, and sends nothing. What went out after the
backup was made is due again in the copy. See docs/backup.md.";

/// Where a copy of everything goes.
#[derive(Args, Debug)]
pub(crate) struct BackupArguments {
    /// A new folder, or an empty one; the copy is a data folder of its own
    destination: PathBuf,
    /// Leave the secret key out, which opens the tokens in the database
    #[arg(long)]
    without_key: bool,
    /// Copy the bytes of files also where a second name for them would do
    #[arg(long)]
    copy_files: bool,
    #[command(flatten)]
    storage: StorageOptions,
}

/// Makes the copy, and proves that it is one.
///
/// # Errors
/// [`Failure`] by variant.
pub(crate) async fn run(context: Context, arguments: BackupArguments) -> Result<Exit, Failure> {
    let settings = StorageSettings::load(arguments.storage, &context.sources)?;
    let destination = &arguments.destination;
    refuse_filled(destination)?;
    let draft = draft_of(destination)?;
    make_draft(&draft)?;
    let making = make(&settings, &draft, arguments.without_key, !arguments.copy_files);
    let made = context.patiently("copying everything", Box::pin(making)).await;
    let copy = match made {
        Ok(copy) => copy,
        Err(failure) => {
            // It is of this run, and nobody can use it.
            let _ = fs::remove_dir_all(&draft);
            return Err(failure);
        }
    };
    let place = || format!("cannot finish {}", destination.display());
    sync_folder(&draft).with_context(place)?;
    if destination.is_dir() {
        // It was empty a moment ago; one that is not any more stays as it is.
        fs::remove_dir(destination).with_context(place)?;
    }
    fs::rename(&draft, destination).with_context(place)?;
    sync_folder(destination.parent().unwrap_or(Path::new("."))).with_context(place)?;
    report(&context, &settings, destination, &copy)?;
    Ok(Exit::Done)
}

/// What a copy holds.
struct Copy {
    database: Value,
    /// What it holds, for a person.
    database_line: String,
    has_key: bool,
    /// Why it has none.
    key_line: Option<String>,
    files: Option<CopiedFiles>,
    missing_files: u64,
}

async fn make(
    settings: &StorageSettings,
    draft: &Path,
    without_key: bool,
    links: bool,
) -> Result<Copy, Failure> {
    let url = settings.database.expose_secret();
    let is_sqlite = url.starts_with("sqlite:");
    let dump = if is_sqlite {
        sqlite::copy(url, draft).await?;
        None
    } else {
        Some(postgres::dump(url, draft).await?)
    };
    let key_line = copy_key(settings, draft, without_key)?;
    // After the database: every file that it names is there by now.
    let files_to = draft.join(FILES_FOLDER);
    let files = match &settings.files {
        FilesUrl::Folder(folder) => {
            let (from, to) = (folder.clone(), files_to.clone());
            let copied = tokio::task::spawn_blocking(move || copy_files(&from, &to, links));
            let copied = copied.await.map_err(anyhow::Error::from)?;
            Some(copied.with_context(|| format!("cannot copy the files of {}", folder.display()))?)
        }
        FilesUrl::Bucket(_) => None,
    };
    let has_key = key_line.is_none();
    let (database, database_line, missing_files) = match dump {
        Some(line) => (json!({"kind": "postgres", "contents": line}), line, 0),
        None => {
            let copied = files.map(|_| files_to.as_path());
            let contents = sqlite::verify(draft, copied).await?;
            let count = |table: &str| contents.rows.get(table).copied().unwrap_or_default();
            let line = format!(
                "{} posts, {} accounts, {} files on record, {} workspaces",
                count("posts"),
                count("accounts"),
                count("media"),
                count("workspaces"),
            );
            (json!({"kind": "sqlite", "rows": contents.rows}), line, contents.missing_files)
        }
    };
    Ok(Copy { database, database_line, has_key, key_line, files, missing_files })
}

/// Puts the secret key beside the copy; tells why it is not there when it is not.
fn copy_key(
    settings: &StorageSettings,
    draft: &Path,
    without_key: bool,
) -> Result<Option<String>, Failure> {
    if without_key {
        return Ok(Some("the secret key is left out: a server started on the copy makes a new one, which opens no token of the old; keep the key elsewhere and give it with SCHEDULER_SECRET_KEY_FILE, or every account has to be connected again".into()));
    }
    let Some(path) = settings.key_file() else {
        return Ok(Some("the secret key comes from SCHEDULER_SECRET_KEY and is not in the copy: give it to the server that is started on it".into()));
    };
    let place = || format!("cannot copy the secret key {}", path.display());
    let text = fs::read(path).with_context(place)?;
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(draft.join(KEY_FILE)).with_context(place)?;
    file.write_all(&text).with_context(place)?;
    file.sync_all().with_context(place)?;
    Ok(None)
}

fn report(
    context: &Context,
    settings: &StorageSettings,
    destination: &Path,
    copy: &Copy,
) -> Result<(), Failure> {
    let printer = context.printer;
    let shown = json!({
        "destination": destination,
        "database": copy.database,
        "secretKey": copy.has_key,
        "files": copy.files.map(|files| json!({
            "files": files.files, "bytes": files.bytes, "linked": files.linked,
        })),
        "missingFiles": copy.missing_files,
    });
    let printed = printer.result(&shown, |printer| {
        printer.line(&format!("database  {}", copy.database_line))?;
        printer
            .line(&format!("key       {}", if copy.has_key { "copied" } else { "not copied" }))?;
        printer.line(&match copy.files {
            Some(files) => {
                let linked = match files.linked {
                    0 => String::new(),
                    linked => format!(", {linked} of them by a second name on the same disk"),
                };
                format!("files     {}, {}{linked}", files.files, size(files.bytes))
            }
            None => "files     not copied".to_owned(),
        })?;
        printer.line(&format!("verified  {}", destination.display()))
    });
    printed.map_err(anyhow::Error::from)?;
    if let Some(line) = &copy.key_line {
        printer.warning(line);
    }
    if let FilesUrl::Bucket(_) = settings.files {
        printer.warning("the bytes of files are in a bucket and are not copied: a server started on the copy uses the same bucket; copy it with the tools of its service");
    }
    if copy.missing_files > 0 {
        printer.warning(&format!(
            "{} files that are on record are not in the copy: they were deleted while it was made, or were missing before",
            copy.missing_files
        ));
    }
    if copy.has_key {
        printer.message("whoever can read the copy can post as the connected accounts; keep it as safe as the original");
    }
    printer.advice("a restored copy sends again what went out after it was made: start it with `scheduler serve --role api`, which sends nothing, cancel those posts, and never run it beside the original (docs/backup.md)");
    Ok(())
}

/// Lets only the user read a copy, and brings it to the disk.
fn close_to_others(path: &Path) -> Result<(), Failure> {
    let place = || format!("cannot finish {}", path.display());
    let file = File::open(path).with_context(place)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.set_permissions(fs::Permissions::from_mode(0o600)).with_context(place)?;
    }
    Ok(file.sync_all().with_context(place)?)
}

/// The folder of files within a data folder.
const FILES_FOLDER: &str = "files";

/// Refuses a folder with something in it.
fn refuse_filled(path: &Path) -> Result<(), Failure> {
    match fs::read_dir(path).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(false) => Err(Failure::Usage(format!(
            "{} is not empty; a backup goes into a folder of its own",
            path.display()
        ))),
        Err(error) => Err(Failure::Usage(format!("{} cannot be used: {error}", path.display()))),
    }
}

/// Where the copy is made, until it is whole.
fn draft_of(destination: &Path) -> Result<PathBuf, Failure> {
    let name = destination.file_name().ok_or_else(|| {
        Failure::Usage(format!("{} names no folder of its own", destination.display()))
    })?;
    let mut name = name.to_owned();
    name.push(".partial");
    Ok(destination.with_file_name(name))
}

/// Makes the folder of the copy. What is in it is of this run alone: of two that begin at the same
/// time one is refused, and does not clear away what the other makes.
fn make_draft(draft: &Path) -> Result<(), Failure> {
    if let Some(parent) = draft.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        make_private_folder(parent)?;
    }
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(draft) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(Failure::Usage(format!(
            "{} is there: another backup is being made, or one was broken off; remove it, or name another folder",
            draft.display()
        ))),
        made => Ok(made.with_context(|| format!("cannot make the folder {}", draft.display()))?),
    }
}

fn sync_folder(path: &Path) -> io::Result<()> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    match File::open(path).and_then(|folder| folder.sync_all()) {
        // Folders cannot be opened everywhere.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        outcome => outcome,
    }
}
