//! `scheduler backup`: a consistent copy of everything while a server runs.

mod draft;
mod postgres;
mod sealed;
mod sqlite;

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use scheduler_store::{CopiedFiles, FilesUrl, copy_files};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};

pub(super) use self::draft::{Draft, Wanted};
pub(super) use self::sealed::{open as open_sealed, present_passphrase};
use crate::config::{
    DATABASE_FILE, KEY_FILE, StorageOptions, StorageSettings, make_private_folder,
};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::opening::refuse_missing;
use crate::posting::size;
use crate::printer::Printer;

/// What the help shows last.
pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler backup /backups/2026-12-01
  scheduler backup /backups/2026-12-01 --with-key
  scheduler backup /backups/2026-12-01.tar.age --sealed
  scheduler restore /backups/2026-12-01.tar.age ./restored

Start a restored copy with --role api first: it answers, and sends nothing. What went out after the
backup was made is due again in the copy. See docs/backup.md.";

/// What whoever starts a server on a copy has to know.
pub(super) const STARTED_ON_A_COPY: &str = "a restored copy sends again what went out after it was made: start it with `scheduler serve --role api`, which sends nothing, cancel those posts, and never run it beside the original (docs/backup.md)";

/// Where a copy of everything goes.
#[derive(Args, Debug)]
pub(crate) struct BackupArguments {
    /// A new folder, or an empty one, which becomes a data folder; with --sealed, a new file
    destination: PathBuf,
    /// Copy the secret key as well, which opens the tokens in the database
    #[arg(long, conflicts_with = "sealed")]
    with_key: bool,
    /// Make one file of everything, the secret key included, sealed by a passphrase (age)
    ///
    /// The passphrase is asked for, or read from the file that SCHEDULER_BACKUP_PASSPHRASE_FILE
    /// names. `scheduler restore` opens the file.
    #[arg(long)]
    sealed: bool,
    /// Copy the bytes of files also where a second name for them would do
    #[arg(long)]
    copy_files: bool,
    #[command(flatten)]
    storage: StorageOptions,
}

/// Makes the copy, and proves that it is one.
pub(crate) async fn run(context: Context, arguments: BackupArguments) -> Result<Exit, Failure> {
    context.need_local(&arguments.storage)?;
    let settings = StorageSettings::load(arguments.storage, &context.sources)?;
    refuse_missing(&settings).await?;
    let (destination, with_links) = (&arguments.destination, !arguments.copy_files);
    let copy = if arguments.sealed {
        Wanted::File.check(destination)?;
        let passphrase = sealed::new_passphrase(&context.sources)?;
        let draft = Draft::begin(destination, Wanted::File)?;
        let (folder, file) = (draft.folder().join("copy"), draft.folder().join("sealed"));
        make_private_folder(&folder)?;
        let making = async {
            let (copy, key) = make_with_key(&settings, &folder, with_links).await?;
            let to = file.clone();
            let sealing = tokio::task::spawn_blocking(move || {
                sealed::seal(&folder, key.as_ref(), passphrase.clone(), &to)?;
                sealed::check(&to, passphrase)
            });
            sealing.await.map_err(anyhow::Error::from)??;
            Ok::<_, Failure>(copy)
        };
        let copy = context.with_spinner("copying everything", Box::pin(making)).await?;
        draft.finish_as(&file)?;
        copy
    } else {
        let draft = Draft::begin(destination, Wanted::Folder)?;
        let making = async {
            if !arguments.with_key {
                return make(&settings, draft.folder(), with_links).await;
            }
            let (copy, key) = make_with_key(&settings, draft.folder(), with_links).await?;
            if let Some(key) = key {
                write_key(&key, &draft.folder().join(KEY_FILE))?;
            }
            Ok(copy)
        };
        let copy = context.with_spinner("copying everything", Box::pin(making)).await?;
        draft.finish()?;
        copy
    };
    report(&context, &settings, destination, arguments.sealed, &copy)?;
    Ok(Exit::Done)
}

/// What a copy holds.
struct Copy {
    database: Contents,
    has_key: bool,
    files: Option<CopiedFiles>,
}

/// What the database of a copy holds.
pub(super) struct Contents {
    /// As a document.
    pub(super) shown: Value,
    /// For a person.
    pub(super) line: String,
    missing_files: u64,
    /// Whether it was read.
    is_verified: bool,
}

impl Contents {
    /// Tells what is missing, and what was not looked at.
    pub(super) fn warn(&self, printer: Printer) {
        if !self.is_verified {
            printer.warning(
                "the copy of the database was not verified: pg_restore is not installed; install the client programs of PostgreSQL, and run `pg_restore --list` on it",
            );
        }
        if self.missing_files > 0 {
            printer.warning(&format!(
                "{} files that are on record are not in the copy: they were deleted while it was made, or were missing before",
                self.missing_files
            ));
        }
    }
}

/// Makes a copy, and reads the key that opens it. The key may be replaced meanwhile: what has been
/// copied is sealed by the one before or the one after.
async fn make_with_key(
    settings: &StorageSettings,
    folder: &Path,
    with_links: bool,
) -> Result<(Copy, Option<SecretString>), Failure> {
    let before = read_key(settings)?;
    let copy = make(settings, folder, with_links).await?;
    let key = before.zip(read_key(settings)?).map(|(before, after)| both_keys(&before, &after));
    Ok((Copy { has_key: key.is_some(), ..copy }, key))
}

/// The lines of two key files, those of the later one first.
fn both_keys(before: &SecretString, after: &SecretString) -> SecretString {
    let mut lines: Vec<&str> = Vec::new();
    for line in after.expose_secret().lines().chain(before.expose_secret().lines()) {
        if !line.trim().is_empty() && !lines.contains(&line) {
            lines.push(line);
        }
    }
    (lines.join("\n") + "\n").into()
}

async fn make(
    settings: &StorageSettings,
    folder: &Path,
    with_links: bool,
) -> Result<Copy, Failure> {
    let url = settings.database.expose_secret();
    if url.starts_with("sqlite:") {
        sqlite::copy(url, folder).await?;
    } else {
        postgres::dump(url, folder).await?;
    }
    // After the database: every file that it names is there by now.
    let files = match &settings.files {
        FilesUrl::Folder(from) => {
            let (from, to) = (from.clone(), folder.join(FILES_FOLDER));
            let place = format!("cannot copy the files of {}", from.display());
            let copied = tokio::task::spawn_blocking(move || copy_files(&from, &to, with_links));
            Some(copied.await.map_err(anyhow::Error::from)?.context(place)?)
        }
        FilesUrl::Bucket(_) => None,
    };
    Ok(Copy { database: verify(folder).await?, has_key: false, files })
}

/// Reads the database of a copy whole, and looks for the files that it names.
///
/// # Errors
/// [`Failure::Other`] when it is not what it should be, or not there.
pub(super) async fn verify(folder: &Path) -> Result<Contents, Failure> {
    if !folder.join(DATABASE_FILE).exists() {
        let contents = postgres::contents(folder).await?;
        let is_verified = contents.is_some();
        let line = contents.unwrap_or_else(|| postgres::DUMP_FILE.to_owned());
        let shown = json!({"kind": "postgres", "contents": line, "verified": is_verified});
        return Ok(Contents { shown, line, missing_files: 0, is_verified });
    }
    let files = folder.join(FILES_FOLDER);
    let contents = sqlite::verify(folder, files.exists().then_some(files.as_path())).await?;
    let count = |table: &str| contents.rows.get(table).copied().unwrap_or_default();
    let line = format!(
        "{} posts, {} accounts, {} files on record, {} workspaces",
        count("posts"),
        count("accounts"),
        count("media"),
        count("workspaces"),
    );
    let shown = json!({"kind": "sqlite", "rows": contents.rows});
    Ok(Contents { shown, line, missing_files: contents.missing_files, is_verified: true })
}

/// The text of the file of the secret key; none when the key is not in a file.
fn read_key(settings: &StorageSettings) -> Result<Option<SecretString>, Failure> {
    let Some(path) = settings.key_file() else { return Ok(None) };
    let text = fs::read_to_string(path);
    let text = text.with_context(|| format!("cannot copy the secret key {}", path.display()))?;
    Ok(Some(text.into()))
}

fn write_key(key: &SecretString, to: &Path) -> Result<(), Failure> {
    let place = || format!("cannot write {}", to.display());
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(to).with_context(place)?;
    file.write_all(key.expose_secret().as_bytes()).with_context(place)?;
    Ok(file.sync_all().with_context(place)?)
}

/// What is to be said of a key that is not in the copy.
fn without_key(settings: &StorageSettings) -> &'static str {
    if settings.key_file().is_none() {
        "the secret key is a setting (SCHEDULER_SECRET_KEY) and not in the copy: give it to the server that is started on it"
    } else {
        "the secret key is not in the copy: keep it elsewhere, and put it back as secret.key before a server is started on the copy, or every account has to be connected again; --sealed makes one file with the key, sealed by a passphrase"
    }
}

fn report(
    context: &Context,
    settings: &StorageSettings,
    destination: &Path,
    is_sealed: bool,
    copy: &Copy,
) -> Result<(), Failure> {
    let printer = context.printer;
    let shown = json!({
        "destination": destination,
        "sealed": is_sealed,
        "database": copy.database.shown,
        "secretKey": copy.has_key,
        "files": copy.files.map(|files| json!({
            "files": files.files, "bytes": files.bytes, "linked": files.linked,
        })),
        "missingFiles": copy.database.missing_files,
    });
    printer.result(&shown, |printer| {
        printer.line(&format!("database  {}", copy.database.line))?;
        printer
            .line(&format!("key       {}", if copy.has_key { "copied" } else { "not copied" }))?;
        printer.line(&match copy.files {
            Some(files) => {
                let linked = match files.linked {
                    0 => String::new(),
                    _ if is_sealed => String::new(),
                    linked => format!(", {linked} of them by a second name on the same disk"),
                };
                format!("files     {}, {}{linked}", files.files, size(files.bytes))
            }
            None => "files     not copied".to_owned(),
        })?;
        let done = if is_sealed { "sealed  " } else { "verified" };
        printer.line(&format!("{done}  {}", destination.display()))
    })?;
    if !copy.has_key {
        printer.warning(without_key(settings));
    } else if is_sealed {
        printer.message("without its passphrase nobody opens the copy: keep that elsewhere");
    } else {
        printer.message("whoever can read the copy can post as the connected accounts; keep it as safe as the original");
    }
    if let FilesUrl::Bucket(_) = settings.files {
        printer.warning("the bytes of files are in a bucket and are not copied: a server started on the copy uses the same bucket; copy it with the tools of its service");
    }
    copy.database.warn(printer);
    printer.advice(STARTED_ON_A_COPY);
    Ok(())
}

/// The folder of files within a data folder.
const FILES_FOLDER: &str = "files";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_replaced_meanwhile_is_kept_beside_the_new_one() {
        for (name, before, after, want) in [
            ("the same", "a\n", "a\n", "a\n"),
            ("rotation has begun", "a\n", "b\na\n", "b\na\n"),
            ("rotation has ended", "b\na\n", "b\n", "b\na\n"),
            ("begun and ended", "a", "b\n", "b\na\n"),
        ] {
            let both = both_keys(&before.to_owned().into(), &after.to_owned().into());
            assert_eq!(both.expose_secret(), want, "{name}");
        }
    }
}
