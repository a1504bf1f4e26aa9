//! Where the bytes of a file are kept.

use std::fmt;

use crate::ids::{MediaId, WorkspaceId};

/// Names stored bytes: a path of plain segments, the same in every file store.
///
/// ```
/// use scheduler_core::ids::{MediaId, WorkspaceId};
/// use scheduler_core::media::FileKey;
/// use uuid::Uuid;
///
/// let folder = FileKey::folder(WorkspaceId(Uuid::nil()), MediaId(Uuid::nil()));
/// let key = folder.original();
/// assert_eq!(FileKey::parse(key.as_str()), Some(key));
/// assert_eq!(FileKey::parse("../../etc/passwd"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileKey(String);

impl FileKey {
    /// Everything that is kept of one file.
    #[must_use]
    pub fn folder(workspace: WorkspaceId, media: MediaId) -> FileFolder {
        FileFolder(format!("{workspace}/{media}"))
    }

    /// Reads a key that came from outside; `None` for what is no key of ours.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let segments: Vec<&str> = text.split('/').collect();
        let [workspace, media, name] = segments.as_slice() else { return None };
        let is_name = !name.is_empty()
            && name.len() <= 64
            && name.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_'
            });
        let is_id = |text: &str| uuid::Uuid::try_parse(text).is_ok_and(|id| id.to_string() == text);
        (is_id(workspace) && is_id(media) && is_name).then(|| Self(text.to_owned()))
    }

    /// Where bytes that were sent to this key are kept for good; `None` for a key that nobody
    /// sends to in one piece.
    #[must_use]
    pub fn settled(&self) -> Option<Self> {
        let folder = self.0.strip_suffix("/sent")?;
        Some(FileFolder(folder.to_owned()).original())
    }

    /// The path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is of the bytes of a file as they came, and not of what was made of them.
    #[must_use]
    pub fn is_original(&self) -> bool {
        self.0.ends_with("/original")
    }

    /// Whose it is: the id of a workspace.
    #[must_use]
    pub fn workspace(&self) -> &str {
        workspace(&self.0)
    }
}

fn workspace(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}

impl fmt::Display for FileKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The place of everything that is kept of one file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileFolder(String);

impl FileFolder {
    /// The bytes as they came.
    #[must_use]
    pub fn original(&self) -> FileKey {
        FileKey(format!("{}/original", self.0))
    }

    /// The bytes of an upload in one piece, until the file is examined.
    ///
    /// The link to send them lives on when the upload is finished. What comes later must not take
    /// the place of bytes that were examined, so those are moved away from here before.
    #[must_use]
    pub fn sent(&self) -> FileKey {
        FileKey(format!("{}/sent", self.0))
    }

    /// The preview.
    #[must_use]
    pub fn preview(&self) -> FileKey {
        FileKey(format!("{}/preview", self.0))
    }

    /// What was made of the original for a network; `recipe` names how.
    #[must_use]
    pub fn derived(&self, recipe: &str) -> FileKey {
        FileKey(format!("{}/for-{recipe}", self.0))
    }

    /// The path, without a slash at its end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whose it is: the id of a workspace.
    #[must_use]
    pub fn workspace(&self) -> &str {
        workspace(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_from_outside() {
        let id = "0192f0c1-7e4b-7c3a-9d2e-5b6a7c8d9e0f";
        for (name, text, want) in [
            ("a key", format!("{id}/{id}/original"), true),
            ("derived", format!("{id}/{id}/for-bluesky_image"), true),
            ("one up", format!("{id}/{id}/.."), false),
            ("a slash more", format!("{id}/{id}/a/b"), false),
            ("no name", format!("{id}/{id}/"), false),
            ("too short", format!("{id}/original"), false),
            ("no id", "a/b/original".to_owned(), false),
            ("capitals", format!("{}/{id}/original", id.to_uppercase()), false),
            ("a null", format!("{id}/{id}/a\0b"), false),
            ("encoded", format!("{id}/{id}/%2e%2e"), false),
        ] {
            assert_eq!(FileKey::parse(&text).is_some(), want, "{name}");
        }
    }

    #[test]
    fn our_own_keys_can_be_read() {
        let id = uuid::Uuid::from_u128(7);
        let folder = FileKey::folder(WorkspaceId(id), MediaId(id));
        for key in [folder.original(), folder.preview(), folder.derived("bluesky-image")] {
            assert_eq!(FileKey::parse(key.as_str()), Some(key.clone()));
            assert!(key.as_str().starts_with(folder.as_str()));
            assert_eq!([key.workspace(), folder.workspace()], [id.to_string(), id.to_string()]);
        }
    }
}
