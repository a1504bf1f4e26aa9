//! Files: declared, uploaded or fetched, listed, deleted; and those that a post names.

mod declare;
mod delete;
mod finish;
mod links;
mod list;
mod versions;

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::error::{AppError, MediaRefusal, Refusal, Resource};
use crate::ids::{MediaId, WorkspaceId};
use crate::media::{Media, MediaFacts, MediaStatus};
use crate::platform::Platform;
use crate::post::Post;
use crate::target::{THUMBNAIL, thumbnail_of};

use super::{Caller, Scheduler};

pub use finish::CompleteInput;
pub use links::{PartView, UploadInstructions, UploadView};
pub use list::{ListedMedia, MEDIA_LIMIT_DEFAULT, MEDIA_LIMIT_MAX, ShownMedia};

impl Scheduler {
    /// A file of the caller's workspace.
    ///
    /// # Errors
    /// `not_found`
    async fn file(&self, caller: &Caller, id: MediaId) -> Result<Media, AppError> {
        let found = self.store().media(caller.workspace.id, &[id]).await?;
        found.into_iter().next().ok_or_else(|| Refusal::not_found(Resource::File).into())
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
            let file = found.iter().find(|file| file.id == *id).ok_or_else(|| {
                Refusal::not_found(Resource::File).at(format!("mediaIds[{index}]"))
            })?;
            media.push(file.clone());
        }
        Ok(media)
    }

    /// The file that each target's options name as its thumbnail, in the order of the targets;
    /// `None` where the network has no such option, or what was sent is no id.
    ///
    /// # Errors
    /// `not_found` naming the option of the first target whose file the workspace does not have.
    pub(crate) async fn named_thumbnails<'a>(
        &self,
        workspace: WorkspaceId,
        targets: impl Iterator<Item = (Platform, Option<&'a Map<String, Value>>)>,
    ) -> Result<Vec<Option<Media>>, AppError> {
        let named: Vec<Option<MediaId>> =
            targets.map(|(platform, options)| thumbnail_of(platform, options?)).collect();
        let ids: Vec<MediaId> =
            named.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
        if ids.is_empty() {
            return Ok(named.iter().map(|_| None).collect());
        }
        let found = self.store().media(workspace, &ids).await?;
        let mut thumbnails = Vec::with_capacity(named.len());
        for (index, id) in named.into_iter().enumerate() {
            let Some(id) = id else {
                thumbnails.push(None);
                continue;
            };
            let file = found.iter().find(|file| file.id == id).ok_or_else(|| {
                let field = format!("targets[{index}].options.{THUMBNAIL}");
                Refusal::not_found(Resource::File).at(field)
            })?;
            thumbnails.push(Some(file.clone()));
        }
        Ok(thumbnails)
    }

    /// The thumbnails of a post's targets.
    ///
    /// # Errors
    /// Those of [`Self::named_thumbnails`].
    pub(crate) async fn thumbnails_of(&self, post: &Post) -> Result<Vec<Option<Media>>, AppError> {
        let targets = post.targets.iter().map(|target| (target.platform, Some(&target.options)));
        self.named_thumbnails(post.workspace_id, targets).await
    }
}

/// What the rules want to know of files.
pub(crate) fn facts(media: &[Media]) -> Vec<MediaFacts> {
    media.iter().map(Media::facts).collect()
}

/// What the rules want to know of thumbnails.
pub(crate) fn thumbnail_facts(thumbnails: &[Option<Media>]) -> Vec<Option<MediaFacts>> {
    thumbnails.iter().map(|file| file.as_ref().map(Media::facts)).collect()
}

/// Refuses to send a post whose file was deleted.
///
/// # Errors
/// `media_unusable`.
pub(crate) fn refuse_deleted<'a>(
    media: impl IntoIterator<Item = &'a Media>,
) -> Result<(), Refusal> {
    if media.into_iter().any(|file| file.status == MediaStatus::Deleted) {
        return Err(file_deleted());
    }
    Ok(())
}

/// The refusal of a post whose file was deleted.
pub(crate) fn file_deleted() -> Refusal {
    MediaRefusal::DeletedOfPost.into()
}
