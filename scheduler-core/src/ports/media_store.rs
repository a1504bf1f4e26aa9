//! Where the records of files are kept.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::{AddOutcome, StoreError};
use crate::idempotency::KeyUse;
use crate::ids::{MediaId, WorkspaceId};
use crate::media::{Media, MediaCursor};
use crate::post::{PageQuery, Post};

/// What became of a file that was to be deleted.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and never kept")]
pub enum EraseOutcome {
    /// It is deleted, now or before; this is its record.
    Deleted(Media),
    /// A post that has not finished needs it; nothing was changed.
    InUse,
    /// There is no such file.
    Missing,
}

/// Files.
///
/// A stored file with a `due_at` has exactly one piece of media work, due then and held by
/// nobody (work that a save replaces is new work: an earlier claim on it is lost); one without
/// has none. Which posts use a file ([`Post::files`](crate::post::Post::files)) is the store's to
/// keep up, in the transaction that stores the post; a post that needs a file which is deleted by
/// then is not stored.
#[async_trait]
pub trait MediaStore: Send + Sync {
    /// Stores a new file's record, unless the bytes of the workspace's files of the same month
    /// ([`Media::allowance_bytes`](crate::media::Media::allowance_bytes)) would then be over
    /// `upload_bytes_a_month`. Of many callers at once, as many succeed as fit.
    ///
    /// With a use of a key both are stored or neither is; of two callers with one key, one
    /// declares, and the other waits for it and gets [`AddOutcome::Existing`].
    ///
    /// # Errors
    /// [`StoreError`]
    async fn create_media(
        &self,
        _media: &Media,
        _upload_bytes_a_month: u64,
        _key_use: Option<&KeyUse>,
    ) -> Result<AddOutcome, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Stores a file as it now is (every field but `version`), if its version is still
    /// `media.version`; raises the version by one. `false` when it has changed since it was read.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn save_media(&self, _media: &Media) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Deletes a file ([`Media::deleted`](crate::media::Media::deleted)) unless a post that is a
    /// draft, scheduled or publishing uses it.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn erase_media(
        &self,
        _workspace: WorkspaceId,
        _id: MediaId,
        _at: DateTime<Utc>,
    ) -> Result<EraseOutcome, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The latest files of a workspace, newest first, at most `limit`, those after a place where
    /// one is given, each with the number of posts that use it.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn list_media(
        &self,
        _workspace: WorkspaceId,
        _limit: u32,
        _before: Option<MediaCursor>,
    ) -> Result<Vec<(Media, u64)>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// A page of the posts of a workspace that use a file, newest first.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn posts_of_media(
        &self,
        _workspace: WorkspaceId,
        _id: MediaId,
        _page: PageQuery,
    ) -> Result<Vec<Post>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The bytes that a workspace's files use of one month's allowance
    /// ([`Media::allowance_bytes`](crate::media::Media::allowance_bytes)).
    ///
    /// # Errors
    /// [`StoreError`]
    async fn bytes_in_month(
        &self,
        _workspace: WorkspaceId,
        _month: crate::post::Month,
    ) -> Result<u64, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Those of the named files that the workspace has, in any order.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn media(
        &self,
        _workspace: WorkspaceId,
        _ids: &[MediaId],
    ) -> Result<Vec<Media>, StoreError> {
        Err(StoreError::Unsupported)
    }
}
