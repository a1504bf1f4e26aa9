//! The files of a database, which only its user may read.

use std::io;
use std::path::{Path, PathBuf};

use crate::private::create;

/// Makes the empty file that SQLite takes for a new database, where there is none. What SQLite
/// keeps beside a database gets the mode of its file.
///
/// Source: <https://www.sqlite.org/src/file/src/os_unix.c>, `findCreateFileMode`.
pub(crate) fn create_for_sqlite(path: &Path) {
    // Why a file cannot be made is told by SQLite, which tries it again.
    let _ = create(path);
}

/// The file of an SQLite database and those that SQLite keeps beside it, as far as others than
/// their user may do something with them.
#[must_use]
pub fn sqlite_files_open_to_others(database: &Path) -> Vec<PathBuf> {
    let beside = ["", "-wal", "-shm", "-journal"].into_iter().map(|end| {
        let mut name = database.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    });
    beside.filter(|file| is_open_to_others(file)).collect()
}

/// Leaves the files of an SQLite database to their user alone.
///
/// # Errors
/// When the mode of one cannot be changed, such as by who is not its user.
pub fn close_sqlite_files(database: &Path) -> io::Result<()> {
    sqlite_files_open_to_others(database).iter().try_for_each(|file| close(file))
}

#[cfg(unix)]
fn is_open_to_others(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(file).is_ok_and(|data| data.permissions().mode() & 0o077 != 0)
}

#[cfg(unix)]
fn close(file: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn is_open_to_others(_: &Path) -> bool {
    false
}

#[cfg(not(unix))]
fn close(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::sealing::{Sealer, SealingKey};
    use crate::sqlite::{SqliteStore, copy_sqlite};

    #[tokio::test]
    async fn nobody_else_reads_a_database_or_its_copy() {
        let folder = tempfile::tempdir().unwrap();
        let [file, copy] = ["a.db", "copy.db"].map(|name| folder.path().join(name));
        let url = format!("sqlite:{}", file.display());
        let key = SealingKey::from_bytes([1; 32]);
        let store = SqliteStore::open(&url, Sealer::new(&key)).await.unwrap();
        let beside = ["a.db", "a.db-wal", "a.db-shm"].map(|name| folder.path().join(name));
        for path in &beside {
            let mode = std::fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{}", path.display());
            // As an earlier release has made them.
            let earlier = std::fs::Permissions::from_mode(0o644);
            std::fs::set_permissions(path, earlier).unwrap();
        }
        assert_eq!(sqlite_files_open_to_others(&file), beside);
        close_sqlite_files(&file).unwrap();
        assert!(sqlite_files_open_to_others(&file).is_empty());
        copy_sqlite(&url, &copy).await.unwrap();
        let mode = std::fs::metadata(&copy).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        store.close().await;
    }
}
