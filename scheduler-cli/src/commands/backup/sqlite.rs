//! The copy of an SQLite database.

use std::path::Path;

use anyhow::Context as _;
use scheduler_store::{
    CopyContents, Inspection, SchemaState, copy_sqlite, has_copied_file, verify_sqlite,
};

use super::draft::close_to_others;
use crate::config::DATABASE_FILE;
use crate::failure::Failure;

/// Writes the copy into a folder.
///
/// # Errors
/// [`Failure::Other`] when the database is damaged, or cannot be copied.
pub(super) async fn copy(url: &str, folder: &Path) -> Result<(), Failure> {
    let found = Inspection::of(url).await.context("cannot read the database")?;
    if found.is_some_and(|found| found.schema == SchemaState::Damaged) {
        return Err(anyhow::anyhow!("the database is damaged; `scheduler doctor` says more").into());
    }
    let to = folder.join(DATABASE_FILE);
    copy_sqlite(url, &to).await.context("cannot copy the database")?;
    close_to_others(&to)
}

/// Reads the copy whole; `files` is where the bytes of files were copied to, if they were.
///
/// # Errors
/// [`Failure::Other`] when it is not what it should be.
pub(super) async fn verify(folder: &Path, files: Option<&Path>) -> Result<CopyContents, Failure> {
    let copy = folder.join(DATABASE_FILE);
    let is_there = |file: &_| files.is_none_or(|files| has_copied_file(files, file));
    let contents = verify_sqlite(&copy, is_there).await.context("the copy cannot be used")?;
    // Reading a copy leaves nothing beside it that would be taken for a part of it.
    for end in ["-wal", "-shm", "-journal"] {
        let _ = std::fs::remove_file(folder.join(format!("{DATABASE_FILE}{end}")));
    }
    Ok(contents)
}
