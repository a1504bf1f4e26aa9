//! The files that a post names.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::error::{AppError, ErrorCode, Refusal};
use crate::ids::{MediaId, WorkspaceId};
use crate::media::{Media, MediaFacts, MediaStatus};
use crate::platform::Platform;
use crate::post::Post;

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
            targets.map(|(platform, options)| thumbnail_id(platform, options?)).collect();
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
            let file = found.iter().find(|file| file.id == id).ok_or_else(|| Refusal {
                field: Some(format!("targets[{index}].options.{THUMBNAIL}")),
                ..Refusal::not_found("file")
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

/// The option that names a thumbnail.
///
/// Source: interface description, TargetInput.
const THUMBNAIL: &str = "thumbnailMediaId";

fn thumbnail_id(platform: Platform, options: &Map<String, Value>) -> Option<MediaId> {
    platform.sheet().option(THUMBNAIL)?;
    let id = options.get(THUMBNAIL)?.as_str()?;
    uuid::Uuid::try_parse(id).ok().map(MediaId)
}

/// What the rules want to know of a file.
pub(crate) fn facts(media: &[Media]) -> Vec<MediaFacts> {
    media.iter().map(facts_of).collect()
}

/// What the rules want to know of thumbnails.
pub(crate) fn thumbnail_facts(thumbnails: &[Option<Media>]) -> Vec<Option<MediaFacts>> {
    thumbnails.iter().map(|file| file.as_ref().map(facts_of)).collect()
}

fn facts_of(file: &Media) -> MediaFacts {
    MediaFacts {
        kind: file.kind,
        ready: file.status == MediaStatus::Ready,
        mime_type: file.mime_type.clone(),
        size_bytes: file.size_bytes,
        duration_seconds: file.duration_seconds,
        fps: file.fps,
        width: file.width,
        height: file.height,
        video_codec: None,
        frame_count: None,
    }
}

/// Refuses to send a post whose file was deleted.
///
/// # Errors
/// `media_unusable`.
pub(crate) fn refuse_deleted<'a>(
    media: impl IntoIterator<Item = &'a Media>,
) -> Result<(), Refusal> {
    if media.into_iter().any(|file| file.status == MediaStatus::Deleted) {
        return Err(Refusal::new(
            ErrorCode::MediaUnusable,
            "A file of this post was deleted; replace it first.",
        ));
    }
    Ok(())
}
