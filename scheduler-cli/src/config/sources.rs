//! Where settings come from: the environment, the files that it names, and `scheduler.toml`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::error::ConfigError;
use super::file::File;
use super::keys::{self, CONFIG_VARIABLE};
use super::setting::{Key, PREFIX, variable};
use super::value::Value;

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Origin {
    /// This option.
    Option {
        /// Its name.
        name: &'static str,
    },
    /// This variable.
    Variable {
        /// Its name.
        name: String,
    },
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
            origin: Origin::Variable { name: name.clone() },
        });
        let of_named_file = self.from_files.get(key).map(|FromFile { variable, text }| Found {
            text: text.clone(),
            place: format!("the file of {variable}"),
            origin: Origin::Variable { name: variable.clone() },
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
    pub(crate) fn place(&self, key: impl AsRef<str>) -> Option<String> {
        self.find(key.as_ref()).map(|found| found.place)
    }

    /// A setting as text.
    pub(crate) fn text(&self, key: impl AsRef<str>) -> Option<String> {
        self.find(key.as_ref()).map(|found| found.text)
    }

    /// A setting as what it is read as; `None` when it is not set.
    ///
    /// # Errors
    /// [`ConfigError::Value`], naming the variable or the key.
    pub(crate) fn set<T: Value>(&self, key: &Key<T>) -> Result<Option<T>, ConfigError> {
        self.set_as(key.as_ref(), key)
    }

    /// The same under another key, such as that of a network.
    ///
    /// # Errors
    /// [`ConfigError::Value`], naming the variable or the key.
    pub(crate) fn set_as<T: Value>(
        &self,
        name: &str,
        key: &Key<T>,
    ) -> Result<Option<T>, ConfigError> {
        self.find(name).map(|found| read(key, found.place, found.text.trim())).transpose()
    }

    /// A setting, or its default.
    ///
    /// # Errors
    /// [`ConfigError::Value`], naming the variable or the key; also where there is no default.
    pub(crate) fn get<T: Value>(&self, key: &Key<T>) -> Result<T, ConfigError> {
        match self.set(key)? {
            Some(value) => Ok(value),
            None => {
                let default = key.setting.default_text().unwrap_or_default();
                read(key, key.as_ref().to_owned(), &default)
            }
        }
    }

    /// The text of an option, else the setting.
    ///
    /// # Errors
    /// [`ConfigError::Value`], naming the option, the variable or the key.
    pub(crate) fn given<T: Value>(
        &self,
        option: Option<&str>,
        key: &Key<T>,
    ) -> Result<Option<T>, ConfigError> {
        let Some(text) = option else { return self.set(key) };
        read(key, key.setting.option.unwrap_or_default().to_owned(), text).map(Some)
    }

    /// The table of the plans, and the file that it stands in.
    pub(crate) const fn plans(&self) -> (&toml::Table, &PathBuf) {
        (&self.file.plans, &self.file.path)
    }

    /// The table of those whom an OpenID provider lets in, and the file that it stands in.
    pub(crate) const fn openid(&self) -> (&toml::Table, &PathBuf) {
        (&self.file.openid, &self.file.path)
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

/// Reads what stands at a place.
fn read<T: Value>(key: &Key<T>, place: String, text: &str) -> Result<T, ConfigError> {
    let read = T::read(text, key.setting.form);
    read.map_err(|reason| ConfigError::Value { place, reason })
}
