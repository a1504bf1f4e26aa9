//! The servers that a person has logged in to, in a file of the user's own.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use scheduler_core::session::Role;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::folders::CONFIG;
use crate::names::nearest;

/// The name of the file.
const FILE: &str = "profiles.toml";

/// A server that a person has logged in to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Profile {
    /// Its address, without a slash at its end.
    pub(crate) url: String,
    /// The value of the session.
    session: Hidden,
    /// The workspace that it opens.
    pub(crate) workspace: String,
    /// What the person may do.
    pub(crate) role: Role,
    /// From when on the session is refused.
    pub(crate) expires_at: DateTime<Utc>,
}

impl Profile {
    pub(crate) fn new(
        url: String,
        session: SecretString,
        workspace: String,
        role: Role,
        expires_at: DateTime<Utc>,
    ) -> Self {
        Self { url, session: Hidden(session), workspace, role, expires_at }
    }

    /// The value of the session.
    pub(crate) fn session(&self) -> SecretString {
        self.session.0.clone()
    }
}

/// A secret that is written into the file, and printed nowhere.
#[derive(Clone, Debug)]
struct Hidden(SecretString);

impl Serialize for Hidden {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.expose_secret())
    }
}

impl<'de> Deserialize<'de> for Hidden {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self(text.into()))
    }
}

/// Every profile, and the one that counts where none is named.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Profiles {
    /// The name of the profile that counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) current: Option<String>,
    /// By their names.
    #[serde(default)]
    pub(crate) profiles: BTreeMap<String, Profile>,
}

impl Profiles {
    /// Those of the user; none where there is no file yet.
    ///
    /// # Errors
    /// When the file cannot be read, or is none of this program.
    pub(crate) fn load() -> anyhow::Result<Self> {
        match file() {
            Some(file) => Self::read(&file),
            None => Ok(Self::default()),
        }
    }

    fn read(file: &Path) -> anyhow::Result<Self> {
        let text = match fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => {
                let words = format!("cannot read {}", file.display());
                return Err(anyhow::Error::new(error).context(words));
            }
        };
        // What the reader says would quote the file, and so a session.
        let words =
            || format!("{} is no file of profiles; remove it and log in again", file.display());
        toml::from_str(&text).map_err(|_| anyhow::Error::msg(words()))
    }

    /// Writes them, for the user alone.
    ///
    /// # Errors
    /// When the system tells of no folder for them, or the file cannot be written.
    pub(crate) fn save(&self) -> anyhow::Result<()> {
        let file = file().ok_or_else(|| {
            anyhow::Error::msg("there is no folder for profiles: set HOME, or XDG_CONFIG_HOME")
        })?;
        self.write(&file).map_err(|error| {
            anyhow::Error::new(error).context(format!("cannot write {}", file.display()))
        })
    }

    fn write(&self, file: &Path) -> io::Result<()> {
        let folder = file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let text = toml::to_string_pretty(self).map_err(io::Error::other)?;
        // Made for its user alone, and moved in place as a whole.
        let mut draft = NamedTempFile::new_in(folder)?;
        draft.write_all(text.as_bytes())?;
        draft.as_file().sync_all()?;
        draft.persist(file)?;
        Ok(())
    }

    /// The profile of this name, or the one that counts; `None` where nobody has logged in.
    ///
    /// # Errors
    /// The sentence for the user when there is none of this name.
    pub(crate) fn chosen(&self, name: Option<&str>) -> Result<Option<(&str, &Profile)>, String> {
        let Some(name) = name.or(self.current.as_deref()) else { return Ok(None) };
        match self.profiles.get_key_value(name) {
            Some((name, profile)) => Ok(Some((name, profile))),
            None => {
                let meant = nearest(name, self.profiles.keys());
                let meant = meant.map(|name| format!("; did you mean {name}?")).unwrap_or_default();
                Err(format!(
                    "there is no profile {name:?}{meant} (`scheduler profiles` lists them)"
                ))
            }
        }
    }
}

fn file() -> Option<PathBuf> {
    Some(CONFIG.own()?.join(FILE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile() -> Profile {
        let (session, expires_at) = ("ses_secret".to_owned(), "2027-01-01T00:00:00Z");
        Profile::new(
            "https://posts.example.com".to_owned(),
            session.into(),
            "home".to_owned(),
            Role::Editor,
            expires_at.parse().unwrap(),
        )
    }

    #[test]
    fn profiles_are_kept_for_their_user_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new/profiles.toml");
        assert!(Profiles::read(&file).unwrap().profiles.is_empty(), "there is no file");
        let mut profiles = Profiles { current: Some("a.b".to_owned()), ..Profiles::default() };
        profiles.profiles.insert("a.b".to_owned(), profile());
        profiles.write(&file).unwrap();
        let read = Profiles::read(&file).unwrap();
        let (name, found) = read.chosen(None).unwrap().unwrap();
        assert_eq!((name, found.url.as_str()), ("a.b", "https://posts.example.com"));
        assert_eq!(found.session().expose_secret(), "ses_secret");
        assert!(!format!("{read:?}").contains("ses_secret"));
        let error = read.chosen(Some("a.c")).unwrap_err();
        assert!(error.contains("\"a.c\"; did you mean a.b?"), "{error}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        }
        fs::write(&file, "session = ses_secret").unwrap();
        let error = Profiles::read(&file).unwrap_err();
        assert!(!format!("{error:#}").contains("ses_secret"), "{error:#}");
    }
}
