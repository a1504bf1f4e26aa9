//! What is kept of Idempotency-Keys, beside those of posts.

use async_trait::async_trait;

use super::StoreError;
use crate::idempotency::{KeyScope, KeyUse};
use crate::ids::WorkspaceId;

/// What became of something new that was to be stored within a limit and under an
/// Idempotency-Key.
#[derive(Clone, Debug, PartialEq)]
pub enum AddOutcome {
    /// It is stored.
    Stored,
    /// Its key has a use; nothing was stored.
    Existing(KeyUse),
    /// With it the workspace would go over its limit; nothing was stored.
    LimitReached,
}

/// The uses of Idempotency-Keys.
///
/// A use goes with what it [belongs to](KeyUse::belongs_to): a webhook or a post that is removed
/// takes its keys along. Those of files and webhooks are stored with them, by
/// [`MediaStore::create_media`](super::MediaStore::create_media) and
/// [`WebhookStore::create_webhook`](super::WebhookStore::create_webhook).
#[async_trait]
pub trait IdempotencyStore: Send + Sync {
    /// The use of a key.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn key_use(
        &self,
        _workspace: WorkspaceId,
        _scope: &KeyScope,
        _key: &str,
    ) -> Result<Option<KeyUse>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Stores a use, unless its key has one already: that is answered, and nothing is changed. Of
    /// many callers at once one stores its own.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn begin_key_use(&self, _new: &KeyUse) -> Result<Option<KeyUse>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Stores what came of a use; `false` when its key has none of this id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn settle_key_use(&self, _settled: &KeyUse) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Removes a use, of which nothing came; `false` when its key has none of this id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn forget_key_use(&self, _of: &KeyUse) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }
}
