//! `scheduler.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use super::error::ConfigError;
use super::keys::{OPENID, PLANS, all, is_known};
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
    /// Who is let in by an OpenID provider.
    pub(crate) openid: Table,
    /// The line of each key, counted from 1; of a key in a table by its whole name.
    pub(crate) lines: BTreeMap<String, usize>,
    /// Keys that nobody reads, and values of a kind that no setting has.
    pub(crate) faults: Vec<ConfigError>,
}

impl File {
    /// Reads a file; the default one may be missing, a named one may not.
    ///
    /// # Errors
    /// [`ConfigError`] when it cannot be read or is no TOML.
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
        let lines =
            DeTable::parse(text).map(|table| lines(text, "", table.get_ref())).unwrap_or_default();
        let mut file = Self { path: path.to_owned(), lines, ..Self::default() };
        for (key, value) in table {
            match value {
                Value::Table(plans) if key == PLANS => file.plans = plans,
                Value::Table(openid) if key == OPENID => file.openid = openid,
                value if is_known(&key) => match as_text(&value) {
                    Some(text) => {
                        file.values.insert(key, text);
                    }
                    None => file.faults.push(ConfigError::Value {
                        place: format!("{key} in {}", path.display()),
                        reason: "must be a text, a number, true or false, or a list of those"
                            .into(),
                    }),
                },
                _ => file.faults.push(ConfigError::UnknownKey {
                    path: path.to_owned(),
                    nearest: nearest(&key, all()),
                    key,
                }),
            }
        }
        Ok(file)
    }

    /// What stands under a key of the file, also under one in the table of the plans.
    pub(crate) fn text(&self, key: &str) -> Option<String> {
        let Some(rest) = key.strip_prefix("plans.") else { return self.values.get(key).cloned() };
        let (plan, field) = rest.split_once('.')?;
        as_text(self.plans.get(plan)?.as_table()?.get(field)?)
    }
}

/// The line of each key of a table, and of those within it.
fn lines(text: &str, before: &str, table: &DeTable<'_>) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for (key, value) in table {
        let name = format!("{before}{}", key.get_ref());
        if let DeValue::Table(inner) = value.get_ref() {
            found.append(&mut lines(text, &format!("{name}."), inner));
        }
        found.insert(name, line_of(text, key.span().start));
    }
    found
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
        let file = File::parse(Path::new("scheduler.toml"), text);
        let mut file = file.map_err(|error| error.to_string())?;
        if file.faults.is_empty() { Ok(file) } else { Err(file.faults.remove(0).to_string()) }
    }

    #[test]
    fn every_key_has_its_line() {
        let text = "# first\nlisten = '127.0.0.1:1'\n\nrole = [\n  'api',\n]\n[plans.free]\n\
                    channels = 9\n[plans]\npro = { api = false }\n";
        let file = parse(text).unwrap();
        for (key, line) in [
            ("listen", 2),
            ("role", 4),
            ("plans.free", 7),
            ("plans.free.channels", 8),
            ("plans.pro.api", 10),
        ] {
            assert_eq!(file.lines.get(key), Some(&line), "{key}");
        }
        assert_eq!(file.text("plans.free.channels").as_deref(), Some("9"));
        assert_eq!(file.text("plans.pro.channels"), None);
    }

    #[test]
    fn every_fault_is_found() {
        let text = "databse = 'x'\nlisten = 1.5\n[networks.youtube]\nclient_id = 'a'";
        let file = File::parse(Path::new("scheduler.toml"), text).unwrap();
        let faults: Vec<String> = file.faults.iter().map(ToString::to_string).collect();
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert!(
            faults.iter().any(|fault| fault.contains("unknown key \"networks\"")),
            "{faults:?}"
        );
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
