//! Where the command remembers uploads that were interrupted.

use std::path::PathBuf;

use super::error::ConfigError;
use super::folders::STATE;
use super::sources::Sources;
use super::table::KEYS;

/// The folder that the option or the setting `state` names, else one in the user's own folder for
/// states; `None` where the system tells of no such folder.
///
/// # Errors
/// [`ConfigError::Value`] when the setting is no folder's name.
pub(crate) fn state_folder(
    option: Option<PathBuf>,
    sources: &Sources,
) -> Result<Option<PathBuf>, ConfigError> {
    let named = option.map_or_else(|| sources.set(&KEYS.state), |option| Ok(Some(option)))?;
    Ok(named.or_else(|| STATE.own()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

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
