//! Connected accounts and their credentials, which a store keeps.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::StoreError;
use crate::account::{Account, Credentials};
use crate::ids::{AccountId, WorkspaceId};
use crate::webhook::Event;

/// What became of a connected account.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and never kept")]
pub enum ConnectOutcome {
    /// It was not known before.
    Added,
    /// It was known: handle, limits and credentials are new, the rest is as it was.
    Reconnected(Account),
    /// The plan covers no further account; nothing was stored.
    LimitReached,
}

/// Credentials with the number of times they were replaced.
#[derive(Clone, Debug)]
pub struct StoredCredentials {
    /// What opens the account.
    pub credentials: Credentials,
    /// Raised by every replacement.
    pub version: i64,
}

/// Whether a holder may refresh an account's credentials.
#[derive(Clone, Debug)]
pub enum RefreshClaim {
    /// It may, until the lease ends.
    Granted,
    /// Another holder is refreshing them.
    Busy {
        /// When its lease ends.
        until: DateTime<Utc>,
    },
    /// They were refreshed already; these are the new ones.
    Newer(StoredCredentials),
    /// The account is disconnected.
    Gone,
}

/// Connected accounts and their credentials.
#[async_trait]
pub trait AccountStore: Send + Sync {
    /// Stores an account and its credentials. One that the workspace has or had under the same
    /// platform and `network_id` keeps its id, zone, schedule, default options and date of connection.
    /// `needs_reconnect` is cleared. Connected accounts are counted against `limit` in the same
    /// transaction; an account that is connected already is not counted twice.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn connect_account(
        &self,
        account: &Account,
        credentials: &Credentials,
        limit: u64,
    ) -> Result<ConnectOutcome, StoreError>;

    /// The account with this id, connected or not.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn account(
        &self,
        workspace: WorkspaceId,
        id: AccountId,
    ) -> Result<Option<Account>, StoreError>;

    /// The connected accounts of a workspace, in the order of connection (`connected_at`, `id`).
    ///
    /// # Errors
    /// [`StoreError`]
    async fn accounts(&self, workspace: WorkspaceId) -> Result<Vec<Account>, StoreError>;

    /// Connected accounts of all workspaces that do not have to be connected again, and whose
    /// credentials expire at `until` or before; those first that expire first, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn accounts_expiring(
        &self,
        _until: DateTime<Utc>,
        _limit: u32,
    ) -> Result<Vec<Account>, StoreError> {
        Ok(Vec::new())
    }

    /// Stores an account's zone, schedule and default options; `false` when there is none of that id.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn update_account(&self, _account: &Account) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Marks an account as disconnected and removes its credentials; `false` when it is not
    /// connected.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn disconnect_account(
        &self,
        _workspace: WorkspaceId,
        _id: AccountId,
        _at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Marks an account as in need of being connected again, if its credentials are still those
    /// of `version`. Returns whether they are. Where it was not marked before, the event is stored in
    /// the same transaction, with a delivery, due at once, for every webhook that subscribes to it.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn mark_needs_reconnect(
        &self,
        _id: AccountId,
        _version: i64,
        _event: Option<&Event>,
    ) -> Result<bool, StoreError> {
        Ok(false)
    }

    /// The credentials of an account; `None` when it is disconnected.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn credentials(&self, id: AccountId) -> Result<Option<StoredCredentials>, StoreError>;

    /// Claims the right to refresh credentials of `version`, so that one holder at a time does
    /// over all nodes.
    ///
    /// Left out, nothing is refreshed: an account whose credentials have expired has to be
    /// connected again. A store that has it has [`Self::replace_credentials`] as well.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn claim_refresh(
        &self,
        _id: AccountId,
        _version: i64,
        _now: DateTime<Utc>,
        _lease_until: DateTime<Utc>,
    ) -> Result<RefreshClaim, StoreError> {
        Ok(RefreshClaim::Gone)
    }

    /// Replaces the credentials that accounts share, each known by its version, with new ones in
    /// one operation. They are good: `needs_reconnect` is cleared. Ends their claims. Returns those
    /// that have them now: not one whose credentials were replaced meanwhile or that is
    /// disconnected.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn replace_credentials(
        &self,
        _of: &[(AccountId, i64)],
        _credentials: &Credentials,
    ) -> Result<Vec<AccountId>, StoreError> {
        Err(StoreError::Unsupported)
    }
}
