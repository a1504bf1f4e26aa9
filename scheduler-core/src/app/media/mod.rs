//! Files: declared, uploaded or fetched, listed, deleted; and those that a post names.

mod declare;
mod delete;
mod finish;
mod links;
mod list;

use crate::error::{AppError, ErrorCode, Refusal};
use crate::ids::{MediaId, WorkspaceId};
use crate::media::{Media, MediaFacts, MediaStatus};

use super::{Caller, Scheduler};

pub use finish::CompleteInput;
pub use links::{PartView, UploadInstructions, UploadView};
pub use list::ShownMedia;

impl Scheduler {
    /// A file of the caller's workspace.
    ///
    /// # Errors
    /// `not_found`
    async fn file(&self, caller: &Caller, id: MediaId) -> Result<Media, AppError> {
        let found = self.store().media(caller.workspace.id, &[id]).await?;
        found.into_iter().next().ok_or_else(|| Refusal::not_found("file").into())
    }

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

/// What the rules want to know of files.
pub(crate) fn facts(media: &[Media]) -> Vec<MediaFacts> {
    media.iter().map(Media::facts).collect()
}

/// Refuses to send a post whose file was deleted.
///
/// # Errors
/// `media_unusable`.
pub(crate) fn refuse_deleted(media: &[Media]) -> Result<(), Refusal> {
    if media.iter().any(|file| file.status == MediaStatus::Deleted) {
        return Err(file_deleted());
    }
    Ok(())
}

/// The refusal of a post whose file was deleted.
pub(crate) fn file_deleted() -> Refusal {
    Refusal::new(ErrorCode::MediaUnusable, "A file of this post was deleted; replace it first.")
}
