//! What is kept of connections that people are making.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::StoreError;
use crate::connecting::{PassHash, PendingConnection};
use crate::ids::ConnectionId;

/// Connections that people are making in a browser. Their stages hold secrets, which a store that
/// outlives the process seals.
#[async_trait]
pub trait ConnectingStore: Send + Sync {
    /// Stores a new one.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn create_pending_connection(
        &self,
        pending: &PendingConnection,
    ) -> Result<(), StoreError>;

    /// The one with this id, expired or not.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn pending_connection(
        &self,
        id: ConnectionId,
    ) -> Result<Option<PendingConnection>, StoreError>;

    /// The one whose browser shows this pass, expired or not.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn pending_connection_by_pass(
        &self,
        pass: PassHash,
    ) -> Result<Option<PendingConnection>, StoreError>;

    /// Stores the pass and the stage of one, if its version is still `pending.version`; raises the
    /// version by one. `false` when another was faster or it is gone: of many callers with one
    /// version, one succeeds.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn save_pending_connection(
        &self,
        pending: &PendingConnection,
    ) -> Result<bool, StoreError>;

    /// Removes those that expired at `until` or before; returns how many.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_pending_connections(&self, until: DateTime<Utc>) -> Result<u64, StoreError>;
}
