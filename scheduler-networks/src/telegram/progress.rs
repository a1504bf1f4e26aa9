//! How far a publish to Telegram has come.

use scheduler_core::ids::MediaId;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{JobFile, NetworkError, NetworkErrorKind, PublishJob};
use scheduler_core::target::FailureCode;
use scheduler_core::text::compose;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is sent, in one call.
///
/// A field that a later release adds makes it unreadable here, on purpose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Progress {
    /// The text of the message, or the caption of its files.
    pub(super) text: String,
    /// The files, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    files: Vec<MediaId>,
    /// The supergroup that the account's group has become.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) moved_to: Option<i64>,
}

impl Progress {
    /// The progress before the first step, from the job alone.
    pub(super) fn begin(job: &PublishJob) -> Self {
        let link = job.link_url.as_deref();
        let has_files = !job.files.is_empty();
        let composed = compose(&job.content, link, has_files, Platform::Telegram, &job.options);
        let files = job.files.iter().map(|file| file.id).collect();
        Self { text: composed.text().to_owned(), files, moved_to: None }
    }

    /// A stored progress; `None` when it is not one of this release.
    pub(super) fn read(value: &Value) -> Option<Self> {
        Self::deserialize(value).ok()
    }

    /// The value to store. `null`, which cannot be read back, if that ever failed.
    pub(super) fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// The progress once the group has told what it has become.
    pub(super) fn moved(self, chat_id: i64) -> Self {
        Self { moved_to: Some(chat_id), ..self }
    }

    /// True when several files are sent, by one call that may be done in part.
    pub(super) fn is_album(&self) -> bool {
        self.files.len() > 1
    }

    /// The files to send, as the job has them.
    ///
    /// # Errors
    /// [`FailureCode::MediaUnusable`] when the post has lost one of them.
    pub(super) fn files<'a>(&self, job: &'a PublishJob) -> Result<Vec<&'a JobFile>, NetworkError> {
        let find = |id: &MediaId| job.files.iter().find(|file| file.id == *id);
        let found: Option<Vec<_>> = self.files.iter().map(find).collect();
        found.ok_or_else(|| {
            let message = "A file that this publish began with is not part of the post any more.";
            NetworkError::new(NetworkErrorKind::Permanent, message)
                .with_code(FailureCode::MediaUnusable)
        })
    }

    /// The error for a progress that cannot be read.
    pub(super) fn unreadable() -> NetworkError {
        NetworkError::new(
            NetworkErrorKind::InDoubt,
            "What is stored of this publish cannot be read, so nothing is sent again. Look into the chat; if the post is missing, make it anew.",
        )
    }
}
