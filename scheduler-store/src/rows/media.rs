//! Rows of `media`.

use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::Media;
use scheduler_core::ports::StoreError;
use uuid::Uuid;

use super::{from_name, narrow};
use crate::instant::Instant;

/// The columns of `media m`.
macro_rules! media_columns {
    () => {
        "m.id AS id, m.workspace_id AS workspace_id, m.kind AS kind, m.status AS status, \
         m.mime_type AS mime_type, m.size_bytes AS size_bytes, \
         m.duration_seconds AS duration_seconds, m.width AS width, m.height AS height, \
         m.fps AS fps, m.file_name AS file_name, m.error AS error, m.created_at AS created_at"
    };
}
pub(crate) use media_columns;

/// A row of `media`.
#[derive(sqlx::FromRow)]
pub(crate) struct MediaRow {
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
    file_name: Option<String>,
    error: Option<String>,
    created_at: Instant,
}

impl MediaRow {
    pub(crate) fn read(self) -> Result<Media, StoreError> {
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
            file_name: self.file_name,
            error: self.error,
            created_at: self.created_at.0,
        })
    }
}
