//! Files of posts: their values and states.

mod facts;
mod state;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::ids::{MediaId, WorkspaceId};

pub use facts::{MediaFacts, MediaKind, VideoCodec};
pub use state::{MediaEvent, MediaRefused, MediaStatus};

/// A file of a workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct Media {
    /// Its id.
    pub id: MediaId,
    /// The workspace that owns it.
    pub workspace_id: WorkspaceId,
    /// Picture or video.
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
    /// The name it came with.
    pub file_name: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
    /// When it was declared.
    pub created_at: DateTime<Utc>,
}

/// A file of the contract.
///
/// Source: interface description, Media.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MediaView {
    /// Its id.
    pub id: MediaId,
    /// Picture or video.
    pub kind: MediaKind,
    /// How far it has come.
    pub status: MediaStatus,
    /// Its type.
    pub mime_type: Option<String>,
    /// Its size in bytes.
    pub size_bytes: Option<u64>,
    /// Its length in seconds.
    pub duration_seconds: Option<f64>,
    /// Its width in pixels.
    pub width: Option<u32>,
    /// Its height in pixels.
    pub height: Option<u32>,
    /// Its frames a second.
    pub fps: Option<f64>,
    /// The name it came with.
    pub file_name: Option<String>,
    /// A short-lived link to the file.
    pub preview_url: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
    /// When it was declared.
    pub created_at: DateTime<Utc>,
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
            preview_url,
            error: media.error.clone(),
            created_at: media.created_at,
        }
    }
}
