//! How far a publish to Telegram has come.

use crate::conversation::StoredProgress;
use scheduler_core::ids::MediaId;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{JobFile, NetworkError, PublishJob};
use scheduler_core::target::Remote;
use scheduler_core::text::compose;
use scheduler_core::text::telegram_html::Entity;
use serde::{Deserialize, Serialize};

/// What is sent, in one call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Progress {
    /// The text of the message, or the caption of its files.
    pub(super) text: String,
    /// How parts of it are shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) entities: Vec<Entity>,
    /// The files, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    files: Vec<MediaId>,
    /// The supergroup that the account's group has become.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) moved_to: Option<i64>,
    /// The post, once it is live and still to be pinned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sent: Option<Remote>,
}

impl StoredProgress for Progress {
    const REMEDY: &'static str = "Look into the chat; if the post is missing, make it anew.";

    fn begin(job: &PublishJob) -> Self {
        let link = job.link_url.as_deref();
        let has_files = !job.files.is_empty();
        let composed = compose(&job.content, link, has_files, Platform::Telegram, &job.options);
        let files = job.files.iter().map(|file| file.id).collect();
        let text = composed.text().to_owned();
        Self { text, entities: composed.entities, files, moved_to: None, sent: None }
    }

    /// The call that sends the post is what everybody sees; to pin it twice changes nothing.
    fn is_visible(&self) -> bool {
        self.sent.is_none()
    }

    fn live_part(&self) -> Option<Remote> {
        self.sent.clone()
    }
}

impl Progress {
    /// The progress once the group has told what it has become.
    pub(super) fn moved(self, chat_id: i64) -> Self {
        Self { moved_to: Some(chat_id), ..self }
    }

    /// The progress once the post is live and is to be pinned.
    pub(super) fn pins(self, sent: Remote) -> Self {
        Self { sent: Some(sent), ..self }
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
        self.files.iter().map(|id| job.file(*id)).collect()
    }
}
