//! Rows of `media`.

use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{Edit, Media, Transfer};
use scheduler_core::ports::{MediaContext, StoreError};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{from_json, from_name, narrow, number, parse, row, to_json, to_name, values};
use crate::error::corrupt;
use crate::instant::Instant;
use crate::sealing::{Sealed, Sealer};

row! {
    /// A row of `media`.
    #[derive(Clone)]
    pub(crate) struct MediaRow by media_columns {
        m {
            id: Uuid,
            workspace_id: Uuid,
            kind: String,
            status: String,
            mime_type: Option<String>,
            size_bytes: Option<i64>,
            duration_seconds: Option<f64>,
            width: Option<i64>,
            height: Option<i64>,
            fps: Option<f64>,
            video_codec: Option<String>,
            frame_count: Option<i64>,
            file_name: Option<String>,
            error: Option<String>,
            pub(crate) created_at: Instant,
            transfer: String,
            source_url: Option<Vec<u8>>,
            has_preview: bool,
            due_at: Option<Instant>,
            tries: i64,
            description: String,
            pub(crate) version: i64,
        }
    }
}

impl MediaRow {
    pub(crate) fn open(self, sealer: &Sealer) -> Result<Media, StoreError> {
        let transfer = from_json("media.transfer", &self.transfer)?;
        Ok(Media {
            id: MediaId(self.id),
            workspace_id: WorkspaceId(self.workspace_id),
            kind: from_name("media.kind", &self.kind)?,
            status: from_name("media.status", &self.status)?,
            mime_type: self.mime_type,
            size_bytes: self
                .size_bytes
                .map(|bytes| narrow("media.size_bytes", bytes))
                .transpose()?,
            duration_seconds: self.duration_seconds,
            width: self.width.map(|pixels| narrow("media.width", pixels)).transpose()?,
            height: self.height.map(|pixels| narrow("media.height", pixels)).transpose()?,
            fps: self.fps,
            video_codec: self
                .video_codec
                .map(|name| from_name("media.video_codec", &name))
                .transpose()?,
            frame_count: self
                .frame_count
                .map(|count| narrow("media.frame_count", count))
                .transpose()?,
            file_name: self.file_name,
            error: self.error,
            created_at: self.created_at.0,
            transfer: open_transfer(transfer, self.id, self.source_url.as_deref(), sealer)?,
            has_preview: self.has_preview,
            due_at: self.due_at.map(|at| at.0),
            tries: narrow("media.tries", self.tries)?,
            description: from_json("media.description", &self.description)?,
            version: self.version,
        })
    }
}

row! {
    /// A row of `media` with the number of posts that use the file.
    pub(crate) struct CountedMediaRow {
        ..pub(crate) media: MediaRow,
        pub(crate) post_count: i64,
    }
}

row! {
    /// A row of `media` with the plan of its workspace.
    pub(crate) struct MediaContextRow {
        ..media: MediaRow,
        plan: String,
    }
}

impl MediaContextRow {
    pub(crate) fn open(self, sealer: &Sealer) -> Result<MediaContext, StoreError> {
        Ok(MediaContext {
            media: self.media.open(sealer)?,
            plan: parse("workspaces.plan", &self.plan)?,
        })
    }
}

/// A [`Transfer`] without the address that a file is fetched from.
#[derive(Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum StoredTransfer {
    Single,
    Multipart { upload: String, part_bytes: u64 },
    Ingest,
    Version { original: Uuid, edit: Edit },
}

fn open_transfer(
    stored: StoredTransfer,
    media: Uuid,
    source_url: Option<&[u8]>,
    sealer: &Sealer,
) -> Result<Transfer, StoreError> {
    Ok(match stored {
        StoredTransfer::Single => Transfer::Single,
        StoredTransfer::Multipart { upload, part_bytes } => {
            Transfer::Multipart { upload, part_bytes }
        }
        StoredTransfer::Version { original, edit } => {
            Transfer::Version { original: MediaId(original), edit }
        }
        StoredTransfer::Ingest => {
            let sealed = source_url
                .ok_or_else(|| corrupt("media.source_url", "a fetched file has no address"))?;
            // Without the key that sealed it, it is as good as gone: the file can be seen and
            // used, and fetching it from nowhere is refused.
            let source_url =
                sealer.open(Sealed::SourceUrl, media, sealed).unwrap_or_else(|error| {
                    tracing::error!(media_id = %media, %error, "the address of a file is lost");
                    String::new()
                });
            Transfer::Ingest { source_url }
        }
    })
}

values! {
    /// A file in the form of its row.
    pub(crate) struct MediaValues by media_values {
        pub(crate) id: Uuid,
        pub(crate) workspace_id: Uuid,
        pub(crate) kind: String,
        pub(crate) status: &'static str,
        pub(crate) mime_type: Option<String>,
        pub(crate) size_bytes: Option<i64>,
        pub(crate) duration_seconds: Option<f64>,
        pub(crate) width: Option<i64>,
        pub(crate) height: Option<i64>,
        pub(crate) fps: Option<f64>,
        pub(crate) video_codec: Option<String>,
        pub(crate) frame_count: Option<i64>,
        pub(crate) file_name: Option<String>,
        pub(crate) error: Option<String>,
        pub(crate) created_at: Instant,
        pub(crate) transfer: String,
        pub(crate) source_url: Option<Vec<u8>>,
        pub(crate) has_preview: bool,
        pub(crate) due_at: Option<Instant>,
        pub(crate) tries: i64,
        pub(crate) allowance_bytes: i64,
        pub(crate) description: String,
    }
}

impl MediaValues {
    pub(crate) fn of(media: &Media, sealer: &Sealer) -> Result<Self, StoreError> {
        let (transfer, source_url) = match &media.transfer {
            Transfer::Single => (StoredTransfer::Single, None),
            Transfer::Multipart { upload, part_bytes } => {
                let upload = upload.clone();
                (StoredTransfer::Multipart { upload, part_bytes: *part_bytes }, None)
            }
            Transfer::Version { original, edit } => {
                (StoredTransfer::Version { original: original.0, edit: *edit }, None)
            }
            Transfer::Ingest { source_url } => {
                let sealed = sealer.seal(Sealed::SourceUrl, media.id.0, source_url)?;
                (StoredTransfer::Ingest, Some(sealed))
            }
        };
        Ok(Self {
            id: media.id.0,
            workspace_id: media.workspace_id.0,
            kind: to_name("media.kind", &media.kind)?,
            status: media.status.as_str(),
            mime_type: media.mime_type.clone(),
            size_bytes: media
                .size_bytes
                .map(|bytes| number("media.size_bytes", bytes))
                .transpose()?,
            duration_seconds: media.duration_seconds,
            width: media.width.map(i64::from),
            height: media.height.map(i64::from),
            fps: media.fps,
            video_codec: media
                .video_codec
                .map(|codec| to_name("media.video_codec", &codec))
                .transpose()?,
            frame_count: media.frame_count.map(i64::from),
            file_name: media.file_name.clone(),
            error: media.error.clone(),
            created_at: Instant(media.created_at),
            transfer: to_json("media.transfer", &transfer)?,
            source_url,
            has_preview: media.has_preview,
            due_at: media.due_at.map(Instant),
            tries: i64::from(media.tries),
            allowance_bytes: number("media.allowance_bytes", media.allowance_bytes())?,
            description: to_json("media.description", &media.description)?,
        })
    }
}

row! {
    /// What a change of a file is decided on, read under a lock.
    pub(crate) struct LockedMediaRow {
        ..pub(crate) media: MediaRow,
        pub(crate) allowance_bytes: i64,
    }
}
