//! The files of one target, where they are not those of its post.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ids::MediaId;
use crate::platform::FileDetails;

/// The files of a target, and what it says of them, as far as that is not as the post has it.
///
/// ```
/// use scheduler_core::target::TargetFiles;
///
/// let files: TargetFiles = serde_json::from_str(r#"{"mediaIds": []}"#)?;
/// assert_eq!(files.media_ids, Some(vec![]), "the target goes without files");
/// assert!(TargetFiles::default().are_those_of_the_post());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetFiles {
    /// Its files, in order; `None` for those of the post.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_ids: Option<Vec<MediaId>>,
    /// What it says of files, by their ids.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub details: BTreeMap<MediaId, FileDetails>,
}

impl TargetFiles {
    /// True where the target has the files of the post and says nothing of them.
    #[must_use]
    pub fn are_those_of_the_post(&self) -> bool {
        self.media_ids.is_none() && self.details.is_empty()
    }

    /// What a file shows, for those who cannot see it: in the words of the target, else in those
    /// of its post, which has these files and texts.
    pub(crate) fn alt_text_of<'a>(
        &'a self,
        id: MediaId,
        (ids, texts): (&[MediaId], &'a [Option<String>]),
    ) -> Option<&'a str> {
        let of_target = self.details.get(&id).and_then(|file| file.alt_text.as_deref());
        of_target.or_else(|| texts.get(ids.iter().position(|of_post| *of_post == id)?)?.as_deref())
    }

    /// What is said of a file; nothing where nothing is.
    #[must_use]
    pub fn details_of(&self, id: MediaId) -> FileDetails {
        self.details.get(&id).cloned().unwrap_or_default()
    }
}
