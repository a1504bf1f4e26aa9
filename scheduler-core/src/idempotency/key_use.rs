//! What is kept of a key beside what it has made.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::IdempotencyKey;
use crate::ids::{AccountId, MediaId, TargetId, WorkspaceId};

/// Where a key is unique: one address of the API in one workspace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyScope(String);

impl KeyScope {
    /// Declaring files.
    #[must_use]
    pub fn media() -> Self {
        Self("media".to_owned())
    }

    /// Making versions of a picture.
    #[must_use]
    pub fn versions(original: MediaId) -> Self {
        Self(format!("versions/{original}"))
    }

    /// Creating webhooks.
    #[must_use]
    pub fn webhooks() -> Self {
        Self("webhooks".to_owned())
    }

    /// Making playlists of an account.
    #[must_use]
    pub fn playlists(account: AccountId) -> Self {
        Self(format!("playlists/{account}"))
    }

    /// Answering a comment, whose id may be of any length.
    #[must_use]
    pub fn replies(target: TargetId, comment: &str) -> Self {
        Self(format!("replies/{target}/{}", hex::encode(Sha256::digest(comment))))
    }

    /// A scope as a store has kept it.
    #[must_use]
    pub const fn stored(text: String) -> Self {
        Self(text)
    }

    /// As it is kept.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The one use of a key in its scope.
///
/// Posts keep their key themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyUse {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Where the key is unique.
    pub scope: KeyScope,
    /// The key, and the body of its first request.
    pub key: IdempotencyKey,
    /// Tells this use from another of the same key, before or after it; of a file or a webhook its
    /// id.
    pub id: Uuid,
    /// What removes the key when it is removed: the file, the webhook, the post, the account.
    pub belongs_to: Uuid,
    /// What came of the first request.
    pub outcome: KeyOutcome,
}

impl KeyUse {
    /// The use of a key for a thing of this id that is kept here.
    #[must_use]
    pub const fn kept(
        workspace_id: WorkspaceId,
        scope: KeyScope,
        key: IdempotencyKey,
        id: Uuid,
    ) -> Self {
        Self { workspace_id, scope, key, id, belongs_to: id, outcome: KeyOutcome::Kept }
    }
}

/// What came of the first request of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyOutcome {
    /// It has made something, which is kept here under [`KeyUse::id`].
    Kept,
    /// It has made something at a network, which has answered this.
    Answered(Value),
    /// It is at a network, until then at most.
    UnderWay(DateTime<Utc>),
    /// The network's answer was lost.
    Unknown,
}
