//! The wall clock of a node, which can be shifted while the node runs.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Compiles the library that shifts clocks; `None` without a C compiler.
pub(crate) fn compile(folder: &Path) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/storm/clock.c");
    let library = folder.join("clock.so");
    let mut command = Command::new("cc");
    command.args(["-O2", "-shared", "-fPIC", "-o"]).arg(&library).arg(source);
    let output = command.stdin(Stdio::null()).output().ok()?;
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the clock does not compile: {words}");
    Some(library)
}

/// One clock.
#[derive(Debug)]
pub(crate) struct Clock {
    library: PathBuf,
    path: PathBuf,
    shift: File,
}

impl Clock {
    pub(crate) fn new(library: &Path, path: PathBuf) -> Self {
        std::fs::write(&path, 0_i64.to_ne_bytes()).expect("the shift is written");
        // It is mapped by processes, so it must never be shortened.
        let shift = File::options().write(true).open(&path).expect("the shift is opened");
        Self { library: library.into(), path, shift }
    }

    /// Sets how many milliseconds it is ahead.
    pub(crate) fn shift(&self, milliseconds: i64) {
        let bytes = (milliseconds * 1_000_000).to_ne_bytes();
        self.shift.write_all_at(&bytes, 0).expect("the shift is written");
    }

    /// Gives a process this clock.
    pub(crate) fn give(&self, command: &mut Command) {
        command.env("LD_PRELOAD", &self.library).env("STORM_CLOCK", &self.path);
    }
}
