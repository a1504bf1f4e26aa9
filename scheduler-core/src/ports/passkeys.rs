//! What is kept of passkeys.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::StoreError;
use crate::connecting::PassHash;
use crate::ids::{PasskeyId, WorkspaceId};
use crate::passkey::{Challenge, Passkey};
use crate::workspace::Workspace;

/// The passkeys of people, and what they are asked.
#[async_trait]
pub trait PasskeyStore: Send + Sync {
    /// Stores a new passkey; `false` when there is one of its credential.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn create_passkey(&self, _passkey: &Passkey) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Every passkey of a workspace, oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn passkeys(&self, _workspace: WorkspaceId) -> Result<Vec<Passkey>, StoreError> {
        Ok(Vec::new())
    }

    /// The passkey of this credential, and its workspace.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn passkey_by_credential(
        &self,
        _credential: &[u8],
    ) -> Result<Option<(Passkey, Workspace)>, StoreError> {
        Ok(None)
    }

    /// Notes that a passkey has signed in: its state, and when. `false` when it is gone, or its
    /// state is not that which was read. Of many callers at once, one succeeds.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn use_passkey(
        &self,
        _read: &Passkey,
        _state: &[u8],
        _at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Removes a passkey of a workspace; `false` when it has none of that id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_passkey(
        &self,
        _workspace: WorkspaceId,
        _id: PasskeyId,
    ) -> Result<bool, StoreError> {
        Ok(false)
    }

    /// Keeps what a passkey is asked, and removes what has expired at `now`; `false`, and it is not
    /// kept, when `most` are open.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn keep_challenge(
        &self,
        _challenge: &Challenge,
        _now: DateTime<Utc>,
        _most: u32,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Takes what was kept under a pass, expired or not. Of many callers at once, one gets it.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn take_challenge(&self, _pass: PassHash) -> Result<Option<Challenge>, StoreError> {
        Ok(None)
    }
}
