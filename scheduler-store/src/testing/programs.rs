//! Where the programs of PostgreSQL are, and as whom they run.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the folder with `initdb` and `postgres`: from the search path or where Debian puts them.
pub fn folder() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut installed: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|version| {
            let number = version.file_name().to_str()?.parse().ok()?;
            Some((number, version.path().join("bin")))
        })
        .collect();
    installed.sort_unstable();
    let newest_first = installed.into_iter().rev().map(|(_, folder)| folder);
    on_path
        .into_iter()
        .chain(newest_first)
        .find(|folder| ["initdb", "postgres"].iter().all(|program| folder.join(program).is_file()))
}

/// As whom the server runs: it refuses to run as root.
#[derive(Clone, Copy, Debug)]
pub enum RunAs {
    /// As the user of the test.
    Same,
    /// As another user, since the test runs as root.
    Other {
        /// Its name.
        name: &'static str,
        /// Its number.
        user: u32,
        /// The number of its group.
        group: u32,
    },
}

impl RunAs {
    /// Looks at whom a new folder belongs to. `None` when that is root and there is no other user
    /// or no way to become it.
    pub fn choose(own_folder: &Path) -> Option<Self> {
        if std::fs::metadata(own_folder).ok()?.uid() != 0 {
            return Some(Self::Same);
        }
        let users = std::fs::read_to_string("/etc/passwd").ok()?;
        ["postgres", "nobody"].into_iter().find_map(|name| {
            let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
            let mut fields = line.split(':').skip(2);
            let user = fields.next()?.parse().ok()?;
            let group = fields.next()?.parse().ok()?;
            Some(Self::Other { name, user, group })
        })
    }

    /// Gives a folder to whom the server runs as.
    ///
    /// # Errors
    /// What the system says when it cannot be given.
    pub fn own(self, folder: &Path) -> std::io::Result<()> {
        match self {
            Self::Same => Ok(()),
            Self::Other { user, group, .. } => {
                std::os::unix::fs::chown(folder, Some(user), Some(group))
            }
        }
    }

    /// Returns the words before a command that is to run as that user.
    pub fn prefix(self) -> Vec<String> {
        let Self::Other { name, user, group } = self else { return Vec::new() };
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        if is_there("setpriv") {
            let (user, group) = (format!("--reuid={user}"), format!("--regid={group}"));
            return words(&["setpriv", &user, &group, "--clear-groups", "--"]);
        }
        if is_there("runuser") {
            return words(&["runuser", "-u", name, "--"]);
        }
        // The command is handed over as arguments, so that nothing has to be quoted.
        words(&["su", name, "-s", "/bin/sh", "-c", "exec \"$0\" \"$@\"", "--"])
    }

    /// Returns a command that runs as that user.
    pub fn command(self, program: &Path) -> Command {
        let mut words = self.prefix().into_iter();
        let Some(first) = words.next() else { return Command::new(program) };
        let mut command = Command::new(first);
        command.args(words).arg(program);
        command
    }
}

fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
