//! How much of the disk is left free.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

/// The disk that files lie on, and how much of it they leave free, for the database beside them
/// and for what a publish needs.
#[derive(Clone, Debug)]
pub(super) struct Room {
    pub(super) folder: PathBuf,
    pub(super) free_bytes_min: u64,
}

impl Room {
    /// Checks that so many bytes can be added.
    ///
    /// # Errors
    /// `StorageFull`
    pub(super) fn check(&self, bytes: u64) -> io::Result<()> {
        if self.free_bytes_min == 0 || self.free()? >= self.free_bytes_min.saturating_add(bytes) {
            return Ok(());
        }
        Err(ErrorKind::StorageFull.into())
    }

    /// Bytes that this process may still write.
    #[cfg(unix)]
    fn free(&self) -> io::Result<u64> {
        let found = rustix::fs::statvfs(&self.folder)?;
        Ok(found.f_bavail.saturating_mul(found.f_frsize))
    }

    /// Elsewhere nothing is known of the disk but that it is full.
    #[cfg(not(unix))]
    fn free(&self) -> io::Result<u64> {
        Ok(u64::MAX)
    }
}
