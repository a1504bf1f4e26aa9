//! Something small to keep and to read again, and where folders would be made.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{FileFolder, FileKey};
use scheduler_core::ports::{Clock, Ids as _};
use scheduler_worker::UuidV7;
use uuid::Uuid;

/// A small file of no workspace. Whoever keeps it erases it again.
pub(super) struct Probe {
    /// Its place.
    pub(super) folder: FileFolder,
    /// Its bytes, which no other has.
    pub(super) bytes: Bytes,
}

impl Probe {
    /// A new one.
    pub(super) fn new(clock: &dyn Clock) -> Self {
        let id = UuidV7.next(clock.now());
        let folder = FileKey::folder(WorkspaceId(Uuid::nil()), MediaId(id));
        let bytes = format!("written by scheduler doctor, to be read again: {id}\n").repeat(16);
        Self { folder, bytes: bytes.into() }
    }

    /// How many bytes it has.
    pub(super) fn size_bytes(&self) -> u64 {
        u64::try_from(self.bytes.len()).unwrap_or(u64::MAX)
    }
}

/// The folder itself, or the nearest above it that exists.
pub(super) fn nearest_folder(folder: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(folder).ok()?;
    let found = absolute.ancestors().find(|folder| folder.is_dir())?;
    // As it was given, so that it can be told from one above it.
    Some(if found == absolute { folder.to_owned() } else { found.to_owned() })
}

/// Writes a file in a folder, which vanishes again however this ends.
///
/// # Errors
/// Why it cannot be written.
pub(super) fn try_folder(folder: &Path) -> io::Result<()> {
    // An empty file fits on a disk that is full.
    const PAGE: [u8; 4096] = [b'.'; 4096];
    let mut file = tempfile::tempfile_in(folder).map_err(without_path)?;
    file.write_all(&PAGE)?;
    file.sync_all()
}

/// The system's words alone: those around them repeat a path that nobody has named.
fn without_path(error: io::Error) -> io::Error {
    error.raw_os_error().map_or(error, io::Error::from_raw_os_error)
}
