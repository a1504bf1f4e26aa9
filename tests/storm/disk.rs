//! A small disk that can be filled.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A file system in memory; unmounted when it is dropped.
pub(crate) struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts one in a folder; `None` where that is not allowed.
    pub(crate) fn mount(folder: &Path) -> Option<Self> {
        let path = folder.join("disk");
        std::fs::create_dir_all(&path).expect("a folder is made");
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", "size=48m", "tmpfs"]).arg(&path);
        let status = command.stdin(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success()).then_some(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}
