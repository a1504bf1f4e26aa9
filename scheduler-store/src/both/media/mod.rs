//! Files: their records, the count of their bytes, and the posts that use them.

mod count;
#[cfg(test)]
mod plans;
mod read;
mod write;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::idempotency::KeyUse;
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{Media, MediaCursor, MediaStatus};
use scheduler_core::ports::{AddOutcome, EraseOutcome, MediaStore, StoreError};
use scheduler_core::post::{Month, PageQuery, Post};
use uuid::Uuid;

use super::{Backend, shared};

pub(super) use read::context;
pub(super) use write::record;

/// True for a file that was just stored and that the engine turns to at once: only an upload waits
/// for somebody else.
pub(super) fn is_due_at_once(media: &Media) -> bool {
    let is_fresh = media.due_at.is_some() && media.tries == 0;
    is_fresh && media.status != MediaStatus::AwaitingUpload
}

#[async_trait]
impl MediaStore for Backend {
    async fn create_media(
        &self,
        media: &Media,
        upload_bytes_a_month: u64,
        key_use: Option<&KeyUse>,
    ) -> Result<AddOutcome, StoreError> {
        let arguments =
            (media.clone(), upload_bytes_a_month, key_use.cloned(), self.sealer.clone());
        let outcome = self
            .write(
                "create_media",
                arguments,
                |connection, (media, upload_bytes_a_month, key_use, sealer)| {
                    let key_use = key_use.as_ref();
                    Box::pin(write::create(
                        connection,
                        media,
                        *upload_bytes_a_month,
                        key_use,
                        sealer,
                    ))
                },
            )
            .await?;
        if outcome == AddOutcome::Stored && is_due_at_once(media) {
            self.wake_others();
        }
        Ok(outcome)
    }

    async fn save_media(&self, media: &Media) -> Result<bool, StoreError> {
        let is_saved = self
            .write(
                "save_media",
                (media.clone(), self.sealer.clone()),
                |connection, (media, sealer)| {
                    Box::pin(async move { Ok(write::save(connection, media, sealer).await?) })
                },
            )
            .await?;
        if is_saved && is_due_at_once(media) {
            self.wake_others();
        }
        Ok(is_saved)
    }

    async fn erase_media(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        at: DateTime<Utc>,
    ) -> Result<EraseOutcome, StoreError> {
        let arguments = (workspace, id, at, self.sealer.clone());
        let outcome = self
            .write("erase_media", arguments, |connection, (workspace, id, at, sealer)| {
                Box::pin(async move {
                    Ok(write::erase(connection, *workspace, *id, *at, sealer).await?)
                })
            })
            .await?;
        if matches!(outcome, EraseOutcome::Deleted(_)) {
            self.wake_others();
        }
        Ok(outcome)
    }

    async fn list_media(
        &self,
        workspace: WorkspaceId,
        limit: u32,
        before: Option<MediaCursor>,
    ) -> Result<Vec<(Media, u64)>, StoreError> {
        let arguments = (workspace, limit, before, self.sealer.clone());
        self.read("list_media", arguments, |connection, (workspace, limit, before, sealer)| {
            Box::pin(async move {
                Ok(read::list(connection, *workspace, *limit, *before, sealer).await?)
            })
        })
        .await
    }

    async fn posts_of_media(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        page: PageQuery,
    ) -> Result<Vec<Post>, StoreError> {
        self.read_snapshot(
            "posts_of_media",
            (workspace, id, page),
            |connection, (workspace, id, page)| {
                Box::pin(
                    async move { Ok(read::posts_using(connection, *workspace, *id, *page).await?) },
                )
            },
        )
        .await
    }

    async fn bytes_in_month(
        &self,
        workspace: WorkspaceId,
        month: Month,
    ) -> Result<u64, StoreError> {
        self.read("bytes_in_month", (workspace, month), |connection, (workspace, month)| {
            Box::pin(async move { Ok(count::read(connection, *workspace, *month).await?) })
        })
        .await
    }

    async fn media(
        &self,
        workspace: WorkspaceId,
        ids: &[MediaId],
    ) -> Result<Vec<Media>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        let arguments = (workspace, ids, self.sealer.clone());
        self.read("media", arguments, |connection, (workspace, ids, sealer)| {
            Box::pin(async move {
                let rows = shared::media_of(connection, *workspace, ids).await?;
                let media = rows.into_iter().map(|row| row.open(sealer));
                Ok(media.collect::<Result<_, _>>()?)
            })
        })
        .await
    }
}
