//! `scheduler.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::ConfigError;
use super::keys::{PLANS, all, is_known};
use crate::names::nearest;

/// The file that is read when none is named.
pub(crate) const DEFAULT_PATH: &str = "scheduler.toml";

/// The settings of a file, as text.
#[derive(Default)]
pub(crate) struct File {
    /// Where they come from.
    pub(crate) path: PathBuf,
    /// The value of each key.
    pub(crate) values: BTreeMap<String, String>,
    /// The table of the plans.
    pub(crate) plans: Table,
}

impl File {
    /// Reads a file; the default one may be missing, a named one may not.
    ///
    /// # Errors
    /// [`ConfigError`] when it cannot be read, is no TOML, or holds an unknown key.
    pub(crate) fn read(named: Option<&Path>) -> Result<Self, ConfigError> {
        let path = named.unwrap_or(Path::new(DEFAULT_PATH));
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(path, &text),
            Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => {
                Ok(Self::default())
            }
            Err(source) => Err(ConfigError::Unreadable { path: path.to_owned(), source }),
        }
    }

    fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let table: Table = text.parse().map_err(|error: toml::de::Error| ConfigError::Syntax {
            path: path.to_owned(),
            // The error's own form quotes the line, which may hold a secret.
            line: error.span().map_or(1, |span| line_of(text, span.start)),
            reason: error.message().to_owned(),
        })?;
        let mut file = Self { path: path.to_owned(), ..Self::default() };
        for (key, value) in table {
            match value {
                Value::Table(plans) if key == PLANS => file.plans = plans,
                value if is_known(&key) => {
                    let text = as_text(&value).ok_or_else(|| ConfigError::Value {
                        place: format!("{key} in {}", path.display()),
                        reason: "must be a text, a number, true or false, or a list of those"
                            .into(),
                    })?;
                    file.values.insert(key, text);
                }
                _ => {
                    let known = all().chain([PLANS.to_owned()]);
                    return Err(ConfigError::UnknownKey {
                        path: path.to_owned(),
                        nearest: nearest(&key, known),
                        key,
                    });
                }
            }
        }
        Ok(file)
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Boolean(flag) => Some(flag.to_string()),
        Value::Array(values) => {
            let texts: Option<Vec<String>> = values.iter().map(as_text).collect();
            texts.map(|texts| texts.join(","))
        }
        Value::Float(_) | Value::Datetime(_) | Value::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<File, String> {
        File::parse(Path::new("scheduler.toml"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn values_become_text() {
        let file = parse(
            "listen = '127.0.0.1:1'\nrate_limit_burst = 7\nwebhooks_allow_private = true\n\
             publish_retry_seconds = [1, 2, 3, 4, 5]\nrole = ['api', 'worker']\n\
             [plans.free]\nchannels = 9",
        )
        .unwrap();
        for (key, want) in [
            ("listen", "127.0.0.1:1"),
            ("rate_limit_burst", "7"),
            ("webhooks_allow_private", "true"),
            ("publish_retry_seconds", "1,2,3,4,5"),
            ("role", "api,worker"),
        ] {
            assert_eq!(file.values[key], want, "{key}");
        }
        assert_eq!(file.plans.len(), 1);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (name, text, want) in [
            (
                "an unknown key",
                "databse = 'x'",
                "scheduler.toml: unknown key \"databse\"; did you mean \"database\"?",
            ),
            (
                "an unknown table",
                "[plan.free]\nchannels = 1",
                "scheduler.toml: unknown key \"plan\"; did you mean \"plans\"?",
            ),
            (
                "a value of another kind",
                "listen = 1.5",
                "listen in scheduler.toml must be a text, a number, true or false, or a list of those",
            ),
            (
                "broken, and the secret in the line is not shown",
                "listen = 'x'\napi_key = \"sk_x",
                "scheduler.toml, line 2: invalid basic string, expected `\"`",
            ),
        ] {
            assert_eq!(parse(text).err().as_deref(), Some(want), "{name}");
        }
    }

    #[test]
    fn only_the_default_file_may_be_missing() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("no.toml");
        assert!(matches!(File::read(Some(&missing)), Err(ConfigError::Unreadable { .. })));
    }
}
