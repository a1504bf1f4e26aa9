//! What is kept of links under which people give files.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::StoreError;
use crate::connecting::PassHash;
use crate::media::UploadLink;
use crate::workspace::Workspace;

/// Links under which people give files.
#[async_trait]
pub trait UploadLinkStore: Send + Sync {
    /// Keeps a link, and removes what has expired at `now`; `false`, and it is not kept, when its
    /// workspace then has `most`.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn keep_upload_link(
        &self,
        _link: &UploadLink,
        _now: DateTime<Utc>,
        _most: u32,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The link of a secret, expired or not, and its workspace.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn upload_link(
        &self,
        _pass: PassHash,
    ) -> Result<Option<(UploadLink, Workspace)>, StoreError> {
        Ok(None)
    }

    /// Removes the link of a secret; `false` when there is none. Of many callers at once, one
    /// succeeds.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn take_upload_link(&self, _pass: PassHash) -> Result<bool, StoreError> {
        Ok(false)
    }
}
