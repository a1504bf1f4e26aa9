//! A file on its way.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::layout::{is_random_name, random_name, sync_folder};
use super::stream::Destination;

/// A file that is being written, locked; removed when it is dropped before it was kept.
#[derive(Debug)]
pub(super) struct Draft {
    file: File,
    path: PathBuf,
    is_kept: bool,
}

impl Draft {
    /// Makes a draft whose name begins with `stem`.
    pub(super) fn create(folder: &Path, stem: &str) -> io::Result<Self> {
        loop {
            let path = folder.join(random_name(stem)?);
            let file = File::create_new(&path)?;
            let draft = Self { file, path, is_kept: false };
            // Cleaning may take it for a leftover, until it is locked.
            match draft.file.try_lock() {
                Ok(()) if has_a_name(&draft.file)? => return Ok(draft),
                Ok(()) | Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }

    /// Brings the bytes to the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// The last segment of its path.
    pub(super) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Keeps it under the name that it has.
    pub(super) fn keep(mut self) {
        self.is_kept = true;
    }

    /// Keeps it under a name in an existing folder, durably, in place of what had that name.
    ///
    /// # Errors
    /// `NotFound` when the draft or the folder was removed meanwhile.
    pub(super) fn keep_as(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.is_kept = true;
        path.parent().map_or(Ok(()), sync_folder)
    }
}

/// Cuts off every draft whose name begins with `stem`, but one: its name goes, and what has come of
/// it is free at once, also while somebody still holds it.
pub(super) fn cut_off(folder: &Path, stem: &str, but: Option<&str>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        if but == Some(&*name) || !is_random_name(&name, stem) {
            continue;
        }
        let path = folder.join(&*name);
        let opened = File::options().write(true).open(&path);
        match opened.and_then(|file| fs::remove_file(&path).map(|()| file)) {
            // Only what had this name to the last: under another it may be kept.
            Ok(file) => file.set_len(0)?,
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Does something that nobody else does meanwhile, in whatever process: who takes the same path
/// waits. The file at the path is there only as long as that takes.
pub(super) fn alone<T>(path: &Path, act: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    loop {
        let lock = File::options().write(true).create(true).truncate(false).open(path)?;
        lock.lock()?;
        // Whoever had it before has removed it.
        if has_a_name(&lock)? {
            let done = act();
            fs::remove_file(path)?;
            return done;
        }
    }
}

impl Destination for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        // Cut off by a newer one, or erased: nobody will have the bytes.
        if !has_a_name(&self.file)? {
            return Err(ErrorKind::NotFound.into());
        }
        self.file.write_all(bytes)
    }

    fn file(&self) -> &File {
        &self.file
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        match fs::remove_file(&self.path) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => tracing::warn!(%error, "a file that was not kept could not be removed"),
        }
    }
}

/// Whether a file can still be found by a name.
#[cfg(unix)]
fn has_a_name(file: &File) -> io::Result<bool> {
    Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) > 0)
}

/// Elsewhere a file that is open keeps its name.
#[cfg(not(unix))]
fn has_a_name(_: &File) -> io::Result<bool> {
    Ok(true)
}
