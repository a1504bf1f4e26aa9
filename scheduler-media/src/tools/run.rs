//! Running a program within bounds.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};

use crate::confine::NOT_RUN;

/// Why a program has brought nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    /// The system does not run it.
    #[error("it cannot be run: {0}")]
    NotRun(#[source] std::io::Error),
    /// It has ended with a failure, or has said nothing that can be read.
    #[error("it has failed")]
    Failed,
    /// It was ended by a signal, such as for a fault of its own.
    #[error("it has crashed")]
    Crashed,
    /// It took too long.
    #[error("it took too long")]
    TooSlow,
    /// It said more than anybody asked for.
    #[error("it said too much")]
    TooMuch,
}

/// Runs a program and returns what it writes, at most `output_max` bytes.
///
/// # Errors
/// [`RunError`] by variant; the program and what it has started are then ended.
pub(super) async fn run(
    program: &Path,
    arguments: &[OsString],
    output_max: usize,
    time_limit: Duration,
) -> Result<Vec<u8>, RunError> {
    let (mut group, output) = Group::start(program, arguments)?;
    let talk = async {
        let mut said = Vec::new();
        let limit = u64::try_from(output_max).unwrap_or(u64::MAX).saturating_add(1);
        output.take(limit).read_to_end(&mut said).await.map_err(RunError::NotRun)?;
        if said.len() > output_max {
            return Err(RunError::TooMuch);
        }
        group.ended().await.map(|()| said)
    };
    let ended = tokio::time::timeout(time_limit, talk).await.unwrap_or(Err(RunError::TooSlow));
    group.is_over = matches!(ended, Ok(_) | Err(RunError::Failed | RunError::Crashed));
    ended
}

/// Runs a program and tells each line that it writes, as soon as it is there.
///
/// # Errors
/// [`RunError`] by variant; the program and what it has started are then ended.
pub(super) async fn watch(
    program: &Path,
    arguments: &[OsString],
    time_limit: Duration,
    mut told: impl FnMut(&str),
) -> Result<(), RunError> {
    let (mut group, output) = Group::start(program, arguments)?;
    let mut lines = BufReader::new(output.take(WATCHED_MAX)).lines();
    let talk = async {
        while let Some(line) = lines.next_line().await.map_err(RunError::NotRun)? {
            told(&line);
        }
        group.ended().await
    };
    let ended = tokio::time::timeout(time_limit, talk).await.unwrap_or(Err(RunError::TooSlow));
    group.is_over = matches!(ended, Ok(()) | Err(RunError::Failed | RunError::Crashed));
    ended
}

/// Bytes that a program which is watched writes at most: hours of telling twice a second.
const WATCHED_MAX: u64 = 64 * 1024 * 1024;

#[cfg(target_os = "linux")]
pub(super) use crate::confine::MEMORY_MAX;

/// How much less of the processors a program gets than the server does, in steps of niceness.
#[cfg(target_os = "linux")]
pub(super) const NICENESS: i32 = 10;

/// A program and what it has started: they end when this is dropped.
struct Group {
    child: Child,
    /// Whether the program has ended by itself; its number may then be another's.
    is_over: bool,
}

impl Group {
    /// Starts a program; what it writes comes beside it.
    fn start(program: &Path, arguments: &[OsString]) -> Result<(Self, ChildStdout), RunError> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        let mut group = Self { child: command.spawn().map_err(RunError::NotRun)?, is_over: false };
        #[cfg(target_os = "linux")]
        group.bound();
        let output = group.child.stdout.take().ok_or(RunError::Failed)?;
        Ok((group, output))
    }

    /// Waits for its end.
    async fn ended(&mut self) -> Result<(), RunError> {
        let status = self.child.wait().await.map_err(RunError::NotRun)?;
        match status.code() {
            Some(0) => Ok(()),
            Some(code) if code == i32::from(NOT_RUN) => {
                Err(RunError::NotRun(std::io::Error::other("its launcher could not start it")))
            }
            Some(_) => Err(RunError::Failed),
            None => Err(RunError::Crashed),
        }
    }
}

#[cfg(target_os = "linux")]
impl Group {
    /// Bounds its memory, lets it leave no core, and puts it behind the server.
    ///
    /// A system that refuses one of these still has the bounds of time and output.
    fn bound(&self) {
        use rustix::process::{
            Pid, Resource, Rlimit, getpriority_process, prlimit, setpriority_process,
        };
        let id = self.child.id().and_then(|id| i32::try_from(id).ok());
        let Some(program) = id.and_then(Pid::from_raw) else { return };
        if let Ok(ours) = getpriority_process(None) {
            let _ = setpriority_process(Some(program), (ours + NICENESS).min(19));
        }
        for (resource, most) in [(Resource::Core, 0), (Resource::As, MEMORY_MAX)] {
            let limit = Rlimit { current: Some(most), maximum: Some(most) };
            let _ = prlimit(Some(program), resource, limit);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        #[cfg(unix)]
        if let Some(id) = self.child.id()
            && let Some(group) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw)
        {
            // It may have ended just now.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.start_kill();
    }
}
