//! One server on one SQLite file: the lock that a server holds for as long as it lives.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::Context as _;
use scheduler_store::sqlite_file;
use url::Url;

use crate::failure::Failure;

/// What the name of the lock file adds to that of the database.
///
/// A file of its own: closing any handle of the database file in this process would drop the
/// locks that SQLite itself holds on it. Source: <https://www.sqlite.org/howtocorrupt.html>, 2.2.
const SUFFIX: &str = ".server-lock";

/// How often a lock is tried again that only [`is_served`] has held. It holds it for two calls of the
/// system.
const LOOKS: u32 = 1_000;

/// The right to be the one server of an SQLite file. The system takes it back when the process
/// ends, however it ends; the file stays and means nothing without the lock.
#[derive(Debug)]
pub(crate) struct ServerLock {
    file: Option<File>,
}

impl ServerLock {
    /// Locks the database of a URL for one server; every other kind of database than a file of
    /// SQLite takes any number of servers. The folder of the file must be there.
    ///
    /// # Errors
    /// [`Failure::Other`] when another server holds the lock, or when its file cannot be made.
    pub(crate) fn take(url: &str) -> Result<Self, Failure> {
        let Some(database) = sqlite_file(url) else { return Ok(Self { file: None }) };
        let path = lock_path(&database);
        let mut file = open(&path).with_context(|| {
            let (lock, database) = (path.display(), database.display());
            format!("cannot make {lock}, which keeps a second server from {database}")
        })?;
        match lock(&file) {
            Ok(()) => {
                note_process(&mut file);
                Ok(Self { file: Some(file) })
            }
            Err(TryLockError::WouldBlock) => {
                let holder =
                    holder(&mut file).map_or_else(String::new, |id| format!(" (process {id})"));
                Err(Failure::advised(
                    format!("another server{holder} is running on {}", database.display()),
                    "stop it first, or give this one another folder with --data; several servers \
                     share a database of PostgreSQL (--database postgres://…)",
                ))
            }
            Err(TryLockError::Error(error)) => {
                // Some file systems know no locks; SQLite asks for a local disk anyway.
                let path = path.display();
                tracing::warn!(%path, %error, "a second server on this database cannot be kept out");
                Ok(Self { file: None })
            }
        }
    }
}

impl ServerLock {
    /// Leaves the address of the server for commands that make links to it.
    pub(crate) fn note_address(&mut self, address: &Url) {
        let noted = self.file.as_mut().map(|file| writeln!(file, "{address}"));
        if let Some(Err(error)) = noted {
            tracing::debug!(%error, "the address cannot be noted in the lock file");
        }
    }
}

/// The address that the last server on a database has noted, where its database is a file.
pub(crate) fn noted_address(url: &str) -> Option<Url> {
    let noted = fs::read_to_string(lock_path(&sqlite_file(url)?)).ok()?;
    noted.lines().nth(1)?.parse().ok()
}

/// Whether a server runs on the database of a URL; `None` where that cannot be told, as for any
/// other than a file of SQLite.
pub(crate) fn is_served(url: &str) -> Option<bool> {
    let file = match File::open(lock_path(&sqlite_file(url)?)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(false),
        Err(_) => return None,
    };
    match file.try_lock_shared() {
        // Given back at once: a program that is being started in this moment holds a copy of the
        // handle, and with it the lock.
        Ok(()) => {
            let _ = file.unlock();
            Some(false)
        }
        Err(TryLockError::WouldBlock) => Some(true),
        Err(TryLockError::Error(_)) => None,
    }
}

/// Locks the file. A server holds it alone; whoever asks [`is_served`] shares it for a moment, and is
/// no reason to refuse.
fn lock(file: &File) -> Result<(), TryLockError> {
    for _ in 0..LOOKS {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => file.try_lock_shared()?,
            other => return other,
        }
        file.unlock().map_err(TryLockError::Error)?;
        thread::yield_now();
    }
    file.try_lock()
}

impl Drop for ServerLock {
    /// Unlocks rather than only closes: a program that is being started in this moment still
    /// holds a copy of the handle, and with it the lock.
    fn drop(&mut self) {
        if let Some(Err(error)) = self.file.as_ref().map(File::unlock) {
            tracing::debug!(%error, "the lock on the database ends with the process");
        }
    }
}

/// The lock file beside a database, the same by whatever links the database is reached.
fn lock_path(database: &Path) -> PathBuf {
    let resolved = database.canonicalize().or_else(|_| {
        let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty());
        let name = database.file_name().unwrap_or_default();
        Ok::<_, io::Error>(folder.unwrap_or(Path::new(".")).canonicalize()?.join(name))
    });
    let mut path = resolved.unwrap_or_else(|_| database.to_owned()).into_os_string();
    path.push(SUFFIX);
    path.into()
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Leaves the process's id for whoever comes second. Without it, the lock holds all the same.
fn note_process(file: &mut File) {
    let noted = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
    if let Err(error) = noted {
        tracing::debug!(%error, "the process cannot be noted in the lock file");
    }
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().and_then(|()| file.read_to_string(&mut text)).ok()?;
    text.lines().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_for_each_file() {
        let folder = tempfile::tempdir().unwrap();
        let url = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
        let first = ServerLock::take(&url("a.db")).unwrap();
        let refused = ServerLock::take(&url("a.db")).unwrap_err().to_string();
        let id = std::process::id();
        assert!(
            refused.contains("a.db") && refused.contains(&format!("process {id}")),
            "{refused}"
        );
        let mut other = ServerLock::take(&url("b.db")).unwrap();
        assert_eq!(noted_address(&url("b.db")), None);
        let address: Url = "http://127.0.0.1:8081/".parse().unwrap();
        other.note_address(&address);
        assert_eq!(noted_address(&url("b.db")), Some(address));
        let refused = ServerLock::take(&url("b.db")).unwrap_err().to_string();
        assert!(refused.contains(&format!("process {id})")), "{refused}");
        let _copy_of_a_program_being_started = first.file.as_ref().unwrap().try_clone().unwrap();
        drop(first);
        let _again = ServerLock::take(&url("a.db")).unwrap();
        for url in ["sqlite::memory:", "postgres://localhost/a"] {
            let _one = ServerLock::take(url).unwrap();
            let _two = ServerLock::take(url).unwrap();
        }
    }

    #[test]
    fn whether_a_server_runs_is_told_without_being_in_its_way() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("a.db").display());
        assert_eq!(is_served(&url), Some(false), "there is no lock file");
        let server = ServerLock::take(&url).unwrap();
        assert_eq!(is_served(&url), Some(true));
        drop(server);
        assert_eq!(is_served(&url), Some(false), "the file stays, the lock does not");
        let _next = ServerLock::take(&url).unwrap();
        for url in ["sqlite::memory:", "postgres://localhost/a"] {
            assert_eq!(is_served(url), None, "{url}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_link_to_the_file_is_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a.db"), folder.path().join("link.db"));
        std::fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let _first = ServerLock::take(&format!("sqlite:{}", file.display())).unwrap();
        assert!(ServerLock::take(&format!("sqlite:{}", link.display())).is_err());
    }
}
