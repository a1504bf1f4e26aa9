//! What is kept of grants, and where the documents of clients come from.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::StoreError;
use crate::ids::{GrantId, SessionId, WorkspaceId};
use crate::oauth::{ClientId, Grant, GrantToken, TokenHash};
use crate::session::Person;
use crate::workspace::Workspace;

/// What people have granted clients, and the tokens of it.
#[async_trait]
pub trait GrantStore: Send + Sync {
    /// Stores a new grant with its code, and removes those of its workspace that have expired at
    /// `now`; `false`, and it is not stored, when the workspace then has `most`.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn create_grant(
        &self,
        _grant: &Grant,
        _code: &GrantToken,
        _now: DateTime<Utc>,
        _most: u32,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The code or token of this hash, expired or not, with its grant and workspace.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn grant_token(
        &self,
        _hash: TokenHash,
    ) -> Result<Option<(GrantToken, Grant, Workspace)>, StoreError> {
        Ok(None)
    }

    /// Exchanges a code or token, once: marks it as used when the grant was, stores the times of the
    /// grant and its next tokens, and removes its earlier access tokens, those of its tokens that
    /// have expired by then, and the oldest of those that were exchanged where there are more than
    /// [`USED_TOKENS_MAX`](crate::oauth::USED_TOKENS_MAX). `false`, and nothing is stored, when it is gone or was exchanged before. Of many callers at
    /// once, one succeeds.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn exchange_token(
        &self,
        _shown: TokenHash,
        _grant: &Grant,
        _next: &[GrantToken],
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Every grant of a workspace, oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn grants(&self, _workspace: WorkspaceId) -> Result<Vec<Grant>, StoreError> {
        Ok(Vec::new())
    }

    /// Names the person of those grants of a workspace that were given in a session.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn name_grants(
        &self,
        _workspace: WorkspaceId,
        _session: SessionId,
        _person: &Person,
    ) -> Result<(), StoreError> {
        Ok(())
    }

    /// Removes those grants of a workspace, with their tokens, that were given in a session and name
    /// no person.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_grants_of_session(
        &self,
        _workspace: WorkspaceId,
        _session: SessionId,
    ) -> Result<(), StoreError> {
        Ok(())
    }

    /// Removes a grant of a workspace with its tokens; `false` when it has none of that id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_grant(
        &self,
        _workspace: WorkspaceId,
        _id: GrantId,
    ) -> Result<bool, StoreError> {
        Ok(false)
    }

    /// Removes grants that have expired at `now`, with their tokens: `limit` at most; says how many.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_expired_grants(
        &self,
        _now: DateTime<Utc>,
        _limit: u32,
    ) -> Result<u64, StoreError> {
        Ok(0)
    }
}

/// Why there is no document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// Its server does not answer, or not in time; it may do so later.
    #[error("{0}")]
    Unavailable(String),
    /// It is not fetched from there, or there is none.
    #[error("{0}")]
    Refused(String),
}

/// Reads the documents in which clients say who they are.
#[async_trait]
pub trait ClientDocuments: Send + Sync {
    /// The bytes of the document at an id, of which there are
    /// [`DOCUMENT_MAX_BYTES`](crate::oauth::DOCUMENT_MAX_BYTES) at most. Follows no redirect and
    /// calls nothing but public hosts.
    ///
    /// # Errors
    /// [`DocumentError`] by variant, in words for the person who was led here.
    async fn document(&self, id: &ClientId) -> Result<Vec<u8>, DocumentError>;
}

/// Reads no documents.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoDocuments;

#[async_trait]
impl ClientDocuments for NoDocuments {
    async fn document(&self, _: &ClientId) -> Result<Vec<u8>, DocumentError> {
        Err(DocumentError::Refused("this server reads no documents".to_owned()))
    }
}
