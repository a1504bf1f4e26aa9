//! Removing what a crash has left.

use std::fs::{self, DirEntry, File};
use std::io::{self, ErrorKind};
use std::time::SystemTime;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::media::{FileFolder, LINK_LIFETIME, UPLOAD_TIMEOUT};
use scheduler_core::ports::FilesError;

use super::FolderFiles;
use super::fault::{blocking, fault};
use super::layout::{Layout, PARTS, REMOVED, remove_all, sync_folder};
use super::parts::last_change;

/// How long an upload in parts may lie without a new part, beyond the end of its last link.
const MARGIN: TimeDelta = TimeDelta::hours(1);

impl FolderFiles {
    /// Removes what a crash has left: files on their way that nobody writes any more, removals
    /// that were broken off, and uploads in parts that no link can bring further.
    ///
    /// It looks at what is on its way and at nothing that is kept. [`FolderFiles::open`] has done
    /// it; a server that runs for long may do it again at any time.
    ///
    /// # Errors
    /// [`FilesError::Unavailable`]
    pub async fn clean(&self) -> Result<(), FilesError> {
        let layout = self.layout.clone();
        let now = self.clock.now();
        blocking(move || clean(&layout, now).map_err(|error| fault(&error))).await
    }
}

fn clean(layout: &Layout, now: DateTime<Utc>) -> io::Result<()> {
    let oldest = SystemTime::from(now - UPLOAD_TIMEOUT - LINK_LIFETIME - MARGIN);
    let mut removed = 0_u64;
    for entry in fs::read_dir(layout.partial())? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        removed += u64::from(if name.ends_with(REMOVED) {
            remove_all(&entry.path())?;
            true
        } else if name.ends_with(PARTS) {
            remove_stale_upload(layout, &entry, oldest)?
        } else {
            remove_leftover(&entry)?
        });
    }
    if removed > 0 {
        sync_folder(layout.partial())?;
        tracing::info!(removed, "leftovers of unfinished files were removed");
    }
    Ok(())
}

fn remove_stale_upload(layout: &Layout, entry: &DirEntry, oldest: SystemTime) -> io::Result<bool> {
    match last_change(&entry.path()) {
        Ok(changed) if changed < oldest => layout.remove_folder(&entry.path()).map(|()| true),
        Ok(_) => Ok(false),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes a draft unless somebody writes it, who holds its lock then.
fn remove_leftover(entry: &DirEntry) -> io::Result<bool> {
    let opened = File::open(entry.path()).and_then(|file| match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(error)) => Err(error),
    });
    match opened {
        Ok(Some(_locked)) => fs::remove_file(entry.path()).map(|()| true),
        Ok(None) => Ok(false),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes everything of a file: what is on its way first, so that it cannot arrive afterwards.
pub(super) fn erase(layout: &Layout, folder: &FileFolder) -> io::Result<()> {
    let stem = format!("{}.", folder.as_str().replace('/', "."));
    let mut changed = false;
    for entry in fs::read_dir(layout.partial())? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(&stem) || name.ends_with(REMOVED) {
            continue;
        }
        changed = true;
        if name.ends_with(PARTS) {
            layout.remove_folder(&entry.path())?;
            continue;
        }
        match fs::remove_file(entry.path()) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            other => other?,
        }
    }
    if changed {
        sync_folder(layout.partial())?;
    }
    layout.remove_folder(&layout.folder(folder))
}
