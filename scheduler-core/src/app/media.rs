//! The files that a post names.

use crate::error::{AppError, ErrorCode, Refusal};
use crate::ids::{MediaId, WorkspaceId};
use crate::media::{Media, MediaStatus};
use crate::rules::MediaFacts;

use super::Scheduler;

impl Scheduler {
    /// The named files, in the order of their names.
    ///
    /// # Errors
    /// `not_found` naming the first that the workspace does not have.
    pub(crate) async fn named_media(
        &self,
        workspace: WorkspaceId,
        ids: &[MediaId],
    ) -> Result<Vec<Media>, AppError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.store().media(workspace, ids).await?;
        let mut media = Vec::with_capacity(ids.len());
        for (index, id) in ids.iter().enumerate() {
            let file = found.iter().find(|file| file.id == *id).ok_or_else(|| Refusal {
                field: Some(format!("mediaIds[{index}]")),
                ..Refusal::not_found("file")
            })?;
            media.push(file.clone());
        }
        Ok(media)
    }
}

/// What the rules want to know of a file.
pub(crate) fn facts(media: &[Media]) -> Vec<MediaFacts> {
    media
        .iter()
        .map(|file| MediaFacts {
            ready: file.status == MediaStatus::Ready,
            mime_type: file.mime_type.clone(),
            size_bytes: file.size_bytes,
            duration_seconds: file.duration_seconds,
            fps: file.fps,
            width: file.width,
            height: file.height,
            ..MediaFacts::new(file.kind)
        })
        .collect()
}

/// Refuses to send a post whose file was deleted.
///
/// # Errors
/// `media_unusable`.
pub(crate) fn refuse_deleted(media: &[Media]) -> Result<(), Refusal> {
    if media.iter().any(|file| file.status == MediaStatus::Deleted) {
        return Err(Refusal::new(
            ErrorCode::MediaUnusable,
            "A file of this post was deleted; replace it first.",
        ));
    }
    Ok(())
}
