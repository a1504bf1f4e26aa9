//! The records of files.

use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::{MemoryStore, Tables};
use crate::cursor::Cursor;
use crate::effects::NewWork;
use crate::idempotency::KeyUse;
use crate::ids::{MediaId, WorkspaceId};
use crate::media::{Media, MediaCursor, MediaStatus};
use crate::ports::{AddOutcome, EraseOutcome, MediaStore, StoreError, WorkKind};
use crate::post::{Month, PageQuery, Post};

impl Tables {
    pub(super) fn is_any_deleted(&self, files: &BTreeSet<MediaId>) -> bool {
        let is_deleted = |media: &Media| media.status == MediaStatus::Deleted;
        files.iter().any(|id| self.media.get(id).is_some_and(is_deleted))
    }

    fn bytes_in_month(&self, workspace: WorkspaceId, month: Month) -> u64 {
        self.media
            .values()
            .filter(|media| media.workspace_id == workspace)
            .filter(|media| media.allowance_month() == month)
            .map(Media::allowance_bytes)
            .fold(0, u64::saturating_add)
    }

    fn store_media(&mut self, media: Media) {
        for kind in WorkKind::OF_FILES {
            self.queue.remove(kind, media.id.0);
        }
        if let Some(work) = NewWork::of_media(&media) {
            self.queue.add(work);
        }
        self.media.insert(media.id, media);
    }

    fn using(&self, workspace: WorkspaceId, id: MediaId) -> impl Iterator<Item = &Post> {
        self.posts
            .values()
            .filter(move |post| post.workspace_id == workspace && post.files().contains(&id))
    }
}

#[async_trait]
impl MediaStore for MemoryStore {
    async fn create_media(
        &self,
        media: &Media,
        upload_bytes_a_month: u64,
        key_use: Option<&KeyUse>,
    ) -> Result<AddOutcome, StoreError> {
        let mut tables = self.tables();
        if let Some(earlier) = key_use.and_then(|key_use| tables.begin_key_use(key_use)) {
            return Ok(AddOutcome::Existing(earlier));
        }
        let used = tables.bytes_in_month(media.workspace_id, media.allowance_month());
        if used.saturating_add(media.allowance_bytes()) > upload_bytes_a_month {
            tables.forget_keys_of(media.id.0);
            return Ok(AddOutcome::LimitReached);
        }
        tables.store_media(media.clone());
        Ok(AddOutcome::Stored)
    }

    async fn save_media(&self, media: &Media) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let is_current =
            tables.media.get(&media.id).is_some_and(|current| current.version == media.version);
        if is_current {
            tables.store_media(Media { version: media.version + 1, ..media.clone() });
        }
        Ok(is_current)
    }

    async fn erase_media(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        at: DateTime<Utc>,
    ) -> Result<EraseOutcome, StoreError> {
        let mut tables = self.tables();
        let found = tables.media.get(&id).filter(|media| media.workspace_id == workspace).cloned();
        let Some(media) = found else { return Ok(EraseOutcome::Missing) };
        if media.status == MediaStatus::Deleted {
            return Ok(EraseOutcome::Deleted(media));
        }
        if tables.using(workspace, id).any(|post| post.status.is_unfinished()) {
            return Ok(EraseOutcome::InUse);
        }
        let deleted = Media { version: media.version + 1, ..media.deleted(at) };
        tables.store_media(deleted.clone());
        Ok(EraseOutcome::Deleted(deleted))
    }

    async fn list_media(
        &self,
        workspace: WorkspaceId,
        limit: u32,
        before: Option<MediaCursor>,
    ) -> Result<Vec<(Media, u64)>, StoreError> {
        let tables = self.tables();
        let is_listed = |media: &&Media| {
            media.workspace_id == workspace
                && before.is_none_or(|before| MediaCursor::of(media) < before)
        };
        let mut media: Vec<&Media> = tables.media.values().filter(is_listed).collect();
        media.sort_by_key(|media| std::cmp::Reverse(MediaCursor::of(media)));
        media.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let counted = media.into_iter().map(|media| {
            let posts = tables.using(workspace, media.id).count();
            (media.clone(), u64::try_from(posts).unwrap_or(u64::MAX))
        });
        Ok(counted.collect())
    }

    async fn posts_of_media(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        page: PageQuery,
    ) -> Result<Vec<Post>, StoreError> {
        let tables = self.tables();
        let using = tables.using(workspace, id).filter(|post| page.is_after(post));
        let mut posts: Vec<&Post> = using.collect();
        posts.sort_by_key(|post| std::cmp::Reverse(Cursor::of(post)));
        posts.truncate(usize::try_from(page.limit).unwrap_or(usize::MAX));
        Ok(posts.into_iter().cloned().collect())
    }

    async fn bytes_in_month(
        &self,
        workspace: WorkspaceId,
        month: Month,
    ) -> Result<u64, StoreError> {
        Ok(self.tables().bytes_in_month(workspace, month))
    }

    async fn media(
        &self,
        workspace: WorkspaceId,
        ids: &[MediaId],
    ) -> Result<Vec<Media>, StoreError> {
        let tables = self.tables();
        let found = ids.iter().filter_map(|id| tables.media.get(id));
        Ok(found.filter(|media| media.workspace_id == workspace).cloned().collect())
    }
}
