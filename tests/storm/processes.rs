//! The processes of a storm: where they lie, how they are signalled, and that none outlives it.

use std::fs::{File, OpenOptions};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The variable that marks every process of a storm with its folder.
pub(crate) const MARK: &str = "STORM_FOLDER";

/// Stands beside the test (`$1`). When that has gone without ending its processes, it kills those
/// that are marked with the folder (`$2`), each by its id.
const GUARD: &str = r#"
while kill -0 "$1" 2>/dev/null; do sleep 0.5; done
for process in /proc/[0-9]*; do
  if tr '\0' '\n' 2>/dev/null <"$process/environ" | grep -qxF "STORM_FOLDER=$2"; then
    kill -KILL "${process#/proc/}" 2>/dev/null
  fi
done
umount -l "$2/disk" 2>/dev/null
"#;

/// The folder of a storm. It is removed at the end unless something is to be looked at.
pub(crate) struct Folder {
    path: PathBuf,
    guard: Child,
    keeps: bool,
}

impl Folder {
    pub(crate) fn create(name: &str) -> Self {
        let temporary = std::env::temp_dir();
        // The path of a socket may have about a hundred bytes.
        let short = temporary.as_os_str().len() <= 30;
        let base = if short { temporary } else { PathBuf::from("/tmp") };
        let path = base.join(format!("scheduler-{name}-{}", std::process::id()));
        std::fs::create_dir_all(path.join("logs")).expect("a folder is made");
        let guard = Command::new("/bin/sh")
            .args(["-c", GUARD, "guard", &std::process::id().to_string()])
            .arg(&path)
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the guard is started");
        Self { path, guard, keeps: std::env::var_os("STORM_KEEP").is_some() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Leaves the folder where it is, for its logs.
    pub(crate) const fn keep(&mut self) {
        self.keeps = true;
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = self.guard.kill();
        let _ = self.guard.wait();
        if self.keeps || std::thread::panicking() {
            eprintln!("The logs are in {}", self.path.join("logs").display());
        } else {
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

/// Opens a file to write at its end.
pub(crate) fn append(path: &Path) -> File {
    OpenOptions::new().create(true).append(true).open(path).expect("a log is opened")
}

/// Sends a signal to a process, which may have ended.
pub(crate) fn signal(name: &str, process: u32) {
    let _ = Command::new("kill")
        .args([format!("-{name}"), process.to_string()])
        .stderr(Stdio::null())
        .status();
}

/// A process that is killed when it is dropped.
pub(crate) struct Process(Child);

impl Process {
    /// Starts a command, marked as one of the folder's.
    pub(crate) fn start(command: &mut Command, folder: &Path) -> Self {
        // Nothing that is sent to the terminal's group reaches it.
        command.env(MARK, folder).process_group(0).stdin(Stdio::null());
        Self(command.spawn().expect("the command starts"))
    }

    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// True once it has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.0.try_wait().expect("it can be asked").is_some()
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, name: &str) {
        signal(name, self.id());
    }

    /// Waits for its end; false when that does not come in time.
    pub(crate) async fn ended(&mut self, within: std::time::Duration) -> bool {
        let begun = std::time::Instant::now();
        while !self.has_ended() {
            if begun.elapsed() > within {
                return false;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        true
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Fails only when it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
