//! Files of posts: their values and states, how their bytes come here, and links to them.

mod decide;
mod description;
mod edit;
mod facts;
mod input;
mod key;
pub mod link;
mod list;
mod recipe;
mod state;
mod transfer;
mod upload_link;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::ids::{MediaId, WorkspaceId};
use crate::post::Month;

pub use decide::{Arrived, LINK_LIFETIME, UPLOAD_TIMEOUT};
pub use description::{MediaChange, MediaDescription};
pub(crate) use edit::outside;
pub use edit::{
    Crop, CropInput, Edit, RATIO_PART_MAX, Rectangle, VERSION_SIDE_MAX, VersionFormat, VersionInput,
};
pub use facts::{MediaFacts, MediaKind, VideoCodec};
pub use input::{FILE_NAME_MAX, MEDIA_TYPE_MAX, MediaInput};
pub use key::{FileFolder, FileKey};
pub use list::{
    MEDIA_LIMIT_DEFAULT, MEDIA_LIMIT_MAX, MediaCursor, MediaFilter, MediaListInput, MediaQuery,
};
pub use recipe::{Decoding, Recipe};
pub use state::{MediaEvent, MediaRefused, MediaStatus};
pub use transfer::{PARTS_MAX, PartPlan, SINGLE_MAX_BYTES, Transfer, UploadedPart};
pub use upload_link::{
    UPLOAD_LINK_LIFETIME, UPLOAD_LINKS_MAX, UploadLink, UploadLinkInput, UploadLinkView,
};

/// A file of a workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct Media {
    /// Its id.
    pub id: MediaId,
    /// The workspace that owns it.
    pub workspace_id: WorkspaceId,
    /// Picture, video or document.
    pub kind: MediaKind,
    /// How far it has come.
    pub status: MediaStatus,
    /// Its type.
    pub mime_type: Option<String>,
    /// Its size in bytes.
    pub size_bytes: Option<u64>,
    /// Its length in seconds, for a video.
    pub duration_seconds: Option<f64>,
    /// Its width in pixels.
    pub width: Option<u32>,
    /// Its height in pixels.
    pub height: Option<u32>,
    /// Its frames a second, for a video.
    pub fps: Option<f64>,
    /// How its pictures are coded, for a video.
    pub video_codec: Option<VideoCodec>,
    /// How many pictures it has, for an animation.
    pub frame_count: Option<u32>,
    /// The name it came with.
    pub file_name: Option<String>,
    /// What people say of it.
    pub description: MediaDescription,
    /// Why it failed, for a person.
    pub error: Option<String>,
    /// When it was declared.
    pub created_at: DateTime<Utc>,
    /// How its bytes come here.
    pub transfer: Transfer,
    /// Whether there is a preview.
    pub has_preview: bool,
    /// When the engine turns to it next; `None` when nothing is left to do.
    pub due_at: Option<DateTime<Utc>>,
    /// How often the engine has failed at what it is doing with it; of a file that has failed or
    /// was deleted, whether its bytes were removed once.
    pub tries: u32,
    /// Raised by every change; a change is applied only against the version it was decided on.
    pub version: i64,
}

impl Media {
    /// A file of which nothing is known yet: it awaits its bytes for a day, or the server brings
    /// them at once, as its transfer says.
    #[must_use]
    pub fn declared(
        id: MediaId,
        workspace_id: WorkspaceId,
        kind: MediaKind,
        transfer: Transfer,
        now: DateTime<Utc>,
    ) -> Self {
        let (status, due_at) = match transfer {
            Transfer::Single | Transfer::Multipart { .. } => {
                (MediaStatus::AwaitingUpload, now + UPLOAD_TIMEOUT)
            }
            Transfer::Ingest { .. } | Transfer::Version { .. } => (MediaStatus::Ingesting, now),
        };
        Self {
            id,
            workspace_id,
            kind,
            status,
            mime_type: None,
            size_bytes: None,
            duration_seconds: None,
            width: None,
            height: None,
            fps: None,
            video_codec: None,
            frame_count: None,
            file_name: None,
            description: MediaDescription::default(),
            error: None,
            created_at: now,
            transfer,
            has_preview: false,
            due_at: Some(due_at),
            tries: 0,
            version: 0,
        }
    }

    /// Where its bytes are kept.
    #[must_use]
    pub fn folder(&self) -> FileFolder {
        FileKey::folder(self.workspace_id, self.id)
    }

    /// The file that it is a version of.
    #[must_use]
    pub const fn original(&self) -> Option<MediaId> {
        match self.transfer {
            Transfer::Version { original, .. } => Some(original),
            Transfer::Single | Transfer::Multipart { .. } | Transfer::Ingest { .. } => None,
        }
    }

    /// The calendar month (UTC) whose allowance of bytes it uses: that of its declaration.
    #[must_use]
    pub fn allowance_month(&self) -> Month {
        Month::of(self.created_at)
    }

    /// How many bytes of that allowance it uses: none once it has failed, also when it is deleted
    /// afterwards.
    #[must_use]
    pub fn allowance_bytes(&self) -> u64 {
        let counts = match self.status {
            MediaStatus::AwaitingUpload
            | MediaStatus::Ingesting
            | MediaStatus::Processing
            | MediaStatus::Ready => true,
            MediaStatus::Failed => false,
            // Only a failure leaves a reason behind.
            MediaStatus::Deleted => self.error.is_none(),
        };
        self.size_bytes.filter(|_| counts).unwrap_or_default()
    }

    /// What the rules want to know of it.
    #[must_use]
    pub fn facts(&self) -> MediaFacts {
        MediaFacts {
            kind: self.kind,
            ready: self.status == MediaStatus::Ready,
            failure: self.failure(),
            mime_type: self.mime_type.clone(),
            size_bytes: self.size_bytes,
            duration_seconds: self.duration_seconds,
            fps: self.fps,
            width: self.width,
            height: self.height,
            video_codec: self.video_codec,
            frame_count: self.frame_count,
        }
    }
}

/// A file as callers see it.
///
/// Source: interface description, Media.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Media"))]
#[serde(rename_all = "camelCase")]
pub struct MediaView {
    /// Its id.
    pub id: MediaId,
    /// Picture, video or document.
    pub kind: MediaKind,
    /// How far it has come.
    pub status: MediaStatus,
    /// Its type; measured once the file is `ready`, as all that follow.
    pub mime_type: Option<String>,
    /// Its size in bytes.
    pub size_bytes: Option<u64>,
    /// Its length in seconds.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub duration_seconds: Option<f64>,
    /// Its width in pixels.
    pub width: Option<u32>,
    /// Its height in pixels.
    pub height: Option<u32>,
    /// Its frames a second.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub fps: Option<f64>,
    /// The name it came with.
    pub file_name: Option<String>,
    /// What it is called here, in place of the name it came with.
    #[serde(default)]
    pub name: Option<String>,
    /// Labels to find it by.
    #[serde(default)]
    pub labels: Vec<String>,
    /// What it shows, for those who do not see it: posts take it where they say nothing else.
    #[serde(default)]
    pub alt_text: Option<String>,
    /// A link to the file, for an hour.
    #[cfg_attr(feature = "schema", schemars(url))]
    pub preview_url: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
    /// When it was declared.
    pub created_at: DateTime<Utc>,
    /// The file that it is a version of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original_id: Option<MediaId>,
}

impl MediaView {
    /// The file as callers see it, with a link that the caller of this function signed.
    #[must_use]
    pub fn new(media: &Media, preview_url: Option<String>) -> Self {
        Self {
            id: media.id,
            kind: media.kind,
            status: media.status,
            mime_type: media.mime_type.clone(),
            size_bytes: media.size_bytes,
            duration_seconds: media.duration_seconds,
            width: media.width,
            height: media.height,
            fps: media.fps,
            file_name: media.file_name.clone(),
            name: media.description.name.clone(),
            labels: media.description.labels.clone(),
            alt_text: media.description.alt_text.clone(),
            preview_url,
            error: media.error.clone(),
            created_at: media.created_at,
            original_id: media.original(),
        }
    }
}
