//! Settings: an option, else the environment, else `scheduler.toml`, else a default.
//!
//! One file a concern. Each reads its own settings from [`Sources`].

mod assistant;
mod client;
mod file;
mod keys;
mod logging;
mod media;
mod networks;
mod plans;
mod readings;
mod retry;
mod server;
mod state;
mod storage;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;

pub(crate) use assistant::assistant;
pub(crate) use client::{ClientOptions, ClientSettings};
pub(crate) use file::File;
pub(crate) use keys::variable;
pub(crate) use logging::{LogFormat, LogSettings};
pub(crate) use media::{MediaSettings, file_bytes_max};
pub(crate) use networks::NetworkSettings;
pub(crate) use plans::plans;
pub(crate) use readings::refresh_every;
pub(crate) use retry::waits;
pub(crate) use server::{Roles, ServerOptions, ServerSettings};
pub(crate) use state::state_folder;
pub(crate) use storage::{StorageOptions, StorageSettings, make_private_folder};

/// How the name of every variable begins.
const PREFIX: &str = "SCHEDULER_";

/// The variable that names the settings file.
const CONFIG_VARIABLE: &str = "SCHEDULER_CONFIG";

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is no TOML.
    #[error("{}, line {line}: {reason}", path.display())]
    Syntax {
        /// Which.
        path: PathBuf,
        /// Where, counted from 1.
        line: usize,
        /// Why.
        reason: String,
    },
    /// The file holds a key that nobody reads.
    #[error("{}: unknown key {key:?}; did you mean {nearest:?}?", path.display())]
    UnknownKey {
        /// Which file.
        path: PathBuf,
        /// The key.
        key: String,
        /// The known key that is most like it.
        nearest: String,
    },
    /// A value is wrong. The value itself is not shown: it may be a secret.
    #[error("{place} {reason}")]
    Value {
        /// The variable, or the key and its file.
        place: String,
        /// What is wrong, to follow the place in a sentence.
        reason: String,
    },
}

/// Where settings come from when no option gives them.
pub(crate) struct Sources {
    variables: BTreeMap<String, String>,
    file: File,
    /// What is wrong with the file.
    faults: Vec<ConfigError>,
}

/// A variable with our prefix that nobody reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnknownVariable {
    /// Its name.
    pub(crate) name: String,
    /// The known one that is most like it, where one is.
    pub(crate) near: Option<String>,
}

/// A setting with its place, to name when it is wrong.
struct Found {
    text: String,
    place: String,
}

impl Sources {
    /// The environment of the process, and the file that it or `named` names.
    ///
    /// # Errors
    /// [`ConfigError`] when the file cannot be used.
    pub(crate) fn load(named: Option<&Path>) -> Result<Self, ConfigError> {
        let variables = variables();
        let named = named.or_else(|| variables.get(CONFIG_VARIABLE).map(Path::new));
        let file = File::read(named)?;
        Ok(Self::new(variables, file))
    }

    /// The same, as far as it can be used; what is wrong is told by [`faults`](Self::faults).
    pub(crate) fn load_what_can_be_read(named: Option<&Path>) -> Self {
        Self::load(named).unwrap_or_else(|fault| Self {
            faults: vec![fault],
            ..Self::new(variables(), File::default())
        })
    }

    /// What is wrong with the file.
    pub(crate) fn faults(&self) -> &[ConfigError] {
        &self.faults
    }

    /// The settings file; `None` when there is none.
    pub(crate) fn file(&self) -> Option<&Path> {
        let path = self.file.path.as_path();
        (!path.as_os_str().is_empty()).then_some(path)
    }

    /// Variables with our prefix that nobody reads.
    pub(crate) fn unknown_variables(&self) -> Vec<UnknownVariable> {
        let known = || keys::all().map(|key| variable(&key)).chain([CONFIG_VARIABLE.to_owned()]);
        let nearest = |name: &str| {
            let key = name.strip_prefix(PREFIX).unwrap_or(name);
            variable(&keys::nearest(key, keys::all().chain(["config".to_owned()])))
        };
        let unknown = self.variables.keys().filter(|name| !known().any(|known| known == **name));
        unknown
            .map(|name| UnknownVariable { name: name.clone(), near: Some(nearest(name)) })
            .collect()
    }

    /// These variables and this file. An empty variable counts as not set.
    pub(crate) fn new(mut variables: BTreeMap<String, String>, file: File) -> Self {
        variables.retain(|_, value| !value.is_empty());
        Self { variables, file, faults: Vec::new() }
    }

    fn find(&self, key: &str) -> Option<Found> {
        debug_assert!(keys::is_known(key), "{key} is no known key");
        let name = variable(key);
        if let Some(text) = self.variables.get(&name).cloned() {
            return Some(Found { text, place: name });
        }
        let text = self.file.values.get(key)?.clone();
        Some(Found { text, place: format!("{key} in {}", self.file.path.display()) })
    }

    /// What a setting is called where it stands; `None` when it is not set.
    pub(crate) fn place(&self, key: &str) -> Option<String> {
        self.find(key).map(|found| found.place)
    }

    /// A setting as text.
    pub(crate) fn text(&self, key: &str) -> Option<String> {
        self.find(key).map(|found| found.text)
    }

    /// The option, else the setting, read by `parse`.
    ///
    /// # Errors
    /// [`ConfigError::Value`], naming the variable or the key.
    pub(crate) fn parsed<T, E: Display>(
        &self,
        option: Option<T>,
        key: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, ConfigError> {
        if option.is_some() {
            return Ok(option);
        }
        let Some(found) = self.find(key) else { return Ok(None) };
        parse(found.text.trim())
            .map(Some)
            .map_err(|error| ConfigError::Value { place: found.place, reason: error.to_string() })
    }

    /// The option, else the setting, read by its type's own way; `expected` completes a sentence
    /// that begins with the name of the setting.
    ///
    /// # Errors
    /// [`ConfigError::Value`], naming the variable or the key.
    pub(crate) fn value<T: FromStr>(
        &self,
        option: Option<T>,
        key: &str,
        expected: &'static str,
    ) -> Result<Option<T>, ConfigError> {
        self.parsed(option, key, |text| text.parse().map_err(|_| expected))
    }

    /// A setting that is on or off.
    ///
    /// # Errors
    /// [`ConfigError::Value`], naming the variable or the key.
    pub(crate) fn flag(&self, key: &str) -> Result<bool, ConfigError> {
        let parsed = self.parsed(None, key, |text| match text {
            "true" | "1" | "yes" | "on" => Ok(true),
            "false" | "0" | "no" | "off" => Ok(false),
            _ => Err("must be true or false"),
        })?;
        Ok(parsed.unwrap_or(false))
    }

    /// The table of the plans, and the file that it stands in.
    pub(crate) const fn plans(&self) -> (&toml::Table, &PathBuf) {
        (&self.file.plans, &self.file.path)
    }
}

/// The variables of this process with our prefix.
fn variables() -> BTreeMap<String, String> {
    let text = |text: OsString| text.to_string_lossy().into_owned();
    std::env::vars_os()
        .map(|(name, value)| (text(name), text(value)))
        .filter(|(name, value)| name.starts_with(PREFIX) && !value.is_empty())
        .collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Sources of these variables and keys.
    pub(crate) fn sources(variables: &[(&str, &str)], keys: &[(&str, &str)]) -> Sources {
        let owned = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect()
        };
        let file =
            File { path: "scheduler.toml".into(), values: owned(keys), plans: toml::Table::new() };
        Sources::new(owned(variables), file)
    }

    #[test]
    fn an_option_comes_before_the_environment_and_that_before_the_file() {
        for (name, option, variables, keys, want) in [
            ("nothing", None, &[][..], &[][..], None),
            ("the file", None, &[], &[("rate_limit_burst", "3")], Some(3)),
            (
                "the environment",
                None,
                &[("SCHEDULER_RATE_LIMIT_BURST", "2")],
                &[("rate_limit_burst", "3")],
                Some(2),
            ),
            (
                "the option",
                Some(1),
                &[("SCHEDULER_RATE_LIMIT_BURST", "2")],
                &[("rate_limit_burst", "3")],
                Some(1),
            ),
            (
                "an empty variable is not set",
                None,
                &[("SCHEDULER_RATE_LIMIT_BURST", "")],
                &[("rate_limit_burst", "3")],
                Some(3),
            ),
        ] {
            let found = sources(variables, keys).value::<u32>(option, "rate_limit_burst", "no");
            assert_eq!(found.unwrap(), want, "{name}");
        }
    }

    #[test]
    fn variables_that_nobody_reads() {
        let given = [
            ("SCHEDULER_CONFIG", "a"),
            ("SCHEDULER_LISTEN", "b"),
            ("SCHEDULER_PUBLICURL", "c"),
            ("SCHEDULER_DATA_DIR", ""),
            ("SCHEDULER_TELEGRAM_API_BASE", "d"),
        ];
        let unknown = sources(&given, &[]);
        let near = Some("SCHEDULER_PUBLIC_URL".to_owned());
        let want = [UnknownVariable { name: "SCHEDULER_PUBLICURL".to_owned(), near }];
        assert_eq!(unknown.unknown_variables(), want);
    }

    #[test]
    fn a_wrong_value_names_its_place() {
        for (variables, keys, want) in [
            (
                &[("SCHEDULER_WEBHOOKS_ALLOW_PRIVATE", "maybe")][..],
                &[][..],
                "SCHEDULER_WEBHOOKS_ALLOW_PRIVATE must be true or false",
            ),
            (
                &[],
                &[("webhooks_allow_private", "maybe")],
                "webhooks_allow_private in scheduler.toml must be true or false",
            ),
        ] {
            let error = sources(variables, keys).flag("webhooks_allow_private").unwrap_err();
            assert_eq!(error.to_string(), want);
        }
    }
}
