//! Accounts that workspaces pick together.

use async_trait::async_trait;

use super::StoreError;
use crate::account::{AccountSet, AccountSetChange};
use crate::ids::{AccountSetId, WorkspaceId};

/// What became of a set of accounts that was to be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOutcome {
    /// It is stored.
    Stored,
    /// Another set of the workspace has its name; nothing was stored.
    NameTaken,
    /// The workspace has as many as it may have; nothing was stored.
    Full,
    /// There is none of that id; nothing was stored.
    Missing,
}

/// The sets of accounts of workspaces.
#[async_trait]
pub trait AccountSetStore: Send + Sync {
    /// Stores a new set, unless another of its workspace has its name or the workspace has `limit`
    /// or more. Of several callers at once, as many store theirs as there is room for.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn create_account_set(
        &self,
        _set: &AccountSet,
        _limit: u32,
    ) -> Result<SetOutcome, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The sets of a workspace, oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn account_sets(&self, _workspace: WorkspaceId) -> Result<Vec<AccountSet>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Stores what a change says of a set, unless another of its workspace has the name. What the
    /// change leaves out stays as it is stored at that moment.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn update_account_set(
        &self,
        _workspace: WorkspaceId,
        _id: AccountSetId,
        _change: &AccountSetChange,
    ) -> Result<SetOutcome, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Removes a set; `false` when there is none of that id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_account_set(
        &self,
        _workspace: WorkspaceId,
        _id: AccountSetId,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }
}
