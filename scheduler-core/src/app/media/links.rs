//! Links: where bytes are sent, and where a file can be seen.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::app::Scheduler;
use crate::error::AppError;
use crate::media::{LINK_LIFETIME, Media, MediaStatus, MediaView, PartPlan, Transfer};

/// A new file, and how its bytes get here.
///
/// Source: interface description, UploadInstructions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UploadInstructions {
    /// The file.
    pub media: MediaView,
    /// How its bytes get here.
    pub upload: UploadView,
}

/// How the bytes of a file get here.
///
/// Source: interface description, UploadInstructions `upload`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Upload"))]
#[serde(tag = "mode", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum UploadView {
    /// The caller sends the whole file in one PUT.
    Single {
        /// PUT the whole file here, within an hour.
        #[cfg_attr(feature = "schema", schemars(url))]
        upload_url: String,
        /// Headers to send with the PUT.
        headers: BTreeMap<String, String>,
    },
    /// The caller sends parts, each in one PUT, and reports their ETags.
    Multipart {
        /// Bytes of every part but the last, which is shorter.
        #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
        part_size: u64,
        /// PUT each part to its address and keep its ETag.
        parts: Vec<PartView>,
    },
    /// The server fetches the file.
    Ingest {},
}

impl std::fmt::Debug for UploadView {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The addresses open what they name.
        formatter.write_str(match self {
            Self::Single { .. } => "Single([redacted])",
            Self::Multipart { .. } => "Multipart([redacted])",
            Self::Ingest {} => "Ingest",
        })
    }
}

/// Where one part goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "UploadPart"))]
#[serde(rename_all = "camelCase")]
pub struct PartView {
    /// Its number, from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = crate::media::PARTS_MAX)))]
    pub part_number: u32,
    /// Where to; signed, for an hour.
    #[cfg_attr(feature = "schema", schemars(url))]
    pub url: String,
}

/// The type of every preview.
const PREVIEW_TYPE: &str = "image/webp";

impl Scheduler {
    /// The file as callers see it.
    pub(super) async fn media_view(&self, media: &Media) -> Result<MediaView, AppError> {
        Ok(MediaView::new(media, self.preview_url(media).await?))
    }

    /// A short-lived link to a file that is ready.
    async fn preview_url(&self, media: &Media) -> Result<Option<String>, AppError> {
        if media.status != MediaStatus::Ready {
            return Ok(None);
        }
        let media_type = media.mime_type.as_deref().unwrap_or("application/octet-stream");
        let key = media.folder().original();
        Ok(Some(self.ports.files.read_link(&key, media_type, self.link_end()).await?))
    }

    /// Short-lived links to a file that is ready and to its preview.
    pub(in crate::app) async fn links_to_look_at(
        &self,
        media: &Media,
    ) -> Result<[Option<String>; 2], AppError> {
        let preview = if media.status == MediaStatus::Ready && media.has_preview {
            let key = media.folder().preview();
            Some(self.ports.files.read_link(&key, PREVIEW_TYPE, self.link_end()).await?)
        } else {
            None
        };
        Ok([self.preview_url(media).await?, preview])
    }

    /// How the bytes of a file that awaits them get here.
    pub(super) async fn upload_view(&self, media: &Media) -> Result<UploadView, AppError> {
        let size_bytes = media.size_bytes.unwrap_or_default();
        // The bytes are removed once more when the last link has ended; none may live longer.
        let end = self.link_end().min(media.last_link_end());
        match &media.transfer {
            Transfer::Single => {
                let key = media.folder().sent();
                let link = self.ports.files.upload_link(&key, size_bytes, end).await?;
                Ok(UploadView::Single { upload_url: link.url, headers: link.headers })
            }
            Transfer::Multipart { upload, part_bytes } => {
                let key = media.folder().original();
                let plan = PartPlan { size_bytes, part_bytes: *part_bytes };
                let links = self.ports.files.part_links(&key, upload, plan, end).await?;
                let parts = (1..).zip(links);
                Ok(UploadView::Multipart {
                    part_size: *part_bytes,
                    parts: parts.map(|(part_number, url)| PartView { part_number, url }).collect(),
                })
            }
            Transfer::Ingest { .. } | Transfer::Version { .. } => Ok(UploadView::Ingest {}),
        }
    }

    fn link_end(&self) -> DateTime<Utc> {
        self.ports.clock.now() + LINK_LIFETIME
    }
}
