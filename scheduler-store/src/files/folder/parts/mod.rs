//! Uploads in parts.
//!
//! ```text
//! data            the parts, each in its place; renamed to `whole` when it is put together
//! log             what has arrived: a line for each part
//! slot-{n}        names who sends part n: the newest
//! part-{n}.{…}    a part that was sent once more
//! ```
//!
//! A part is written in its place in `data`, so that putting the parts together is a rename. Where
//! it has arrived there already, whoever sends it once more writes a file of its own, which is
//! copied into place in the end. The log decides which of them counts: the last line of a part. A
//! line is written when the bytes have reached the disk. Whoever begins to send a part cuts off
//! whoever sends it, so that a part takes twice its size at most.
//!
//! The lock on the log is shared by whoever writes and taken alone by whoever puts together; each
//! writer looks under the lock whether `data` still has its name, and stops when it has not.

mod finish;
mod log;
mod receive;
mod slot;

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use scheduler_core::media::FileKey;

pub(super) use finish::finish;
pub(super) use receive::{begin_part, end_part};

use super::layout::{Layout, sync_folder};

/// The folder of an upload in parts.
#[derive(Clone, Debug)]
pub(super) struct Upload(PathBuf);

impl Upload {
    /// Makes an upload, durably.
    pub(super) fn make(layout: &Layout, key: &FileKey) -> io::Result<String> {
        let id = super::layout::random_id()?;
        let folder = layout.upload(key, &id).ok_or(ErrorKind::InvalidInput)?;
        fs::create_dir(&folder)?;
        let upload = Self(folder);
        // The log comes last: without it there is no upload.
        File::create_new(upload.data())?.sync_all()?;
        File::create_new(upload.log())?.sync_all()?;
        sync_folder(&upload.0)?;
        sync_folder(layout.partial())?;
        Ok(id)
    }

    /// An upload that may have been made; `None` for what is no name of ours.
    pub(super) fn find(layout: &Layout, key: &FileKey, id: &str) -> Option<Self> {
        layout.upload(key, id).map(Self)
    }

    /// Removes it with all that has come of it; what does not exist is no error.
    pub(super) fn remove(&self, layout: &Layout) -> io::Result<()> {
        layout.remove_folder(&self.0)
    }

    fn data(&self) -> PathBuf {
        self.0.join("data")
    }

    fn whole(&self) -> PathBuf {
        self.0.join("whole")
    }

    fn log(&self) -> PathBuf {
        self.0.join("log")
    }

    fn slot(&self, part_number: u32) -> PathBuf {
        self.0.join(format!("slot-{part_number}"))
    }

    /// Whether parts are still taken.
    fn is_open(&self) -> io::Result<bool> {
        self.data().try_exists()
    }
}

/// When an upload was last made or given a part.
pub(super) fn last_change(folder: &Path) -> io::Result<SystemTime> {
    let upload = Upload(folder.to_owned());
    match fs::metadata(upload.log()) {
        Ok(metadata) => metadata.modified(),
        // A crash came while it was made.
        Err(error) if error.kind() == ErrorKind::NotFound => fs::metadata(folder)?.modified(),
        Err(error) => Err(error),
    }
}
