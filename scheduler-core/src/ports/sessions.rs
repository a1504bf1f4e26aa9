//! What is kept of people who log in.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::StoreError;
use crate::connecting::PassHash;
use crate::ids::{SessionId, WorkspaceId};
use crate::session::{Login, LoginCode, Person, Session, SessionHash};
use crate::workspace::Workspace;

/// Which login is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoginOf {
    /// That with this code.
    Code(LoginCode),
    /// That whose program has this secret.
    Secret(PassHash),
}

/// Logins that programs have asked for, and the sessions of people.
#[async_trait]
pub trait SessionStore: Send + Sync {
    /// Stores a new login; `false` when another has its code or its secret.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn create_login(&self, _login: &Login) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The login that is asked for, expired or not.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn login(&self, _of: &LoginOf) -> Result<Option<Login>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Stores a new session; `false` when there is one of its id. Of many callers at once, one
    /// succeeds.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn open_session(&self, _session: &Session) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The session with this hash, expired or not, and its workspace.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn session_by_hash(
        &self,
        _hash: SessionHash,
    ) -> Result<Option<(Session, Workspace)>, StoreError> {
        Ok(None)
    }

    /// Every session of a workspace, oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn sessions(&self, _workspace: WorkspaceId) -> Result<Vec<Session>, StoreError> {
        Ok(Vec::new())
    }

    /// Lets a session of a workspace name a person; `false` when it has none of that id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn name_session(
        &self,
        _workspace: WorkspaceId,
        _id: SessionId,
        _person: &Person,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Lets a session of a workspace last until another instant; `false` when it has none of that
    /// id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn extend_session(
        &self,
        _workspace: WorkspaceId,
        _id: SessionId,
        _until: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Removes a session of a workspace; `false` when it has none of that id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_session(
        &self,
        _workspace: WorkspaceId,
        _id: SessionId,
    ) -> Result<bool, StoreError> {
        Ok(false)
    }

    /// Removes the logins and the sessions that expired at `until` or before; returns how many.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_expired_sessions(&self, _until: DateTime<Utc>) -> Result<u64, StoreError> {
        Ok(0)
    }
}
