//! Confining this process for good, and becoming a video tool.
//!
//! What is set before the tool begins, and what it cannot undo: limits of memory, processor time,
//! open files and written bytes; with Landlock the input and the tool's libraries as all that can
//! be read, nothing or one file that can be written and the tool as all that can be executed; with
//! seccomp the few calls to the system that this takes, among which are no socket, no other process
//! and, unless a file is to be made, no file opened for writing. Where the kernel lacks one, the
//! others hold, and [`Confinement`] says so. The process must have one thread.

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")
))]
mod calls;
#[cfg(all(
    target_os = "linux",
    not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))
))]
mod calls {
    /// The numbers of calls are not known here.
    pub(super) const fn restrict(_makes_a_file: bool) -> bool {
        false
    }
}
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod limits;

use std::ffi::OsString;
use std::fmt;
use std::process::ExitCode;

#[cfg(target_os = "linux")]
pub(crate) use limits::{MADE_BYTES_MAX, MEMORY_MAX};

/// The word before a file that may be read, or nothing, a program, and its arguments.
pub(crate) const RUN: &str = "run";

/// The word before a file that may be read, a file that may be written, a program, and its
/// arguments.
pub(crate) const MAKE: &str = "make";

/// The word that asks what this process can be confined by.
pub(crate) const TELL: &str = "tell";

/// The code with which a process ends that did not become a tool; no tool ends with it.
pub(crate) const NOT_RUN: u8 = 125;

/// What holds a tool, beside the limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confinement {
    /// The level of Landlock that the kernel has; `None` where it has none.
    pub landlock: Option<u32>,
    /// Whether calls to the system are filtered by seccomp.
    pub seccomp: bool,
}

impl Confinement {
    /// Whether neither the network nor a file other than the input is in a tool's reach.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        self.landlock.is_some() && self.seccomp
    }

    /// Reads what its text says.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (level, filtered) = text.trim().split_once(' ')?;
        let level = level.strip_prefix("landlock=")?.parse().ok()?;
        let seccomp = filtered.strip_prefix("seccomp=")?.parse().ok()?;
        Some(Self { landlock: (level > 0).then_some(level), seccomp })
    }
}

impl fmt::Display for Confinement {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = self.landlock.unwrap_or_default();
        write!(to, "landlock={level} seccomp={}", self.seccomp)
    }
}

/// Confines this process for good and becomes the tool that the words name; ends with an exit code
/// where it cannot. To be called before anything else, with all words after those of a
/// [`Launcher`](crate::Launcher).
pub fn launch(words: impl Iterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = words.collect();
    if let Err(error) = begin(&words) {
        use std::io::Write as _;
        // Nobody may be left to hear it.
        let _ = writeln!(std::io::stderr(), "error: {error}");
        return NOT_RUN.into();
    }
    ExitCode::SUCCESS
}

#[cfg(target_os = "linux")]
fn begin(words: &[OsString]) -> Result<(), std::io::Error> {
    use std::io::Write as _;
    use std::os::unix::process::CommandExt as _;
    use std::path::Path;
    use std::process::Command;

    let hold = |file: Option<&Path>, made: Option<&Path>, program: Option<&Path>| {
        limits::set(made.is_some());
        let landlock = files::restrict(file, made, program);
        Confinement { landlock, seccomp: calls::restrict(made.is_some()) }
    };
    match words {
        [told] if told == TELL => writeln!(std::io::stdout(), "{}", hold(None, None, None)),
        [run, file, program, arguments @ ..] if run == RUN => {
            let file = (!file.is_empty()).then_some(Path::new(file));
            hold(file, None, Some(Path::new(program)));
            Err(Command::new(program).args(arguments).exec())
        }
        [make, file, made, program, arguments @ ..] if make == MAKE => {
            hold(Some(Path::new(file)), Some(Path::new(made)), Some(Path::new(program)));
            Err(Command::new(program).args(arguments).exec())
        }
        _ => Err(misunderstood()),
    }
}

#[cfg(not(target_os = "linux"))]
fn begin(_: &[OsString]) -> Result<(), std::io::Error> {
    Err(misunderstood())
}

/// People do not come here: the words are those of the server to itself.
fn misunderstood() -> std::io::Error {
    let said = "the server alone starts this, to confine ffprobe and ffmpeg";
    std::io::Error::new(std::io::ErrorKind::InvalidInput, said)
}
