//! Files that only the user of the server may read, whatever the umask.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a file of mode 0600 that was not there before.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
