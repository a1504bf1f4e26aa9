//! Where the command remembers uploads that were interrupted.

use std::ffi::OsString;
use std::path::PathBuf;

use super::error::ConfigError;
use super::sources::Sources;
use super::table::KEYS;

/// The folder of this program within the user's folder for states.
const OWN_FOLDER: &str = "scheduler";

/// The folder that the option or the setting `state` names, else one in the user's own folder for
/// states; `None` where the system tells of no such folder.
///
/// Source: XDG Base Directory Specification 0.8: `XDG_STATE_HOME`, which counts only as an
/// absolute path, else `.local/state` in the home folder.
///
/// # Errors
/// [`ConfigError::Value`] when the setting is no folder's name.
pub(crate) fn state_folder(
    option: Option<PathBuf>,
    sources: &Sources,
) -> Result<Option<PathBuf>, ConfigError> {
    let named = option.map_or_else(|| sources.set(&KEYS.state), |option| Ok(Some(option)))?;
    Ok(named.or_else(|| of_user(|name| std::env::var_os(name))))
}

fn of_user(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let states = absolute("XDG_STATE_HOME")
        .or_else(|| if cfg!(windows) { absolute("LOCALAPPDATA") } else { None })
        .or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
    Some(states?.join(OWN_FOLDER))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

    #[test]
    #[cfg(unix)]
    fn the_folder_of_the_user() {
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
            assert_eq!(of_user(variable), want.map(PathBuf::from), "{name}");
        }
    }

    #[test]
    fn the_option_comes_before_the_setting() {
        let sources = sources(&[("SCHEDULER_STATE", "/v")], &[("state", "/f")]);
        let folder = |option: Option<&str>| {
            state_folder(option.map(PathBuf::from), &sources).unwrap().unwrap()
        };
        assert_eq!(folder(Some("/o")), PathBuf::from("/o"));
        assert_eq!(folder(None), PathBuf::from("/v"));
    }
}
