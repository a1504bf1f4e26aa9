//! The folders that the system gives this program within those of the user.

use std::ffi::OsString;
use std::path::PathBuf;

/// The folder of this program within the user's own.
const OWN_FOLDER: &str = "scheduler";

/// A kind of the user's folders.
///
/// Source: XDG Base Directory Specification 0.8: the variable counts only as an absolute path, else
/// the folder stands in the home folder.
#[derive(Clone, Copy, Debug)]
pub(super) struct UserFolder {
    /// The variable that names it.
    variable: &'static str,
    /// The variable that names it on Windows.
    on_windows: &'static str,
    /// Where it stands in the home folder.
    in_home: &'static str,
}

/// What a program remembers from one run to the next.
pub(super) const STATE: UserFolder =
    UserFolder { variable: "XDG_STATE_HOME", on_windows: "LOCALAPPDATA", in_home: ".local/state" };

/// What a person has set.
pub(super) const CONFIG: UserFolder =
    UserFolder { variable: "XDG_CONFIG_HOME", on_windows: "APPDATA", in_home: ".config" };

impl UserFolder {
    /// This program's folder in it; `None` where the system tells of none.
    pub(super) fn own(self) -> Option<PathBuf> {
        self.own_by(|name| std::env::var_os(name))
    }

    fn own_by(self, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
        let absolute = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let folder = absolute(self.variable)
            .or_else(|| if cfg!(windows) { absolute(self.on_windows) } else { None })
            .or_else(|| absolute("HOME").map(|home| home.join(self.in_home)));
        Some(folder?.join(OWN_FOLDER))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn folders_of_the_user() {
        for (name, variables, want) in [
            ("nothing known", &[][..], None),
            ("a home", &[("HOME", "/h")], Some("/h/.local/state/scheduler")),
            ("a folder", &[("HOME", "/h"), ("XDG_STATE_HOME", "/s")], Some("/s/scheduler")),
            (
                "a relative folder does not count",
                &[("HOME", "/h"), ("XDG_STATE_HOME", "s")],
                Some("/h/.local/state/scheduler"),
            ),
        ] {
            let variable = |wanted: &str| {
                let found = variables.iter().find(|(name, _)| *name == wanted);
                found.map(|(_, value)| OsString::from(value))
            };
            assert_eq!(STATE.own_by(variable), want.map(PathBuf::from), "{name}");
        }
    }
}
