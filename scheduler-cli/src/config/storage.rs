//! Where everything is kept, and the key that seals what is secret.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use scheduler_store::{FilesUrl, SealingKey};
use secrecy::{ExposeSecret as _, SecretString};

use super::error::ConfigError;
use super::sources::Sources;
use super::table::KEYS;
use super::value::DatabaseUrl;

/// The database within a data folder.
pub(crate) const DATABASE_FILE: &str = "scheduler.db";
/// The secret key within a data folder.
pub(crate) const KEY_FILE: &str = "secret.key";
const FILES_FOLDER: &str = "files";

/// The options of every command that works on the database.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct StorageOptions {
    /// The folder of the database and of all files [env: SCHEDULER_DATA] [default: ./data]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// sqlite:PATH or postgres://… [env: SCHEDULER_DATABASE] [default: scheduler.db in the data
    /// folder]
    #[arg(long, value_name = "URL")]
    pub(crate) database: Option<SecretString>,
    /// Where the bytes of files are kept: a folder, or s3://BUCKET/PREFIX?endpoint=…&region=…
    /// [env: SCHEDULER_FILES] [default: files in the data folder]
    #[arg(id = "file_store", long = "files", value_name = "URL")]
    pub(crate) files: Option<SecretString>,
}

/// A workspace of a database of this machine.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct OfWorkspace {
    /// The workspace, by name or id; the only one when left out
    #[arg(long)]
    pub(crate) workspace: Option<String>,
    #[command(flatten)]
    pub(crate) storage: StorageOptions,
}

impl OfWorkspace {
    /// Whether an option names a workspace, a folder, a database or where files are kept.
    pub(crate) const fn is_given(&self) -> bool {
        let storage = &self.storage;
        let is_of_storage =
            storage.data.is_some() || storage.database.is_some() || storage.files.is_some();
        self.workspace.is_some() || is_of_storage
    }
}

impl StorageSettings {
    /// Whether an option or a setting names a folder or a database.
    pub(crate) fn are_given(options: &StorageOptions, sources: &Sources) -> bool {
        let is_set = |key: &str| sources.text(key).is_some();
        let of_options = options.data.is_some() || options.database.is_some();
        of_options || is_set(KEYS.data.as_ref()) || is_set(KEYS.database.as_ref())
    }
}

/// Where everything is kept.
#[derive(Clone, Debug)]
pub(crate) struct StorageSettings {
    /// The folder.
    pub(crate) data: PathBuf,
    /// The address of the database; may hold a password.
    pub(crate) database: SecretString,
    /// Where the bytes of files are kept.
    pub(crate) files: FilesUrl,
    key: KeySource,
}

/// Where the sealing key comes from.
#[derive(Clone, Debug)]
enum KeySource {
    /// The setting itself.
    Text(SecretString),
    /// A file of the operator's.
    File(PathBuf),
    /// A file in the data folder, made on the first start.
    Data(PathBuf),
}

impl StorageOptions {
    /// The options that are given, by their keys.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static str, String)> {
        let text = |given: &SecretString| given.expose_secret().to_owned();
        let data = self.data.as_ref().map(|path| ("data", path.display().to_string()));
        let database = self.database.as_ref().map(|url| ("database", text(url)));
        let files = self.files.as_ref().map(|url| ("files", text(url)));
        [data, database, files].into_iter().flatten()
    }
}

impl StorageSettings {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`ConfigError::Value`] for a database of an unknown kind.
    pub(crate) fn load(options: StorageOptions, sources: &Sources) -> Result<Self, ConfigError> {
        let data = options.data.map_or_else(|| sources.get(&KEYS.data), Ok)?;
        let given = |option: &Option<SecretString>| {
            option.as_ref().map(|url| url.expose_secret().to_owned())
        };
        let database = sources.given(given(&options.database).as_deref(), &KEYS.database)?;
        let database = database.map(|DatabaseUrl(url)| url);
        let files = sources.given(given(&options.files).as_deref(), &KEYS.files)?;
        let key = match sources.text(&KEYS.secret_key) {
            Some(text) => KeySource::Text(text.into()),
            None => match sources.text(&KEYS.secret_key_file) {
                Some(path) => KeySource::File(path.into()),
                None => KeySource::Data(data.join(KEY_FILE)),
            },
        };
        let within = Self::within(&data);
        Ok(Self {
            database: database.map_or(within.database, SecretString::from),
            files: files.unwrap_or(within.files),
            data,
            key,
        })
    }

    /// Where everything of a temporary folder is kept.
    pub(crate) fn within(data: &Path) -> Self {
        Self {
            data: data.to_owned(),
            database: format!("sqlite:{}", data.join(DATABASE_FILE).display()).into(),
            files: FilesUrl::Folder(data.join(FILES_FOLDER)),
            key: KeySource::Data(data.join(KEY_FILE)),
        }
    }

    /// The file of the key that seals, when it is in one.
    pub(crate) fn key_file(&self) -> Option<&Path> {
        match &self.key {
            KeySource::Text(_) => None,
            KeySource::File(path) | KeySource::Data(path) => Some(path),
        }
    }

    /// The same, when the first start makes it.
    pub(crate) fn made_key_file(&self) -> Option<&Path> {
        match &self.key {
            KeySource::Text(_) | KeySource::File(_) => None,
            KeySource::Data(path) => Some(path),
        }
    }

    /// The key that seals; a file in the data folder is made when it is not there yet.
    ///
    /// # Errors
    /// When there is no key, or none that can be read.
    pub(crate) fn sealing_key(&self) -> anyhow::Result<SealingKey> {
        match &self.key {
            KeySource::Text(text) => {
                SealingKey::from_text(text.expose_secret()).context("SCHEDULER_SECRET_KEY")
            }
            KeySource::File(path) => SealingKey::load_file(path)
                .with_context(|| format!("cannot read the secret key {}", path.display())),
            KeySource::Data(path) => SealingKey::load_or_create_file(path)
                .with_context(|| format!("the secret key {}", path.display())),
        }
    }
}

/// Makes a folder that only its owner can look into; one that exists is left as it is.
///
/// # Errors
/// When it cannot be made.
pub(crate) fn make_private_folder(path: &Path) -> anyhow::Result<()> {
    scheduler_client::upload::make_private_folder(path)
        .with_context(|| format!("cannot make the folder {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

    #[test]
    fn the_database_lies_in_the_data_folder_unless_named() {
        for (name, data, database, variables, want) in [
            ("nothing set", None, None, &[][..], "sqlite:./data/scheduler.db"),
            ("a folder", Some("/d"), None, &[], "sqlite:/d/scheduler.db"),
            (
                "a folder by variable",
                None,
                None,
                &[("SCHEDULER_DATA", "/v")],
                "sqlite:/v/scheduler.db",
            ),
            ("a database", Some("/d"), Some("postgres://h/d"), &[], "postgres://h/d"),
            (
                "a database by variable",
                Some("/d"),
                None,
                &[("SCHEDULER_DATABASE", "sqlite:/x.db")],
                "sqlite:/x.db",
            ),
        ] {
            let options = StorageOptions {
                data: data.map(PathBuf::from),
                database: database.map(SecretString::from),
                files: None,
            };
            let settings = StorageSettings::load(options, &sources(variables, &[])).unwrap();
            assert_eq!(settings.database.expose_secret(), want, "{name}");
        }
    }

    #[test]
    fn another_database_is_refused_without_its_password() {
        let sources = sources(&[("SCHEDULER_DATABASE", "mysql://me:secret@h/d")], &[]);
        let error = StorageSettings::load(StorageOptions::default(), &sources).unwrap_err();
        assert_eq!(error.to_string(), "SCHEDULER_DATABASE must begin with sqlite: or postgres://");
    }

    #[test]
    fn no_secret_is_printed() {
        let sources = sources(
            &[
                ("SCHEDULER_DATABASE", "postgres://me:hunter2@h/d"),
                ("SCHEDULER_SECRET_KEY", "0123456789abcdef"),
            ],
            &[],
        );
        let database = Some(SecretString::from("postgres://me:hunter2@h/d"));
        let options = StorageOptions { data: None, database, files: None };
        let settings = StorageSettings::load(StorageOptions::default(), &sources).unwrap();
        let printed = format!("{options:?} {settings:?}");
        assert!(!printed.contains("hunter2") && !printed.contains("0123456789"), "{printed}");
    }

    #[test]
    fn files_lie_in_the_data_folder_unless_named() {
        for (name, variables, want) in [
            ("nothing set", &[][..], Ok(FilesUrl::Folder("./data/files".into()))),
            ("a data folder", &[("SCHEDULER_DATA", "/d")], Ok(FilesUrl::Folder("/d/files".into()))),
            ("a folder", &[("SCHEDULER_FILES", "/f")], Ok(FilesUrl::Folder("/f".into()))),
            (
                "a bucket",
                &[("SCHEDULER_FILES", "s3://media")],
                "s3://media".parse().map_err(|_| ""),
            ),
            (
                "neither",
                &[("SCHEDULER_FILES", "https://h/")],
                Err(
                    "SCHEDULER_FILES names no file store: a file store is a folder or begins with s3://, not with https://",
                ),
            ),
        ] {
            let loaded = StorageSettings::load(StorageOptions::default(), &sources(variables, &[]));
            let files = loaded.map(|settings| settings.files).map_err(|error| error.to_string());
            assert_eq!(files, want.map_err(str::to_owned), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_new_folder_is_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("a/data");
        make_private_folder(&data).unwrap();
        make_private_folder(&data).unwrap();
        assert_eq!(std::fs::metadata(&data).unwrap().permissions().mode() & 0o777, 0o700);
    }
}
