//! Settings: an option, else the environment, else `scheduler.toml`, else a default.
//!
//! One file a concern. Each reads its own settings from [`Sources`].

mod assistant;
mod checked;
mod client;
mod each;
mod example;
mod file;
mod history;
mod in_force;
mod keys;
mod logging;
mod media;
mod networks;
mod plans;
mod readings;
mod redacted;
mod retry;
mod server;
mod setting;
mod state;
mod storage;
mod table;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::str::FromStr;

pub(crate) use assistant::assistant;
pub(crate) use checked::Checked;
pub(crate) use client::{ClientOptions, ClientSettings};
pub(crate) use each::{OF_NETWORKS, OF_PLANS};
pub(crate) use example::example;
pub(crate) use file::File;
pub(crate) use history::history_kept;
pub(crate) use in_force::{InForce, in_force};
pub(crate) use keys::{every as every_setting, named as setting_named, variable};
pub(crate) use logging::{LogFormat, LogSettings};
pub(crate) use media::{CONFINED_TOOL, MediaSettings, file_bytes_max};
pub(crate) use networks::NetworkSettings;
pub(crate) use plans::plans;
pub(crate) use readings::refresh_every;
pub(crate) use redacted::Shown;
pub(crate) use retry::waits;
pub(crate) use server::{Roles, ServerOptions, ServerSettings};
pub(crate) use setting::{Named, Secrecy};
pub(crate) use state::state_folder;
pub(crate) use storage::{
    DATABASE_FILE, KEY_FILE, StorageOptions, StorageSettings, make_private_folder,
};
pub(crate) use table::GROUPS;

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
    #[error("{}: unknown key {key:?}{}", path.display(), meant(nearest.as_deref()))]
    UnknownKey {
        /// Which file.
        path: PathBuf,
        /// The key.
        key: String,
        /// The known key that is most like it, where one is near enough.
        nearest: Option<String>,
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

/// What an unknown key may be meant to be.
fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(
        || "; scheduler.example.toml lists every key".to_owned(),
        |nearest| format!("; did you mean {nearest:?}?"),
    )
}

/// Where settings come from when no option gives them.
pub(crate) struct Sources {
    variables: BTreeMap<String, String>,
    /// What stands in the files that variables such as `SCHEDULER_DATABASE_FILE` name, by key.
    from_files: BTreeMap<String, FromFile>,
    file: File,
    /// What is wrong with the file and with the files that variables name.
    faults: Vec<ConfigError>,
}

/// A value that stands in a file of its own.
struct FromFile {
    variable: String,
    text: String,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// This option.
    Option(&'static str),
    /// This variable.
    Variable(String),
    /// The settings file.
    File {
        /// Which.
        path: PathBuf,
        /// Where, counted from 1.
        line: Option<usize>,
    },
    /// Nowhere: it is not set.
    Default,
}

/// A setting with its place, to name when it is wrong.
pub(crate) struct Found {
    /// The value.
    pub(crate) text: String,
    /// What it is called where it stands.
    pub(crate) place: String,
    /// Where it comes from.
    pub(crate) origin: Origin,
}

/// A variable with our prefix that nobody reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnknownVariable {
    /// Its name.
    pub(crate) name: String,
    /// The known one that is most like it, where one is.
    pub(crate) near: Option<String>,
}

impl Display for UnknownVariable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, near } = self;
        write!(formatter, "no setting has the variable {name}")?;
        match near {
            Some(near) => write!(formatter, "; did you mean {near}?"),
            None => Ok(()),
        }
    }
}

impl Sources {
    /// The environment of the process, and the file that it or `named` names.
    ///
    /// # Errors
    /// [`ConfigError`] when the file cannot be used.
    pub(crate) fn load(named: Option<&Path>) -> Result<Self, ConfigError> {
        let mut sources = Self::load_what_can_be_read(named);
        if sources.faults.is_empty() { Ok(sources) } else { Err(sources.faults.swap_remove(0)) }
    }

    /// The same, as far as it can be used; what is wrong is told by [`faults`](Self::faults).
    pub(crate) fn load_what_can_be_read(named: Option<&Path>) -> Self {
        let text = |text: OsString| text.to_string_lossy().into_owned();
        let variables: BTreeMap<String, String> = std::env::vars_os()
            .map(|(name, value)| (text(name), text(value)))
            .filter(|(name, value)| name.starts_with(PREFIX) && !value.is_empty())
            .collect();
        let named = named.or_else(|| variables.get(CONFIG_VARIABLE).map(Path::new));
        let (file, fault) = match File::read(named) {
            Ok(file) => (file, None),
            Err(fault) => (File::default(), Some(fault)),
        };
        let mut sources = Self::new(variables, file);
        // Without the file, nothing else is worth telling first.
        sources.faults.splice(0..0, fault);
        sources
    }

    /// These variables and this file. An empty variable counts as not set.
    pub(crate) fn new(mut variables: BTreeMap<String, String>, mut file: File) -> Self {
        variables.retain(|_, value| !value.is_empty());
        let mut faults = std::mem::take(&mut file.faults);
        let mut from_files = BTreeMap::new();
        for (name, path) in &variables {
            let Some(key) = keys::key_of_file(name) else { continue };
            match read_secret(name, path, variables.contains_key(&variable(&key))) {
                Ok(text) => {
                    from_files.insert(key, FromFile { variable: name.clone(), text });
                }
                Err(fault) => faults.push(fault),
            }
        }
        Self { variables, from_files, file, faults }
    }

    /// What is wrong with the file and with the files that variables name.
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
        let unknown = self.variables.keys().filter(|name| !keys::is_known_variable(name));
        unknown
            .map(|name| UnknownVariable { name: name.clone(), near: keys::near_variable(name) })
            .collect()
    }

    /// A setting everywhere that it is set, what counts first.
    pub(crate) fn everywhere(&self, key: &str) -> Vec<Found> {
        let name = variable(key);
        let of_variable = self.variables.get(&name).map(|text| Found {
            text: text.clone(),
            place: name.clone(),
            origin: Origin::Variable(name.clone()),
        });
        let of_named_file = self.from_files.get(key).map(|FromFile { variable, text }| Found {
            text: text.clone(),
            place: format!("the file of {variable}"),
            origin: Origin::Variable(variable.clone()),
        });
        let of_file = self.file.text(key).map(|text| Found {
            text,
            place: format!("{key} in {}", self.file.path.display()),
            origin: Origin::File {
                path: self.file.path.clone(),
                line: self.file.lines.get(key).copied(),
            },
        });
        [of_variable, of_named_file, of_file].into_iter().flatten().collect()
    }

    fn find(&self, key: &str) -> Option<Found> {
        debug_assert!(keys::is_known(key), "{key} is no known key");
        self.everywhere(key).into_iter().next()
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

/// What stands in the file that a variable names.
fn read_secret(variable: &str, path: &str, is_doubled: bool) -> Result<String, ConfigError> {
    let fault = |reason: String| ConfigError::Value { place: variable.to_owned(), reason };
    if is_doubled {
        let plain = variable.trim_end_matches("_FILE");
        return Err(fault(format!("is set, and so is {plain}; leave one of them out")));
    }
    let text = std::fs::read_to_string(path)
        .map_err(|error| fault(format!("names {path}, which cannot be read: {error}")))?;
    match text.trim() {
        "" => Err(fault(format!("names {path}, which is empty"))),
        text => Ok(text.to_owned()),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Sources of these variables and keys.
    pub(crate) fn sources(variables: &[(&str, &str)], keys: &[(&str, &str)]) -> Sources {
        let owned = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect()
        };
        let file = File { path: "scheduler.toml".into(), values: owned(keys), ..File::default() };
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

    /// Whatever the setting, its variable comes before the file.
    #[test]
    fn every_variable_comes_before_the_file() {
        for named in every_setting() {
            let Some(name) = named.variable() else { continue };
            let key = named.key.as_str();
            let both = sources(&[(&name, "of the variable")], &[(key, "of the file")]);
            assert_eq!(both.text(key).as_deref(), Some("of the variable"), "{key}");
            let origins: Vec<Origin> =
                both.everywhere(key).into_iter().map(|found| found.origin).collect();
            let file = Origin::File { path: "scheduler.toml".into(), line: None };
            assert_eq!(origins, [Origin::Variable(name), file.clone()], "{key}");
            let alone = sources(&[], &[(key, "of the file")]);
            assert_eq!(alone.text(key).as_deref(), Some("of the file"), "{key}");
            assert_eq!(sources(&[], &[]).text(key), None, "{key}");
        }
    }

    #[test]
    fn a_secret_can_stand_in_a_file_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(path("key"), "the key\n").unwrap();
        std::fs::write(path("empty"), " \n").unwrap();
        let (key, empty, missing) = (path("key"), path("empty"), path("missing"));
        let name = "SCHEDULER_AI_KEY_FILE";
        let read = sources(&[(name, &key)], &[("ai_key", "of the file")]);
        assert_eq!(read.text("ai_key").as_deref(), Some("the key"));
        assert_eq!(read.everywhere("ai_key")[0].origin, Origin::Variable(name.to_owned()));
        assert!(read.faults().is_empty() && read.unknown_variables().is_empty());
        for (case, variables, want) in [
            ("empty", &[(name, empty.as_str())][..], "which is empty"),
            ("missing", &[(name, &missing)], "which cannot be read: No such file"),
            (
                "both",
                &[(name, &key), ("SCHEDULER_AI_KEY", "x")],
                "is set, and so is SCHEDULER_AI_KEY; leave one of them out",
            ),
        ] {
            let faults = sources(variables, &[]).faults;
            assert_eq!(faults.len(), 1, "{case}");
            let told = faults[0].to_string();
            assert!(told.starts_with(name) && told.contains(want), "{case}: {told}");
        }
        // The value of what is no secret does not come from a file.
        let open = sources(&[("SCHEDULER_LISTEN_FILE", &key)], &[]);
        assert_eq!(open.unknown_variables().len(), 1);
    }
}
